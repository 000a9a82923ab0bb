/**
 * The HTML around a panel's script.
 *
 * Invariants: nothing is loaded but the extension's own script and style sheets, nothing is inline,
 * and no text from a template is in the HTML: the script gets it as data. The translations, which
 * the script needs before anything else, are in an attribute.
 */
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

/** What a page may load, for `createWebviewPanel`. */
export function pageOptions(extension: vscode.Uri): vscode.WebviewOptions {
  const folders = ["out", "media"].map((folder) => vscode.Uri.joinPath(extension, folder));
  return { enableScripts: true, localResourceRoots: folders };
}

/** The page of the panel `name`, whose script is `out/<name>.js` and whose looks `media/<name>.css`. */
export function page(webview: vscode.Webview, extension: vscode.Uri, name: string): string {
  const { bundle } = vscode.l10n;
  const nonce = randomBytes(16).toString("hex");
  const script = webview.asWebviewUri(vscode.Uri.joinPath(extension, "out", `${name}.js`));
  const [common, own] = ["page", name].map((sheet) =>
    webview.asWebviewUri(vscode.Uri.joinPath(extension, "media", `${sheet}.css`)),
  );
  const policy = [
    "default-src 'none'",
    `style-src ${webview.cspSource}`,
    `script-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="${bundle ? vscode.env.language : "en"}" data-l10n="${attribute(bundle ?? {})}">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="stylesheet" href="${common}" />
    <link rel="stylesheet" href="${own}" />
    <title>Agent Templates</title>
  </head>
  <body>
    <script nonce="${nonce}" src="${script}"></script>
  </body>
</html>`;
}

/** `data` as the value of an attribute. */
function attribute(data: object): string {
  return JSON.stringify(data)
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;");
}
