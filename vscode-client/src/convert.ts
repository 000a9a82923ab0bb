/**
 * Converts a template to another agent system: asks which, shows what is lost and what the new file
 * is, and writes it only when a person has agreed.
 *
 * VS Code forgets the command of a code action as soon as an edit of the same action has changed the
 * editor, and then says that the command was not found. So the action is only a command here.
 */
import { basename } from "node:path";
import * as vscode from "vscode";
import {
  type CodeAction,
  CodeActionRequest,
  CodeActionTriggerKind,
  ExecuteCommandRequest,
  type Middleware,
} from "vscode-languageclient/node";
import { hasAgent } from "./attach";
import { chosenTemplate } from "./choose";
import { withoutFileLinks } from "./list";
import type { Client } from "./client";
import type { Server } from "./server";

const SERVERS = "agentTemplates.convert";
const OWN = "agentTemplates.convertAgent";
const KIND = "refactor.convert";
const SCHEME = "agent-templates-conversion";
const CREATE = vscode.l10n.t("Create");

/** The server's object for its command. */
type Argument = Readonly<Record<string, unknown>>;

interface NewFile {
  readonly uri: vscode.Uri;
  readonly text: string;
}

/** One system to which the template can be converted, and what it would become there. */
interface Offer extends vscode.QuickPickItem {
  readonly argument: Argument;
  readonly files: readonly NewFile[];
}

/** Registers the command, and the documents with what is not written yet. */
export function conversions(server: Server): vscode.Disposable {
  const texts = new Map<string, string>();
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? "",
    }),
    vscode.commands.registerCommand(OWN, async (uri?: vscode.Uri, argument?: Argument) => {
      const source = uri ?? activeTemplate() ?? (await chosenTemplate());
      const client = source && (await server.started());
      const found = client ? await offers(client, source) : [];
      const offer = argument
        ? found.find((one) => isSame(one.argument, argument))
        : await chosen(source, found);
      if (client && source && offer) {
        await convert(client, source, offer, texts);
      }
    }),
  );
}

/** Lets the command take over what the server's code actions would do at once. */
export function conversionActions(): Middleware {
  return {
    async provideCodeActions(document, range, context, token, next) {
      const found = await next(document, range, context, token);
      return found?.map((action) => {
        const command = "edit" in action ? action.command : undefined;
        const [argument] = (command?.arguments ?? []) as Argument[];
        if (command?.command !== SERVERS || !argument) {
          return action;
        }
        const taken = new vscode.CodeAction(
          action.title,
          vscode.CodeActionKind.Refactor.append("convert"),
        );
        taken.command = { title: action.title, command: OWN, arguments: [document.uri, argument] };
        return taken;
      });
    },
  };
}

function activeTemplate(): vscode.Uri | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document && hasAgent(document) ? document.uri : undefined;
}

async function offers(client: Client, source: vscode.Uri): Promise<Offer[]> {
  // The server answers for what is open, and in a file of several agents for the one at the cursor.
  const document = await vscode.workspace.openTextDocument(source);
  const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
  const at = client.code2ProtocolConverter.asPosition(
    editor?.selection.active ?? new vscode.Position(0, 0),
  );
  const answer = await client.sendRequest(CodeActionRequest.type, {
    textDocument: client.code2ProtocolConverter.asTextDocumentIdentifier(document),
    range: { start: at, end: at },
    context: { diagnostics: [], only: [KIND], triggerKind: CodeActionTriggerKind.Invoked },
  });
  return (answer ?? []).flatMap((action) => ("edit" in action ? offer(client, action) : []));
}

function offer(client: Client, action: CodeAction): Offer[] {
  const [argument] = (action.command?.arguments ?? []) as Argument[];
  const files = (action.edit?.documentChanges ?? []).flatMap((change) =>
    "edits" in change
      ? [
          {
            uri: client.protocol2CodeConverter.asUri(change.textDocument.uri),
            text: change.edits.map((edit) => ("newText" in edit ? edit.newText : "")).join(""),
          },
        ]
      : [],
  );
  const [, label, description] = /^Convert to (.*?): (.*)$/.exec(action.title) ?? [];
  return argument && label && files.length > 0
    ? [{ label, description: description?.replaceAll("`", "") ?? "", argument, files }]
    : [];
}

async function chosen(
  source: vscode.Uri | undefined,
  found: readonly Offer[],
): Promise<Offer | undefined> {
  if (!source) {
    return undefined;
  }
  const name = basename(source.path);
  if (found.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        "{0} cannot be converted: it is not a template, it has errors, or all the new files already exist.",
        name,
      ),
    );
    return undefined;
  }
  return vscode.window.showQuickPick(found, {
    title: vscode.l10n.t("Convert {0}", name),
    placeHolder: vscode.l10n.t(
      "Convert to which agent system? You see the result before it is written",
    ),
    matchOnDescription: true,
  });
}

async function convert(
  client: Client,
  source: vscode.Uri,
  { argument, files, label }: Offer,
  texts: Map<string, string>,
): Promise<void> {
  const answer: { markdown?: string } = await client.sendRequest(ExecuteCommandRequest.type, {
    command: SERVERS,
    arguments: [{ ...argument, show: false }],
  });
  const put = (path: string, text: string) => {
    const query = `${source.toString()} ${String(argument["to"])}`;
    const uri = vscode.Uri.from({ scheme: SCHEME, path, query });
    texts.set(uri.toString(), text);
    return uri;
  };
  const [first] = files;
  if (!first) {
    return;
  }
  const next = put(first.uri.path, first.text);
  const title = `${basename(source.path)} → ${vscode.workspace.asRelativePath(first.uri)}`;
  await vscode.commands.executeCommand("vscode.diff", source, next, title);
  const report = put(
    `/${vscode.l10n.t("Conversion to {0}", label)}.md`,
    withoutFileLinks(answer.markdown ?? ""),
  );
  await vscode.commands.executeCommand("markdown.showLockedPreviewToSide", report);
  const names = files.map(({ uri }) => vscode.workspace.asRelativePath(uri)).join(", ");
  const told = vscode.l10n.t("Create {0}? Nothing is written yet.", names);
  if ((await vscode.window.showInformationMessage(told, CREATE)) === CREATE) {
    await write(files);
    await close(next);
    await vscode.window.showTextDocument(first.uri, { preview: false });
  }
  texts.delete(next.toString());
  texts.delete(report.toString());
}

async function write(files: readonly NewFile[]): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  for (const { uri, text } of files) {
    // It may have come into being in the meantime, and is left alone then.
    edit.createFile(uri, { overwrite: false, contents: new TextEncoder().encode(text) });
  }
  if (!(await vscode.workspace.applyEdit(edit))) {
    void vscode.window.showErrorMessage(
      vscode.l10n.t("The file was not created, because it already exists."),
    );
  }
}

/** Closes the comparison with what is not written any more. */
async function close(uri: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const isOurs = ({ input }: vscode.Tab) =>
    input instanceof vscode.TabInputTextDiff && input.modified.toString() === uri.toString();
  await vscode.window.tabGroups.close(tabs.filter(isOurs));
}

function isSame(one: Argument, other: Argument): boolean {
  return one["to"] === other["to"] && one["preset"] === other["preset"];
}
