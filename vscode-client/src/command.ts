/**
 * Decides what is started as the server.
 *
 * A command from the settings counts; otherwise it is the packed server, with a Python from the
 * settings, else the one chosen in the Python extension, else one on the `PATH`. In a workspace
 * that is not trusted, nothing that the workspace says takes part: VS Code hides its settings for
 * the interpreter and the command, and the Python extension, which may have chosen an environment
 * inside of the workspace, is not asked.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { type Candidate, findInterpreter, onPath, type Unfit } from "./interpreter";
import type { PythonExtension } from "./pythonExtension";

/** A command line that starts the server, and how to say what it is, in a word and in full. */
export interface Command {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly name: string;
  readonly description: string;
}

/** Why nothing can be started, as a message with what to do. */
export interface Missing {
  readonly problem: string;
}

/** What to start, or why there is nothing to start; `note` hears how it was found. */
export async function serverCommand(
  extension: vscode.Uri,
  python: PythonExtension,
  note: (line: string) => void,
): Promise<Command | Missing> {
  const settings = vscode.workspace.getConfiguration("agentTemplates");
  const [command, ...rest] = settings.get<string[]>("serverCommand", []);
  if (command) {
    const description = vscode.l10n.t("{0} (from the settings)", [command, ...rest].join(" "));
    return { command, arguments: rest, name: command, description };
  }
  const packed = vscode.Uri.joinPath(extension, "bundled").fsPath;
  const supported = packedPythons(packed);
  if (supported.length === 0) {
    return {
      problem: vscode.l10n.t(
        "This build has no server: {0} is missing. Install the extension again.",
        packed,
      ),
    };
  }
  const wanted = settings.get<string>("interpreter", "").trim();
  const candidates = wanted ? [fromSettings(wanted)] : await searched(supported, python);
  const found = await findInterpreter(candidates, packed, supported, note);
  if (!("version" in found)) {
    return { problem: wanted ? unsuitable(wanted, found, supported) : absent(found, supported) };
  }
  const start = vscode.Uri.joinPath(extension, "server", "start.py").fsPath;
  return {
    command: found.path,
    // Isolated and without site-packages: only the packed modules take part, whatever PYTHONPATH,
    // the folder it starts in, or the environment's own packages hold.
    arguments: ["-I", "-S", "-X", "utf8", start, "serve", "--stdio"],
    name: `Python ${found.version}`,
    description: `Python ${found.version}, ${found.path} (${found.origin})`,
  };
}

async function searched(
  supported: readonly string[],
  python: PythonExtension,
): Promise<Candidate[]> {
  const chosen = vscode.workspace.isTrusted ? await python.interpreter() : undefined;
  const origin = vscode.l10n.t("chosen in the Python extension");
  const first = chosen ? [{ command: chosen, arguments: [], origin }] : [];
  return [...first, ...onPath(supported)];
}

function fromSettings(command: string): Candidate {
  return { command, arguments: [], origin: vscode.l10n.t("from the settings") };
}

/** The Python versions that the modules in `packed` are for; none if there are no modules. */
function packedPythons(packed: string): string[] {
  try {
    return JSON.parse(readFileSync(join(packed, "pythons.json"), "utf8")) as string[];
  } catch {
    return [];
  }
}

function absent(found: readonly Unfit[], supported: readonly string[]): string {
  // One Python has several names.
  const byPath = new Map(found.map((one) => [one.path, one.problem]));
  byPath.delete(undefined);
  // Those come first that a person means; the log has the others.
  const problems = [...byPath.values()].slice(0, 3);
  return problems.length === 0
    ? vscode.l10n.t(
        "Agent Templates found no Python on the PATH. Install CPython {0}, or name one in the setting agentTemplates.interpreter.",
        range(supported),
      )
    : vscode.l10n.t(
        "Agent Templates found no Python that it can use: {0}. Install CPython {1}, or name one in the setting agentTemplates.interpreter.",
        problems.join("; "),
        range(supported),
      );
}

function unsuitable(wanted: string, found: readonly Unfit[], supported: readonly string[]): string {
  return vscode.l10n.t(
    "Agent Templates cannot use {0}, which the setting agentTemplates.interpreter names: {1}. It needs CPython {2}.",
    wanted,
    found.map(({ problem }) => problem).join("; "),
    range(supported),
  );
}

function range(versions: readonly string[]): string {
  return vscode.l10n.t("{0} to {1}", versions[0] ?? "", versions.at(-1) ?? "");
}
