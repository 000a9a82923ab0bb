/**
 * Leaves to VS Code what it says itself about the agent files that it knows.
 *
 * It validates files of a few language ids and completes their keys. There, a message of ours is
 * left out where VS Code has one on the same words, and a completion where VS Code offers one of
 * the same name.
 */
import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";

const LANGUAGES = ["chatagent", "prompt", "instructions", "skill"];
const SOURCE = "agent-template-lsp";

/** The parts of a client's middleware that this takes; its listeners end with `subscriptions`. */
export function overlap(subscriptions: vscode.Disposable[]): Middleware {
  return { ...diagnostics(subscriptions), ...completions() };
}

function diagnostics(subscriptions: vscode.Disposable[]): Middleware {
  type Show = (uri: vscode.Uri, diagnostics: vscode.Diagnostic[]) => void;
  const shown = new Map<string, { all: vscode.Diagnostic[]; rest: number; show: Show }>();
  const update = (uri: vscode.Uri, all: vscode.Diagnostic[], show: Show) => {
    const theirs = others(uri);
    const rest = all.filter((ours) => !theirs.some(({ range }) => touches(range, ours.range)));
    if (shown.get(uri.toString())?.rest !== rest.length) {
      show(uri, rest);
    }
    shown.set(uri.toString(), { all, rest: rest.length, show });
  };
  subscriptions.push(
    // VS Code may have its say after the server.
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      for (const uri of uris) {
        const before = shown.get(uri.toString());
        if (before) {
          update(uri, before.all, before.show);
        }
      }
    }),
  );
  return {
    handleDiagnostics(uri, all, show) {
      shown.delete(uri.toString());
      if (isTheirs(documentAt(uri))) {
        update(uri, all, show);
      } else {
        show(uri, all);
      }
    },
  };
}

function completions(): Middleware {
  const asked = new Set<string>();
  return {
    async provideCompletionItem(document, position, context, token, next) {
      const place = `${document.uri} ${document.version} ${document.offsetAt(position)}`;
      // Asking everybody asks this client, too.
      if (asked.has(place)) {
        return [];
      }
      const ours = await next(document, position, context, token);
      if (!ours || !isTheirs(document)) {
        return ours;
      }
      asked.add(place);
      try {
        const theirs = await labelsAt(document.uri, position);
        const isNew = (item: vscode.CompletionItem) => !theirs.has(label(item));
        return Array.isArray(ours)
          ? ours.filter(isNew)
          : new vscode.CompletionList(ours.items.filter(isNew), ours.isIncomplete);
      } finally {
        asked.delete(place);
      }
    },
  };
}

async function labelsAt(uri: vscode.Uri, position: vscode.Position): Promise<Set<string>> {
  const list = await vscode.commands.executeCommand<vscode.CompletionList>(
    "vscode.executeCompletionItemProvider",
    uri,
    position,
  );
  return new Set(list.items.map(label));
}

function label(item: vscode.CompletionItem): string {
  return typeof item.label === "string" ? item.label : item.label.label;
}

function others(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter(({ source }) => source !== SOURCE);
}

function touches(one: vscode.Range, other: vscode.Range): boolean {
  return one.intersection(other) !== undefined;
}

function documentAt(uri: vscode.Uri): vscode.TextDocument | undefined {
  const wanted = uri.toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === wanted);
}

function isTheirs(document: vscode.TextDocument | undefined): boolean {
  return document !== undefined && LANGUAGES.includes(document.languageId);
}
