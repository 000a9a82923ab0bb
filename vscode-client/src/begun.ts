/**
 * Knows the templates whose header a person is typing, from the first line on.
 *
 * Until such a header is closed and the cursor has left it, each finding would only say that it is
 * not finished. A header that was there when the file was opened is none of these.
 */
import * as vscode from "vscode";

const FENCE = "---";

/** What becomes of the lines at the top; `end` is the line that closes a header. */
type Top = { readonly is: "text" | "open" } | { readonly is: "closed"; readonly end: number };

export class Begun implements vscode.Disposable {
  private readonly tops = new WeakMap<vscode.TextDocument, Top["is"]>();
  private readonly begun = new Set<vscode.TextDocument>();
  private readonly ended = new vscode.EventEmitter<vscode.Uri>();
  private readonly subscriptions: vscode.Disposable;

  /** Fires for a file that is not among these any more. */
  readonly onDidEnd = this.ended.event;

  constructor() {
    const note = (document: vscode.TextDocument) => this.tops.set(document, topOf(document).is);
    vscode.workspace.textDocuments.forEach(note);
    this.subscriptions = vscode.Disposable.from(
      this.ended,
      vscode.workspace.onDidOpenTextDocument(note),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.changed(document)),
      // VS Code may save by itself in the middle of a line.
      vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
        if (reason === vscode.TextDocumentSaveReason.Manual) {
          this.end(document);
        }
      }),
      vscode.workspace.onDidCloseTextDocument((document) => this.end(document)),
      vscode.window.onDidChangeActiveTextEditor(() => this.look()),
      vscode.window.onDidChangeTextEditorSelection(() => this.look()),
    );
  }

  has(uri: vscode.Uri): boolean {
    const wanted = uri.toString();
    return [...this.begun].some((document) => document.uri.toString() === wanted);
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private changed(document: vscode.TextDocument): void {
    const before = this.tops.get(document) ?? "text";
    const { is } = topOf(document);
    this.tops.set(document, is);
    // Whether it is a template may be known only after the first letters; others have no findings.
    if (before === "text" && is === "open") {
      this.begun.add(document);
    } else if (is === "text") {
      this.end(document);
    }
  }

  /** Ends those that are closed, or at which nobody is any more. */
  private look(): void {
    const editor = vscode.window.activeTextEditor;
    for (const document of [...this.begun]) {
      const top = topOf(document);
      const isThere = editor?.document === document;
      if (!isThere || (top.is === "closed" && editor.selection.active.line > top.end)) {
        this.end(document);
      }
    }
  }

  private end(document: vscode.TextDocument): void {
    if (this.begun.delete(document)) {
      this.ended.fire(document.uri);
    }
  }
}

function topOf(document: vscode.TextDocument): Top {
  if (document.lineAt(0).text.trimEnd() !== FENCE) {
    return { is: "text" };
  }
  for (let line = 1; line < document.lineCount; line++) {
    if (document.lineAt(line).text.trimEnd() === FENCE) {
      return { is: "closed", end: line };
    }
  }
  return { is: "open" };
}
