/**
 * Says why something cannot be renamed in one sentence, as VS Code shows it without Markdown.
 *
 * VS Code asks every provider, and adds to the reason of one that the others, such as that of
 * Markdown, have no result. So a refusal is a message here, and an edit that changes nothing.
 */
import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";
import { sentence } from "./agents/actions";

export function refusals(): Middleware {
  return {
    async provideRenameEdits(document, position, name, token, next) {
      try {
        return await next(document, position, name, token);
      } catch (error) {
        if (error instanceof vscode.CancellationError || !(error instanceof Error)) {
          throw error;
        }
        void vscode.window.showErrorMessage(`${sentence(error.message.replace(/\.$/, ""))}.`);
        return new vscode.WorkspaceEdit();
      }
    },
  };
}
