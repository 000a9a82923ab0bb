/**
 * The Agents view: all agents of the workspace, of the user and of the runtime.
 *
 * It follows the server, the active editor, and the cursor in it where a file has several agents.
 * Rows that stay the same are not drawn anew.
 */
import * as vscode from "vscode";
import type { Server } from "../server";
import { actions } from "./actions";
import { type Agent, Roster } from "./roster";
import { agentOf, decoration, type Row } from "./rows";
import { Tree } from "./tree";

const VIEW = "agentTemplates.agentsView";
/** Says to the welcome texts of the view why it is empty. */
const STATE = "agentTemplates.agentsState";
/** How long a cursor has stood still that is followed. */
const DELAY = 150;

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
  let timer: NodeJS.Timeout | undefined;
  const followSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(follow, DELAY);
  };
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
    vscode.window.onDidChangeTextEditorSelection(followSoon),
    new vscode.Disposable(() => clearTimeout(timer)),
  );
}

function state(server: Server, tree: Tree): string {
  if (server.phase === "failed") {
    return "failed";
  }
  return tree.isEmpty === undefined ? "waiting" : tree.isEmpty ? "empty" : "some";
}

/** Selects the agent at the cursor of the active editor, unless one of its rows is selected already. */
async function reveal(view: vscode.TreeView<Row>, tree: Tree): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !view.visible) {
    return;
  }
  const row = tree.at(editor.document.uri.fsPath, editor.selection.active.line + 1);
  const agent = row && agentOf(row);
  const isSelected = view.selection.map(agentOf).some((one) => one && isSame(one, agent));
  if (row && !isSelected) {
    // The row may have gone in the meantime.
    await Promise.resolve(view.reveal(row, { focus: false })).catch(() => undefined);
  }
}

function isSame(one: Agent, other: Agent | undefined): boolean {
  return one.file === other?.file && one.name === other.name;
}
