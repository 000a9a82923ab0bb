/** The preview panel, and every control of it. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { beforeEach, describe, test } from "node:test";
import type { FrameLocator, Locator } from "playwright-core";
import { pythons } from "./pythons.ts";
import { until, type Window } from "./window.ts";
import { Shared, type Workbench } from "./workbench.ts";

const REVIEWER = ".codex/.agents/reviewer.md";
const HOSTILE = `---
description: x
allow_list:
  - "<img src=x onerror=alert(1)>"
---
</script><script>document.title = "hacked"</script>
<img src="x" onerror="document.title = 'hacked'"> <b>bold</b>
`;
const STAND_IN = "stand-in for the runtime’s own text";
const MANY = Array.from({ length: 300 }, (_, at) => `internal_tool_${at}`);

let code: Workbench;
let window: Window;

/** The page of the panel in front. */
const panel = (): FrameLocator => window.preview;
const section = (name: string): Locator => panel().getByRole("region", { name, exact: true });
const summary = (): Locator => panel().locator(".summary");
const says = (text: string | RegExp): Promise<void> =>
  panel().locator(".summary", { hasText: text }).waitFor();
const heading = (text: string): Promise<void> =>
  panel().getByRole("heading", { level: 1, name: text, exact: true }).waitFor();

new Shared({
  programs: { python3: pythons()[0].path },
  files: {
    "home/.codex/.agents/reviewer.md": "---\ndescription: Mine.\n---\nMine.\n",
    "shop/.codex/.agents/hostile.md": HOSTILE,
    "shop/.codex/.agents/broken.md": "---\ndescription: x\n---\n",
    "shop/moltis.toml":
      '[agents.presets.scout]\nmodel = "haiku"\n[agents.presets.writer]\n[agents.presets.judge]\n',
    "shop/.codex/.agents/worker.md": "---\ndescription: Works.\n---\nWork here.\n",
    "shop/.kodacode/agents/planner.md": "---\ndescription: Plans.\nmode: subagent\n---\nPlan it.\n",
    "shop/.claude/agents/helper.md": "---\nname: helper\ndescription: Helps.\n---\nHelp.\n",
  },
}).beginning(async (started) => {
  code = started;
  window = await code.open();
  await window.openFile(REVIEWER);
  await open();
});

/** Opens the panel with the button in the title of the editor. */
async function open(): Promise<void> {
  await window.page.locator(".editor-actions a[aria-label^='Preview Spawn']").first().click();
  await summary().waitFor();
}

/** Goes from the panel to the editor. */
async function edit(): Promise<void> {
  const editor = window.page.locator(".editor-group-container.active .monaco-editor.focused");
  // A page that has just got the focus does not hand all keys on yet.
  await until(async () => {
    await window.press("Control+1");
    return (await editor.count()) > 0;
  }, "the editor");
}

/** Opens a file beside the panel, and not in its place. */
async function openFile(path: string): Promise<void> {
  await edit();
  await window.press("Control+P");
  await window.answer(path, path.split("/").at(-1) ?? path);
}

/** The texts in the prompt, each with its mark, its frame, and what it is called aloud. */
function promptParts() {
  return section("Prompt")
    .locator("pre")
    .evaluateAll((all) =>
      all.map((pre) => ({
        text: pre.textContent,
        mark: pre.previousElementSibling?.querySelector(".badge")?.textContent,
        border: getComputedStyle(pre).borderTopStyle,
        // A frame in the colour of the words is seen in every theme.
        isSeen: getComputedStyle(pre).borderTopColor === getComputedStyle(pre).color,
        name: pre.getAttribute("aria-label"),
      })),
    );
}

/** The line that the cursor of the editor is in. */
async function line(): Promise<number> {
  const status = await window.page.locator("#status\\.editor\\.selection").innerText();
  return Number(/Ln (\d+)/.exec(status)?.[1]);
}

describe("the preview panel", () => {
  test("the button in the editor's title opens it beside the editor, which keeps the focus", async () => {
    await window.page.locator(".tab", { hasText: "Preview reviewer.md" }).waitFor();
    await says("gpt-5.3-codex · medium · read-only · 4 of 29 tools");
    await window.type("x");
    await until(async () => /^x---/.test(await window.text()), "the letter in the editor");
    await says("problem");
    await window.press("Control+Z");
    await says("4 of 29 tools");
    await window.screenshot("panel");
  });

  test("all its parts are there, under headings, and the controls have labels", async () => {
    const headings = await panel().getByRole("heading", { level: 2 }).allInnerTexts();
    const parts = ["Who wins", "Settings", "Tools", "Prompt", "Problems", "Notes", "JSON"];
    assert.deepEqual(headings, parts);
    for (const label of ["Persona", "Model", "Effort", "Task", "Search tools"]) {
      await panel().getByLabel(label, { exact: true }).waitFor();
    }
  });

  test("the chain of scopes says who wins, and each file is a link", async () => {
    const rows = section("Who wins").getByRole("listitem");
    assert.deepEqual(
      (await rows.allInnerTexts()).map((row) => row.replaceAll(/\s+/g, " ").trim()),
      [
        "project .codex/.agents/reviewer.md wins this file",
        "user ~/.codex/.agents/reviewer.md shadowed",
        "built into the runtime no reviewer",
      ],
    );
    await section("Who wins").getByRole("button", { name: "~/.codex" }).click();
    await window.page.locator(".tab.active", { hasText: "reviewer.md" }).first().waitFor();
    // The panel goes on to the file that has the focus now.
    await section("Who wins").getByText("this file").last().waitFor();
    await until(
      async () => /shadowed\s+this file/.test(await section("Who wins").innerText()),
      "the file of the user",
    );
    await window.press("Control+W");
    await until(
      async () => /wins\s+this file/.test(await section("Who wins").innerText()),
      "the file of the project",
    );
  });

  test("a click on a value's origin goes to its line", async () => {
    await section("Settings").getByRole("button", { name: "the template" }).first().click();
    await until(async () => (await line()) === 3, "line 3");
    await section("Settings").getByText("how it is chosen").first().click();
    await section("Settings").getByText("not set", { exact: true }).first().waitFor();
    await window.screenshot("panel-chain");
  });

  test("it changes while a person types, without another key, and says so aloud", async () => {
    assert.equal(await summary().getAttribute("role"), "status");
    await edit();
    await window.goTo(3, 99);
    await window.press("Shift+Home");
    await window.type("model: gpt-5.2-codex");
    await says("gpt-5.2-codex · medium");
    // What was opened by hand stays open.
    await section("Settings").getByText("not set", { exact: true }).first().waitFor();
    await window.goTo(22, 1);
    await window.type("Hello there. ");
    await section("Prompt").getByText("Hello there. You review").waitFor();
  });

  test("tools are in two groups, each with its reason, and can be searched", async () => {
    const tools = section("Tools");
    await tools.getByText("Kept 4").waitFor();
    await tools.getByText("Removed 25").waitFor();
    const kept = tools.locator("li", { hasText: "update_plan" });
    assert.match(await kept.innerText(), /allowed by update_plan/);
    await kept.getByRole("button").click();
    await until(async () => (await line()) === 16, "the entry");
    await panel().getByLabel("Search tools").fill("shell");
    await tools.getByText("of 29 tools match").waitFor();
    assert.match(await tools.getByText("Removed").innerText(), /^Removed \d of 25$/);
    assert.equal(await tools.locator("li", { hasText: "view_image" }).count(), 0);
    await window.screenshot("panel-search");
    await panel().getByLabel("Search tools").fill("no such tool");
    await tools.getByText("No tool matches.").first().waitFor();
    await panel().getByLabel("Search tools").fill("");
    // Removed tools can be folded away.
    await tools.getByText("Removed 25").click();
    await tools.getByText("view_image", { exact: true }).waitFor({ state: "hidden" });
    await tools.getByText("Removed 25").click();
  });

  test("persona, model, effort and task can be chosen, and cleared", async () => {
    await panel().getByLabel("Persona").selectOption("security");
    await heading("reviewer as security");
    await section("Prompt").getByText("for security alone").waitFor();
    await says("codex · high");
    await panel().getByLabel("Effort", { exact: true }).selectOption("low");
    await says("codex · low");
    await panel().getByLabel("Model", { exact: true }).fill("gpt-5.1-codex");
    await says("gpt-5.1-codex · low");
    await panel().getByLabel("Task", { exact: true }).fill("Look at #42");
    await section("JSON").locator("summary", { hasText: "spawn_agent" }).click();
    await section("JSON").getByLabel("Arguments of spawn_agent").getByText("Look at #42").waitFor();
    await panel().getByText("More arguments").click();
    await panel().getByLabel("thread_note", { exact: true }).fill("mine");
    await section("Settings").getByText("mine", { exact: true }).first().waitFor();
    await window.screenshot("panel-arguments");
    await panel().getByRole("button", { name: "Clear" }).click();
    await heading("reviewer");
    await says("codex · medium");
  });

  test("a control in which somebody types keeps the focus and what was typed", async () => {
    const model = panel().getByLabel("Model", { exact: true });
    await model.focus();
    await window.type("gpt-5");
    await says("gpt-5 · medium");
    assert.equal(await model.inputValue(), "gpt-5");
    await model.fill("");
    await says("codex · medium");
  });

  test("what the runtime refuses is said with its own words, and everything else stays", async () => {
    await panel().getByLabel("Model", { exact: true }).fill("gpt-5-codex-mini");
    await panel().getByLabel("Effort", { exact: true }).selectOption("xhigh");
    await panel().getByRole("heading", { name: "spawn_agent fails" }).waitFor();
    await panel().getByText("Supported efforts").first().waitFor();
    await section("Who wins").waitFor();
    await window.screenshot("panel-refused");
    await panel().getByRole("button", { name: "Clear" }).click();
    await says("medium");
  });

  test("the runtime's own JSON for list and spawn is there", async () => {
    await section("JSON").locator("summary", { hasText: "list_agents" }).click();
    const answer = section("JSON").getByLabel("Answer of list_agents");
    const parsed = JSON.parse(await answer.innerText());
    assert.equal(parsed.result.agents[0].agent_type, "reviewer");
  });

  test("a problem is a link to its line", async () => {
    await edit();
    await window.goTo(4, 99);
    await window.press("Enter");
    await window.type("modle: x");
    const problem = section("Problems").locator("li", { hasText: "modle" });
    await problem.waitFor();
    await window.goTo(1);
    await problem.getByRole("button").click();
    await until(async () => (await line()) === 5, "the line of the problem");
    await window.screenshot("panel-problem");
    await window.press("Control+Shift+K");
    await problem.waitFor({ state: "detached" });
  });

  test("it follows the active editor, and stays where it is when it is pinned", async () => {
    await openFile(".codex/.agents/triage.md");
    await heading("triage");
    const pin = panel().getByRole("button", { name: /^Pin/ });
    await pin.click();
    await window.page.locator(".tab", { hasText: "[Preview] triage.md" }).waitFor();
    assert.equal(await pin.getAttribute("aria-pressed"), "true");
    await openFile(REVIEWER);
    await edit();
    await window.goTo(1);
    await heading("triage");
    await pin.click();
    await openFile(".codex/.agents/migrator.md");
    await heading("migrator");
  });

  test("a hostile template is shown as text", async () => {
    await openFile(".codex/.agents/hostile.md");
    await heading("hostile");
    await section("Prompt").getByText('</script><script>document.title = "hacked"').waitFor();
    await section("Problems").getByText("<img src=x onerror=alert(1)>").first().waitFor();
    const body = panel().locator("body");
    assert.equal(await body.locator("img, b").count(), 0);
    assert.equal(await body.locator("script").count(), 1);
    const page = await body.evaluate(({ ownerDocument }) => ({
      title: ownerDocument.title,
      policy: ownerDocument.querySelector("meta[http-equiv]")?.getAttribute("content") ?? "",
    }));
    assert.equal(page.title, "Agent Templates");
    assert.match(page.policy, /^default-src 'none'; style-src [^;]+; script-src 'nonce-\w+'; /);
    assert.doesNotMatch(page.policy, /unsafe/);
    await window.screenshot("panel-hostile");
  });

  test("what stands for the runtime's own words is marked, and nothing else is", async () => {
    await openFile(".kodacode/agents/planner.md");
    await heading("planner");
    const parts = await promptParts();
    const own = parts.filter(({ text }) => text?.trim() === "Plan it.");
    assert.deepEqual(
      own.map(({ mark, border }) => [mark, border]),
      [["verbatim", "solid"]],
      JSON.stringify(parts),
    );
    const others = parts.filter((part) => !own.includes(part));
    assert(others.length > 0);
    for (const { mark, border, isSeen, name } of others) {
      assert(isSeen);
      assert.equal(mark, STAND_IN);
      assert.equal(border, "dashed");
      assert.match(name ?? "", /, a stand-in$/);
    }
    await section("Prompt").scrollIntoViewIfNeeded();
    await window.screenshot("panel-stand-ins");
  });

  test("so is an agent that is built into the runtime, in the chain and in its own preview", async () => {
    await openFile(".codex/.agents/worker.md");
    await heading("worker");
    assert.equal((await promptParts())[0]?.mark, "verbatim");
    const builtin = section("Who wins").getByRole("listitem").last();
    assert.match(await builtin.innerText(), /built into the runtime\s.*shadowed\s+stand-in/s);
    // It is opened to be looked at, and the panel goes with it.
    await builtin.getByRole("button").click();
    await until(
      async () => /stand-in\s+this file/.test(await builtin.innerText()),
      "the panel to follow",
    );
    await edit();
    await window.type("x");
    await window.page.getByText("Editor is read-only").first().waitFor();
    await window.press("Escape");
    await window.sideBar("Agent Templates");
    await window.row("architect").hover();
    await window.row("architect").getByRole("button", { name: "Preview Spawn" }).click();
    await heading("architect");
    await until(
      async () => (await promptParts()).some(({ mark }) => mark === STAND_IN),
      "the mark of a stand-in",
    );
    assert.equal((await promptParts())[0]?.border, "dashed");
    await window.sideBar("Explorer");
    await openFile(".codex/.agents/reviewer.md");
    await heading("reviewer");
  });

  test("what can be chosen depends on the agent system; of several agents, the one at the cursor is shown", async () => {
    await openFile("moltis.toml");
    await heading("scout");
    assert.equal(await panel().getByLabel("Persona").count(), 0);
    await panel().getByLabel("Agent", { exact: true }).selectOption("writer");
    await heading("writer");
    const labels = await panel().locator("form label").allInnerTexts();
    assert.deepEqual(labels.slice(0, 3), ["Agent", "Model", "Task"]);
    // Which agent is shown is nothing to clear.
    await panel().getByRole("button", { name: "Clear" }).waitFor({ state: "hidden" });
    await window.screenshot("panel-preset");
    await edit();
    await window.command("Agent Templates: Preview Spawn");
    await heading("scout");
    await window.goTo(3);
    await window.page
      .locator(".statusbar-item", { hasText: "moltis: writer, all tools but 1" })
      .waitFor();
    await window.command("Agent Templates: Preview Spawn");
    await heading("writer");
    await openFile(REVIEWER);
    await heading("reviewer");
    // The cursor is where it was.
    await openFile("moltis.toml");
    await heading("writer");
    await openFile(".claude/agents/helper.md");
    await heading("helper");
    assert.equal(await panel().getByLabel("Effort", { exact: true }).count(), 0);
    await panel().getByText("More arguments").click();
    await panel().getByLabel("background", { exact: true }).selectOption("true");
    await section("JSON").locator("summary", { hasText: "Agent" }).last().click();
    await section("JSON").getByText('"background": true').first().waitFor();
  });
});

describe("a preview panel beside a file with several agents", () => {
  const tab = (title: string): Promise<void> =>
    window.page.locator(".tab", { has: window.page.getByText(title, { exact: true }) }).waitFor();

  beforeEach(async () => {
    await openFile("moltis.toml");
    await edit();
  });

  test("goes with the cursor from one to the next, and says which one it shows", async () => {
    await window.goTo(1);
    await heading("scout");
    await tab("Preview scout in moltis.toml");
    await window.goTo(3);
    await heading("writer");
    await tab("Preview writer in moltis.toml");
    assert.equal(await panel().getByLabel("Agent", { exact: true }).inputValue(), "writer");
    assert.equal(await panel().locator("h1").getAttribute("aria-live"), "polite");
    await window.screenshot("panel-cursor");
    await window.press("ArrowUp");
    await heading("scout");
  });

  test("goes on to one that is just being written", async () => {
    await window.goTo(5);
    await window.type('[agents.presets.new]\nmodel = "opus"');
    await heading("new");
    await says("opus");
    await window.goTo(1);
    await heading("scout");
  });

  test("keeps what is chosen in it as long as the cursor stays with its agent", async () => {
    await window.goTo(1);
    await heading("scout");
    await panel().getByLabel("Agent", { exact: true }).selectOption("writer");
    await panel().getByLabel("Model", { exact: true }).fill("sonnet");
    await heading("writer");
    await edit();
    await window.goTo(2, 3);
    await window.page.waitForTimeout(1000);
    await heading("writer");
    assert.equal(await panel().getByLabel("Model", { exact: true }).inputValue(), "sonnet");
    await window.goTo(4);
    await heading("judge");
    assert.equal(await panel().getByLabel("Model", { exact: true }).inputValue(), "");
  });

  test("stays where it is when it is pinned", async () => {
    await window.goTo(4);
    await heading("judge");
    await panel().getByRole("button", { name: "Pin" }).click();
    await tab("[Preview] judge in moltis.toml");
    await edit();
    await window.goTo(1);
    await window.page.waitForTimeout(1000);
    await heading("judge");
    await panel().getByRole("button", { name: "Pinned" }).click();
    await edit();
    await window.goTo(3);
    await heading("writer");
    await openFile(".claude/agents/helper.md");
    await heading("helper");
    await tab("Preview helper.md");
  });
});

describe("a preview panel that is looked at for long", () => {
  test("keeps its scroll while the template changes, and all of it works by keyboard", async () => {
    await openFile(REVIEWER);
    await heading("reviewer");
    const summaryOf = panel().getByText("Removed 25");
    await summaryOf.focus();
    await summaryOf.scrollIntoViewIfNeeded();
    const body = panel().locator("body");
    const scroll = () => body.evaluate(({ ownerDocument }) => ownerDocument.defaultView?.scrollY);
    const before = await scroll();
    assert(before);
    await edit();
    await window.goTo(22, 1);
    await window.type("Again. ");
    await section("Prompt").getByText("Again. ").waitFor();
    assert.equal(await scroll(), before);
    // From the search to the first reason: everything is reached with Tab, and pressed with Enter.
    await panel().getByLabel("Search tools").focus();
    await window.press("Tab", "Tab");
    await window.press("Enter");
    await until(async () => (await line()) === 14, "the entry of the first tool");
  });

  test("survives a reload of the window, with what was chosen and where it was", async () => {
    await panel().getByLabel("Persona").selectOption("quick");
    await heading("reviewer as quick");
    await panel().getByRole("button", { name: "Pin" }).click();
    await window.page.locator(".tab", { hasText: "[Preview] reviewer.md" }).waitFor();
    await panel().getByLabel("Search tools").fill("agent");
    await section("Tools").scrollIntoViewIfNeeded();
    const scroll = () =>
      panel()
        .locator("body")
        .evaluate(({ ownerDocument }) => ownerDocument.defaultView?.scrollY ?? 0);
    await until(async () => (await scroll()) > 0, "the scroll");
    const before = await scroll();
    await edit();
    await window.press("Control+S");
    await window.reload();
    await panel().getByRole("heading", { name: "reviewer as quick" }).waitFor();
    assert.equal(await panel().getByLabel("Search tools").inputValue(), "agent");
    assert.equal(await panel().getByLabel("Persona").inputValue(), "quick");
    await panel().getByRole("button", { name: "Pinned" }).waitFor();
    await until(async () => Math.abs((await scroll()) - before) < 3, "the scroll");
    await panel().getByLabel("Search tools").fill("");
    await panel().getByRole("button", { name: "Pinned" }).click();
    await panel().getByRole("button", { name: "Clear" }).click();
    await heading("reviewer");
  });

  for (const [theme, name] of [
    ["Default Dark Modern", "dark"],
    ["Default High Contrast", "high-contrast"],
    ["Default Light Modern", "light"],
  ] as const) {
    test(`takes the colours of the theme: ${name}`, async () => {
      await code.setSettings({ "workbench.colorTheme": theme });
      const colour = () =>
        panel()
          .locator("body")
          .evaluate((body) => getComputedStyle(body).backgroundColor);
      const wanted = { dark: "rgb(31, 31, 31)", "high-contrast": "rgb(0, 0, 0)" };
      const expected = name === "light" ? "rgb(255, 255, 255)" : wanted[name];
      await until(async () => (await colour()) === expected, `the colours of ${theme}`);
      await window.screenshot(`panel-${name}`);
      await section("Tools").scrollIntoViewIfNeeded();
      await window.screenshot(`panel-${name}-below`);
    });
  }

  test("three hundred tools, and a panel of 250 pixels", async () => {
    await code.setSettings({
      "agentTemplates.dialects": { "codex-templates": { tools: MANY } },
    });
    await section("Tools").getByText("Removed 325").waitFor();
    await panel().getByLabel("Search tools").fill("internal_tool_29");
    await section("Tools").getByText("11 of 329 tools match").waitFor();
    await window.page.setViewportSize({ width: 760, height: 800 });
    await window.command("View: Close Primary Side Bar").catch(() => undefined);
    const sash = window.page.locator(".part.editor .monaco-sash.vertical").first();
    await sash.hover();
    await window.page.mouse.down();
    await window.page.mouse.move(505, 400, { steps: 5 });
    await window.page.mouse.up();
    const width = () =>
      panel()
        .locator("body")
        .evaluate((body) => body.clientWidth);
    await until(async () => (await width()) < 280, "a narrow panel");
    const overflow = await panel()
      .locator("body")
      .evaluate(({ ownerDocument }) => {
        const { scrollWidth, clientWidth } = ownerDocument.documentElement;
        return scrollWidth - clientWidth;
      });
    assert(overflow <= 0, `${overflow} pixels are cut off`);
    await panel().locator("h1").scrollIntoViewIfNeeded();
    const heights = await summary()
      .locator(".piece")
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    assert.equal(new Set(heights).size, 1, "no piece of the summary is broken");
    await window.screenshot("panel-narrow");
    await section("Tools").scrollIntoViewIfNeeded();
    await window.screenshot("panel-narrow-tools");
  });

  test("says so when the file is gone", async () => {
    await window.page.setViewportSize({ width: 1280, height: 800 });
    await openFile(".codex/.agents/broken.md");
    await heading("broken");
    await panel().getByRole("button", { name: "Pin" }).click();
    await window.page.locator(".tab", { hasText: "[Preview] broken.md" }).waitFor();
    await edit();
    await window.press("Control+W");
    await rm(code.workspace(".codex", ".agents", "broken.md"));
    await panel().getByText("there is no template at this place").waitFor();
    await window.screenshot("panel-gone");
  });
});
