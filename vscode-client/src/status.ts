/** Says how the server is: in the language status of a template, and in a list on request. */
import * as vscode from "vscode";
import { onSelectorChanged, selector } from "./attach";
import type { Phase, Server } from "./server";

const WORDS: Record<Phase, string> = {
  idle: vscode.l10n.t("not started: there is no template here"),
  starting: vscode.l10n.t("starting"),
  running: vscode.l10n.t("running"),
  waiting: vscode.l10n.t("stopped unexpectedly, restarting"),
  failed: vscode.l10n.t("not running"),
};

/** Shows the server's state as long as it is not disposed, and registers the command. */
export function status(server: Server): vscode.Disposable {
  const item = vscode.languages.createLanguageStatusItem("agentTemplates.server", selector());
  item.name = "Agent Templates";
  item.command = { title: vscode.l10n.t("Show Status"), command: "agentTemplates.showStatus" };
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
  const inForce = { label: `$(checklist) ${vscode.l10n.t("Show What Applies")}` };
  const restart = { label: `$(debug-restart) ${vscode.l10n.t("Restart Server")}` };
  const log = { label: `$(output) ${vscode.l10n.t("Show Log")}` };
  const settings = { label: `$(gear) ${vscode.l10n.t("Open Settings")}` };
  const issue = { label: `$(bug) ${vscode.l10n.t("Report Issue")}` };
  const chosen = await vscode.window.showQuickPick([inForce, restart, log, settings, issue], {
    title: version
      ? vscode.l10n.t("Agent Templates: server {0} {1}", version, WORDS[server.phase])
      : vscode.l10n.t("Agent Templates: server {0}", WORDS[server.phase]),
    placeHolder:
      server.command?.description ?? vscode.l10n.t("Found no command that starts the server"),
  });
  if (chosen === inForce) {
    await vscode.commands.executeCommand("agentTemplates.openStatus");
  } else if (chosen === restart) {
    await vscode.commands.executeCommand("agentTemplates.restartServer");
  } else if (chosen === log) {
    await vscode.commands.executeCommand("agentTemplates.showLog");
  } else if (chosen === settings) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "agentTemplates");
  } else if (chosen === issue) {
    await vscode.commands.executeCommand("agentTemplates.reportIssue");
  }
}
