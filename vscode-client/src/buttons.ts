/**
 * Tells VS Code which open files have agents to be shown, so that their titles have buttons.
 *
 * The key holds paths and not URIs, since a window that works on another machine gives the same
 * file two schemes.
 */
import * as vscode from "vscode";
import { hasAgent, onSelectorChanged } from "./attach";
import { onRegistered } from "./registered";

const KEY = "agentTemplates.templates";

/** Keeps the key `agentTemplates.templates` current. */
export function titleButtons(): vscode.Disposable {
  const update = () => {
    const open = vscode.workspace.textDocuments.filter(hasAgent);
    const paths = open.flatMap(({ uri }) => [uri.path, uri.fsPath]);
    void vscode.commands.executeCommand("setContext", KEY, paths);
  };
  update();
  return vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument(update),
    vscode.workspace.onDidCloseTextDocument(update),
    onSelectorChanged(update),
    onRegistered(update),
  );
}
