/**
 * Shows what the server goes by: roots, scopes, files, settings and what is skipped.
 *
 * It is a document that nobody can edit, so that it can be searched, copied and kept beside others.
 */
import * as vscode from "vscode";
import { ask } from "./agents/roster";
import { type Server, stopped } from "./server";

const SCHEME = "agent-templates-status";
const PAGE = vscode.Uri.from({
  scheme: SCHEME,
  path: `/${vscode.l10n.t("Agent Templates status")}`,
});

/** Registers the command and the document; it is asked for anew each time it is shown. */
export function inForce(server: Server): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: changed.event,
      provideTextDocumentContent: () => text(server),
    }),
    vscode.commands.registerCommand("agentTemplates.openStatus", async () => {
      changed.fire(PAGE);
      await vscode.window.showTextDocument(PAGE, { preview: true });
    }),
  );
}

async function text(server: Server): Promise<string> {
  const client = await server.started();
  if (!client) {
    return `${stopped()}\n`;
  }
  const answer = await ask(server, "agentTemplates.status", { format: "text" });
  return (answer as { text?: string } | undefined)?.text ?? "";
}
