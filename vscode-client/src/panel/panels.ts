/**
 * The preview panels of a window, and the command that opens them.
 *
 * One that is not pinned goes on to the template that gets the focus; a pinned one stays. All are
 * asked for again when the server says that a preview may be out of date.
 */
import * as vscode from "vscode";
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
    vscode.window.onDidChangeActiveTextEditor((editor) => panels.follow(editor)),
    vscode.window.registerWebviewPanelSerializer(TYPE, panels),
    vscode.commands.registerCommand(
      "agentTemplates.openPreview",
      async (uri?: vscode.Uri, call?: unknown) => {
        const template = uri ?? activeTemplate() ?? (await chosenTemplate());
        if (template) {
          panels.open(template.toString(), isCall(call) ? call : undefined, lineIn(template));
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
  open(uri: string, call: Call | undefined, cursor: number | undefined): void {
    const line = call ? undefined : cursor;
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
      this.add(panel, { uri, call: call ?? {}, pinned: false, line });
      return;
    }
    there.panel.reveal(undefined, true);
    if (call || !is(there)) {
      there.show({ uri, call: call ?? {}, line });
    } else if (line !== undefined && !there.shown.pinned) {
      there.show({ line });
    }
  }

  /** Goes on to the template in `editor`, unless that is shown already. */
  follow(editor: vscode.TextEditor | undefined): void {
    const uri = editor?.document.uri.toString();
    if (!editor || !uri || !isTemplate(editor.document)) {
      return;
    }
    for (const one of this.panels) {
      if (!one.shown.pinned && one.shown.uri !== uri) {
        one.show({ uri, call: {}, line: editor.selection.active.line });
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

/** Where the cursor is in the template, if it is the one that has the focus. */
function lineIn(template: vscode.Uri): number | undefined {
  const editor = vscode.window.activeTextEditor;
  const isActive = editor?.document.uri.toString() === template.toString();
  return isActive ? editor?.selection.active.line : undefined;
}

function activeTemplate(): vscode.Uri | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document && isTemplate(document) ? document.uri : undefined;
}
