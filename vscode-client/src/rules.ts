/**
 * Opens the page of a rule as people read it, instead of its Markdown.
 *
 * The server names the page as a file. A link of a finding opens files in an editor, so it becomes
 * a command here.
 */
import * as vscode from "vscode";

const OPEN = "agentTemplates.openRule";
const PAGE = /\/docs\/rules\/[a-z-]+\.md$/;

/** Registers the command, which opens pages of rules and nothing else. */
export function rulePages(): vscode.Disposable {
  return vscode.commands.registerCommand(OPEN, async (page: unknown) => {
    const uri = vscode.Uri.parse(String(page));
    if (PAGE.test(uri.path)) {
      await vscode.commands.executeCommand("markdown.showPreview", uri);
    }
  });
}

/** `diagnostic`, whose code leads to the page of its rule as people read it. */
export function withPage(diagnostic: vscode.Diagnostic): vscode.Diagnostic {
  const { code } = diagnostic;
  if (typeof code === "object" && PAGE.test(code.target.path)) {
    const query = encodeURIComponent(JSON.stringify([code.target.toString()]));
    diagnostic.code = { value: code.value, target: vscode.Uri.parse(`command:${OPEN}?${query}`) };
  }
  return diagnostic;
}
