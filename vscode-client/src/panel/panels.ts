/**
 * The preview panels of a window, and the command that opens them.
 *
 * One that is not pinned goes on to the template that gets the focus; a pinned one stays. Of several
 * agents in one file, the one at the cursor is meant. All panels are asked for again when the server
 * says that a preview may be out of date.
 */
import * as vscode from "vscode";
import { agentAt, inFile } from "../agents/roster";
import { isTemplate } from "../attach";
import { chosenTemplate } from "../choose";
import type { Server } from "../server";
import type { Call, Shown } from "./answer";
import { pageOptions } from "./page";
import { PreviewPanel } from "./panel";

const TYPE = "agentTemplates.preview";

/** Registers the command, what keeps the panels current, and what brings them back. */
export function previewPanels(extension: vscode.Uri, server: Server): vscode.Disposable {
  const panels = new Panels(extension, server);
  return vscode.Disposable.from(
    panels,
    server.onDidChange(() => panels.updateSoon()),
    server.onPreviewChanged(() => panels.updateSoon()),
    server.onAgentsChanged(() => panels.updateSoon()),
    vscode.window.onDidChangeActiveTextEditor((editor) => void panels.follow(editor)),
    vscode.window.registerWebviewPanelSerializer(TYPE, panels),
    vscode.commands.registerCommand(
      "agentTemplates.openPreview",
      async (uri?: vscode.Uri, call?: unknown) => {
        const template = uri ?? activeTemplate() ?? (await chosenTemplate());
        if (template) {
          const meant = isCall(call) ? call : await callAtCursor(server, template);
          panels.open(template.toString(), meant);
        }
      },
    ),
  );
}

class Panels implements vscode.WebviewPanelSerializer, vscode.Disposable {
  private readonly panels = new Set<PreviewPanel>();

  constructor(
    private readonly extension: vscode.Uri,
    private readonly server: Server,
  ) {}

  /** Shows the template in the panel that follows, or beside the editor in a new one. */
  open(uri: string, call: Call | undefined): void {
    const all = [...this.panels];
    const is = ({ shown }: PreviewPanel) => shown.uri === uri;
    const there = all.find((one) => !one.shown.pinned) ?? (call ? undefined : all.find(is));
    if (!there) {
      const panel = vscode.window.createWebviewPanel(
        TYPE,
        "Preview",
        { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
        pageOptions(this.extension),
      );
      this.add(panel, { uri, call: call ?? {}, pinned: false });
      return;
    }
    there.panel.reveal(undefined, true);
    if (call || !is(there)) {
      there.show({ uri, call: call ?? {} });
    }
  }

  /** Goes on to the template in `editor`, unless that is shown already. */
  async follow(editor: vscode.TextEditor | undefined): Promise<void> {
    const uri = editor?.document.uri.toString();
    if (!editor || !uri || !isTemplate(editor.document)) {
      return;
    }
    const follows = ({ shown }: PreviewPanel) => !shown.pinned && shown.uri !== uri;
    if (![...this.panels].some(follows)) {
      return;
    }
    const call = (await callAtCursor(this.server, editor.document.uri)) ?? {};
    // Who has gone on meanwhile is followed there.
    if (vscode.window.activeTextEditor === editor) {
      for (const one of [...this.panels].filter(follows)) {
        one.show({ uri, call });
      }
    }
  }

  updateSoon(): void {
    for (const one of this.panels) {
      one.soon();
    }
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { uri, call, pinned } = (state ?? {}) as Partial<Shown>;
    panel.webview.options = pageOptions(this.extension);
    if (typeof uri === "string") {
      this.add(panel, { uri, call: isCall(call) ? call : {}, pinned: pinned === true });
    } else {
      panel.dispose();
    }
  }

  dispose(): void {
    vscode.Disposable.from(...this.panels).dispose();
  }

  private add(panel: vscode.WebviewPanel, shown: Shown): void {
    const one = new PreviewPanel(panel, this.extension, this.server, shown);
    this.panels.add(one);
    panel.onDidDispose(() => this.panels.delete(one));
  }
}

/** What a link above a template says of the call; a menu hands over something else. */
function isCall(call: unknown): call is Call {
  const isPlain = !!call && Object.getPrototypeOf(call) === Object.prototype;
  const values: unknown[] = isPlain ? Object.values(call) : [];
  return isPlain && values.every((one) => typeof one === "string" || typeof one === "boolean");
}

/** The call of the agent at the cursor, if the file in the active editor has several. */
async function callAtCursor(server: Server, uri: vscode.Uri): Promise<Call | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.toString() !== uri.toString()) {
    return undefined;
  }
  const all = await inFile(server, uri);
  const found = all.length > 1 ? agentAt(all, editor.selection.active.line + 1) : undefined;
  return found?.call ?? undefined;
}

function activeTemplate(): vscode.Uri | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document && isTemplate(document) ? document.uri : undefined;
}
