/** Says how the server is: in the language status of a template, and in a list on request. */
import * as vscode from "vscode";
import { onSelectorChanged, selector } from "./attach";
import type { Phase, Server } from "./server";

const WORDS: Record<Phase, string> = {
  idle: "not started: there is no template here",
  starting: "starting",
  running: "running",
  waiting: "ended unexpectedly, starting again",
  failed: "not running",
};

/** Shows the server's state as long as it is not disposed, and registers the command. */
export function status(server: Server): vscode.Disposable {
  const item = vscode.languages.createLanguageStatusItem("agentTemplates.server", selector());
  item.name = "Agent Templates";
  item.command = { title: "Show Status", command: "agentTemplates.showStatus" };
  const update = () => {
    item.text = `Agent Templates: ${WORDS[server.phase]}`;
    item.detail = server.command?.name ?? "";
    item.busy = server.phase === "starting" || server.phase === "waiting";
    item.severity =
      server.phase === "failed"
        ? vscode.LanguageStatusSeverity.Error
        : vscode.LanguageStatusSeverity.Information;
  };
  update();
  return vscode.Disposable.from(
    item,
    server.onDidChange(update),
    onSelectorChanged(() => (item.selector = selector())),
    vscode.commands.registerCommand("agentTemplates.showStatus", () => showStatus(server)),
  );
}

async function showStatus(server: Server): Promise<void> {
  const version = server.client?.initializeResult?.serverInfo?.version;
  const inForce = { label: "$(checklist) Show What Applies" };
  const restart = { label: "$(debug-restart) Restart Server" };
  const log = { label: "$(output) Show Log" };
  const settings = { label: "$(gear) Open Settings" };
  const chosen = await vscode.window.showQuickPick([inForce, restart, log, settings], {
    title: `Agent Templates: server${version ? ` ${version}` : ""} ${WORDS[server.phase]}`,
    placeHolder: server.command?.description ?? "No command that starts the server was found",
  });
  if (chosen === inForce) {
    await vscode.commands.executeCommand("agentTemplates.openStatus");
  } else if (chosen === restart) {
    await vscode.commands.executeCommand("agentTemplates.restartServer");
  } else if (chosen === log) {
    await vscode.commands.executeCommand("agentTemplates.showLog");
  } else if (chosen === settings) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "agentTemplates");
  }
}
