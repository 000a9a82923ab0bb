/**
 * Which files are templates, as path patterns.
 *
 * Patterns and not language ids decide, because VS Code gives templates several ids (`markdown`,
 * `chatagent`, `plaintext` for TOML, …) and people add their own. Whether such a file really is a
 * template, and what is in it, only the server knows.
 */
import * as vscode from "vscode";
import { PLACES, type Place } from "./places";
import { isRegistered } from "./registered";

/** Where the agents are that come with a runtime, wherever the server is installed. */
const SHIPPED = "**/agent_lsp/templates/*/builtin/**/*.md";

/**
 * The files that are attached: those in known places, and in folders that the settings claim.
 *
 * The server has the client attach to those that only it knows, and only if they are none of these.
 */
export function selector(): vscode.DocumentFilter[] {
  return filters(globs());
}

/** The settings file, which is attached as well, though it is no template. */
const SETTINGS = "**/agent-template-lsp.toml";

/** The files whose text the server is told of. */
export function attached(): vscode.DocumentFilter[] {
  return [...selector(), ...filters([SETTINGS])];
}

/** Whether the server completes in `document`: it is a template, or the settings file. */
export function isCompleted(document: vscode.TextDocument): boolean {
  return isTemplate(document) || vscode.languages.match(filters([SETTINGS]), document) > 0;
}

/** Whether `document` is a template that is attached. */
export function isTemplate(document: vscode.TextDocument): boolean {
  return vscode.languages.match(selector(), document) > 0 || isRegistered(document);
}

/**
 * Whether an agent can be shown for `document`: it is attached, or comes with the server, which
 * knows it without. Nobody can edit those, so that there is nothing to attach to.
 */
export function hasAgent(document: vscode.TextDocument): boolean {
  return isTemplate(document) || vscode.languages.match(filters([SHIPPED]), document) > 0;
}

/** The agent system of `document`: the one that the settings name, else that of its place. */
export function placeOf(document: vscode.TextDocument): Place | undefined {
  const isIn = (folders: vscode.GlobPattern[]) =>
    vscode.languages.match(filters(folders), document) > 0;
  const claim = claims().find(({ glob }) => isIn([glob]));
  return PLACES.find((place) => (claim ? place.dialect === claim.dialect : isIn(known(place))));
}

/** Calls `listener` when other files are attached than before. */
export function onSelectorChanged(listener: () => void): vscode.Disposable {
  let before = JSON.stringify(selector());
  const compare = () => {
    const now = JSON.stringify(selector());
    if (now !== before) {
      before = now;
      listener();
    }
  };
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration(compare),
    vscode.workspace.onDidChangeWorkspaceFolders(compare),
  );
}

/** Up to `limit` templates of the workspace. */
export async function templates(limit: number): Promise<vscode.Uri[]> {
  const found = await Promise.all(
    globs().map((glob) => vscode.workspace.findFiles(glob, "**/node_modules/**", limit)),
  );
  const byName = new Map(found.flat().map((uri) => [uri.toString(), uri]));
  return [...byName.values()].slice(0, limit);
}

/** Whether the workspace has a file that can make further folders ones of templates. */
export async function mayHaveOthers(): Promise<boolean> {
  const files = "**/{agent-template-lsp.toml,.claude-plugin/plugin.json}";
  return (await vscode.workspace.findFiles(files, "**/node_modules/**", 1)).length > 0;
}

/** Calls `listener` when a template may have appeared. */
export function onTemplateCreated(listener: () => void): vscode.Disposable {
  const watchers = globs()
    .flatMap(withFolders)
    .map((glob) => vscode.workspace.createFileSystemWatcher(glob, false, true, true));
  for (const watcher of watchers) {
    watcher.onDidCreate(listener);
  }
  return vscode.Disposable.from(...watchers);
}

/** `glob`, and the folders on its way: of folders made with files in them, only they are reported. */
function withFolders(glob: vscode.GlobPattern): vscode.GlobPattern[] {
  const parts = (typeof glob === "string" ? glob : glob.pattern).split("/");
  return parts
    .map((_, index) => parts.slice(0, index + 1).join("/"))
    .filter((pattern) => pattern !== "**")
    .map((pattern) =>
      typeof glob === "string" ? pattern : new vscode.RelativePattern(glob.baseUri, pattern),
    );
}

function globs(): vscode.GlobPattern[] {
  return [...PLACES.flatMap(known), ...claims().map(({ glob }) => glob)];
}

function filters(patterns: vscode.GlobPattern[]): vscode.DocumentFilter[] {
  return patterns.map((pattern) => ({ scheme: "file", pattern }));
}

function known(place: Place): vscode.GlobPattern[] {
  const folder = place.user && process.env[place.user.variable];
  if (!place.user || !folder) {
    return [...place.patterns];
  }
  const inside = new vscode.RelativePattern(vscode.Uri.file(folder), place.user.pattern);
  return [...place.patterns, inside];
}

/** A folder that the settings give to an agent system. */
interface Claim {
  readonly dialect: string;
  readonly glob: vscode.GlobPattern;
}

/** The folders that `agentTemplates.folders` gives to an agent system. */
function claims(): Claim[] {
  return (vscode.workspace.workspaceFolders ?? []).flatMap((root) => {
    const folders = vscode.workspace
      .getConfiguration("agentTemplates", root)
      .get<Record<string, unknown>>("folders", {});
    return Object.entries(folders).flatMap(([folder, dialect]) => {
      const glob = new vscode.RelativePattern(vscode.Uri.joinPath(root.uri, folder), "*.md");
      return typeof dialect === "string" ? [{ dialect, glob }] : [];
    });
  });
}
