/** The links above the first line of a template. */
import * as vscode from "vscode";
import { onSelectorChanged, selector } from "./attach";

const FIRST = new vscode.Range(0, 0, 0, 0);

/** Offers the links in all attached files. */
export function lenses(): vscode.Disposable {
  let registered = register();
  const changes = onSelectorChanged(() => {
    registered.dispose();
    registered = register();
  });
  return new vscode.Disposable(() => {
    changes.dispose();
    registered.dispose();
  });
}

function register(): vscode.Disposable {
  return vscode.languages.registerCodeLensProvider(selector(), {
    provideCodeLenses({ uri }) {
      const wanted = vscode.workspace
        .getConfiguration("agentTemplates", uri)
        .get<boolean>("codeLens", true);
      if (!wanted) {
        return [];
      }
      return [
        link("Preview spawn", "agentTemplates.openPreview", uri),
        link("List agents", "agentTemplates.openList", uri),
      ];
    },
  });
}

function link(title: string, command: string, uri: vscode.Uri): vscode.CodeLens {
  return new vscode.CodeLens(FIRST, { title, command, arguments: [uri] });
}
