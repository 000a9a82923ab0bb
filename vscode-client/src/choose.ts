/** Asks which template is meant, where no editor says so. */
import { basename } from "node:path";
import * as vscode from "vscode";
import { templates } from "./attach";

export async function chosenTemplate(): Promise<vscode.Uri | undefined> {
  const items = (await templates(1000)).map((uri) => ({
    label: basename(uri.path).replace(/\.md$/i, ""),
    description: vscode.workspace.asRelativePath(uri),
    uri,
  }));
  items.sort((a, b) => a.label.localeCompare(b.label));
  const placeHolder =
    items.length > 0
      ? vscode.l10n.t("Which agent?")
      : vscode.l10n.t("There is no template in this workspace");
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.uri;
}
