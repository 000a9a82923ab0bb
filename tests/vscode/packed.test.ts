/** The server as it is packed, without an editor. */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { PLACES } from "../../vscode-client/src/places.ts";
import { pythons } from "./pythons.ts";

const run = promisify(execFile);

describe("the packed server", () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "agent-templates-vsix-"));
    const vsix = process.env["VSIX"];
    assert(vsix);
    await run(pythons()[0].path, ["-m", "zipfile", "-e", vsix, folder]);
  });

  after(() => rm(folder, { recursive: true, force: true }));

  for (const { path, version } of pythons()) {
    test(`answers under Python ${version}`, async () => {
      const start = join(folder, "extension", "server", "start.py");
      const server = spawn(path, ["-I", "-S", "-X", "utf8", start, "serve", "--stdio"]);
      const answer = once(server.stdout, "data");
      server.stdin.write(message({ id: 1, method: "initialize", params: { capabilities: {} } }));
      assert.match(String(await answer), /"agentTemplates.previewSpawn"/);
      server.stdin.end();
      assert.deepEqual(await once(server, "exit"), [0, null]);
    });
  }

  test("carries its pages, its pictures and the licence, and every picture that it names", () => {
    const inside = join(folder, "extension");
    for (const name of ["readme.md", "changelog.md", "LICENSE.txt", "media/icon.png"]) {
      assert(existsSync(join(inside, name)), name);
    }
    const said = ["readme.md", "package.json"].map((name) =>
      readFileSync(join(inside, name), "utf8"),
    );
    const named = said.flatMap((text) =>
      [...text.matchAll(/media\/[\w.-]+/g)].map(([path]) => path),
    );
    assert(named.length > 10);
    assert.deepEqual(
      named.filter((path) => !existsSync(join(inside, path))),
      [],
    );
  });

  test("knows the agent systems whose places the extension knows", async () => {
    const ask =
      "import sys; sys.path.insert(0, sys.argv[1]);" +
      "from agent_lsp.dialects import SYSTEMS; print(*(system.id for system in SYSTEMS))";
    const { stdout } = await run(pythons()[0].path, [
      "-c",
      ask,
      join(folder, "extension", "bundled"),
    ]);
    assert.deepEqual(
      PLACES.map(({ dialect }) => dialect).toSorted(),
      stdout.trim().split(" ").toSorted(),
    );
  });
});

function message(content: object): string {
  const text = JSON.stringify({ jsonrpc: "2.0", ...content });
  return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}
