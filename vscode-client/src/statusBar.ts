/**
 * Says in the status bar which agent the active editor is about, and how many tools it has.
 *
 * It is asked for again when the text, the cursor's agent or the server changes; where there is
 * no agent, nothing is shown.
 */
import * as vscode from "vscode";
import { agentAt, type Detail, inFile, toolCount, toolsOf } from "./agents/roster";
import { hasAgent } from "./attach";
import { onRegistered } from "./registered";
import type { Server } from "./server";

const DELAY = 150;

/** Shows the line as long as it is not disposed. */
export function statusBar(server: Server): vscode.Disposable {
  const id = "agentTemplates.agent";
  const item = vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Right, 99);
  item.name = "Agent Templates";
  let timer: NodeJS.Timeout | undefined;
  let details: readonly Detail[] = [];
  const show = () => {
    const editor = vscode.window.activeTextEditor;
    const detail = editor && agentAt(details, editor.selection.active.line + 1);
    if (editor && detail) {
      fill(item, detail, editor.document.uri);
      item.show();
    } else {
      item.hide();
    }
  };
  const update = async () => {
    const document = vscode.window.activeTextEditor?.document;
    const found = document && hasAgent(document) ? await inFile(server, document.uri) : [];
    if (vscode.window.activeTextEditor?.document === document) {
      details = found;
      show();
    }
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void update(), DELAY);
  };
  soon();
  return vscode.Disposable.from(
    item,
    new vscode.Disposable(() => clearTimeout(timer)),
    server.onDidChange(soon),
    server.onPreviewChanged(soon),
    server.onAgentsChanged(soon),
    onRegistered(soon),
    vscode.window.onDidChangeActiveTextEditor(soon),
    vscode.window.onDidChangeTextEditorSelection(show),
  );
}

function fill(item: vscode.StatusBarItem, detail: Detail, uri: vscode.Uri): void {
  const { kept, restricted } = detail.tools;
  const counted = toolsOf(detail.tools);
  const tools = restricted ? toolCount(kept) : counted;
  item.text = `$(hubot) ${detail.dialect}: ${detail.name}, ${tools}`;
  const about = detail.description ? `\n\n${detail.description}` : "";
  const click = detail.call ? `\n\n${vscode.l10n.t("Click to preview what is spawned.")}` : "";
  item.tooltip = `${detail.title}: ${detail.name}${about}\n\n${vscode.l10n.t("Has {0}.", counted)}${click}`;
  item.command = detail.call
    ? {
        title: vscode.l10n.t("Preview Spawn"),
        command: "agentTemplates.openPreview",
        arguments: [uri, detail.call],
      }
    : undefined;
}
