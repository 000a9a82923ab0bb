/**
 * One preview panel: a template and a spawn call, shown by a page.
 *
 * The page is made anew when the panel comes into sight again, and says when it is ready; until
 * then nothing is sent to it. An answer about what is not shown any more is dropped.
 */
import { basename } from "node:path";
import * as vscode from "vscode";
import { ExecuteCommandRequest } from "vscode-languageclient/node";
import { type Server, stopped } from "../server";
import type { Description, FromPage, Shown, ToPage } from "./answer";
import { openPlace } from "./open";
import { page } from "./page";
import { Refresh } from "./refresh";

export class PreviewPanel implements vscode.Disposable {
  private readonly refresh = new Refresh(() => this.update());
  private ready = false;
  private isGone = false;
  /** The agent that is shown, where its file has several. */
  private agent: string | undefined;

  constructor(
    readonly panel: vscode.WebviewPanel,
    extension: vscode.Uri,
    private readonly server: Server,
    private now: Shown,
  ) {
    panel.webview.onDidReceiveMessage((message: FromPage) => void this.take(message));
    panel.onDidDispose(() => {
      this.isGone = true;
      this.refresh.dispose();
    });
    panel.webview.html = page(panel.webview, extension, "panel");
    this.name();
  }

  get shown(): Shown {
    return this.now;
  }

  /** Shows something else, as far as `change` says so. */
  show(change: Partial<Shown>): void {
    if (change.uri !== undefined && change.uri !== this.now.uri) {
      this.agent = undefined;
    }
    this.now = { ...this.now, ...change };
    this.name();
    this.soon();
  }

  /** Asks the server again; a panel out of sight asks when it is back. */
  soon(): void {
    if (this.ready && this.panel.visible) {
      this.refresh.soon();
    }
  }

  dispose(): void {
    this.panel.dispose();
  }

  private async take(message: FromPage): Promise<void> {
    switch (message.type) {
      case "ready":
        this.ready = true;
        this.soon();
        break;
      case "call":
        this.show({ call: message.call });
        break;
      case "pin":
        this.show({ pinned: message.pinned });
        break;
      case "open":
        await openPlace(message.place);
        break;
      case "graph":
        await vscode.commands.executeCommand(
          "agentTemplates.showGraph",
          vscode.Uri.parse(this.now.uri),
        );
    }
  }

  private async update(): Promise<void> {
    const asked = this.now;
    const found = await this.ask(asked);
    if (this.isGone) {
      return;
    }
    if (asked !== this.now) {
      this.soon();
      return;
    }
    const message: ToPage =
      typeof found === "string"
        ? { type: "nothing", shown: asked, text: found }
        : { type: "show", shown: asked, description: found };
    this.agent = typeof found === "string" ? undefined : oneOfSeveral(found);
    this.name();
    await this.panel.webview.postMessage(message);
  }

  private async ask({ uri, call }: Shown): Promise<Description | string> {
    const client = await this.server.started();
    if (!client) {
      return stopped();
    }
    try {
      const answer: Description | { error: string } | null = await client.sendRequest(
        ExecuteCommandRequest.type,
        { command: "agentTemplates.describeSpawn", arguments: [{ uri, call }] },
      );
      return answer?.error === null
        ? answer
        : (answer?.error ?? vscode.l10n.t("The server's log has the reason."));
    } catch {
      // It is being started again, and a change of its state asks once more.
      return stopped();
    }
  }

  /** Names the panel as VS Code names its own previews: in brackets if it stays at one file. */
  private name(): void {
    const file = basename(vscode.Uri.parse(this.now.uri).path);
    const what = this.agent === undefined ? file : vscode.l10n.t("{0} in {1}", this.agent, file);
    this.panel.title = this.now.pinned
      ? vscode.l10n.t("[Preview] {0}", what)
      : vscode.l10n.t("Preview {0}", what);
  }
}

/** The agent that is shown, if one of the controls chooses among those of the file. */
function oneOfSeveral({ name, controls }: Description): string | undefined {
  return controls.some(({ holds }) => holds === "agent") ? (name ?? undefined) : undefined;
}
