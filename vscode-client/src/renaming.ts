/** Says why something cannot be renamed in one sentence, as VS Code shows it without Markdown. */
import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";
import { sentence } from "./agents/actions";

export function refusals(): Middleware {
  return {
    prepareRename: async (document, position, token, next) =>
      refused(async () => next(document, position, token)),
    provideRenameEdits: async (document, position, name, token, next) =>
      refused(async () => next(document, position, name, token)),
  };
}

async function refused<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof vscode.CancellationError || !(error instanceof Error)) {
      throw error;
    }
    throw new Error(`${sentence(error.message.replace(/\.$/, ""))}.`);
  }
}
