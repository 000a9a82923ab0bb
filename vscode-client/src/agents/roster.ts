/**
 * Who is in the workspace, as the server tells it.
 *
 * The server is asked only while somebody looks, and once nothing has changed for a moment; who
 * listens hears of an answer only if it differs from the one before.
 */
import * as vscode from "vscode";
import { ExecuteCommandRequest } from "vscode-languageclient/node";
import type { Server } from "../server";

/** How long nothing may have changed, in milliseconds. */
const DELAY = 250;
/** The part of the server's time that the view may take, however large the workspace is. */
const SHARE = 0.2;
const LONGEST = 5_000;

/** An agent system that is in use. */
export interface System {
  readonly dialect: string;
  readonly title: string;
  readonly runtime: string;
  readonly sessions: readonly Session[];
}

/** What a session finds that starts in `root`; a deeper one what others do not find. */
export interface Session {
  readonly root: string;
  readonly label: string;
  readonly deeper: boolean;
  readonly failure: { readonly file: string; readonly message: string } | null;
  readonly agents: readonly Agent[];
}

/** The arguments of the runtime's own call. */
export type Call = Readonly<Record<string, string>>;

/** Where the runtime has a definition from. */
export interface Scope {
  readonly kind: string;
  readonly label: string;
  readonly builtin: boolean;
}

/** Another definition of the same name. */
export interface Other {
  readonly path: string;
  readonly scope: Scope;
}

/** A definition of an agent, and what becomes of it. */
export interface Agent {
  readonly name: string;
  readonly file: string;
  /** The file as people write it. */
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly alone: boolean;
  readonly scope: Scope;
  readonly shadowed_by: Other | null;
  readonly overrides: Other | null;
  readonly not_loaded: string | null;
  readonly errors: number;
  readonly warnings: number;
  readonly call: Call | null;
  readonly personas: readonly Persona[];
}

export interface Persona {
  readonly name: string;
  readonly line: number;
  readonly call: Call | null;
}

/** One of the agents of a file, with what a line about it says. */
export interface Detail {
  readonly name: string;
  readonly dialect: string;
  readonly title: string;
  /** What each program makes of the file, if several read it. */
  readonly programs: readonly string[];
  readonly line: number;
  readonly description: string;
  readonly tools: { readonly kept: number; readonly known: number; readonly restricted: boolean };
  readonly call: Call | null;
}

/** What the server answers to a command; nothing if there is no server. */
export interface Answer<T> {
  readonly result: T | null;
  readonly error: string | null;
}

/** Asks the server that runs, or starts it. */
export async function ask<T>(
  server: Server,
  command: string,
  argument: object,
): Promise<Answer<T> | undefined> {
  const client = await server.started();
  return client?.sendRequest(ExecuteCommandRequest.type, { command, arguments: [argument] });
}

/** The agents of the file at `uri`. */
export async function inFile(server: Server, uri: vscode.Uri): Promise<readonly Detail[]> {
  const argument = { uri: uri.toString() };
  const answer = await ask<{ agents: Detail[] }>(server, "agentTemplates.agents", argument);
  return answer?.result?.agents ?? [];
}

/** Of several agents in one file, the last one that begins before `line`, counted from 1. */
export function agentAt(details: readonly Detail[], line: number): Detail | undefined {
  return details.filter((detail) => detail.line <= line).at(-1) ?? details[0];
}

/** How many tools an agent has; without a policy also those of servers, which nobody counts. */
export function toolsOf({ kept, known, restricted }: Detail["tools"]): string {
  if (restricted) {
    return vscode.l10n.t("{0} of {1} tools", kept, known);
  }
  return kept < known
    ? vscode.l10n.t("all tools but {0}", known - kept)
    : vscode.l10n.t("all tools");
}

/** A number of tools. */
export function toolCount(count: number): string {
  return count === 1 ? vscode.l10n.t("1 tool") : vscode.l10n.t("{0} tools", count);
}

export class Roster implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable;
  private timer: NodeJS.Timeout | undefined;
  private text = "";
  private took = 0;
  private watched = false;
  private stale = true;

  /** The systems that are in use; nothing as long as the server has not answered. */
  systems: readonly System[] | undefined;

  /** Fires when `systems` has changed. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly server: Server) {
    const soon = () => this.updateSoon();
    this.subscriptions = vscode.Disposable.from(
      server.onDidChange(soon),
      server.onPreviewChanged(soon),
      server.onAgentsChanged(soon),
    );
  }

  /** Says whether somebody looks. */
  watch(watched: boolean): void {
    this.watched = watched;
    if (watched && this.stale) {
      void this.update();
    }
  }

  /** Asks the server, whether or not anything is known to have changed. */
  async update(): Promise<void> {
    clearTimeout(this.timer);
    this.stale = false;
    // What the server needs to start says nothing about the size of the workspace.
    const runs = this.server.client !== undefined;
    const begun = Date.now();
    const answer = await ask<{ systems: System[] }>(this.server, "agentTemplates.agents", {});
    this.took = runs ? Date.now() - begun : 0;
    const text = JSON.stringify(answer?.result ?? null);
    if (text !== this.text) {
      this.text = text;
      this.systems = answer?.result?.systems;
      this.changed.fire();
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscriptions.dispose();
    this.changed.dispose();
  }

  private updateSoon(): void {
    this.stale = true;
    clearTimeout(this.timer);
    if (this.watched) {
      const delay = Math.max(DELAY, Math.min(this.took / SHARE, LONGEST));
      this.timer = setTimeout(() => void this.update(), delay);
    }
  }
}
