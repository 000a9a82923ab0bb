/** Opens the places that a panel names. */
import * as vscode from "vscode";
import type { Place } from "./answer";

/** Shows `place` in an editor beside the panel: where the file is open, else where others are. */
export async function openPlace(place: Place): Promise<void> {
  const uri = vscode.Uri.parse(place.uri);
  const { type } = await vscode.workspace.fs.stat(uri);
  if (type & vscode.FileType.Directory) {
    await vscode.commands.executeCommand("revealInExplorer", uri);
    return;
  }
  const editors = vscode.window.visibleTextEditors;
  const same = editors.find(({ document }) => document.uri.toString() === uri.toString());
  const viewColumn = (same ?? editors[0])?.viewColumn ?? vscode.ViewColumn.Beside;
  await vscode.window.showTextDocument(uri, {
    viewColumn,
    // With the opening: an editor that has just come back puts its own cursor back after it.
    ...(place.range && { selection: toRange(place.range) }),
  });
}

function toRange({ start, end }: NonNullable<Place["range"]>): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
