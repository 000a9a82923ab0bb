/**
 * Leaves to VS Code what it says itself about the agent files that it knows.
 *
 * It validates files of a few language ids and completes their keys. There, a message of ours is
 * left out where VS Code has one on the same words that is no less severe, and a completion where
 * VS Code offers one of the same name and says what it means. What other extensions say is no reason
 * to be silent.
 */
import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";
import { withPage } from "./rules";

/** What stands for a typed character when this asks everybody, so that it knows its own question. */
const OWN_QUESTION = "agent-templates";
const LANGUAGES = ["chatagent", "prompt", "instructions", "skill"];

/** The parts of a client's middleware that this takes; its listeners end with `subscriptions`. */
export function overlap(subscriptions: vscode.Disposable[]): Middleware {
  return { ...diagnostics(subscriptions), ...completions() };
}

function diagnostics(subscriptions: vscode.Disposable[]): Middleware {
  type Show = (uri: vscode.Uri, diagnostics: vscode.Diagnostic[]) => void;
  const published = new Map<
    string,
    { all: vscode.Diagnostic[]; shown: vscode.Diagnostic[]; show: Show }
  >();
  const update = (uri: vscode.Uri, all: vscode.Diagnostic[], show: Show) => {
    const theirs = isTheirs(documentAt(uri)) ? others(uri) : [];
    const isNew = (ours: vscode.Diagnostic) => !theirs.some((one) => says(one, ours));
    const rest = all.filter(isNew);
    const before = published.get(uri.toString());
    published.set(uri.toString(), { all, shown: rest, show });
    if (before?.all !== all || !isSame(before.shown, rest)) {
      show(uri, rest);
    }
  };
  const again = (uri: vscode.Uri) => {
    const before = published.get(uri.toString());
    if (before) {
      update(uri, before.all, before.show);
    }
  };
  subscriptions.push(
    // VS Code may have its say after the server, and takes it back when the file is closed.
    vscode.languages.onDidChangeDiagnostics(({ uris }) => uris.forEach(again)),
  );
  return {
    handleDiagnostics(uri, all, show) {
      if (all.length) {
        update(uri, all.map(withPage), show);
      } else {
        published.delete(uri.toString());
        show(uri, all);
      }
    },
  };
}

function completions(): Middleware {
  return {
    async provideCompletionItem(document, position, context, token, next) {
      // Asking everybody asks this client, too. The place alone does not tell that: a person may ask
      // again at the same one, and has to get all.
      if (context.triggerCharacter === OWN_QUESTION) {
        return [];
      }
      const ours = await next(document, position, context, token);
      if (!ours || !isTheirs(document)) {
        return ours;
      }
      const theirs = await labelsAt(document.uri, position);
      const isNew = (item: vscode.CompletionItem) => !theirs.has(label(item));
      return Array.isArray(ours)
        ? ours.filter(isNew)
        : new vscode.CompletionList(ours.items.filter(isNew), ours.isIncomplete);
    },
  };
}

async function labelsAt(uri: vscode.Uri, position: vscode.Position): Promise<Set<string>> {
  const list = await vscode.commands.executeCommand<vscode.CompletionList>(
    "vscode.executeCompletionItemProvider",
    uri,
    position,
    OWN_QUESTION,
  );
  // An item without a word of explanation is no reason to leave out one that has some.
  return new Set(list.items.filter(({ documentation }) => documentation).map(label));
}

function label(item: vscode.CompletionItem): string {
  return typeof item.label === "string" ? item.label : item.label.label;
}

/** What VS Code itself says of a file; extensions name themselves as the source. */
function others(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter(({ source }) => !source);
}

/** Whether one of VS Code's messages stands on the words of ours, and is no less severe. */
function says(theirs: vscode.Diagnostic, ours: vscode.Diagnostic): boolean {
  const shared = theirs.range.intersection(ours.range);
  const isShared = shared && (!shared.isEmpty || theirs.range.isEmpty || ours.range.isEmpty);
  return !!isShared && theirs.severity <= ours.severity;
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, at) => item === other[at]);
}

function documentAt(uri: vscode.Uri): vscode.TextDocument | undefined {
  const wanted = uri.toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === wanted);
}

function isTheirs(document: vscode.TextDocument | undefined): boolean {
  return document !== undefined && LANGUAGES.includes(document.languageId);
}
