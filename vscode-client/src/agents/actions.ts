/**
 * What can be done with a row of the Agents view.
 *
 * Files are made and edited by VS Code, so that the workspace's own undo, watchers and trust
 * apply; what is to be in them, the server says.
 */
import * as vscode from "vscode";
import type { Server } from "../server";
import { newAgent } from "./newAgent";
import { type Agent, ask, type Roster } from "./roster";
import { agentOf, placeOf, type Row, startOf } from "./rows";

/** A file that is to be made, as the server describes it; or one to whose end the text is added. */
export interface Made {
  readonly file: string;
  readonly appended: boolean;
  readonly text: string;
  readonly name: string;
  readonly note: string | null;
}

/** Registers the commands of the view; without a row they are about the `selected` one. */
export function actions(
  server: Server,
  roster: Roster,
  selected: () => Row | undefined,
): vscode.Disposable {
  const command = (name: string, work: (row?: Row) => unknown) =>
    vscode.commands.registerCommand(`agentTemplates.${name}`, (row?: unknown) => work(asRow(row)));
  const onRow = (name: string, work: (row: Row) => unknown) =>
    command(name, (given) => {
      const row = given ?? selected();
      return row && work(row);
    });
  return vscode.Disposable.from(
    command("newAgent", (row) => newAgent(server, row)),
    command("refreshAgents", () => roster.update()),
    onRow("openAgent", open),
    onRow("previewAgent", preview),
    onRow("copyToProject", (row) => copy(server, row, "project")),
    onRow("copyToUser", (row) => copy(server, row, "user")),
    onRow("copyAgentName", (row) => vscode.env.clipboard.writeText(nameOf(row))),
    onRow("revealAgentFile", revealFile),
    onRow("deleteAgent", remove),
  );
}

/** Makes the file, and shows it; the focus goes there unless `options` keep it. */
export async function make(
  { file, appended, text, note }: Made,
  options: vscode.TextDocumentShowOptions = {},
): Promise<void> {
  const uri = vscode.Uri.file(file);
  const edit = new vscode.WorkspaceEdit();
  let line = 0;
  if (appended) {
    line = (await vscode.workspace.openTextDocument(uri)).lineCount;
    edit.insert(uri, new vscode.Position(line, 0), text);
  } else {
    edit.createFile(uri, { contents: Buffer.from(text, "utf8"), overwrite: false });
  }
  if (!(await vscode.workspace.applyEdit(edit))) {
    void vscode.window.showErrorMessage(
      vscode.l10n.t("{0} cannot be created.", vscode.workspace.asRelativePath(uri)),
    );
    return;
  }
  await show(uri, { ...options, preview: false, selection: startOf(line) });
  if (note) {
    void vscode.window.showInformationMessage(`${sentence(note)}.`);
  }
}

/**
 * Opens a file as a person does.
 *
 * What is opened by an extension's own means stays open behind the scenes for minutes, and a file
 * that is deleted meanwhile would go on to count.
 */
async function show(uri: vscode.Uri, options: vscode.TextDocumentShowOptions): Promise<void> {
  await vscode.commands.executeCommand("vscode.open", uri, options);
}

function asRow(row: unknown): Row | undefined {
  return typeof row === "object" && row !== null && "subject" in row ? (row as Row) : undefined;
}

function nameOf({ subject }: Row): string {
  return subject.kind === "persona"
    ? subject.persona.name
    : subject.kind === "agent"
      ? subject.agent.name
      : "";
}

/** Goes to what a row leads to, as Enter does. */
async function open(row: Row): Promise<void> {
  const place = placeOf(row.subject);
  if (place) {
    await show(vscode.Uri.file(place.file), { preview: false, selection: startOf(place.line) });
  }
}

async function preview(row: Row): Promise<void> {
  const { subject } = row;
  const call =
    subject.kind === "persona"
      ? subject.persona.call
      : subject.kind === "agent"
        ? subject.agent.call
        : null;
  const agent = agentOf(row);
  if (agent && call) {
    const uri = vscode.Uri.file(agent.file);
    await vscode.commands.executeCommand("agentTemplates.openPreview", uri, call);
  }
}

async function copy(server: Server, row: Row, scope: string): Promise<void> {
  const agent = agentOf(row);
  if (!agent) {
    return;
  }
  const argument = { uri: vscode.Uri.file(agent.file).toString(), scope };
  const answer = await ask<Made>(server, "agentTemplates.copyAgent", argument);
  if (answer?.result) {
    // As after pasting in the Explorer, the focus stays in the view.
    await make(answer.result, { preserveFocus: true });
  } else if (answer) {
    void vscode.window.showWarningMessage(`${sentence(answer.error ?? "")}.`);
  }
}

async function revealFile(row: Row): Promise<void> {
  const agent = agentOf(row);
  if (agent) {
    await vscode.commands.executeCommand("revealInExplorer", vscode.Uri.file(agent.file));
  }
}

/** Moves a file to the trash after a question; where there is none, after a second one. */
async function remove(row: Row): Promise<void> {
  // Not what a persona is a part of: nobody has said that all of it is to go.
  const agent = row.subject.kind === "agent" ? row.subject.agent : undefined;
  if (!agent?.alone || agent.scope.builtin) {
    return;
  }
  const uri = vscode.Uri.file(agent.file);
  const trash = vscode.l10n.t("Move to Trash");
  const detail = [agent.path, after(agent)].filter(Boolean).join("\n\n");
  const question = vscode.l10n.t("Delete the agent “{0}”?", agent.name);
  if (
    (await vscode.window.showWarningMessage(question, { modal: true, detail }, trash)) !== trash
  ) {
    return;
  }
  try {
    await vscode.workspace.fs.delete(uri, { useTrash: true });
  } catch {
    const forGood = vscode.l10n.t("Delete Permanently");
    const why = vscode.l10n.t("There is no trash for this file. This cannot be undone.");
    const lost = `${agent.path}\n\n${why}`;
    const again = vscode.l10n.t("Delete “{0}” permanently?", agent.name);
    const options = { modal: true, detail: lost };
    if ((await vscode.window.showWarningMessage(again, options, forGood)) !== forGood) {
      return;
    }
    await vscode.workspace.fs.delete(uri);
  }
  await close(uri);
}

/** What counts when `agent` is gone. */
function after({ overrides }: Agent): string {
  if (!overrides) {
    return "";
  }
  return overrides.scope.builtin
    ? vscode.l10n.t("Then the built-in agent is used.")
    : vscode.l10n.t("Then {0} is used.", overrides.path);
}

/** Closes the editors of a file that is gone. */
async function close(uri: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const its = tabs.filter(
    ({ input }) => input instanceof vscode.TabInputText && input.uri.fsPath === uri.fsPath,
  );
  await vscode.window.tabGroups.close(its);
}

/** The server's words where VS Code shows no Markdown. */
export function plain(words: string): string {
  return words.replace(/`([^`]*)`/g, "“$1”");
}

/** The same as a sentence, which ends where it is used. */
export function sentence(words: string): string {
  return plain(words.charAt(0).toUpperCase() + words.slice(1));
}
