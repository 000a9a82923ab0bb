/**
 * Shows the server's previews as rendered Markdown beside the editor.
 *
 * A preview is a read-only document whose text the server writes. It follows the templates: the
 * server says when one may be out of date, and then the previews that are open are asked for again.
 */
import { basename } from "node:path";
import * as vscode from "vscode";
import { ExecuteCommandRequest } from "vscode-languageclient/node";
import { isTemplate, placeOf, templates } from "./attach";
import type { Server } from "./server";

const SCHEME = "agent-templates";
const DELAY = 300;
const CODE_OR_FILE_LINK = /(`+)(?!`).*?[^`]\1(?!`)|\[([^[\]]*)\]\(file:[^()\s]+\)/g;

/** A request to the server, which is also what a preview's URI says. */
interface Request {
  readonly command: "agentTemplates.previewSpawn" | "agentTemplates.listAgents";
  readonly argument: { readonly uri: string; readonly [name: string]: string };
}

type Ask = (request: Request) => Promise<string>;

/** Registers the two commands and the documents that they show. */
export function previews(server: Server): vscode.Disposable {
  const documents = new Previews(asker(server));
  return vscode.Disposable.from(
    documents,
    server.onDidChange(() => documents.updateSoon()),
    server.onPreviewChanged(() => documents.updateSoon()),
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, documents),
    vscode.commands.registerCommand(
      "agentTemplates.openPreview",
      async (uri?: vscode.Uri, call?: unknown) => {
        const template = uri ?? activeTemplate() ?? (await chosenTemplate());
        if (template) {
          const request = isCall(call) ? spawnCall(template, call) : await spawn(template);
          await documents.show(request, title(request));
        }
      },
    ),
    vscode.commands.registerCommand("agentTemplates.openList", async (uri?: vscode.Uri) => {
      const start = uri ?? activeTemplate() ?? vscode.workspace.workspaceFolders?.[0]?.uri;
      if (start) {
        await documents.show(list(start), "agents");
      }
    }),
  );
}

/** What a link above a template says of the call; a menu hands over something else. */
function isCall(call: unknown): call is Record<string, string> {
  const values =
    call && Object.getPrototypeOf(call) === Object.prototype ? Object.values(call) : [];
  return values.length > 0 && values.every((value) => typeof value === "string");
}

async function spawn(template: vscode.Uri): Promise<Request> {
  const place = placeOf(await vscode.workspace.openTextDocument(template));
  const agent = place ? place.agent : "agent_type";
  // A file with several agents has none that it is called by.
  const several: Record<string, string> = place ? { dialect: place.dialect } : {};
  return spawnCall(template, agent ? { [agent]: stem(template) } : several);
}

function spawnCall(template: vscode.Uri, call: Record<string, string>): Request {
  const argument = { ...call, uri: template.toString() };
  return { command: "agentTemplates.previewSpawn", argument };
}

/** The agent, and the persona if there is one. */
function title({ argument: { uri: _, ...call } }: Request): string {
  return ["spawn", ...Object.values(call)].join(" ");
}

function list(start: vscode.Uri): Request {
  return { command: "agentTemplates.listAgents", argument: { uri: start.toString() } };
}

function stem(uri: vscode.Uri): string {
  return basename(uri.path).replace(/\.md$/i, "");
}

function activeTemplate(): vscode.Uri | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document && isTemplate(document) ? document.uri : undefined;
}

async function chosenTemplate(): Promise<vscode.Uri | undefined> {
  const items = (await templates(1000)).map((uri) => ({
    label: stem(uri),
    description: vscode.workspace.asRelativePath(uri),
    uri,
  }));
  items.sort((a, b) => a.label.localeCompare(b.label));
  const placeHolder = items.length > 0 ? "Which agent?" : "There is no template in this workspace";
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.uri;
}

/** Asks the server for a preview's text; without a server, the text says so. */
function asker(server: Server): Ask {
  return async ({ command, argument }) => {
    const client = await server.started();
    if (!client) {
      return "The server is not running. *Agent Templates: Show Status* says why.";
    }
    const answer: { markdown?: string } = await client.sendRequest(ExecuteCommandRequest.type, {
      command,
      arguments: [{ ...argument, format: "markdown" }],
    });
    return withoutFileLinks(answer.markdown ?? "");
  };
}

/** The texts of the previews that have been opened, and their documents. */
class Previews implements vscode.TextDocumentContentProvider, vscode.Disposable {
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

  async show(request: Request, title: string): Promise<void> {
    const query = JSON.stringify(request);
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${title}.md`, query });
    await this.refresh(uri);
    // Locked, because an unlocked preview goes on to whatever Markdown gets the focus next.
    await vscode.commands.executeCommand("markdown.showLockedPreviewToSide", uri);
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const key = uri.toString();
    const text = this.texts.get(key) ?? (await this.ask(JSON.parse(uri.query) as Request));
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
    const text = await this.ask(JSON.parse(uri.query) as Request);
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
function withoutFileLinks(markdown: string): string {
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
