/**
 * The panel that draws the agents of a session, of which a window has one at most.
 *
 * It shows the session of the template from which it was opened, and is asked for again when the
 * server says that something has changed.
 */
import * as vscode from "vscode";
import { ExecuteCommandRequest } from "vscode-languageclient/node";
import { hasAgent } from "../attach";
import { openPlace } from "../panel/open";
import { page, pageOptions } from "../panel/page";
import { Refresh } from "../panel/refresh";
import { type Server, stopped } from "../server";
import type { FromPage, Graph, Shown, ToPage } from "./answer";

const TYPE = "agentTemplates.graph";

/** Registers the command, what keeps the panel current, and what brings it back. */
export function graphPanel(extension: vscode.Uri, server: Server): vscode.Disposable {
  const graph = new GraphPanel(extension, server);
  return vscode.Disposable.from(
    graph,
    server.onDidChange(() => graph.soon()),
    server.onPreviewChanged(() => graph.soon()),
    server.onAgentsChanged(() => graph.soon()),
    vscode.window.registerWebviewPanelSerializer(TYPE, graph),
    vscode.commands.registerCommand("agentTemplates.showGraph", (uri?: vscode.Uri) => {
      const active = vscode.window.activeTextEditor?.document;
      const template = active && hasAgent(active) ? active.uri : undefined;
      const start = uri ?? template ?? vscode.workspace.workspaceFolders?.[0]?.uri;
      graph.open(start ? { uri: start.toString() } : {});
    }),
  );
}

class GraphPanel implements vscode.WebviewPanelSerializer, vscode.Disposable {
  private readonly refresh = new Refresh(() => this.update());
  private panel: vscode.WebviewPanel | undefined;
  private shown: Shown = {};
  private ready = false;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly server: Server,
  ) {}

  open(shown: Shown): void {
    this.shown = shown;
    if (this.panel) {
      this.panel.reveal();
      this.soon();
      return;
    }
    const column = vscode.ViewColumn.Beside;
    const options = pageOptions(this.extension);
    this.take(
      vscode.window.createWebviewPanel(TYPE, vscode.l10n.t("Agent Graph"), column, options),
    );
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { uri, dialect } = (state ?? {}) as Partial<Record<keyof Shown, unknown>>;
    this.shown = {
      ...(typeof uri === "string" ? { uri } : {}),
      ...(typeof dialect === "string" ? { dialect } : {}),
    };
    panel.webview.options = pageOptions(this.extension);
    this.take(panel);
  }

  soon(): void {
    if (this.ready) {
      this.refresh.soon();
    }
  }

  dispose(): void {
    this.refresh.dispose();
    this.panel?.dispose();
  }

  private take(panel: vscode.WebviewPanel): void {
    this.panel?.dispose();
    this.panel = panel;
    this.ready = false;
    panel.webview.onDidReceiveMessage((message: FromPage) => void this.receive(message));
    panel.onDidDispose(() => {
      if (this.panel === panel) {
        this.panel = undefined;
        this.ready = false;
      }
    });
    panel.webview.html = page(panel.webview, this.extension, "graph");
  }

  private async receive(message: FromPage): Promise<void> {
    if (message.type === "open") {
      await openPlace(message.place);
      return;
    }
    if (message.type === "dialect") {
      this.shown = { ...this.shown, dialect: message.dialect };
    }
    this.ready = true;
    this.soon();
  }

  private async update(): Promise<void> {
    const { shown } = this;
    const found = await this.ask(shown);
    if (shown !== this.shown) {
      this.soon();
      return;
    }
    const message: ToPage =
      typeof found === "string"
        ? { type: "nothing", shown, text: found }
        : { type: "show", shown, graph: found };
    await this.panel?.webview.postMessage(message);
  }

  private async ask(shown: Shown): Promise<Graph | string> {
    const client = await this.server.started();
    if (!client) {
      return stopped();
    }
    try {
      const answer: Graph | { error: string } | null = await client.sendRequest(
        ExecuteCommandRequest.type,
        { command: "agentTemplates.drawGraph", arguments: [shown] },
      );
      return answer?.error === null
        ? answer
        : (answer?.error ?? vscode.l10n.t("The server's log has the reason."));
    } catch {
      // It is being started again, and a change of its state asks once more.
      return stopped();
    }
  }
}
