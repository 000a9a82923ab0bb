/** What each agent system gets in an editor, and what changes a file: fixes, renames, links. */
import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { PLACES } from "../../vscode-client/src/places.ts";
import { setTimeout as pause } from "node:timers/promises";
import { pythons } from "./pythons.ts";
import { until, type Window } from "./window.ts";
import { Shared, type Workbench } from "./workbench.ts";

/**
 * A template of each system with one mistake: where it is, what is said of it, and a word. The
 * Problems panel lists no hints, so the mistake has to be a worse one; and it has to be one of which
 * VS Code says nothing itself.
 */
interface Sample {
  readonly path: string;
  readonly lines: readonly string[];
  readonly problem: string;
  /** Line and column of a word, and what the hover says of it. */
  readonly word: readonly [number, number, RegExp];
}

const SAMPLES: Readonly<Record<string, Sample>> = {
  "codex-templates": {
    path: ".codex/.agents/sample.md",
    lines: ["---", "description: A sample.", "allow_list: [aply_patch]", "---", "Do it."],
    problem: "aply_patch",
    word: [3, 3, /tools/],
  },
  "codex-subagents": {
    path: ".codex/agents/sample-b.md",
    lines: ["---", "description: A sample.", "tools: [shel]", "---", "Do it."],
    problem: "shel",
    word: [3, 3, /tools/],
  },
  kodacode: {
    path: ".kodacode/agents/sample-c.md",
    lines: ["---", "description: A sample.", "AllowTools: [serach]", "---", "Do it."],
    problem: "serach",
    word: [3, 3, /tools/],
  },
  moltis: {
    path: "mail/moltis.toml",
    lines: ["[agents.presets.sample]", 'tools.allow = ["raed_file"]'],
    problem: "raed_file",
    word: [2, 8, /tools/],
  },
  "moltis-agents": {
    path: ".moltis/agents/sample-e.md",
    lines: ["---", "name: sample-e", "tools: Read, Wriet", "---", "Do it."],
    problem: "Wriet",
    word: [3, 3, /tools/],
  },
  claude: {
    path: ".claude/agents/sample-d.md",
    lines: ["---", "name: sample-d", "description: A sample.", "tools: Gerp", "---", "Do it."],
    problem: "Gerp",
    word: [4, 3, /tools/],
  },
  "codex-agents": {
    path: ".codex/agents/sample-g.toml",
    lines: [
      'name = "sample-g"',
      'description = "A sample."',
      'sandbox_mode = "read-only"',
      'developer_instructions = "Do it."',
    ],
    problem: "sandbox_mode",
    word: [2, 3, /what the agent is for/],
  },
  "codex-config": {
    path: ".codex/config.toml",
    lines: ["[agents.sample-j]", 'description = "A sample."', 'model = "gpt-5.5"'],
    problem: "does nothing here: Codex",
    word: [2, 3, /what the agent is for/],
  },
  gemini: {
    path: ".gemini/agents/sample-h.md",
    lines: [
      "---",
      "name: sample-h",
      "description: A sample.",
      "tools: [read_file]",
      "---",
      "Look into ${HOME}.",
    ],
    problem: "HOME",
    word: [4, 3, /tools/],
  },
  copilot: {
    path: ".github/agents/sample-l.agent.md",
    lines: [
      "---",
      "name: sample-l",
      "description: A sample.",
      "tools: [read]",
      "mcp-servers: []",
      "---",
      "Do what you are told.",
    ],
    problem: "for Copilot CLI: `mcp-servers`",
    word: [4, 3, /tools/],
  },
  cursor: {
    path: ".cursor/agents/sample-n.md",
    lines: [
      "---",
      "name: sample-n",
      "description: A sample.",
      "tools: Read",
      "model: inherit",
      "---",
      "Do what you are told.",
    ],
    problem: "ignores `tools`",
    word: [5, 3, /model/],
  },
  qwen: {
    path: ".qwen/agents/sample-i.md",
    lines: [
      "---",
      "name: sample-i",
      "description: A sample.",
      "tools: [glbo]",
      "---",
      "Do what you are told.",
    ],
    problem: "glbo",
    word: [4, 3, /tools/],
  },
  opencode: {
    path: ".opencode/agents/sample-j.md",
    lines: [
      "---",
      "description: A sample.",
      "mode: subagent",
      "permission:",
      "  bsah: deny",
      "---",
      "Do it.",
    ],
    problem: "bsah",
    word: [3, 2, /who starts it/],
  },
  "opencode-config": {
    path: "tables/opencode.json",
    lines: ['{"agent": {"sample-k": {', '  "mode": "subagnet"', "}}}"],
    problem: "subagnet",
    word: [2, 5, /who starts it/],
  },
  vuhlp: {
    path: "docs/templates/sample-f.md",
    lines: [
      "[template]",
      'name = "sample-f"',
      'capabilities = ["delegate"]',
      "",
      '{"tool_call": {"id": "1", "name": "comand", "args": {"cmd": "ls"}}}',
    ],
    problem: "comand",
    word: [3, 20, /grants nothing/],
  },
};

const TITLED = "---\ndescription: Has a title.\n---\n# Duties\n\nDo it.\n\n## Limits\n\nStop.\n";
const LEAD = "---\ndescription: Leads.\n---\nDelegate to `checker`, then ask `checker` again.\n";
const CHECKER = [
  "---",
  "description: Checks.",
  "allow_list:",
  "  - aply_patch",
  "  - exec_comand",
  "---",
  "Check it.",
  "",
];

/** How long, in milliseconds, until findings are there if there are any. */
const SETTLED = 1200;

let code: Workbench;
let window: Window;

new Shared({
  programs: { python3: pythons()[0].path },
  files: {
    ...Object.fromEntries(
      Object.values(SAMPLES).map(({ path, lines }) => [`shop/${path}`, `${lines.join("\n")}\n`]),
    ),
    "shop/.codex/.agents/lead.md": LEAD,
    "shop/.codex/.agents/checker.md": CHECKER.join("\n"),
    "shop/.codex/.agents/begun.md": "",
    "shop/.codex/.agents/titled.md": TITLED,
    "shop/.qwen/agents/typed.md": "",
  },
}).beginning(async (started) => {
  code = started;
  window = await code.open();
});

describe("each agent system", () => {
  test("has a sample here", () => {
    assert.deepEqual(
      Object.keys(SAMPLES).toSorted(),
      PLACES.map(({ dialect }) => dialect).toSorted(),
    );
    // Or the panel would show the finding of another system for it.
    const problems = Object.values(SAMPLES).map(({ problem }) => problem.toLowerCase());
    assert.deepEqual([...new Set(problems)], problems);
  });

  for (const [dialect, { path, problem, word }] of Object.entries(SAMPLES)) {
    test(`${dialect}: opens, diagnoses and hovers`, async () => {
      await window.openFile(path);
      await window.page.locator("[class*=squiggly]").first().waitFor();
      const [line, column, words] = word;
      await window.goTo(line, column);
      assert.match(await window.hover(), words);
      await window.press("Escape");
      await window.page
        .locator(".statusbar-item", { hasText: `${dialect}: sample` })
        .first()
        .waitFor();
      await (await window.findProblems(problem)).first().waitFor();
      await window.screenshot(`dialect-${dialect}`);
      await window.closeAll();
    });
  }
});

describe("a header", () => {
  test("is inserted with the name of its file, lists to choose from, and no finding", async () => {
    // The panel of problems has stayed, as a person leaves it, from one system to the next.
    await window.hidePanel();
    await window.openFile(".qwen/agents/typed.md");
    await window.press("Control+Space");
    await window.suggestions.filter({ hasText: "--- header" }).first().waitFor();
    await window.press("Enter");
    await until(async () => /name: typed/.test(await window.text()), "the header");
    // Over the name, the description and the tools.
    await window.press("Tab", "Tab", "Tab");
    await window.suggestions.filter({ hasText: "inherit" }).first().waitFor();
    await code.screenshots(window, "header-snippet");
    await window.press("Escape");
    await pause(SETTLED);
    assert.equal(await window.page.locator("[class*=squiggly]").count(), 0);
    await window.command("File: Revert File");
    await window.closeAll();
  });

  test("that is typed has no finding before it is closed and left", async () => {
    const hasNoFinding = async () => {
      assert.equal(
        await window.page.locator("[class*=squiggly]").count(),
        0,
        `a finding in ${JSON.stringify(await window.text())}`,
      );
    };
    // Enter ends the line even if a list comes up a moment after Escape.
    await code.setSettings({ "editor.acceptSuggestionOnEnter": "off" });
    await window.openFile(".codex/.agents/begun.md");
    await window.type("---");
    await window.press("Escape", "Enter");
    await window.type("modle: gpt-5");
    await window.press("Escape", "Enter");
    // VS Code saves by itself in the meantime.
    await pause(SETTLED);
    await code.screenshots(window, "header-typed");
    await hasNoFinding();
    await window.type("---");
    await window.press("Escape");
    await pause(SETTLED);
    await hasNoFinding();
    await window.press("Enter");
    await window.page.locator(".squiggly-error").first().waitFor();
    await window.closeAll();
    await code.setSettings({});
  });
});

describe("a TOML file", () => {
  test("has colours, and lists after each sign that begins something", async () => {
    await window.openFile("mail/moltis.toml");
    await window.lenses.first().waitFor();
    const colours = await window.page
      .locator(".editor-group-container.active .view-line span[class*=mtk]")
      .evaluateAll((all) => all.map((one) => getComputedStyle(one).color));
    assert(new Set(colours).size >= 3, `the colours ${[...new Set(colours)].join(" ")}`);
    await window.goTo(2, 99);
    await window.press("Enter");
    for (const [typed, word] of [
      ['model = "', "anthropic/claude-haiku-3-5-20241022"],
      ["tools.", "deny"],
      ['tools.deny = ["', "read_file"],
    ] as const) {
      await window.type(typed);
      await window.suggestions.filter({ hasText: word }).first().waitFor();
      if (word === "read_file") {
        await code.screenshots(window, "toml-list");
      }
      // With the bracket and the quote that VS Code has put behind the cursor.
      await window.press("Escape", "Home", "Shift+End", "Delete");
    }
    await window.command("File: Revert File");
    await window.closeAll();
  });

  test("of settings with a mistake leads to it, and is edited like a template", async () => {
    const path = join(code.folder, "shop", "agent-template-lsp.toml");
    await window.openFile(".codex/.agents/lead.md");
    await window.lenses.first().waitFor();
    await writeFile(path, '# Ours.\n[severity]\nunknown-tol = "off"\n');
    const button = window.notifications.getByRole("button", { name: "Open the Settings File" });
    await button.waitFor();
    assert.equal(await window.notifications.count(), 1);
    await code.screenshots(window, "settings-message");
    await window.clickNotification("Open the Settings File");
    await window.page.locator(".tab.active", { hasText: "agent-template-lsp.toml" }).waitFor();
    await window.page.locator(".statusbar-item", { hasText: "Ln 3," }).first().waitFor();
    await window.page.locator("[class*=squiggly]").first().waitFor();
    await window.goTo(3, 3);
    assert.match(await window.hover(), /unknown-tool/);
    await code.screenshots(window, "settings-file");
    await window.press("Escape");
    await window.goTo(3, 99);
    await window.press("Enter");
    await window.type('unknown-key = "');
    await window.suggestions.filter({ hasText: "hint" }).first().waitFor();
    await window.press("Escape");
    await window.command("File: Revert File");
    await window.closeAll();
    await rm(path);
  });
});

describe("the outline", () => {
  test("has each heading once, and the keys of the header", async () => {
    await window.openFile(".codex/.agents/titled.md");
    await window.lenses.first().waitFor();
    await window.press("Control+Shift+O");
    const rows = window.page.locator(".quick-input-list .monaco-list-row");
    await rows.filter({ hasText: "description" }).first().waitFor();
    await rows.filter({ hasText: "Limits" }).first().waitFor();
    await code.screenshots(window, "outline");
    const names = (await rows.locator(".label-name").allInnerTexts()).map((name) => name.trim());
    for (const heading of ["Duties", "Limits"]) {
      assert.equal(names.filter((name) => name.includes(heading)).length, 1, names.join(", "));
    }
    await window.press("Escape");
    await window.closeAll();
  });
});

describe("a hover", () => {
  test("over the tools is short, says nothing twice, and leads to the preview", async () => {
    await window.openFile(".codex/.agents/reviewer.md");
    await window.lenses.first().waitFor();
    await window.goTo(13, 3);
    const said = (await window.hover()).split(/\n+/).filter((line) => line.trim() !== "");
    assert.deepEqual(said, [...new Set(said)]);
    assert(said.length < 20, said.join("\n"));
    await code.screenshots(window, "hover");
    const link = window.page.locator(".monaco-hover a", { hasText: "Preview with all reasons" });
    // It is in sight, without the wheel.
    const [seen, box] = await Promise.all([
      window.page.locator(".monaco-hover:not(.hidden)").first().boundingBox(),
      link.first().boundingBox(),
    ]);
    assert((box?.y ?? 0) + (box?.height ?? 0) <= (seen?.y ?? 0) + (seen?.height ?? 0));
    await link.first().click();
    await window.preview.getByRole("heading", { name: "Tools" }).waitFor();
    await window.closeAll();
  });
});

describe("what changes a file", () => {
  test("a conversion is shown before it is written, and opened then", async () => {
    const made = join(code.folder, "shop", ".qwen", "agents", "lead.md");
    await window.openFile(".codex/.agents/lead.md");
    await window.lenses.first().waitFor();
    await window.goTo(2);
    await window.press("Control+Shift+R");
    const action = window.page.locator(".action-widget .monaco-list-row", { hasText: "Qwen" });
    await action.first().waitFor();
    await window.untilGone(action.first(), () => action.first().click({ timeout: 3000 }));
    await window.page.locator(".monaco-diff-editor").first().waitFor();
    await window.preview.locator("strong", { hasText: "lead" }).first().waitFor();
    await code.screenshots(window, "conversion");
    await assert.rejects(readFile(made, "utf8"));
    await window.clickNotification("Create");
    await until(
      async () => /name: lead/.test(await readFile(made, "utf8").catch(() => "")),
      "the file",
    );
    await window.page.locator(".breadcrumbs-control", { hasText: ".qwen" }).first().waitFor();
    await window.closeAll();
  });

  test("a command converts the open template, and asks to which system", async () => {
    await window.openFile(".codex/.agents/lead.md");
    await window.lenses.first().waitFor();
    await window.command("Agent Templates: Convert to Another System");
    const rows = window.page.locator(".quick-input-list .monaco-list-row");
    await rows.filter({ hasText: "Claude Code" }).first().waitFor();
    await code.screenshots(window, "conversion-picker");
    await window.press("Escape");
    await window.closeAll();
  });

  test("the code of a finding opens the page of its rule as people read it", async () => {
    await window.openFile(".codex/.agents/checker.md");
    const row = (await window.findProblems("aply_patch")).first();
    await row.locator("a", { hasText: "unknown-tool" }).first().click();
    await window.preview.locator("h1", { hasText: "unknown-tool" }).waitFor();
    await code.screenshots(window, "rule-page");
    await window.hidePanel();
    await window.closeAll();
  });

  test("a quick fix puts a mistake right", async () => {
    await window.openFile(".codex/.agents/checker.md");
    await window.page.locator(".squiggly-warning").first().waitFor();
    await window.goTo(4, 7);
    await window.press("Control+.");
    const menu = window.page.locator(".action-widget .monaco-list-row");
    await menu.filter({ hasText: "apply_patch" }).first().waitFor();
    await code.screenshots(window, "quick-fix");
    await menu.filter({ hasText: "apply_patch" }).first().click();
    await until(async () => /- apply_patch/.test(await window.text()), "the fix");
    assert.match(await window.text(), /- exec_comand/);
    await window.press("Control+Z");
  });

  test("fix all puts all of them right", async () => {
    await window.openFile(".codex/.agents/checker.md");
    await window.page.locator(".squiggly-warning").nth(1).waitFor();
    // VS Code runs it only where it knows already that there is something to do. It asks once for
    // each place of the cursor, perhaps before the text has its findings.
    const bulb = window.page.locator("[class*=lightbulb]").first();
    await until(async () => {
      await window.goTo(4, 7);
      await window.goTo(5, 7);
      return bulb.waitFor({ timeout: 3000 }).then(
        () => true,
        () => false,
      );
    }, "the light bulb");
    await window.command("Fix All");
    await until(async () => /- exec_command/.test(await window.text()), "the fixes");
    assert.match(await window.text(), /- apply_patch/);
    await window.press("Control+S");
    await window.page.locator(".tab.dirty").waitFor({ state: "detached" });
  });

  test("renaming an agent moves its file and edits those that speak of it", async () => {
    await window.openFile(".codex/.agents/lead.md");
    await window.lenses.first().waitFor();
    await window.goTo(4, 15);
    await window.press("F2");
    const box = window.page.locator(".rename-box input");
    await box.waitFor();
    await box.fill("triage");
    await box.press("Enter");
    const taken = "“.codex/.agents/triage.md” already exists.";
    const message = window.notifications.locator(".notification-list-item-message");
    await until(async () => (await message.allInnerTexts()).includes(taken), "the reason");
    await code.screenshots(window, "rename-refused");
    await window.goTo(4, 15);
    await window.press("F2");
    await box.waitFor();
    await box.fill("critic");
    await window.screenshot("rename");
    await box.press("Enter");
    await until(async () => /`critic`, then ask `critic`/.test(await window.text()), "the rename");
    await window.command("File: Save All");
    const folder = join(code.folder, "shop", ".codex", ".agents");
    await until(
      async () =>
        (await readFile(join(folder, "critic.md"), "utf8").catch(() => "")).includes("Check it."),
      "the file to move",
    );
    await assert.rejects(readFile(join(folder, "checker.md"), "utf8"));
  });

  test("a code lens leads to the preview", async () => {
    await window.openFile(".codex/.agents/lead.md");
    await window.lens("Preview spawn");
    await window.page.locator("iframe.webview.ready").first().waitFor();
    await window.closeAll();
  });
});
