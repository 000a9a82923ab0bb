/**
 * Shows suggestions while a person types in the header of a template.
 *
 * VS Code turns quick suggestions off in Markdown and does not accept letters as trigger
 * characters, so the extension asks for them: after the first letter that is typed in a header, be
 * it the first one of a word or not, after an accepted key, and when an empty template is shown; and
 * only if the server has something to offer there. The body is prose and is left alone.
 *
 * Where VS Code shows suggestions itself, the extension must not: a second list takes the place of
 * the first. Whether VS Code does so depends on the language, on the settings, on the grammar's
 * tokens and on other extensions, so the extension waits a moment and looks.
 */
import * as vscode from "vscode";
import {
  CompletionRequest,
  CompletionTriggerKind,
  type Middleware,
} from "vscode-languageclient/node";
import { isCompleted } from "./attach";
import type { Client } from "./client";

const FENCE = "---";
const LETTER = /^\p{L}$/u;
/** What `editor.quickSuggestions` says where letters bring up no list. */
const NO_LIST: readonly unknown[] = ["off", "inline", false];
/** How long after its delay, in milliseconds, VS Code has asked if it is going to. */
const SLACK = 150;
/** How long after a change, in milliseconds, VS Code has said how the cursor was moved by it. */
const MOVED = 50;

/** The versions of documents for which VS Code has asked for suggestions last. */
export class Asked {
  private readonly versions = new WeakMap<vscode.TextDocument, number>();

  /** Whether VS Code has asked since `document` had `version`. */
  since(version: number, document: vscode.TextDocument): boolean {
    return (this.versions.get(document) ?? -1) >= version;
  }

  /** Takes note of what is asked, and goes on with `middleware`. */
  watch({ provideCompletionItem }: Middleware): Middleware {
    return {
      provideCompletionItem: (document, position, context, token, next) => {
        this.versions.set(document, document.version);
        return provideCompletionItem
          ? provideCompletionItem(document, position, context, token, next)
          : next(document, position, context, token);
      },
    };
  }
}

/** Tells the first letter that is typed in a place from those that follow it, and have its list. */
class Letters {
  private last:
    { document: vscode.TextDocument; version: number; end: vscode.Position } | undefined;

  isFirst({ contentChanges, document }: vscode.TextDocumentChangeEvent): boolean {
    const { last } = this;
    const [change] = contentChanges;
    if (!change) {
      return false;
    }
    const { start } = change.range;
    const isNext =
      last?.document === document &&
      document.version === last.version + 1 &&
      change.range.isEmpty &&
      start.isEqual(last.end);
    const end = start.translate(0, change.text.length);
    this.last = { document, version: document.version, end };
    return !isNext;
  }
}

/** Starts to watch what is typed; `client` gives the server's client, if there is one. */
export function suggestWhileTyping(client: () => Client | undefined): vscode.Disposable {
  const letters = new Letters();
  let moved: vscode.TextEditorSelectionChangeKind | undefined;
  // A fix may insert a letter, too.
  const isNotTyped = () => moved !== vscode.TextEditorSelectionChangeKind.Keyboard;
  return vscode.Disposable.from(
    vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
      moved = kind;
    }),
    vscode.workspace.onDidChangeTextDocument((event) => {
      const editor = vscode.window.activeTextEditor;
      const isFirst = letters.isFirst(event);
      const delay = editor?.document === event.document ? delayAfter(event, isFirst) : undefined;
      if (editor && delay !== undefined) {
        moved = undefined;
        const isLetter = LETTER.test(event.contentChanges[0]?.text ?? "");
        void (isLetter
          ? offer(editor, client(), Math.max(delay, MOVED), isNotTyped)
          : offer(editor, client(), delay));
      }
    }),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      if (editor && editor.document.getText() === "") {
        void offer(editor, client(), 0, isLookedAt);
      }
    }),
  );
}

/**
 * How long to wait until something is offered after a change: until VS Code would have done so.
 *
 * Nothing is offered after a change that is none in the header of a template after which something
 * may follow.
 */
function delayAfter(
  { contentChanges, document, reason }: vscode.TextDocumentChangeEvent,
  isFirst: boolean,
): number | undefined {
  const [change, more] = contentChanges;
  // What undo brings back was written before.
  if (!change || more || reason !== undefined) {
    return undefined;
  }
  const { line, character } = change.range.start;
  const before = document.lineAt(line).text.slice(0, character);
  const isTyped = startsWord(before, change.text) || (isFirst && LETTER.test(change.text));
  if (
    !(isTyped || leadsToValue(change.text)) ||
    !isCompleted(document) ||
    !inHeader(document, line)
  ) {
    return undefined;
  }
  // An accepted completion may bring up the next list by itself, whatever the settings say.
  return isTyped && hasNoQuickSuggestions(document) ? 0 : quickSuggestionsDelay(document) + SLACK;
}

/** Whether no letter in `document` brings up a list, be it in a text, a comment or elsewhere. */
function hasNoQuickSuggestions(document: vscode.TextDocument): boolean {
  const setting: unknown = vscode.workspace
    .getConfiguration("editor", document)
    .get("quickSuggestions");
  if (typeof setting !== "object" || setting === null) {
    return NO_LIST.includes(setting);
  }
  // What is left out has a default of VS Code.
  const { comments, strings, other } = setting as Readonly<Record<string, unknown>>;
  return [comments, strings, other].every((value) => NO_LIST.includes(value));
}

function quickSuggestionsDelay(document: vscode.TextDocument): number {
  return vscode.workspace.getConfiguration("editor", document).get("quickSuggestionsDelay", 10);
}

/** Whether the active editor is only a preview: its list would take the focus from a tree. */
function isLookedAt(): boolean {
  return vscode.window.tabGroups.activeTabGroup.activeTab?.isPreview ?? false;
}

function startsWord(before: string, typed: string): boolean {
  return LETTER.test(typed) && !/[\p{L}\p{N}_]$/u.test(before);
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

async function offer(
  editor: vscode.TextEditor,
  client: Client | undefined,
  delay: number,
  isUnwanted = () => false,
): Promise<void> {
  const { document } = editor;
  const wanted = vscode.workspace
    .getConfiguration("agentTemplates", document)
    .get<boolean>("suggestWhileTyping", true);
  if (!wanted || !client || !isCompleted(document)) {
    return;
  }
  const version = document.version;
  // The change is announced before the cursor moves, so the cursor is asked for one turn later.
  await new Promise((resolve) => setTimeout(resolve, delay));
  // What was typed in the meantime is no matter, but another document is.
  const isWanted = () =>
    vscode.window.activeTextEditor === editor &&
    !client.asked.since(version, document) &&
    !isUnwanted();
  if (isWanted() && (await hasCompletions(client, editor)) && isWanted()) {
    await vscode.commands.executeCommand("editor.action.triggerSuggest", { auto: true });
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
