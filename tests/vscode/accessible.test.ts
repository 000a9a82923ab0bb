/** The panel and the graph for who hears them, goes by keyboard, or needs large letters. */
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import type { Locator } from "playwright-core";
import { pythons } from "./pythons.ts";
import { contrast, paleTexts } from "./contrast.ts";
import { type Heard, until, type Window } from "./window.ts";
import { Shared, THEMES, type Workbench } from "./workbench.ts";

const agent = (text: string): string => `---\ndescription: Does a part.\n---\n${text}\n`;
const REVIEWER = ".codex/.agents/reviewer.md";
const LEAD = ".codex/.agents/lead.md";
const CONTROLS = ["button", "combobox", "textbox", "searchbox", "DisclosureTriangle"];

let code: Workbench;
let window: Window;

const body = (): Locator => window.preview.locator("body");
const box = (name: string): Locator => window.preview.locator(`.node[aria-label^="${name}; "]`);

new Shared({
  programs: { python3: pythons()[0].path },
  files: {
    "home/.codex/.agents/reviewer.md": agent("Mine."),
    "shop/.codex/.agents/lead.md": agent("Ask `reviewer` and `migrator`. Never ask `triage`."),
  },
}).beginning(async (started) => {
  code = started;
  window = await code.open();
});

/** Has each test of a `describe` begin with what `show` opens, once in each window. */
function showing(show: () => Promise<void>): void {
  let shown: Window | undefined;
  beforeEach(async () => {
    if (shown !== window) {
      await show();
      shown = window;
    }
  });
}

async function preview(): Promise<void> {
  await window.closeAll();
  await window.openFile(REVIEWER);
  await window.command("Agent Templates: Preview Spawn");
  await window.preview.locator(".summary").waitFor();
}

async function graph(): Promise<void> {
  await window.closeAll();
  await window.openFile(LEAD);
  await window.command("Agent Templates: Show Graph");
  await box("lead").waitFor();
}

/** Has each theme in turn, and no text below 4.5 to 1 in what `shown` finds; the last one stays. */
async function isReadable(name: string, shown: () => Locator): Promise<void> {
  const pale: string[] = [];
  for (const [theme, kind] of Object.entries(THEMES)) {
    await code.setSettings({ "workbench.colorTheme": theme });
    await window.page.locator(`.monaco-workbench.${kind}`).waitFor();
    await window.preview.locator(`body[data-vscode-theme-kind]`).first().waitFor();
    await window.screenshot(`theme-${name}-${kind}`);
    pale.push(...(await paleTexts(shown())).map((text) => `${theme}: ${text}`));
  }
  assert.deepEqual(pale, []);
}

/** What a person can come to and press, in the order of the page. */
function controls(heard: readonly Heard[]): Heard[] {
  return heard.filter(({ role }) => CONTROLS.includes(role));
}

/** The names of what Tab comes to, `count` times from `start` on. */
async function tabbed(start: Locator, count: number): Promise<string[]> {
  await start.focus();
  const names: string[] = [];
  for (let at = 0; at < count; at++) {
    names.push((await window.heard()).find(({ focused }) => focused)?.name ?? "");
    await window.press("Tab");
  }
  return names;
}

/** How much the frame of what has the focus differs from what is behind it, as WCAG counts. */
async function ring(focused: Locator): Promise<{ width: number; contrast: number }> {
  await focused.focus();
  // A frame is for who goes by keyboard.
  await window.press("Shift");
  const { frame, behind, width } = await focused.evaluate((one) => {
    const shape = one.querySelector("rect");
    const { outlineColor, outlineWidth, outlineStyle } = getComputedStyle(one);
    const seen = shape
      ? { frame: getComputedStyle(shape).stroke, width: getComputedStyle(shape).strokeWidth }
      : { frame: outlineColor, width: outlineStyle === "none" ? "0" : outlineWidth };
    return { ...seen, behind: getComputedStyle(one.ownerDocument.body).backgroundColor };
  });
  return { width: Number.parseFloat(width), contrast: contrast(frame, [behind]) };
}

/** What moves on the page, or could. */
function moving(): Promise<string[]> {
  return body().evaluate(({ ownerDocument }) =>
    [...ownerDocument.querySelectorAll("*")]
      .filter((one) => {
        const { animationName, transitionDuration, scrollBehavior } = getComputedStyle(one);
        const isStill = transitionDuration.split(", ").every((time) => time === "0s");
        return animationName !== "none" || !isStill || scrollBehavior === "smooth";
      })
      .map((one) => one.outerHTML.slice(0, 80)),
  );
}

describe("the preview panel", () => {
  showing(preview);

  test("has landmarks and headings by which one goes through it", async () => {
    const heard = await window.heard();
    const places = ["banner", "form", "main", "region", "heading", "status"];
    const outline = heard
      .filter(({ role, level }) => places.includes(role) && (level ?? 0) < 3)
      .map(({ role, name }) => `${role} ${name}`.trim());
    const sections = ["Who wins", "Settings", "Tools", "Prompt", "Problems", "Notes", "JSON"];
    assert.deepEqual(outline, [
      ...["banner", "heading reviewer", "form Arguments of spawn_agent", "status", "main"],
      ...sections.flatMap((name) => [
        `region ${name}`,
        `heading ${name}`,
        ...(name === "Tools" ? ["status"] : []),
      ]),
    ]);
  });

  test("says of each control what it is, and a path as one word", async () => {
    const all = controls(await window.heard());
    assert(all.length > 30);
    assert.deepEqual(
      all.filter(({ name }) => name === ""),
      [],
    );
    assert.equal(all.filter(({ name }) => name === REVIEWER).length, 2);
    assert.deepEqual(
      all.filter(({ name }) => /\/ /.test(name)),
      [],
    );
  });

  test("gives no two parts that can be opened the same name", async () => {
    const names = controls(await window.heard())
      .filter(({ role }) => role === "DisclosureTriangle")
      .map(({ name }) => name);
    assert(names.includes("how it is chosen: model"));
    assert.deepEqual(names, [...new Set(names)]);
  });

  test("reads out no decoration, and each text with what it is", async () => {
    const heard = await window.heard();
    assert.deepEqual(
      heard.filter(({ name }) => name.includes("●")),
      [],
    );
    const texts = await window.preview
      .locator("pre[tabindex]")
      .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
    const groups = heard.filter(({ role }) => role === "group").map(({ name }) => name);
    assert(groups.includes("base instructions"), JSON.stringify([texts, groups]));
  });

  test("is walked through with Tab in the order in which it is read", async () => {
    const all = controls(await window.heard()).map(({ name }) => name);
    const first = window.preview.getByRole("button", { name: "Graph", exact: true });
    const names = await tabbed(first, 12);
    assert.deepEqual(names, all.slice(0, 12));
    assert.deepEqual(names.slice(0, 8), [
      ...["Graph", "Pin", REVIEWER, "Persona", "Model", "Effort", "Task", "More arguments"],
    ]);
  });

  test("does not move, whatever a person prefers", async () => {
    assert.deepEqual(await moving(), []);
  });

  test("can be read in a theme of each kind, and so can the Agents view", async () => {
    await window.sideBar("Agent Templates");
    await window.row("lead").first().waitFor();
    await window.preview.locator("details").evaluateAll((all) => {
      for (const one of all) {
        one.setAttribute("open", "");
      }
    });
    await isReadable("panel", body);
    await isReadable("view", () => window.page.locator(".sidebar .pane-body").first());
  });

  test("shows the focus in high contrast", async () => {
    const { preview: page } = window;
    for (const control of [
      page.getByRole("button", { name: "Pin" }),
      page.getByRole("button", { name: REVIEWER }).first(),
      page.getByLabel("Persona", { exact: true }),
      page.getByLabel("Model", { exact: true }),
      page.getByLabel("Search tools"),
      page.locator("summary").first(),
      page.locator("pre[tabindex]").first(),
    ]) {
      const { width, contrast } = await ring(control);
      assert(width >= 1 && contrast >= 3, `${width} wide, ${contrast} to 1: ${await control}`);
    }
    await window.screenshot("accessible-panel-focus");
  });

  test("can be read at 200 %, where a window has a quarter of the room", async () => {
    await window.page.setViewportSize({ width: 640, height: 400 });
    await window.command("View: Close Primary Side Bar").catch(() => undefined);
    await window.preview.locator("h1").scrollIntoViewIfNeeded();
    const cut = await body().evaluate(({ ownerDocument }) => {
      const { scrollWidth, clientWidth } = ownerDocument.documentElement;
      return scrollWidth - clientWidth;
    });
    assert(cut <= 0, `${cut} pixels are cut off`);
    await window.screenshot("accessible-panel-200");
    await window.page.setViewportSize({ width: 1280, height: 800 });
  });
});

describe("the graph", () => {
  showing(graph);

  test("says who is there, what becomes of each, and how to go on", async () => {
    const heard = await window.heard();
    const picture = heard.find(({ name }) => /^\d+ agents of /.test(name));
    assert.equal(picture?.role, "group");
    assert.match(picture?.description ?? "", /Arrow keys .* Enter/);
    const names = heard.filter(({ role }) => role === "button").map(({ name }) => name);
    assert.deepEqual(names.slice(0, 3), ["Zoom out", "Zoom in", "Fit"]);
    assert(names.some((name) => /^lead; project; may start reviewer, migrator; /.test(name)));
    assert(names.some((name) => /^reviewer; user; shadowed; /.test(name)));
    assert.deepEqual(
      heard.filter(({ role, name }) => CONTROLS.includes(role) && name === ""),
      [],
    );
  });

  test("is one stop of Tab, behind the zoom", async () => {
    const first = window.preview.getByRole("button", { name: "Zoom out" });
    const names = await tabbed(first, 4);
    assert.deepEqual(names.slice(0, 3), ["Zoom out", "Zoom in", "Fit"]);
    assert.match(names[3] ?? "", /^\S+; /);
  });

  test("does not move, whatever a person prefers", async () => {
    assert.deepEqual(await moving(), []);
  });

  test("can be read in a theme of each kind", async () => {
    await isReadable("graph", body);
  });

  test("shows the focus in high contrast", async () => {
    for (const control of [window.preview.getByRole("button", { name: "Fit" }), box("lead")]) {
      const { width, contrast } = await ring(control);
      assert(width >= 1 && contrast >= 3, `${width} wide, ${contrast} to 1`);
    }
    await window.screenshot("accessible-graph-focus");
  });

  test("can be used at 200 %, where a window has a quarter of the room", async () => {
    await window.page.setViewportSize({ width: 640, height: 400 });
    const board = window.preview.locator("main");
    await until(async () => ((await board.boundingBox())?.width ?? 1000) < 640, "the new size");
    const { height } = (await board.boundingBox()) ?? { height: 0 };
    await window.screenshot("accessible-graph-200");
    assert(height > 90, `${height} pixels are left for the picture`);
    await box("triage").focus();
    await box("triage").press("Enter");
    await window.page.locator(".tab.active", { hasText: "triage.md" }).waitFor();
    await window.page.setViewportSize({ width: 1280, height: 800 });
  });
});
