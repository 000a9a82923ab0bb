/** Leaves the headings of a prompt to VS Code, which has them in its outline of Markdown. */
import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";

/** The languages whose headings VS Code finds itself. */
const MARKDOWN = ["markdown", "chatagent", "prompt", "instructions", "skill"];

/** Takes out what would stand twice in the outline. */
export function outline(): Middleware {
  return {
    async provideDocumentSymbols(document, token, next) {
      const found = await next(document, token);
      return found?.[0] instanceof vscode.DocumentSymbol && MARKDOWN.includes(document.languageId)
        ? withoutHeadings(found as vscode.DocumentSymbol[])
        : found;
    },
  };
}

function withoutHeadings(symbols: readonly vscode.DocumentSymbol[]): vscode.DocumentSymbol[] {
  return (
    symbols
      // The server gives this kind to headings alone.
      .filter(({ kind }) => kind !== vscode.SymbolKind.String)
      .map((symbol) => {
        symbol.children = withoutHeadings(symbol.children);
        return symbol;
      })
  );
}
