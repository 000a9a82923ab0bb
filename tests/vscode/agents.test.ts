/** The Agents view, its actions, and the line about the agent in the status bar. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { pythons } from "./pythons.ts";
import { until, type Window } from "./window.ts";
import { serve, type Workbench, writeNew } from "./workbench.ts";

const MINE = "---\ndescription: Mine, for every project.\n---\nBe brief.\n";

let code: Workbench;
let window: Window;

before(async () => {
  code = await serve({
    programs: { python3: pythons()[0].path },
    files: {
      "home/.codex/.agents/mine.md": MINE,
      "home/.codex/.agents/reviewer.md": MINE,
      "empty/README.md": "# Nothing here\n",
    },
  });
  window = await code.open();
  await window.sideBar("Agent Templates");
});

after(() => code.close());
afterEach((context) => window.screenshotIfFailed(context));

describe("the Agents view", () => {
  test("shows each agent with its scope, what it takes the place of, and its problems", async () => {
    await window.row("migrator").waitFor();
    assert.match(await window.row("reviewer").first().innerText(), /project · overrides ~/);
    assert.match(await window.row("reviewer").nth(1).innerText(), /user · shadowed by .codex/);
    await window.row("migrator").locator(".monaco-decoration-badge").or(window.row("migrator")).first().waitFor();
    await window.screenshot("agents");
  });
});
