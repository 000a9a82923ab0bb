/**
 * Shows what a session lists, as rendered Markdown beside the editor.
 *
 * A list is a read-only document whose text the server writes. It follows the templates: the
 * server says when one may be out of date, and then the lists that are open are asked for again.
 */
import * as vscode from "vscode";
import { ExecuteCommandRequest } from "vscode-languageclient/node";
import { hasAgent } from "./attach";
import { type Server, stopped } from "./server";

const SCHEME = "agent-templates";
const DELAY = 300;
const CODE_OR_FILE_LINK = /(`+)(?!`).*?[^`]\1(?!`)|\[([^[\]]*)\]\(file:[^()\s]+\)/g;

/** Asks for the text of the list for the session that a URI belongs to. */
type Ask = (start: string) => Promise<string>;

/** Registers the command and the documents that it shows. */
export function lists(server: Server): vscode.Disposable {
  const documents = new Lists(asker(server));
  return vscode.Disposable.from(
    documents,
    server.onDidChange(() => documents.updateSoon()),
    server.onPreviewChanged(() => documents.updateSoon()),
    server.onAgentsChanged(() => documents.updateSoon()),
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, documents),
    vscode.commands.registerCommand("agentTemplates.openList", async (uri?: vscode.Uri) => {
      const start = uri ?? activeTemplate() ?? vscode.workspace.workspaceFolders?.[0]?.uri;
      if (start) {
        await documents.show(start);
      }
    }),
  );
}

function activeTemplate(): vscode.Uri | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document && hasAgent(document) ? document.uri : undefined;
}

/** Asks the server for a list's text; without a server, the text says so. */
function asker(server: Server): Ask {
  return async (uri) => {
    const client = await server.started();
    if (!client) {
      return stopped();
    }
    const answer: { markdown?: string } = await client.sendRequest(ExecuteCommandRequest.type, {
      command: "agentTemplates.listAgents",
      arguments: [{ uri, format: "markdown" }],
    });
    return withoutFileLinks(answer.markdown ?? "");
  };
}

/** The texts of the lists that have been opened, and their documents. */
class Lists implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private timer: NodeJS.Timeout | undefined;

  readonly onDidChange = this.changed.event;

  constructor(private readonly ask: Ask) {}

  /** Asks for all texts again, once nothing has changed for a moment. */
  updateSoon(): void {
    clearTimeout(this.timer);
    if (this.texts.size > 0) {
      this.timer = setTimeout(() => void this.update(), DELAY);
    }
  }

  async show(start: vscode.Uri): Promise<void> {
    const query = start.toString();
    const uri = vscode.Uri.from({ scheme: SCHEME, path: "/agents.md", query });
    await this.refresh(uri);
    // Locked, because an unlocked preview goes on to whatever Markdown gets the focus next.
    await vscode.commands.executeCommand("markdown.showLockedPreviewToSide", uri);
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const key = uri.toString();
    const text = this.texts.get(key) ?? (await this.ask(uri.query));
    this.texts.set(key, text);
    return text;
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.changed.dispose();
  }

  private async update(): Promise<void> {
    if (!vscode.window.tabGroups.all.some((group) => group.tabs.some(isMarkdownPreview))) {
      this.texts.clear();
    }
    for (const uri of [...this.texts.keys()]) {
      await this.refresh(vscode.Uri.parse(uri));
    }
  }

  private async refresh(uri: vscode.Uri): Promise<void> {
    const key = uri.toString();
    const before = this.texts.get(key);
    const text = await this.ask(uri.query);
    if (text === before) {
      return;
    }
    if (before !== undefined) {
      // VS Code may have let go of the document; only one that it holds is told of changes.
      await vscode.workspace.openTextDocument(uri);
    }
    this.texts.set(key, text);
    this.changed.fire(uri);
  }
}

/**
 * `markdown` with only the text of its links to files, which is a path and a line.
 *
 * VS Code's rendered Markdown refuses links of the scheme `file`, and shows them as they are
 * written. What looks like one in a fenced block is the text of a prompt.
 */
export function withoutFileLinks(markdown: string): string {
  let fence: string | undefined;
  const lines = markdown.split("\n").map((line) => {
    const mark = /^(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) {
      fence = line === fence ? undefined : fence;
      return line;
    }
    fence = mark;
    return mark
      ? line
      : line.replace(CODE_OR_FILE_LINK, (all, _ticks, text?: string) => text ?? all);
  });
  return lines.join("\n");
}

function isMarkdownPreview(tab: vscode.Tab): boolean {
  return (
    tab.input instanceof vscode.TabInputWebview && tab.input.viewType.endsWith("markdown.preview")
  );
}
