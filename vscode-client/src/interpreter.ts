/**
 * Finds a Python that can run the packed server.
 *
 * A candidate is judged by running it: it says its own version and which compiled modules it can
 * load. So a Python that is too old, is another build than the packed modules were compiled for,
 * or does not start at all is passed over with a reason, and never tried with the server.
 */
import { execFile, type ExecFileException } from "node:child_process";
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

/** What was tried in vain: the program, if it is there, and why it does not do. */
export interface Unfit {
  readonly path: string | undefined;
  readonly problem: string;
}

/** What a Python said about itself. */
interface Answer {
  readonly path: string;
  readonly version: readonly [number, number, number];
  readonly suffixes: readonly string[];
  readonly implementation: string;
  readonly machine: string;
}

const PROBE = [
  "import importlib.machinery, json, os, sys",
  "print(json.dumps({",
  "'path': sys.executable,",
  "'version': sys.version_info[:3],",
  "'implementation': sys.implementation.name,",
  "'machine': getattr(os, 'uname', lambda: [''] * 5)()[4],",
  "'suffixes': importlib.machinery.EXTENSION_SUFFIXES}))",
].join("\n");
/** What Node and Python call the same processor. */
const MACHINES: Readonly<Record<string, string>> = { arm64: "arm64", x64: "x86_64" };
/** How long a Python may take to answer, in seconds. */
const PATIENCE = 10;
/** What a Python 2 says of the first option, which is newer. */
const PYTHON_2 = /^Unknown option: -I/;
const FREE_THREADED = /^\.(cpython-|cp)\d+t\b/;

/** The Pythons on the `PATH`, those first that a person means by "python". */
export function onPath(supported: readonly string[]): Candidate[] {
  const origin = vscode.l10n.t("found on the PATH");
  const names = ["python3", "python", ...supported.map((version) => `python${version}`)];
  const named = names.map((command) => ({ command, arguments: [], origin }));
  const launcher = { command: "py", arguments: ["-3"], origin };
  return process.platform === "win32" ? [launcher, ...named] : [...named, launcher];
}

/**
 * The first of `candidates` that runs the modules in `packed`, which are for the `supported`
 * versions; else what was found instead. `note` hears about each.
 */
export async function findInterpreter(
  candidates: readonly Candidate[],
  packed: string,
  supported: readonly string[],
  note: (line: string) => void,
): Promise<Interpreter | readonly Unfit[]> {
  const unfit: Unfit[] = [];
  for (const candidate of candidates) {
    const name = [candidate.command, ...candidate.arguments].join(" ");
    const answer = await ask(candidate, supported[0] ?? "");
    const problem = isPython(answer) ? misfit(answer, packed, supported) : answer.problem;
    note(`${name} (${candidate.origin}): ${problem ?? vscode.l10n.t("suits")}`);
    if (isPython(answer) && problem === undefined) {
      return { path: answer.path, version: answer.version.join("."), origin: candidate.origin };
    }
    unfit.push({ path: answer.path, problem: problem ?? "" });
  }
  return unfit;
}

function isPython(answer: Answer | Unfit): answer is Answer {
  return (answer as Partial<Answer>).version !== undefined;
}

/** What the candidate says about itself, or why it does not run a Python. */
function ask(candidate: Candidate, oldest: string): Promise<Answer | Unfit> {
  // Not in the workspace folder: Windows looks there for a command first.
  const options = { cwd: homedir(), timeout: PATIENCE * 1000, windowsHide: true };
  const probe = [...candidate.arguments, "-I", "-S", "-c", PROBE];
  return new Promise((resolve) => {
    execFile(candidate.command, probe, options, (error, stdout, stderr) => {
      const answer = error ? undefined : parsed(stdout);
      const path = candidate.command;
      if (answer) {
        resolve(answer);
      } else if (error?.code === "ENOENT") {
        resolve({ path: undefined, problem: vscode.l10n.t("there is no such program") });
      } else if (PYTHON_2.test(stderr)) {
        resolve({ path, problem: older(path, "2", oldest) });
      } else {
        const reason = silence(error, stderr);
        const problem = vscode.l10n.t("{0} does not run Python: {1}", path, reason);
        resolve({ path, problem });
      }
    });
  });
}

/** Why a program that is there did not answer. */
function silence(error: ExecFileException | null, stderr: string): string {
  if (error?.killed) {
    return vscode.l10n.t("it did not answer within {0} seconds", PATIENCE);
  }
  if (error?.code === "EACCES") {
    return vscode.l10n.t("it is a folder, or it is not executable");
  }
  // The message of an error of Node's repeats the whole command.
  const known = typeof error?.code === "string" ? error.code : "";
  return firstLine(stderr) || known || vscode.l10n.t("it did not answer as a Python does");
}

function older(path: string, version: string, oldest: string): string {
  return vscode.l10n.t("{0} is Python {1}, which is older than {2}", path, version, oldest);
}

/** The answer, which is the last line: an activation script may write something before. */
function parsed(stdout: string): Answer | undefined {
  try {
    const answer = JSON.parse(stdout.trim().split(/\r?\n/).at(-1) ?? "") as Partial<Answer> | null;
    return answer?.version && answer.suffixes ? (answer as Answer) : undefined;
  } catch {
    return undefined;
  }
}

/** Why the Python cannot run the modules in `packed`, or nothing. */
function misfit(answer: Answer, packed: string, supported: readonly string[]): string | undefined {
  const { path, implementation, machine } = answer;
  const version = answer.version.join(".");
  if (implementation && implementation !== "cpython") {
    return vscode.l10n.t("{0} is {1}, but only CPython is supported", path, implementation);
  }
  const [oldest = "", newest = ""] = [supported[0], supported.at(-1)];
  const [low, high] = [compared(answer, oldest), compared(answer, newest)];
  if (low < 0) {
    return older(path, version, oldest);
  }
  if (high > 0) {
    return vscode.l10n.t(
      "{0} is Python {1}, and this extension supports no version after {2}",
      path,
      version,
      newest,
    );
  }
  // A Mac runs programs for both of its processors, but not in one process.
  const isOther = process.platform === "darwin" && machine !== MACHINES[process.arch];
  const compiled = answer.suffixes.map((suffix) => join(packed, "yaml", `_yaml${suffix}`));
  if (!isOther && compiled.some((file) => existsSync(file))) {
    return undefined;
  }
  if (answer.suffixes.some((suffix) => FREE_THREADED.test(suffix))) {
    return vscode.l10n.t(
      "{0} is a free-threaded build of Python {1}, which is not supported",
      path,
      version,
    );
  }
  return vscode.l10n.t(
    "{0} is Python {1} for another platform ({2})",
    path,
    version,
    isOther ? machine : (answer.suffixes[0] ?? ""),
  );
}

/** Whether a Python is older than a version such as "3.11" (negative), of it (0), or newer. */
function compared({ version: [major, minor] }: Answer, other: string): number {
  const [otherMajor = 0, otherMinor = 0] = other.split(".").map(Number);
  return major - otherMajor || minor - otherMinor;
}

function firstLine(text: string): string {
  return text.trim().split(/\r?\n/, 1)[0] ?? "";
}
