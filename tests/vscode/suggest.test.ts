/** Suggestions while a person types, in each language that VS Code takes a template for. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { pythons } from "./pythons.ts";
import { until, type Window } from "./window.ts";
import { EXTENDED, Shared, type Workbench } from "./workbench.ts";

/** A place where a word begins: line and column, its first letters, and the word. */
type Word = readonly [line: number, column: number, letters: string, word: string];

interface Sample {
  readonly path: string;
  /** What VS Code calls the language in the status bar. */
  readonly language: string;
  readonly lines: readonly string[];
  readonly words: readonly Word[];
  /** Whether VS Code itself shows suggestions at the first letter of each of `words`. */
  readonly asksItself: readonly boolean[];
}

const CODEX = {
  lines: ["---", "description: A sample.", "", "read_only: ", "---", "Do it."],
  words: [
    [3, 1, "re", "reasoning_effort"],
    [4, 12, "tr", "true"],
  ],
} as const;

const SAMPLES: Readonly<Record<string, Sample>> = {
  markdown: {
    ...CODEX,
    path: ".codex/.agents/one.md",
    language: "Markdown",
    asksItself: [false, false],
  },
  plaintext: {
    ...CODEX,
    path: ".codex/.agents/plain.md",
    language: "Plain Text",
    asksItself: [true, true],
  },
  chatagent: {
    ...CODEX,
    path: ".codex/.agents/two.md",
    language: "Agent",
    asksItself: [true, true],
  },
  prompt: {
    ...CODEX,
    path: ".codex/.agents/three.md",
    language: "Prompt",
    asksItself: [true, true],
  },
  "chatagent, with keys that VS Code offers, too": {
    path: ".claude/agents/helper.md",
    language: "Agent",
    lines: ["---", "name: helper", "description: Helps.", "", "memory: ", "---", "Help."],
    words: [
      [4, 1, "ma", "maxTurns"],
      [5, 9, "pr", "project"],
    ],
    asksItself: [true, true],
  },
  toml: {
    path: "moltis.toml",
    language: "toml",
    lines: ["[agents.presets.sample]", "", 'tools.allow = [""]'],
    words: [
      [2, 1, "mo", "model"],
      [3, 17, "re", "read_file"],
    ],
    // In a text it does not, as soon as the grammar says what is one.
    asksItself: [true, false],
  },
};

/** How long, in milliseconds, until the log has all. */
const SETTLED = 1500;

let code: Workbench;
let window: Window;

new Shared({
  ...EXTENDED,
  programs: { python3: pythons()[0].path },
  settings: {
    "agentTemplates.trace.server": "messages",
    "files.associations": {
      "**/plain.md": "plaintext",
      "**/two.md": "chatagent",
      "**/three.md": "prompt",
    },
  },
  files: {
    "choice.txt": pythons()[0].path,
    ...Object.fromEntries(
      Object.values(SAMPLES).map(({ path, lines }) => [`shop/${path}`, `${lines.join("\n")}\n`]),
    ),
  },
}).beginning(async (started) => {
  code = started;
  window = await code.open();
  await window.trust();
  await window.sideBar("Agent Templates");
  await window.row("sample").waitFor();
});

describe("the first letter shows the list, for which the server is asked once", () => {
  for (const [what, { path, language, words, asksItself }] of Object.entries(SAMPLES)) {
    test(what, async () => {
      await window.openFile(path);
      await window.page.locator(".statusbar-item", { hasText: language }).first().waitFor();
      await window.lenses.first().waitFor();
      // Nothing has been asked for yet.
      let hasTyped = false;
      for (const [index, [line, column, letters, word]] of words.entries()) {
        const [first = "", ...others] = letters;
        const typed = async (): Promise<number> => {
          await window.goTo(line, column);
          if (hasTyped) {
            await pause(SETTLED);
          }
          hasTyped = true;
          const before = await requests();
          await window.type(first);
          await offered(word);
          await pause(SETTLED);
          await offered(word);
          return (await requests()) - before;
        };
        // The extension asks whether there is anything before it brings up a list.
        const expected = asksItself[index] ? 1 : 2;
        let asked = await typed();
        // On a busy machine VS Code may ask later than the extension waits for.
        for (let more = 2; asked !== expected && more > 0; more--) {
          await window.press("Escape", "Backspace");
          asked = await typed();
        }
        await window.screenshot(`suggest-${what.replace(/\W+/g, "-").slice(0, 12)}-${word}`);
        assert.equal(asked, expected, `requests after “${first}”`);
        await window.type(others.join(""));
        await offered(word);
        await window.press("Escape");
        if (what === "markdown") {
          // In the middle of a word, too, which VS Code itself does nowhere.
          await window.press("ArrowLeft");
          await window.type(others.at(-1) ?? "");
          await offered(word);
          await window.press("Escape");
        }
      }
      await window.command("File: Revert File");
      await window.closeAll();
    });
  }
});

test("a list that is asked for while another one is on its way has everything", async () => {
  await window.openFile(".claude/agents/helper.md");
  await window.lenses.first().waitFor();
  await window.goTo(4, 1);
  await window.type("m");
  await offered("maxTurns");
  await window.press("Escape", "Control+Space", "Escape", "Control+Space");
  await offered("maxTurns");
  await offered("permissionMode");
  await window.press("Escape");
  await window.command("File: Revert File");
  await window.closeAll();
});

describe("an accepted key brings up its values, for which the server is asked once", () => {
  for (const [what, path] of Object.entries({
    markdown: SAMPLES["markdown"]?.path,
    chatagent: SAMPLES["chatagent"]?.path,
  })) {
    test(what, async () => {
      assert(path);
      await window.openFile(path);
      await window.lenses.first().waitFor();
      await window.goTo(4, 1);
      await window.press("Shift+End", "Delete");
      await window.goTo(3, 1);
      await window.type("read");
      await offered("read_only");
      await pause(SETTLED);
      const before = await requests();
      await window.press("Enter");
      await offered("true");
      await pause(SETTLED);
      assert.equal((await requests()) - before, 1);
      await window.press("Escape");
      await window.command("File: Revert File");
      await window.closeAll();
    });
  }
});

/** Waits until `word` is in the list. */
async function offered(word: string): Promise<void> {
  const labels = window.suggestions.locator(".label-name");
  await until(async () => (await labels.allInnerTexts()).includes(word), `“${word}” in the list`);
}

/** How many times the server has been asked for completions. */
async function requests(): Promise<number> {
  return (await code.log()).split("Sending request 'textDocument/completion").length - 1;
}
