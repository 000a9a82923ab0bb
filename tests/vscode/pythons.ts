/** The Pythons of this machine that the server supports. */
import { execFileSync, type ExecFileSyncOptionsWithStringEncoding } from "node:child_process";
import { globSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

export interface Python {
  readonly path: string;
  readonly version: string;
}

const ASK = "import sys; print(sys.executable); print('%d.%d' % sys.version_info[:2])";

/** One Python for each version, `$PYTHON` first. */
export function pythons(): [Python, ...Python[]] {
  const root = process.env["PYENV_ROOT"] ?? join(homedir(), ".pyenv");
  const names = ["3.11", "3.12", "3.13", "3.14", "3.15"].flatMap((version) => [
    `python${version}`,
    ...globSync(join(root, "versions", `${version}.*`, "bin", "python")),
  ]);
  const found = [process.env["PYTHON"] ?? "python3", ...names].flatMap((name) => ask(name) ?? []);
  const byVersion = new Map(found.toReversed().map((python) => [python.version, python]));
  const [first, ...more] = [...byVersion.values()].toReversed();
  if (!first) {
    throw new Error("there is no Python here; name one in the variable PYTHON");
  }
  return [first, ...more];
}

function ask(name: string): Python | undefined {
  try {
    // It says where it really is: a pyenv shim works in some folders and homes only.
    const options: ExecFileSyncOptionsWithStringEncoding = {
      encoding: "utf8",
      stdio: "pipe",
    };
    const [path, version] = execFileSync(name, ["-c", ASK], options).split("\n");
    return path && version ? { path, version } : undefined;
  } catch {
    return undefined;
  }
}
