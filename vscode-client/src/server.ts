/**
 * Keeps the server running: one at a time, and after a crash a new one.
 *
 * A crashed server is started again after a pause that grows. One that keeps crashing is left
 * alone, and a message says so once. Starting, stopping and restarting happen in the order in
 * which they were asked for.
 */
import * as vscode from "vscode";
import { State } from "vscode-languageclient/node";
import { Client } from "./client";
import { type Command, serverCommand } from "./command";
import { PythonExtension } from "./pythonExtension";

/** What the server does at the moment. */
export type Phase = "idle" | "starting" | "running" | "waiting" | "failed";

const PAUSES = [500, 2000, 8000];
/** Crashes further apart than this are separate misfortunes. */
const MEMORY = 3 * 60_000;

/** What is said where the server should answer and does not run. */
export function stopped(): string {
  return vscode.l10n.t("The server is not running. “Agent Templates: Show Status” says why.");
}

export class Server implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly preview = new vscode.EventEmitter<void>();
  private readonly agents = new vscode.EventEmitter<void>();
  private readonly python = new PythonExtension();
  private queue: Promise<void> = Promise.resolve();
  private running: Client | undefined;
  private crashes: number[] = [];
  private timer: NodeJS.Timeout | undefined;
  private now: Phase = "idle";
  private disposed = false;

  /** What was started last, or nothing yet. */
  command: Command | undefined;

  /** Why the server does not run, if that was told. */
  problem: string | undefined;

  /** Fires when `phase` has changed. */
  readonly onDidChange = this.changed.event;

  /** Fires when a preview may be out of date. */
  readonly onPreviewChanged = this.preview.event;

  /** Fires when other agents may be there, or other findings in their files. */
  readonly onAgentsChanged = this.agents.event;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.python.onDidChange(() => void this.restartIfStarted());
  }

  get phase(): Phase {
    return this.now;
  }

  /** The client of a server that answers, or nothing. */
  get client(): Client | undefined {
    return this.now === "running" ? this.running : undefined;
  }

  /** Starts the server, unless somebody has done so before. */
  start(): Promise<void> {
    return this.inTurn(async () => {
      if (this.now === "idle") {
        await this.connect();
      }
    });
  }

  /** The client of the server, which is started if need be; nothing if it does not run. */
  async started(): Promise<Client | undefined> {
    await this.start();
    return this.client;
  }

  /** Starts the server anew, unless nobody has needed it yet. */
  async restartIfStarted(): Promise<void> {
    if (this.now !== "idle") {
      await this.restart();
    }
  }

  /** Starts the server anew, whatever has happened to it before. */
  restart(): Promise<void> {
    this.crashes = [];
    return this.inTurn(async () => {
      await this.disconnect();
      await this.connect();
    });
  }

  dispose(): void {
    this.disposed = true;
    clearTimeout(this.timer);
    void this.inTurn(() => this.disconnect());
    this.python.dispose();
    this.changed.dispose();
    this.preview.dispose();
    this.agents.dispose();
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(work).catch((error: unknown) => this.log.error(String(error)));
    return this.queue;
  }

  private async connect(): Promise<void> {
    if (this.disposed) {
      return;
    }
    this.problem = undefined;
    this.enter("starting");
    const found = await serverCommand(this.extension, this.python, (line) => this.log.info(line));
    if ("problem" in found) {
      this.command = undefined;
      this.fail(found.problem);
      return;
    }
    this.command = found;
    this.log.info(`starting ${found.description}`);
    const client = new Client(found, this.log);
    this.running = client;
    client.onPreviewChanged(() => this.preview.fire());
    client.onAgentsChanged(() => this.agents.fire());
    client.onDidChangeState(({ oldState, newState }) => {
      if (oldState === State.Running && newState === State.Stopped) {
        this.lost(client);
      }
    });
    try {
      await client.start();
      this.log.info(
        `the server is running, version ${client.initializeResult?.serverInfo?.version}`,
      );
      this.enter("running");
    } catch (error) {
      // The client's error is a text, with the system's own code in it.
      const code = /\b(ENOENT|EACCES)\b/.exec(String(error))?.[1];
      if (code) {
        this.running = undefined;
        this.fail(
          code === "ENOENT"
            ? vscode.l10n.t(
                "Agent Templates cannot start {0}: it does not exist.",
                found.description,
              )
            : vscode.l10n.t(
                "Agent Templates cannot start {0}: it is not executable.",
                found.description,
              ),
        );
      } else {
        // It started and ended again; the log has the reason already.
        this.lost(client);
      }
    }
  }

  private async disconnect(): Promise<void> {
    clearTimeout(this.timer);
    const client = this.running;
    this.running = undefined;
    this.enter("idle");
    // A server that does not answer in time is ended by the client.
    await client?.dispose().catch(() => undefined);
  }

  /** The server behind `client` has ended without being asked to. */
  private lost(client: Client): void {
    if (client !== this.running) {
      return;
    }
    this.running = undefined;
    void client.dispose().catch(() => undefined);
    const now = Date.now();
    this.crashes = [...this.crashes.filter((time) => now - time < MEMORY), now];
    const pause = PAUSES[this.crashes.length - 1];
    if (pause === undefined) {
      this.fail(
        vscode.l10n.t(
          "The Agent Templates server stopped {0} times in a short time and is not restarted. The log says why.",
          this.crashes.length,
        ),
        true,
      );
      return;
    }
    this.log.warn(`the server has ended; starting it again in ${pause} ms`);
    this.enter("waiting");
    this.timer = setTimeout(() => void this.inTurn(() => this.connect()), pause);
  }

  private fail(problem: string, hasCrashed = false): void {
    this.log.error(problem);
    this.problem = problem;
    this.enter("failed");
    void this.tell(problem, hasCrashed);
  }

  private async tell(problem: string, hasCrashed: boolean): Promise<void> {
    const choose = vscode.l10n.t("Open Settings");
    const again = vscode.l10n.t("Try Again");
    const log = vscode.l10n.t("Show Log");
    // A setting helps where nothing can be started, and not where it has run before.
    const buttons = hasCrashed ? [again, log, choose] : [choose, again, log];
    const answer = await vscode.window.showErrorMessage(problem, ...buttons);
    if (answer === choose) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "agentTemplates");
    } else if (answer === again) {
      await this.restart();
    } else if (answer === log) {
      this.log.show();
    }
  }

  private enter(phase: Phase): void {
    if (phase !== this.now && !this.disposed) {
      this.now = phase;
      this.changed.fire();
    }
  }
}
