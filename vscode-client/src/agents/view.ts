/**
 * The Agents view: all agents of the workspace, of the user and of the runtime.
 *
 * It follows the server and the active editor. Rows that stay the same are not drawn anew.
 */
import * as vscode from "vscode";
import type { Server } from "../server";
import { actions } from "./actions";
import { Roster } from "./roster";
import { decoration, type Row } from "./rows";
import { Tree } from "./tree";

const VIEW = "agentTemplates.agentsView";
/** Says to the welcome texts of the view why it is empty. */
const STATE = "agentTemplates.agentsState";

/** Shows the view as long as it is not disposed, and registers its commands. */
export function agentsView(server: Server): vscode.Disposable {
  const roster = new Roster(server);
  const tree = new Tree(server, roster);
  const view = vscode.window.createTreeView(VIEW, {
    treeDataProvider: tree,
    showCollapseAll: true,
  });
  const update = () =>
    void vscode.commands.executeCommand("setContext", STATE, state(server, tree));
  const follow = () => void reveal(view, tree);
  update();
  roster.watch(view.visible);
  return vscode.Disposable.from(
    roster,
    tree,
    view,
    actions(server, roster, () => view.selection[0]),
    vscode.window.registerFileDecorationProvider({ provideFileDecoration: decoration }),
    view.onDidChangeVisibility(({ visible }) => {
      roster.watch(visible);
      follow();
    }),
    server.onDidChange(update),
    tree.onDidChangeTreeData(update),
    tree.onDidChangeTreeData(follow),
    vscode.window.onDidChangeActiveTextEditor(follow),
  );
}

function state(server: Server, tree: Tree): string {
  if (server.phase === "failed") {
    return "failed";
  }
  return tree.isEmpty === undefined ? "waiting" : tree.isEmpty ? "empty" : "some";
}

/** Selects the agent of the active editor, unless one of its rows is selected already. */
async function reveal(view: vscode.TreeView<Row>, tree: Tree): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !view.visible) {
    return;
  }
  const { fsPath } = editor.document.uri;
  const row = tree.at(fsPath, editor.selection.active.line + 1);
  if (
    row &&
    !view.selection.some(({ subject }) => "agent" in subject && subject.agent.file === fsPath)
  ) {
    // The row may have gone in the meantime.
    await Promise.resolve(view.reveal(row, { focus: false })).catch(() => undefined);
  }
}
