/** Leads from a hover that counts tools to the preview, where each tool has its reason. */
import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";

const PREVIEW = "agentTemplates.openPreview";
const COUNTED = /tools known here/;

/** Adds the link to what the server says. */
export function details(): Middleware {
  return {
    async provideHover(document, position, token, next) {
      const hover = await next(document, position, token);
      const texts = hover?.contents.map((one) => (typeof one === "string" ? one : one.value)) ?? [];
      if (hover && texts.some((text) => COUNTED.test(text))) {
        hover.contents.push(link(document.uri));
      }
      return hover;
    },
  };
}

function link(uri: vscode.Uri): vscode.MarkdownString {
  const query = encodeURIComponent(JSON.stringify([uri.toString()]));
  const text = new vscode.MarkdownString(
    `[${vscode.l10n.t("Preview with all reasons")}](command:${PREVIEW}?${query})`,
  );
  text.isTrusted = { enabledCommands: [PREVIEW] };
  return text;
}
