/** Leads from a hover that counts tools to the preview, where each tool has its reason. */
import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";

const PREVIEW = "agentTemplates.openPreview";
const COUNTED = /tools known here/;
/** What the server writes between the counts and the meaning of the key. */
const LINE = "\n\n---\n\n";

/** Adds the link below the counts, above what is the same in each file. */
export function details(): Middleware {
  return {
    async provideHover(document, position, token, next) {
      const hover = await next(document, position, token);
      const at = hover?.contents.findIndex((one) => COUNTED.test(valueOf(one))) ?? -1;
      const counted = hover?.contents[at];
      if (hover && counted) {
        // VS Code draws the line between two parts itself, and has no room for all of them.
        const [counts = "", ...others] = valueOf(counted).split(LINE);
        const rest = others.length ? [new vscode.MarkdownString(others.join(LINE))] : [];
        const parts = [new vscode.MarkdownString(counts), link(document.uri), ...rest];
        hover.contents.splice(at, 1, ...parts);
      }
      return hover;
    },
  };
}

function valueOf(content: vscode.MarkedString | vscode.MarkdownString): string {
  return typeof content === "string" ? content : content.value;
}

function link(uri: vscode.Uri): vscode.MarkdownString {
  const query = encodeURIComponent(JSON.stringify([uri.toString()]));
  const text = new vscode.MarkdownString(
    `[${vscode.l10n.t("Preview with all reasons")}](command:${PREVIEW}?${query})`,
  );
  text.isTrusted = { enabledCommands: [PREVIEW] };
  return text;
}
