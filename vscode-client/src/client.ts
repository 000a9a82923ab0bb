/**
 * One connection to one server process, from its start to its end.
 *
 * It never starts again by itself and never shows a message: both is for its owner, who knows
 * how often that has happened.
 */
import { homedir } from "node:os";
import * as vscode from "vscode";
import {
  CloseAction,
  type DocumentSelector,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
} from "vscode-languageclient/node";
import { attached } from "./attach";
import type { Command } from "./command";
import { conversionActions } from "./convert";
import { details } from "./details";
import { lenses } from "./lens";
import { traceChannel } from "./log";
import { outline } from "./outline";
import { overlap } from "./overlap";
import { registrations } from "./registered";
import { refusals } from "./renaming";
import { Asked } from "./suggest";

/** Settings of the extension itself, of which the server knows nothing. */
const OWN = ["interpreter", "serverCommand", "suggestWhileTyping", "trace"];

/** A client whose problems are in the log; it is not started yet. */
export class Client extends LanguageClient {
  private readonly subscriptions: vscode.Disposable[];
  private readonly preview = new vscode.EventEmitter<void>();
  private readonly agents = new vscode.EventEmitter<void>();

  /** Fires when a preview may be out of date. */
  readonly onPreviewChanged = this.preview.event;

  /** Fires when other agents may be there, or other findings in their files. */
  readonly onAgentsChanged = this.agents.event;

  /** For what VS Code has asked for suggestions. */
  readonly asked: Asked;

  constructor(command: Command, log: vscode.LogOutputChannel) {
    const subscriptions: vscode.Disposable[] = [];
    const asked = new Asked();
    const run = {
      command: command.command,
      args: [...command.arguments],
      // Not in the workspace, whose files must not become part of a program that is started there.
      options: { cwd: homedir() },
    };
    super("agentTemplates", "Agent Templates", run, options(log, subscriptions, asked));
    this.subscriptions = subscriptions;
    this.asked = asked;
    this.onNotification("agentTemplates/previewChanged", () => this.preview.fire());
    this.onNotification("agentTemplates/agentsChanged", () => this.agents.fire());
    this.onNotification("agentTemplates/openSettings", ({ setting }: { setting: string }) => {
      void vscode.commands.executeCommand("workbench.action.openSettings", setting);
    });
  }

  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }

  override async dispose(timeout?: number): Promise<void> {
    vscode.Disposable.from(...this.subscriptions, this.preview, this.agents).dispose();
    await super.dispose(timeout);
  }
}

function options(
  log: vscode.LogOutputChannel,
  subscriptions: vscode.Disposable[],
  asked: Asked,
): LanguageClientOptions {
  const overlapping = overlap(subscriptions);
  return {
    documentSelector: protocolSelector(),
    initializationOptions: {
      previewChanged: true,
      agentsChanged: true,
      attachFolders: true,
      // The server leaves to VS Code what it says itself about the files that it knows.
      besideVSCode: true,
      // The server is started anew when the workspace becomes a trusted one.
      isolated: !vscode.workspace.isTrusted,
    },
    diagnosticCollectionName: "agent-templates",
    outputChannel: log,
    traceOutputChannel: traceChannel(log),
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationFailedHandler: () => false,
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      // Left out, it says that there will be no restart, of which its owner decides.
      closed: () => ({
        action: CloseAction.DoNotRestart,
        handled: true,
        message: vscode.l10n.t("The connection to the server was closed."),
      }),
    },
    middleware: {
      ...overlapping,
      ...asked.watch(overlapping),
      ...lenses(),
      ...conversionActions(),
      ...details(),
      ...outline(),
      ...refusals(),
      ...registrations(subscriptions),
      workspace: {
        configuration: async (params, token, next) => {
          const answers = await next(params, token);
          return Array.isArray(answers) ? answers.map(withoutOwn) : answers;
        },
      },
    },
  };
}

function withoutOwn(section: unknown): unknown {
  if (typeof section !== "object" || section === null) {
    return section;
  }
  return Object.fromEntries(Object.entries(section).filter(([name]) => !OWN.includes(name)));
}

/** The attached files in the protocol's own form of patterns. */
function protocolSelector(): DocumentSelector {
  return attached().map(({ scheme, pattern }) => ({
    scheme: scheme ?? "file",
    pattern:
      pattern instanceof vscode.RelativePattern
        ? { baseUri: pattern.baseUri.toString(), pattern: pattern.pattern }
        : (pattern ?? "**"),
  }));
}
