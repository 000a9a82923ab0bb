/**
 * Finds a Python that can run the packed server.
 *
 * A candidate is judged by running it: it says its own version and which compiled modules it can
 * load. So a Python that is too old, is another build than the packed modules were compiled for,
 * or does not start at all is passed over with a reason, and never tried with the server.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";

/** A command that may start a Python, and how a person would say where it comes from. */
export interface Candidate {
  readonly command: string;
  readonly arguments: readonly string[];
  readonly origin: string;
}

/** A Python that runs the packed server. */
export interface Interpreter {
  readonly path: string;
  readonly version: string;
  readonly origin: string;
}

/** What a Python said about itself. */
interface Answer {
  readonly path: string;
  readonly version: readonly [number, number, number];
  readonly suffixes: readonly string[];
}

const PROBE = [
  "import importlib.machinery, json, sys",
  "print(json.dumps({",
  "'path': sys.executable,",
  "'version': sys.version_info[:3],",
  "'suffixes': importlib.machinery.EXTENSION_SUFFIXES}))",
].join("\n");

/** The Pythons on the `PATH`, those first that a person means by "python". */
export function onPath(supported: readonly string[]): Candidate[] {
  const origin = vscode.l10n.t("found on the PATH");
  const names = ["python3", "python", ...supported.map((version) => `python${version}`)];
  const named = names.map((command) => ({ command, arguments: [], origin }));
  const launcher = { command: "py", arguments: ["-3"], origin };
  return process.platform === "win32" ? [launcher, ...named] : [...named, launcher];
}

/** The first of `candidates` that runs the modules in `packed`; `note` hears about each. */
export async function findInterpreter(
  candidates: readonly Candidate[],
  packed: string,
  note: (line: string) => void,
): Promise<Interpreter | undefined> {
  for (const candidate of candidates) {
    const name = [candidate.command, ...candidate.arguments].join(" ");
    const answer = await ask(candidate);
    const problem = typeof answer === "string" ? answer : misfit(answer, packed);
    note(`${name} (${candidate.origin}): ${problem ?? vscode.l10n.t("suits")}`);
    if (typeof answer !== "string" && problem === undefined) {
      return { path: answer.path, version: answer.version.join("."), origin: candidate.origin };
    }
  }
  return undefined;
}

/** What the candidate says about itself, or why it says nothing. */
function ask(candidate: Candidate): Promise<Answer | string> {
  // Not in the workspace folder: Windows looks there for a command first.
  const options = { cwd: homedir(), timeout: 10_000, windowsHide: true };
  const probe = [...candidate.arguments, "-I", "-S", "-c", PROBE];
  return new Promise((resolve) => {
    execFile(candidate.command, probe, options, (error, stdout, stderr) => {
      const answer = error ? undefined : parsed(stdout);
      if (answer) {
        resolve(answer);
      } else if (error?.code === "ENOENT") {
        resolve(vscode.l10n.t("not found"));
      } else {
        const said = firstLine(stderr) || firstLine(error?.message ?? "");
        resolve(vscode.l10n.t("does not run Python ({0})", said));
      }
    });
  });
}

function parsed(stdout: string): Answer | undefined {
  try {
    return JSON.parse(stdout) as Answer;
  } catch {
    return undefined;
  }
}

/** Why the Python cannot run the modules in `packed`, or nothing. */
function misfit(answer: Answer, packed: string): string | undefined {
  const compiled = answer.suffixes.map((suffix) => join(packed, "yaml", `_yaml${suffix}`));
  if (compiled.some((file) => existsSync(file))) {
    return undefined;
  }
  const version = answer.version.join(".");
  return vscode.l10n.t(
    "{0} is Python {1}, for which this extension carries no modules",
    answer.path,
    version,
  );
}

function firstLine(text: string): string {
  return text.trim().split(/\r?\n/, 1)[0] ?? "";
}
