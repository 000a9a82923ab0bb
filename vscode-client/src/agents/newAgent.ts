/**
 * "New Agent": asks step by step what it needs, and makes the file.
 *
 * Each step can go back to the one before. What may be chosen and whether a name will do, the
 * server says; a step with one choice is not asked.
 */
import * as vscode from "vscode";
import { type Server, stopped } from "../server";
import { type Made, make, plain } from "./actions";
import { type Answer, ask } from "./roster";
import type { Row } from "./rows";

const COMMAND = "agentTemplates.beginAgent";
const TITLE = vscode.l10n.t("New Agent");

/** A system of which an agent can be begun. */
interface Choice {
  readonly dialect: string;
  readonly title: string;
  readonly runtime: string;
  readonly in_use: boolean;
  readonly scopes: readonly { scope: string; meaning: string; folder: string }[];
  readonly starters: readonly { name: string; description: string }[];
}

type Begin = (plan: object) => Promise<Answer<Made> | undefined>;

/** Stands for the button that goes back. */
const BACK = Symbol("back");

const SCOPES: Readonly<Record<string, string>> = {
  project: vscode.l10n.t("This project"),
  user: vscode.l10n.t("Only me"),
};
const QUESTIONS = [
  vscode.l10n.t("Which agent system is it for?"),
  vscode.l10n.t("Who should have this agent?"),
  vscode.l10n.t("Which starter should it use?"),
];

/** Asks for system, scope, starter and name, makes the agent's file and opens it. */
export async function newAgent(server: Server, row?: Row): Promise<void> {
  const uri = await startOf(row);
  if (uri === null) {
    return;
  }
  const place = uri ? { uri: uri.toString() } : {};
  const offered = await ask<{ systems: Choice[] }>(server, COMMAND, place);
  const systems = offered?.result?.systems;
  if (!systems) {
    const why = offered?.error ?? stopped();
    void vscode.window.showErrorMessage(why);
    return;
  }
  const dialect = dialectOf(row);
  const wanted = systems.filter((one) => dialect === undefined || one.dialect === dialect);
  const made = await asked(wanted.length > 0 ? wanted : systems, (plan) =>
    ask<Made>(server, COMMAND, { ...place, ...plan }),
  );
  if (made) {
    await make(made);
  }
}

/** The folder that the new agent is for; null if nobody said which. */
async function startOf(row?: Row): Promise<vscode.Uri | null | undefined> {
  if (row?.subject.kind === "session") {
    return vscode.Uri.file(row.subject.session.root);
  }
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length < 2) {
    return folders[0]?.uri;
  }
  const options = { placeHolder: vscode.l10n.t("New Agent: for which folder?") };
  return (await vscode.window.showWorkspaceFolderPick(options))?.uri ?? null;
}

function dialectOf(row?: Row): string | undefined {
  const subject = row?.subject;
  return subject && "system" in subject ? subject.system.dialect : undefined;
}

/** Goes through the steps, to and fro, until there is an agent or nobody wants one. */
async function asked(systems: readonly Choice[], begin: Begin): Promise<Made | undefined> {
  const answers: string[] = [];
  const history: number[] = [];
  for (;;) {
    const step = answers.length;
    const choices = choicesOf(systems, answers);
    const [only, ...more] = choices;
    if (only && more.length === 0) {
      answers.push(only.answer);
      continue;
    }
    const answer =
      step < QUESTIONS.length
        ? await pick(choices, titleOf(systems, answers), step, history.length > 0)
        : await nameIt(answers, titleOf(systems, answers), begin, history.length > 0);
    if (typeof answer === "string") {
      history.push(step);
      answers.push(answer);
    } else if (answer !== BACK) {
      return answer;
    } else {
      answers.length = history.pop() ?? 0;
    }
  }
}

/** Says of which system the agent will be, as soon as that is known. */
function titleOf(systems: readonly Choice[], [dialect]: readonly string[]): string {
  const system = systems.find((one) => one.dialect === dialect);
  return system ? vscode.l10n.t("New Agent: {0}", system.title) : TITLE;
}

type Item = vscode.QuickPickItem & { readonly answer: string };

/** What can be chosen after `answers`; nothing where a name is to be typed. */
function choicesOf(systems: readonly Choice[], answers: readonly string[]): Item[] {
  const system = systems.find(({ dialect }) => dialect === answers[0]);
  switch (answers.length) {
    case 0:
      return systems.map(({ dialect, title, runtime, in_use }) => ({
        answer: dialect,
        label: title,
        description: in_use ? vscode.l10n.t("in use here") : "",
        detail: runtime,
      }));
    case 1:
      return (system?.scopes ?? []).map(({ scope, meaning, folder }) => ({
        answer: scope,
        label: SCOPES[scope] ?? scope,
        description: folder,
        detail: meaning,
      }));
    case 2:
      return (system?.starters ?? []).map(({ name, description }) => ({
        answer: name,
        label: name,
        detail: description,
      }));
    default:
      return [];
  }
}

function pick(
  items: readonly Item[],
  title: string,
  step: number,
  back: boolean,
): Promise<string | typeof BACK | undefined> {
  const input = vscode.window.createQuickPick<Item>();
  input.items = items;
  input.placeholder = QUESTIONS[step] ?? "";
  input.matchOnDescription = true;
  return shown(input, title, back, () => input.selectedItems[0]?.answer);
}

/** Asks for a name until the server takes it. */
function nameIt(
  [dialect, scope, starter]: readonly string[],
  title: string,
  begin: Begin,
  back: boolean,
): Promise<Made | typeof BACK | undefined> {
  const input = vscode.window.createInputBox();
  const answer = () => begin({ dialect, scope, starter, name: input.value.trim() });
  input.prompt = vscode.l10n.t("The name by which other agents call this one");
  input.placeholder = vscode.l10n.t("for example: reviewer");
  input.onDidChangeValue(async (value) => {
    const found = value.trim() ? await answer() : undefined;
    // What was typed in the meantime has an answer of its own.
    if (input.value === value) {
      input.validationMessage = message(found) ?? "";
    }
  });
  return shown(input, title, back, async () => {
    const found = input.value.trim() ? await answer() : undefined;
    input.validationMessage = message(found) ?? "";
    return found?.result ?? undefined;
  });
}

function message(found: Answer<Made> | undefined): vscode.InputBox["validationMessage"] {
  if (found?.error) {
    return { message: plain(found.error), severity: vscode.InputBoxValidationSeverity.Error };
  }
  const note = found?.result?.note;
  return note
    ? { message: plain(note), severity: vscode.InputBoxValidationSeverity.Info }
    : undefined;
}

/** Shows `input` until `accepted` has something, or it is left. */
function shown<T>(
  input: vscode.QuickPick<Item> | vscode.InputBox,
  title: string,
  back: boolean,
  accepted: () => T | undefined | Promise<T | undefined>,
): Promise<T | typeof BACK | undefined> {
  input.title = title;
  input.buttons = back ? [vscode.QuickInputButtons.Back] : [];
  input.ignoreFocusOut = true;
  return new Promise((resolve) => {
    input.onDidTriggerButton(() => {
      resolve(BACK);
      input.dispose();
    });
    input.onDidAccept(async () => {
      const answer = await accepted();
      if (answer !== undefined) {
        resolve(answer);
        input.dispose();
      }
    });
    input.onDidHide(() => {
      resolve(undefined);
      input.dispose();
    });
    input.show();
  });
}
