/**
 * The rows of the Agents view: what each says, and how it looks.
 *
 * A row's id stays the same as long as it is about the same thing, so that VS Code keeps what is
 * open and selected.
 */
import { basename, dirname } from "node:path";
import * as vscode from "vscode";
import type { Agent, Other, Persona, Scope, Session, System } from "./roster";

/** The scheme of the URIs by which VS Code asks for the number in a row. */
export const SCHEME = "agent-templates-row";

/** What a row is about; menus hand it to the commands. */
export type Subject =
  | { readonly kind: "system"; readonly system: System }
  | { readonly kind: "session"; readonly system: System; readonly session: Session }
  | { readonly kind: "failure"; readonly file: string }
  | { readonly kind: "agent"; readonly agent: Agent; readonly session: Session }
  | { readonly kind: "persona"; readonly agent: Agent; readonly persona: Persona };

export interface Row {
  readonly item: vscode.TreeItem & { readonly id: string };
  readonly subject: Subject;
  readonly parent: Row | undefined;
  readonly children: Row[];
}

/** The rows of the first level, with all that are below them. */
export function rows(systems: readonly System[]): Row[] {
  return systems.map(systemRow);
}

/** The agent that a row is about, also as one of its personas. */
export function agentOf({ subject }: Row): Agent | undefined {
  return "agent" in subject ? subject.agent : undefined;
}

/** A line of a file, counted from 0. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** The place that the row about `subject` leads to. */
export function placeOf(subject: Subject): Place | undefined {
  switch (subject.kind) {
    case "failure":
      return { file: subject.file, line: 0 };
    case "agent":
      return { file: subject.agent.file, line: subject.agent.line - 1 };
    case "persona":
      return { file: subject.agent.file, line: subject.persona.line - 1 };
    default:
      return undefined;
  }
}

/**
 * The number of problems in a row, from what its URI says.
 *
 * It has no colour: that would be one of the name as well, which the colours of problems are too
 * pale for in most themes. The icon has one.
 */
export function decoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
  if (uri.scheme !== SCHEME) {
    return undefined;
  }
  const { errors, warnings } = JSON.parse(uri.query) as Look;
  const count = errors + warnings;
  return count === 0
    ? undefined
    : new vscode.FileDecoration(count > 9 ? "9+" : String(count), problems(errors, warnings));
}

/** What the number in a row depends on. */
interface Look {
  readonly errors: number;
  readonly warnings: number;
}

function systemRow(system: System): Row {
  const agents = system.sessions.flatMap((session) => session.agents);
  const names = new Set(agents.filter(counts).map((agent) => agent.name));
  const id = `system:${system.dialect}`;
  const row = newRow(id, system.title, undefined, { kind: "system", system });
  const many =
    names.size === 1 ? vscode.l10n.t("1 agent") : vscode.l10n.t("{0} agents", names.size);
  // A narrow side bar has no room for the word; who hovers or listens gets it.
  row.item.description = String(names.size);
  row.item.iconPath = new vscode.ThemeIcon("organization");
  row.item.tooltip = `${system.runtime} (${system.dialect}), ${many}`;
  row.item.contextValue = "system";
  row.item.resourceUri = look(id, sum(agents));
  row.item.accessibilityInformation = { label: spoken(row, sum(agents), many) };
  const [first, ...more] = system.sessions.filter((session) => !session.deeper);
  // The only workspace folder goes without saying.
  const inFolders = more.length > 0 || !first ? system.sessions : system.sessions.slice(1);
  if (first && more.length === 0) {
    addAgents(row, system, first);
  }
  for (const session of inFolders) {
    row.children.push(sessionRow(row, system, session));
  }
  return expandable(row, vscode.TreeItemCollapsibleState.Expanded);
}

function sessionRow(parent: Row, system: System, session: Session): Row {
  const id = `${parent.item.id}:${session.root}`;
  const row = newRow(id, session.label, parent, { kind: "session", system, session });
  // Not the folder of the file icons: many themes have none, and the rows around would shift.
  row.item.iconPath = new vscode.ThemeIcon("folder-opened");
  row.item.contextValue = "session";
  row.item.tooltip = session.deeper
    ? vscode.l10n.t("What sessions that start in {0} or below also find", session.label)
    : session.root;
  addAgents(row, system, session);
  row.item.resourceUri = look(id, sum(session.agents));
  row.item.accessibilityInformation = { label: spoken(row, sum(session.agents)) };
  const open = vscode.TreeItemCollapsibleState.Expanded;
  return expandable(row, session.deeper ? vscode.TreeItemCollapsibleState.Collapsed : open);
}

function addAgents(parent: Row, system: System, session: Session): void {
  if (session.failure) {
    parent.children.push(failureRow(parent, session.failure));
  }
  for (const agent of session.agents) {
    parent.children.push(agentRow(parent, system, session, agent));
  }
}

function failureRow(parent: Row, { file, message }: NonNullable<Session["failure"]>): Row {
  const subject: Subject = { kind: "failure", file };
  const row = newRow(`${parent.item.id}:failure`, vscode.l10n.t("No agent loads"), parent, subject);
  row.item.description = vscode.l10n.t("because of {0}", basename(file));
  row.item.tooltip = message;
  row.item.iconPath = icon("error", "list.errorForeground");
  return row;
}

function agentRow(parent: Row, system: System, session: Session, agent: Agent): Row {
  const id = `${parent.item.id}:${agent.file}:${agent.name}`;
  const row = newRow(id, agent.name, parent, { kind: "agent", agent, session });
  row.item.description = [scopeOf(agent.scope), fate(agent)].filter(Boolean).join(" · ");
  row.item.iconPath = agentIcon(agent);
  row.item.resourceUri = look(id, { errors: agent.errors, warnings: agent.warnings });
  row.item.contextValue = abilities(system, agent).join(" ");
  row.item.accessibilityInformation = { label: spoken(row, agent) };
  for (const persona of agent.personas) {
    row.children.push(personaRow(row, agent, persona));
  }
  return expandable(row, vscode.TreeItemCollapsibleState.Collapsed);
}

function personaRow(parent: Row, agent: Agent, persona: Persona): Row {
  const subject: Subject = { kind: "persona", agent, persona };
  const row = newRow(`${parent.item.id}:${persona.name}`, persona.name, parent, subject);
  row.item.description = vscode.l10n.t("persona");
  row.item.iconPath = new vscode.ThemeIcon("person");
  row.item.resourceUri = look(row.item.id, { errors: 0, warnings: 0 });
  row.item.accessibilityInformation = {
    label: vscode.l10n.t("{0}, persona of {1}", persona.name, agent.name),
  };
  row.item.contextValue = persona.call ? "persona callable" : "persona";
  return row;
}

function newRow(id: string, label: string, parent: Row | undefined, subject: Subject): Row {
  const item = Object.assign(new vscode.TreeItem(label), { id });
  const place = placeOf(subject);
  if (place) {
    item.command = opening(place);
  }
  return { item, subject, parent, children: [] };
}

function expandable(row: Row, state: vscode.TreeItemCollapsibleState): Row {
  if (row.children.length > 0) {
    row.item.collapsibleState = state;
  }
  return row;
}

function counts(agent: Agent): boolean {
  return agent.shadowed_by === null && agent.not_loaded === null;
}

/** What becomes of an agent, if that is not what everybody expects. */
function fate(agent: Agent): string {
  if (agent.not_loaded !== null) {
    return vscode.l10n.t("not loaded");
  }
  if (agent.shadowed_by !== null) {
    return vscode.l10n.t("shadowed by {0}", inWords(agent.shadowed_by, agent));
  }
  return agent.overrides === null
    ? ""
    : vscode.l10n.t("overrides {0}", inWords(agent.overrides, agent));
}

/** Another definition by its scope, or by its folder where the scope is the same. */
function inWords({ path, scope }: Other, { scope: own }: Agent): string {
  return scope.label === own.label ? dirname(path) : scopeOf(scope);
}

export function scopeOf(scope: Scope): string {
  return scope.builtin ? vscode.l10n.t("built-in") : scope.label;
}

function agentIcon(agent: Agent): vscode.ThemeIcon {
  if (agent.not_loaded !== null) {
    return icon("circle-slash", "disabledForeground");
  }
  if (agent.shadowed_by !== null) {
    return icon("eye-closed", "disabledForeground");
  }
  const name = agent.scope.builtin ? "package" : "hubot";
  if (agent.errors + agent.warnings === 0) {
    return new vscode.ThemeIcon(name);
  }
  return icon(name, agent.errors > 0 ? "list.errorForeground" : "list.warningForeground");
}

function icon(name: string, colour: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(name, new vscode.ThemeColor(colour));
}

/** What the menus of an agent's row ask for, word by word. */
function abilities(system: System, agent: Agent): string[] {
  const isProject = agent.scope.kind === "project";
  return [
    "agent",
    agent.call ? "callable" : "",
    agent.alone && !isProject ? "for-project" : "",
    agent.alone && agent.scope.kind !== "user" ? "for-user" : "",
    agent.alone && !agent.scope.builtin ? "own" : "",
    isProject ? "file" : "",
    system.dialect,
  ].filter(Boolean);
}

function sum(agents: readonly Agent[]): Look {
  const total = (numbers: number[]) => numbers.reduce((before, number) => before + number, 0);
  return {
    errors: total(agents.map(({ errors }) => errors)),
    warnings: total(agents.map(({ warnings }) => warnings)),
  };
}

/** What a screen reader says, which would read the URI for the number out otherwise. */
function spoken(
  { item: { label, description } }: Row,
  { errors, warnings }: Pick<Look, "errors" | "warnings">,
  more = description,
): string {
  return [label, more, problems(errors, warnings)].filter(Boolean).join(", ");
}

function problems(errors: number, warnings: number): string {
  const wrong = errors === 1 ? vscode.l10n.t("1 error") : vscode.l10n.t("{0} errors", errors);
  const odd = warnings === 1 ? vscode.l10n.t("1 warning") : vscode.l10n.t("{0} warnings", warnings);
  return [errors > 0 && wrong, warnings > 0 && odd].filter(Boolean).join(", ");
}

function look(id: string, seen: Look): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/${id}`, query: JSON.stringify(seen) });
}

/**
 * Opens what a row leads to, as the Explorer does: a click previews it and leaves the focus in the
 * view, Enter and a double click go to it.
 *
 * Only VS Code's own command is told which of them it was; what the options say would overrule it.
 */
function opening({ file, line }: Place): vscode.Command {
  return {
    title: vscode.l10n.t("Open"),
    command: "vscode.open",
    arguments: [vscode.Uri.file(file), { selection: startOf(line) }],
  };
}

/** The start of a line, as a selection. */
export function startOf(line: number): vscode.Range {
  return new vscode.Range(line, 0, line, 0);
}
