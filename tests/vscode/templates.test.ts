/** What a person gets in a folder with templates. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { pythons } from "./pythons.ts";
import { until, type Window } from "./window.ts";
import { Shared, type Workbench } from "./workbench.ts";

const MIGRATOR = ".codex/.agents/migrator.md";
const MINE = [
  "---",
  "description: Mine, for every project.",
  "modle: gpt-5",
  "---",
  "Be brief.",
  "",
];

// VS Code checks the model and the mode; it says nothing of the keys.
const HELPER = [
  "---",
  "name: helper",
  "description: Helps.",
  "model: [a, b]",
  "memory: projct",
  "tols: x",
  "",
  "---",
  "Help.",
  "",
];

/** A workspace without the example, and a user folder at another place than usual. */
const OUTSIDE = {
  programs: { python3: pythons()[0].path },
  isBare: true,
  variables: (folder: string) => ({ CODEX_HOME: join(folder, "my-codex") }),
};

let code: Workbench;

const shared = new Shared({
  programs: { python3: pythons()[0].path },
  settings: {
    "files.associations": { "**/plain.md": "plaintext" },
  },
  files: {
    "home/.codex/.agents/mine.md": MINE.join("\n"),
    "shop/.codex/.agents/plain.md": MINE.join("\n"),
    "shop/.claude/agents/helper.md": HELPER.join("\n"),
    "shop/services/billing/.codex/.agents/fresh.md": "",
    "shop/JOURNAL.md": "---\nmodle: x\n---\n",
  },
});

describe("in a template", () => {
  let window: Window;

  shared.beginning(async (started) => {
    code = started;
    window = await code.open();
    await window.openFile(MIGRATOR);
  });

  test("a mistake is underlined, and the Problems panel says what it does", async () => {
    await window.page.locator(".squiggly-warning").waitFor();
    const problem = await window.findProblems("aply_patch");
    await problem.waitFor();
    assert.match(
      await problem.innerText(),
      /unknown tool `aply_patch`.*did you mean `apply_patch`\?/s,
    );
    assert.match(await problem.innerText(), /agent-template-lsp\s+unknown-tool/);
    // Files that are not open are reported, too.
    await (await window.findProblems("the header is not closed")).waitFor();
    await (await window.findProblems("")).nth(8).waitFor();
    await window.screenshot("problems");
    await window.hidePanel();
  });

  test("a key and its value are suggested while they are typed, without another key", async () => {
    await window.goTo(4, 99);
    await window.press("Enter");
    await window.type("rea");
    await window.suggestions.filter({ hasText: "read_only" }).waitFor();
    await window.screenshot("suggest-key");
    await window.press("Enter");
    // The accepted key asks for its values at once.
    await window.suggestions.filter({ hasText: "true" }).waitFor();
    await window.type("tr");
    await until(async () => (await window.suggestions.count()) === 1, "one suggestion");
    await window.screenshot("suggest-value");
    await window.press("Enter");
    await until(async () => /^read_only: true$/m.test(await window.text()), "the value");
  });

  test("nothing is suggested in prose: in the description, and in the body", async () => {
    await window.goTo(2, 999);
    await window.type(" reads all");
    await pause(1000);
    assert.equal(await window.suggestions.count(), 0);
    await window.goTo(14, 999);
    await window.press("Enter");
    await window.type("read model");
    await pause(1000);
    assert.equal(await window.suggestions.count(), 0);
  });

  test("the hover of the tool policy begins with the effective tools", async () => {
    await window.openFile(".codex/.agents/reviewer.md");
    await window.goTo(13, 3);
    const hover = await window.hover();
    assert.match(hover, /4 of the \d+ tools/);
    assert.match(hover, /exec_command.*write_stdin.*update_plan.*list_agents/s);
    await window.screenshot("hover");
    await window.press("Escape");
  });

  test("the links above line 1 open the previews beside the editor", async () => {
    await window.lens("Preview spawn");
    await window.preview.getByText("You review pull requests of a web shop").first().waitFor();
    await window.lens("Preview as security");
    await window.preview.getByRole("heading", { name: "reviewer as security" }).waitFor();
    await window.lens("List agents");
    await window.preview.getByRole("heading", { name: "migrator" }).waitFor();
    await window.screenshot("list");
    const tabs = await window.page.locator(".tab").allInnerTexts();
    assert.deepEqual(
      tabs.map((tab) => tab.trim()).filter((tab) => tab.includes("Preview")),
      ["Preview reviewer.md", "[Preview] agents.md"],
    );
  });

  test("a list follows what is typed in a template", async () => {
    if (!(await window.preview.getByRole("heading", { name: "migrator" }).isVisible())) {
      await window.openFile(".codex/.agents/reviewer.md");
      await window.lens("List agents");
      await window.preview.getByRole("heading", { name: "migrator" }).waitFor();
    }
    // It takes the focus when it is ready, also from what is done in the meantime.
    await window.page.waitForFunction(() => document.activeElement?.tagName === "IFRAME");
    await window.focusEditor();
    await window.goTo(2, 999);
    await window.type(" Twice.");
    await window.preview.getByText("before it is merged. Twice.").waitFor();
    await window.closeAll();
  });

  test("the palette previews an agent that is chosen from a list", async () => {
    await window.page.keyboard.press("F1");
    await window.answer(">Agent Templates: Preview Spawn", "Agent Templates: Preview Spawn");
    await window.page
      .locator(".quick-input-list .monaco-list-row", { hasText: "triage" })
      .waitFor();
    await window.screenshot("choose-agent");
    await window.answer("triage", "triage");
    await window.preview.getByText("You sort the bug reports of a web shop").first().waitFor();
    await window.closeAll();
  });

  test("a whole header is offered in a new empty file", async () => {
    await window.openFile("fresh.md");
    await window.suggestions.filter({ hasText: "header" }).first().waitFor();
    await window.screenshot("suggest-header");
    await window.press("Enter");
    assert.match(await window.text(), /^---\ndescription: /);
    await window.press("Escape");
  });
});

describe("which files are attached", () => {
  let window: Window;

  shared.beginning(async (started) => {
    code = started;
    window = await code.open();
  });

  for (const [what, path] of [
    ["a template of the user, from outside of the folder", "home/.codex/.agents/mine.md"],
    ["a template that is plain text to VS Code", "shop/.codex/.agents/plain.md"],
  ] as const) {
    test(what, async () => {
      await window.openFile(join(code.folder, path));
      await window.page.locator(".squiggly-warning").waitFor();
      await until(async () => (await window.lenses.count()) > 2, "the links above line 1");
      await window.goTo(3, 2);
      assert.match(await window.hover(), /model/);
      await window.press("Escape");
      await window.screenshot(what.includes("user") ? "user-template" : "plaintext");
    });
  }

  test("other Markdown is left alone", async () => {
    await window.openFile("JOURNAL.md");
    await pause(1500);
    assert.equal(await window.page.locator("[class*=squiggly]").count(), 0);
    assert.equal(await window.lenses.count(), 0);
  });

  test("VS Code's own messages and completions are not repeated", async () => {
    await window.openFile("helper.md");
    await (await window.findProblems("The 'model' attribute must be a string")).waitFor();
    await (await window.findProblems("Unknown value 'projct'")).waitFor();
    await (await window.findProblems("unknown key `tols`")).waitFor();
    for (const ours of ["`model` must be", "unknown `memory` `projct`"]) {
      const repeated = await window.findProblems(ours);
      await until(async () => (await repeated.count()) === 0, "our message to go");
    }
    await (await window.findProblems("")).nth(8).waitFor();
    await window.screenshot("overlap-problems");
    await window.hidePanel();
    await window.goTo(7, 1);
    await window.press("Control+Space");
    await window.suggestions.filter({ hasText: "maxTurns" }).waitFor();
    const labels = await window.suggestions.locator(".label-name").allInnerTexts();
    assert.deepEqual(labels, [...new Set(labels)]);
    assert(labels.includes("permissionMode"), "VS Code's own completions are there");
    // Each says what it means, be it VS Code's or ours. The same keys again show the explanation.
    await window.press("Control+Space");
    const explained = window.page.locator(".suggest-details .docs, .suggest-details .body");
    await explained.first().waitFor();
    await code.screenshots(window, "overlap-suggestions");
    const silent: string[] = [];
    for (const name of labels) {
      await window.page
        .locator(`.suggest-widget .monaco-list-row.focused[aria-label^="${name}"]`)
        .waitFor();
      if (!(await explained.allInnerTexts()).some((text) => text.trim().length > 10)) {
        silent.push(name);
      }
      await window.press("ArrowDown");
    }
    assert.deepEqual(silent, []);
    await window.press("Escape");
  });
});

describe("in a folder that only the repository's own file claims", () => {
  let window: Window;

  new Shared({
    ...OUTSIDE,
    isNew: true,
    files: {
      "shop/agent-template-lsp.toml": '[folders]\n"roles" = "codex-templates"\n',
      "shop/roles/role.md": "---\ndescription: Works.\nmodle: x\n\n---\nWork.\n",
      "shop/roles/other.md": "---\ndescription: Helps.\n\n---\nHelp.\n",
    },
  }).beginning(async (code) => {
    window = await code.open();
    await window.openFile("role.md");
  });

  test("the server starts and its files are attached, once", async () => {
    await (await window.findProblems("unknown key `modle`")).waitFor();
    await until(async () => (await window.lenses.count()) > 1, "the links above line 1");
    const titles = await window.lenses.allInnerTexts();
    assert.deepEqual(titles, [...new Set(titles)]);
    await window.goTo(2, 3);
    const hover = await window.hover();
    assert.equal(hover.split("description").length > 1, true);
    await window.press("Escape");
    await window.goTo(4, 1);
    await window.press("Control+Space");
    await window.suggestions.filter({ hasText: "reasoning_effort" }).waitFor();
    const labels = await window.suggestions.locator(".label-name").allInnerTexts();
    assert.deepEqual(labels, [...new Set(labels)]);
    await window.press("Escape");
  });

  test("their agent is named in the status bar, and has its preview, which follows", async () => {
    await window.page.locator(".statusbar-item", { hasText: "codex-templates: role" }).waitFor();
    await window.page.locator(".editor-actions a[aria-label^='Preview Spawn']").first().click();
    const heading = (name: string) =>
      window.preview.getByRole("heading", { level: 1, name, exact: true }).waitFor();
    await heading("role");
    await window.focusEditor();
    await window.press("Control+P");
    await window.answer("other.md", "other.md");
    await heading("other");
  });

  test("keys are suggested there while they are typed, without another key", async () => {
    await window.openFile("other.md");
    await window.goTo(3, 1);
    await window.type("mod");
    await window.suggestions.filter({ hasText: "model" }).first().waitFor();
    await window.press("Escape");
  });
});

describe("with a user folder that $CODEX_HOME names", () => {
  let elsewhere: Workbench;
  let window: Window;

  new Shared({
    ...OUTSIDE,
    files: { "my-codex/.agents/mine.md": MINE.join("\n") },
  }).beginning(async (started) => {
    elsewhere = started;
    window = await elsewhere.open();
  });

  test("its templates are attached, too", async () => {
    await window.openFile(join(elsewhere.folder, "my-codex", ".agents", "mine.md"));
    await window.page.locator("[class*=squiggly]").first().waitFor();
    await until(async () => (await window.lenses.count()) > 2, "the links above line 1");
  });
});
