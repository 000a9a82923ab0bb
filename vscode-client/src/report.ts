/**
 * "Report Issue": what is known about this installation, for whoever has to find out what is wrong.
 *
 * The report is in English, as the log is. VS Code's own reporter gets it if the extension names an
 * address for issues; otherwise it is a document that can be copied. Nothing is sent.
 */
import { homedir } from "node:os";
import * as vscode from "vscode";
import { ask } from "./agents/roster";
import type { Server } from "./server";

/** The part of the manifest that says where issues go. */
interface Manifest {
  readonly version: string;
  readonly bugs?: { readonly url: string };
}

/** Registers the command. */
export function issueReport(
  extension: vscode.Extension<unknown>,
  server: Server,
): vscode.Disposable {
  const manifest = extension.packageJSON as Manifest;
  return vscode.commands.registerCommand("agentTemplates.reportIssue", async () => {
    const issueBody = await report(manifest.version, server);
    if (manifest.bugs) {
      const options = { extensionId: extension.id, issueBody };
      await vscode.commands.executeCommand("vscode.openIssueReporter", options);
      return;
    }
    const options = { language: "markdown", content: issueBody };
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(options));
  });
}

async function report(version: string, server: Server): Promise<string> {
  const { appName, appHost, remoteName } = vscode.env;
  const running = server.client?.initializeResult?.serverInfo?.version ?? "";
  const text = [
    line(
      "<!-- Please read this before you send it: it contains names of your folders and files. -->",
    ),
    line("## What happened, and what should have happened"),
    "",
    line("## Installation"),
    [
      line(`- Extension: ${version}`),
      line(`- Editor: ${appName} ${vscode.version}, ${appHost} ${remoteName ?? ""}`.trimEnd()),
      line(`- Platform: ${process.platform} ${process.arch}`),
      line(`- Server: ${server.phase} ${running}`.trimEnd()),
      line(`- Started with: ${server.command?.description ?? "nothing"}`),
      ...(server.problem ? [line(`- Problem: ${server.problem}`)] : []),
    ].join("\n"),
    line("## Status"),
    fenced(await status(server)),
  ].join("\n\n");
  return `${text.replaceAll(homedir(), "~")}\n`;
}

async function status(server: Server): Promise<string> {
  if (!server.client) {
    return line("The server is not running.");
  }
  const answer = await ask(server, "agentTemplates.status", { format: "text" });
  return (answer as { text?: string } | undefined)?.text ?? "";
}

/** A line of the report, which is not translated. */
function line(text: string): string {
  return text;
}

function fenced(text: string): string {
  const ticks = "`".repeat(Math.max(3, ...(text.match(/`+/g) ?? []).map((run) => run.length + 1)));
  return `${ticks}text\n${text.trimEnd()}\n${ticks}`;
}
