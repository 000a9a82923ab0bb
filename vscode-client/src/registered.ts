/**
 * The files to which the server has the client attach, since only it knows that they are templates.
 *
 * There are none before it has said so, and after it has ended.
 */
import * as vscode from "vscode";
import type { DocumentSelector, Middleware } from "vscode-languageclient/node";

const OPENED = "textDocument/didOpen";
const changed = new vscode.EventEmitter<void>();
let filters: readonly vscode.DocumentFilter[] = [];

/** Fires when others are attached than before. */
export const onRegistered = changed.event;

export function isRegistered(document: vscode.TextDocument): boolean {
  return filters.length > 0 && vscode.languages.match(filters, document) > 0;
}

/** The part of a client's middleware that hears of them; they go with `subscriptions`. */
export function registrations(subscriptions: vscode.Disposable[]): Middleware {
  const set = (next: readonly vscode.DocumentFilter[]) => {
    filters = next;
    changed.fire();
  };
  subscriptions.push(new vscode.Disposable(() => set([])));
  return {
    async handleRegisterCapability(params, next) {
      await next(params, new vscode.CancellationTokenSource().token);
      for (const { method, registerOptions } of params.registrations) {
        if (method === OPENED) {
          set(asFilters(registerOptions?.documentSelector ?? []));
        }
      }
    },
    async handleUnregisterCapability(params, next) {
      await next(params, new vscode.CancellationTokenSource().token);
      if (params.unregisterations.some(({ method }) => method === OPENED)) {
        set([]);
      }
    },
  };
}

/** What the protocol says of files, as VS Code does. */
function asFilters(selector: DocumentSelector): vscode.DocumentFilter[] {
  return selector.flatMap((one): vscode.DocumentFilter[] => {
    if (typeof one === "string" || !("pattern" in one) || !one.pattern) {
      return [];
    }
    const { scheme = "file", pattern } = one;
    if (typeof pattern === "string") {
      return [{ scheme, pattern }];
    }
    const base = typeof pattern.baseUri === "string" ? pattern.baseUri : pattern.baseUri.uri;
    return [
      { scheme, pattern: new vscode.RelativePattern(vscode.Uri.parse(base), pattern.pattern) },
    ];
  });
}
