/**
 * The extension's parts, put together.
 *
 * The server starts when a template is opened, exists in the workspace, or is created there; until
 * then nothing runs. The ids of the server's own commands belong to the language client.
 */
import * as vscode from "vscode";
import { agentsView } from "./agents/view";
import {
  isCompleted,
  mayHaveOthers,
  onSelectorChanged,
  onTemplateCreated,
  templates,
} from "./attach";
import { titleButtons } from "./buttons";
import { conversions } from "./convert";
import { graphPanel } from "./graph/graph";
import { inForce } from "./inForce";
import { lists } from "./list";
import { createLog } from "./log";
import { previewPanels } from "./panel/panels";
import { issueReport } from "./report";
import { rulePages } from "./rules";
import { Server } from "./server";
import { status } from "./status";
import { statusBar } from "./statusBar";
import { suggestWhileTyping } from "./suggest";

export function activate(context: vscode.ExtensionContext): void {
  const log = createLog();
  const server = new Server(context.extensionUri, log);
  context.subscriptions.push(
    log,
    server,
    startWhenNeeded(server),
    restartWhenTold(server),
    status(server),
    statusBar(server),
    agentsView(server),
    inForce(server),
    titleButtons(),
    previewPanels(context.extensionUri, server),
    graphPanel(context.extensionUri, server),
    lists(server),
    conversions(server),
    rulePages(),
    issueReport(context.extension, server),
    suggestWhileTyping(() => server.client),
    vscode.commands.registerCommand("agentTemplates.restartServer", () => server.restart()),
    vscode.commands.registerCommand("agentTemplates.showLog", () => log.show()),
    vscode.commands.registerCommand("agentTemplates.openWalkthrough", () =>
      vscode.commands.executeCommand(
        "workbench.action.openWalkthrough",
        `${context.extension.id}#start`,
      ),
    ),
  );
}

/** Starts the server for the first template that is there, is opened, or appears. */
function startWhenNeeded(server: Server): vscode.Disposable {
  const lookOnce = async () => {
    if (server.phase !== "idle") {
      return;
    }
    const isOpen = vscode.workspace.textDocuments.some(isCompleted);
    if (isOpen || (await templates(1)).length > 0 || (await mayHaveOthers())) {
      await server.start();
    }
  };
  // A new branch brings many templates at once, and a look may search all folders.
  let looks = Promise.resolve();
  const look = () => (looks = looks.then(lookOnce, lookOnce));
  let watching = onTemplateCreated(() => void look());
  void look();
  const changes = vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument((document) => {
      if (isCompleted(document)) {
        void server.start();
      }
    }),
    onSelectorChanged(() => {
      watching.dispose();
      watching = onTemplateCreated(() => void look());
      void look();
    }),
  );
  return new vscode.Disposable(() => {
    watching.dispose();
    changes.dispose();
  });
}

/** Starts the server anew when something else is to be started, or attached to it. */
function restartWhenTold(server: Server): vscode.Disposable {
  const restart = () => void server.restartIfStarted();
  return vscode.Disposable.from(
    onSelectorChanged(restart),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      const names = ["agentTemplates.interpreter", "agentTemplates.serverCommand"];
      if (names.some((name) => event.affectsConfiguration(name))) {
        restart();
      }
    }),
  );
}
