/**
 * The preview panels of a window, and the command that opens them.
 *
 * One that is not pinned goes on to the template that gets the focus; a pinned one stays. Of several
 * agents in one file, the one at the cursor is meant, and when the cursor comes to another one, the
 * panel goes on to that; an agent that was chosen in the panel stays until then. All panels are asked
 * for again when the server says that a preview may be out of date.
 */
import * as vscode from "vscode";
import { agentAt, type Detail, inFile } from "../agents/roster";
import { hasAgent } from "../attach";
import { chosenTemplate } from "../choose";
import type { Server } from "../server";
import type { Call, Shown } from "./answer";
import { pageOptions } from "./page";
import { PreviewPanel } from "./panel";

const TYPE = "agentTemplates.preview";
/** A cursor that has only passed through an agent is not followed to it. */
const DELAY = 150;

/** Registers the command, what keeps the panels current, and what brings them back. */
export function previewPanels(extension: vscode.Uri, server: Server): vscode.Disposable {
  const panels = new Panels(extension, server);
  return vscode.Disposable.from(
    panels,
    server.onDidChange(() => panels.updateSoon()),
    server.onPreviewChanged(() => panels.updateSoon()),
    server.onAgentsChanged(() => panels.updateSoon()),
    vscode.window.onDidChangeActiveTextEditor((editor) => void panels.follow(editor)),
    vscode.window.onDidChangeTextEditorSelection(() => panels.followSoon()),
    vscode.window.registerWebviewPanelSerializer(TYPE, panels),
    vscode.commands.registerCommand(
      "agentTemplates.openPreview",
      async (uri?: vscode.Uri | string, call?: unknown) => {
        // A link in a hover can only carry text.
        const given = typeof uri === "string" ? vscode.Uri.parse(uri) : uri;
        const template = given ?? activeTemplate() ?? (await chosenTemplate());
        if (template) {
          await panels.open(template, isCall(call) ? call : undefined);
        }
      },
    ),
  );
}

class Panels implements vscode.WebviewPanelSerializer, vscode.Disposable {
  private readonly panels = new Set<PreviewPanel>();
  private timer: NodeJS.Timeout | undefined;
  /** The file, and the agent in it, at which the cursor was last; nothing if nobody knows. */
  private followed: string | undefined;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly server: Server,
  ) {}

  /** Shows the template in the panel that follows, or beside the editor in a new one. */
  async open(template: vscode.Uri, given: Call | undefined): Promise<void> {
    const uri = template.toString();
    const editor = vscode.window.activeTextEditor;
    const here = editor?.document.uri.toString() === uri ? editor : undefined;
    const agent = here && (await atCursor(this.server, here));
    const call = given ?? agent?.call ?? undefined;
    this.followed = here && placeOf(uri, agent);
    const all = [...this.panels];
    const is = ({ shown }: PreviewPanel) => shown.uri === uri;
    const there = all.find((one) => !one.shown.pinned) ?? (call ? undefined : all.find(is));
    if (!there) {
      const panel = vscode.window.createWebviewPanel(
        TYPE,
        vscode.l10n.t("Preview"),
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

  /** Goes on to the template in `editor`, or to another agent in it, unless that is shown already. */
  async follow(editor: vscode.TextEditor | undefined): Promise<void> {
    const follows = ({ shown }: PreviewPanel) => !shown.pinned;
    if (!editor || !hasAgent(editor.document) || ![...this.panels].some(follows)) {
      return;
    }
    const agent = await atCursor(this.server, editor);
    // Who has gone on meanwhile is followed there.
    if (vscode.window.activeTextEditor !== editor) {
      return;
    }
    const uri = editor.document.uri.toString();
    const before = this.followed;
    this.followed = placeOf(uri, agent);
    const isOther = !!agent && !!before && before !== this.followed;
    for (const one of [...this.panels].filter(follows)) {
      if (one.shown.uri !== uri || isOther) {
        one.show({ uri, call: agent?.call ?? {} });
      }
    }
  }

  /** Does so once the cursor stands still. */
  followSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.follow(vscode.window.activeTextEditor), DELAY);
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
    clearTimeout(this.timer);
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

/** The agent at the cursor of `editor`, if its file has several. */
async function atCursor(server: Server, editor: vscode.TextEditor): Promise<Detail | undefined> {
  const all = await inFile(server, editor.document.uri);
  return all.length > 1 ? agentAt(all, editor.selection.active.line + 1) : undefined;
}

function placeOf(uri: string, agent: Detail | undefined): string {
  return JSON.stringify([uri, agent?.name]);
}

function activeTemplate(): vscode.Uri | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document && hasAgent(document) ? document.uri : undefined;
}
