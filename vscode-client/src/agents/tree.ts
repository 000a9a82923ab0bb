/** Hands the rows of the Agents view to VS Code, and finds the row of a place in a file. */
import * as vscode from "vscode";
import type { Server } from "../server";
import { type Detail, inFile, type Roster, toolsOf } from "./roster";
import { type Row, rows } from "./rows";

export class Tree implements vscode.TreeDataProvider<Row>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  private readonly subscription: vscode.Disposable;
  private top: Row[] | undefined;

  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly server: Server,
    roster: Roster,
  ) {
    this.subscription = roster.onDidChange(() => {
      this.top = roster.systems && rows(roster.systems);
      this.changed.fire(undefined);
    });
  }

  /** Whether there is nothing to show; unknown as long as the server has not answered. */
  get isEmpty(): boolean | undefined {
    return this.top && this.top.length === 0;
  }

  getChildren(row?: Row): Row[] {
    return row ? row.children : (this.top ?? []);
  }

  getTreeItem(row: Row): vscode.TreeItem {
    return row.item;
  }

  getParent(row: Row): Row | undefined {
    return row.parent;
  }

  /** Asks only for the row under the mouse what its agent is for and has. */
  async resolveTreeItem(item: vscode.TreeItem, row: Row): Promise<vscode.TreeItem> {
    const { subject } = row;
    if ("agent" in subject) {
      const { file, name, path, scope, not_loaded } = subject.agent;
      // The file of what the runtime brings along is ours, and its place is not known to anybody.
      const where = scope.builtin
        ? vscode.l10n.t("Built into the runtime; the text here is a stand-in")
        : path;
      const details = await inFile(this.server, vscode.Uri.file(file));
      const detail = details.find((one) => one.name === name);
      const programs = details[0]?.programs ?? [];
      item.tooltip = tooltip(where, not_loaded, detail, programs);
    }
    return item;
  }

  /** The row of the agent that has `line`, counted from 1, of the file at `path`. */
  at(path: string, line: number): Row | undefined {
    let found: Row | undefined;
    for (const row of all(this.top ?? [])) {
      const { subject } = row;
      if (subject.kind === "agent" && subject.agent.file === path) {
        // Of several in one file, it is the last one that begins before the line.
        found = !found || subject.agent.line <= line ? row : found;
      }
    }
    return found;
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }
}

function* all(some: readonly Row[]): Generator<Row> {
  for (const row of some) {
    yield row;
    yield* all(row.children);
  }
}

function tooltip(
  where: string,
  problem: string | null,
  detail: Detail | undefined,
  programs: readonly string[],
): string {
  const lines = [where];
  if (problem !== null) {
    lines.push(vscode.l10n.t("Not loaded: {0}", problem));
  }
  if (detail?.description) {
    lines.push(detail.description);
  }
  // The detail is that of the first program, and the others may have other tools.
  lines.push(...programs.map((line) => vscode.l10n.t("Read by {0}", line.replaceAll("`", ""))));
  if (detail && problem === null && programs.length === 0) {
    lines.push(vscode.l10n.t("Has {0}.", toolsOf(detail.tools)));
  }
  return lines.join("\n\n");
}
