/** The graph of the agents, and what a person does in it. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { FrameLocator, Locator } from "playwright-core";
import { pythons } from "./pythons.ts";
import { until, type Window } from "./window.ts";
import { Shared, type Workbench, writeNew } from "./workbench.ts";

const LEAD = ".codex/.agents/lead.md";
const agent = (text: string): string => `---\ndescription: Does a part.\n---\n${text}\n`;

let code: Workbench;
let window: Window;

const graph = (): FrameLocator => window.preview;
/** The box of an agent, by the beginning of what it is called aloud. */
const box = (name: string): Locator => graph().locator(`.node[aria-label^="${name}; "]`);
const described = async (name: string): Promise<string> =>
  (await box(name).first().getAttribute("aria-label")) ?? "";

/** Goes from the graph to the editor. */
async function edit(): Promise<void> {
  const editor = window.page.locator(".editor-group-container.active .monaco-editor.focused");
  // A page that has just got the focus does not hand all keys on yet.
  await until(async () => {
    await window.press("Control+1");
    return (await editor.count()) > 0;
  }, "the editor");
}

new Shared({
  programs: { python3: pythons()[0].path },
  files: {
    "shop/.codex/.agents/lead.md": agent("Ask `reviewer` and `migrator`. Never ask `triage`."),
    "shop/.codex/.agents/back.md": agent("Tell `lead` about it."),
    "shop/.codex/.agents/evil.md": agent("<img src=x onerror=alert(1)> `lead`"),
    "shop/.codex/agents/checker.md": "---\nname: checker\ndescription: x\n---\nCheck.\n",
    "home/.codex/.agents/reviewer.md": agent("Mine."),
  },
}).beginning(async (started) => {
  code = started;
  window = await code.open();
  await window.openFile(LEAD);
  await window.lenses.first().waitFor();
  await window.command("Agent Templates: Show Graph");
  await box("lead").waitFor();
});

describe("the graph", () => {
  test("is opened from the palette, and draws who may start whom and what shadows what", async () => {
    assert.match(await described("lead"), /^lead; project; may start reviewer, migrator; /);
    assert.match(await described("lead"), /may be started by back, evil; mentions triage; /);
    assert.match(await described("reviewer"), /^reviewer; project; instead of user; /);
    const hidden = await graph().locator(".node.hidden").getAttribute("aria-label");
    assert.match(hidden ?? "", /^reviewer; user; shadowed; /);
    assert.equal(await graph().locator(".edge.starts").count(), 4);
    assert.equal(await graph().locator(".edge.hides").count(), 1);
    assert.equal(await graph().locator(".edge.mentions").count(), 1);
    await window.screenshot("graph");
  });

  test("no two boxes lie on each other", async () => {
    const rects = await graph().locator(".node rect").all();
    const all = (await Promise.all(rects.map((one) => one.boundingBox()))).filter(
      (one) => one !== null,
    );
    assert(all.length > 8);
    for (const [at, one] of all.entries()) {
      for (const other of all.slice(at + 1)) {
        const beside = one.x + one.width <= other.x || other.x + other.width <= one.x;
        const below = one.y + one.height <= other.y || other.y + other.height <= one.y;
        assert(beside || below);
      }
    }
  });

  test("those that nothing is tied to stand in columns", async () => {
    const left = async (name: string) => (await box(name).boundingBox())?.x;
    assert.equal(await left("release-notes"), await left("explorer"));
    assert.equal(await left("architect"), await left("orchestrator"));
  });

  test("a click on an agent opens its file", async () => {
    await box("back").click();
    await window.page.locator(".tab.active", { hasText: "back.md" }).waitFor();
    await graph().locator(".node.hidden").click();
    await window.page.locator(".tab.active", { hasText: "reviewer.md" }).waitFor();
  });

  test("it works by keyboard: one agent is reached with Tab, others with the arrows", async () => {
    const stop = graph().locator('.node[tabindex="0"]');
    await box("back").click();
    await window.page.locator(".tab.active", { hasText: "back.md" }).waitFor();
    assert.equal(await stop.count(), 1);
    await stop.focus();
    await window.press("ArrowRight");
    await graph().locator('.node:focus[aria-label^="lead; "]').waitFor();
    await window.screenshot("graph-focus");
    await window.press("Enter");
    await window.page.locator(".tab.active", { hasText: "lead.md" }).waitFor();
  });

  test("it changes while a person types, and keeps the focus", async () => {
    await box("lead").focus();
    await writeNew(code.workspace(".codex", ".agents", "scout.md"), agent("Ask `lead`."));
    await box("scout").waitFor();
    assert.equal(await graph().locator('.node:focus[aria-label^="lead; "]').count(), 1);
    await edit();
    await window.goTo(4, 99);
    await window.type(" Ask `triage`.");
    await until(async () => (await graph().locator(".edge.starts").count()) === 6, "the arrows");
  });

  test("it can be zoomed with buttons, keys and the wheel, and is scrolled then", async () => {
    const level = graph().getByRole("group", { name: "Zoom" }).getByRole("status");
    await graph().getByRole("button", { name: "Fit" }).click();
    const fit = await level.innerText();
    await graph().getByRole("button", { name: "Zoom in" }).click();
    assert.notEqual(await level.innerText(), fit);
    await box("lead").focus();
    await window.press("+", "+", "+");
    const board = graph().locator("main");
    assert((await board.evaluate((one) => one.scrollWidth - one.clientWidth)) > 0);
    await window.press("0");
    assert.equal(await level.innerText(), fit);
    await box("lead").hover();
    await window.page.keyboard.down("Control");
    await window.page.mouse.wheel(0, -100);
    await window.page.keyboard.up("Control");
    await until(async () => (await level.innerText()) !== fit, "the zoom");
    await graph().getByRole("button", { name: "Fit" }).click();
  });

  test("another agent system is drawn when it is chosen", async () => {
    await graph().getByLabel("Agent system").selectOption("codex-subagents");
    await box("checker").waitFor();
    assert.equal(await graph().locator(".node").count(), 1);
    await graph().getByLabel("Agent system").selectOption("codex-templates");
    await box("lead").waitFor();
  });

  test("survives a reload of the window", async () => {
    await edit();
    await window.press("Control+S");
    await window.reload();
    await box("lead").waitFor();
  });

  for (const [theme, name, colour] of [
    ["Default Dark Modern", "dark", "rgb(31, 31, 31)"],
    ["Default High Contrast", "high-contrast", "rgb(0, 0, 0)"],
    ["Default Light Modern", "light", "rgb(255, 255, 255)"],
  ] as const) {
    test(`takes the colours of the theme: ${name}`, async () => {
      await code.setSettings({ "workbench.colorTheme": theme });
      const body = graph().locator("body");
      const has = () => body.evaluate((one) => getComputedStyle(one).backgroundColor);
      await until(async () => (await has()) === colour, `the colours of ${theme}`);
      await window.screenshot(`graph-${name}`);
    });
  }

  test("two hundred agents can be looked at, and reached", async () => {
    for (let at = 0; at < 200; at++) {
      const text = at % 4 === 0 ? `Ask \`worker-${(at * 7 + 3) % 200}\`.` : "Work.";
      await writeNew(code.workspace(".codex", ".agents", `worker-${at}.md`), agent(text));
    }
    await until(async () => (await graph().locator(".node").count()) > 200, "all agents");
    await graph().getByRole("button", { name: "Fit" }).click();
    await window.screenshot("graph-many");
    await box("worker-199").click();
    await window.page.locator(".tab.active", { hasText: "worker-199.md" }).waitFor();
  });
});
