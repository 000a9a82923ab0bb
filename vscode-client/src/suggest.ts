/**
 * Shows suggestions while a person types in the header of a template.
 *
 * VS Code turns quick suggestions off in Markdown and does not accept letters as trigger
 * characters, so the extension asks for them: after the first letter of a word in a header, after
 * an accepted key, and when an empty template is shown; and only if the server has something to
 * offer there. The body is prose and is left alone.
 */
import * as vscode from "vscode";
import { CompletionRequest, CompletionTriggerKind } from "vscode-languageclient/node";
import { isTemplate } from "./attach";
import type { Client } from "./client";

const FENCE = "---";

/** Starts to watch what is typed; `client` gives the server's client, if there is one. */
export function suggestWhileTyping(client: () => Client | undefined): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument((event) => {
      const editor = vscode.window.activeTextEditor;
      if (editor?.document === event.document && asks(event)) {
        void offer(editor, client());
      }
    }),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (editor && editor.document.getText() === "") {
        void offer(editor, client());
      }
    }),
  );
}

/** Whether the change is one, in the header of a template, after which something may follow. */
function asks({ contentChanges, document, reason }: vscode.TextDocumentChangeEvent): boolean {
  const [change, more] = contentChanges;
  // What undo brings back was written before.
  if (!change || more || reason !== undefined) {
    return false;
  }
  const { line, character } = change.range.start;
  const before = document.lineAt(line).text.slice(0, character);
  const asksNow = startsWord(before, change.text) || leadsToValue(change.text);
  return asksNow && isTemplate(document) && inHeader(document, line);
}

function startsWord(before: string, typed: string): boolean {
  return /^\p{L}$/u.test(typed) && !/[\p{L}\p{N}_]$/u.test(before);
}

/** Whether an accepted completion, which is more than a character, goes on with a value. */
function leadsToValue(inserted: string): boolean {
  return inserted.length > 2 && /[:-] $/.test(inserted);
}

/** Whether `line` is inside of the header; a file that is not Markdown is all header. */
function inHeader(document: vscode.TextDocument, line: number): boolean {
  if (!/\.md$/i.test(document.fileName)) {
    return true;
  }
  if (document.lineAt(0).text.trimEnd() !== FENCE) {
    // The first letter in an empty file may become a header.
    return line === 0 && document.lineCount === 1;
  }
  for (let above = 1; above <= line; above++) {
    if (document.lineAt(above).text.trimEnd() === FENCE) {
      return false;
    }
  }
  return line > 0;
}

async function offer(editor: vscode.TextEditor, client: Client | undefined): Promise<void> {
  const { document } = editor;
  const wanted = vscode.workspace
    .getConfiguration("agentTemplates", document)
    .get<boolean>("suggestWhileTyping", true);
  if (!wanted || !client || !isTemplate(document)) {
    return;
  }
  const version = document.version;
  // The change is announced before the cursor moves, so the cursor is asked for one turn later.
  await new Promise((resolve) => setTimeout(resolve));
  if (await hasCompletions(client, editor)) {
    // What was typed in the meantime is no matter, but another document is.
    if (vscode.window.activeTextEditor === editor && document.version >= version) {
      await vscode.commands.executeCommand("editor.action.triggerSuggest", { auto: true });
    }
  }
}

async function hasCompletions(client: Client, editor: vscode.TextEditor): Promise<boolean> {
  const answer = await client.sendRequest(CompletionRequest.type, {
    textDocument: client.code2ProtocolConverter.asTextDocumentIdentifier(editor.document),
    position: client.code2ProtocolConverter.asPosition(editor.selection.active),
    context: { triggerKind: CompletionTriggerKind.Invoked },
  });
  return (Array.isArray(answer) ? answer : (answer?.items ?? [])).length > 0;
}
