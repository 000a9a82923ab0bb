/**
 * The pictures of the documentation and of the walkthrough, in each kind of theme.
 *
 * They are kept beside the other screenshots, in `pictures/`; `docs/vscode.md` says where they go.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { beforeEach, describe, test } from "node:test";
import { pythons } from "./pythons.ts";
import type { Window } from "./window.ts";
import { Shared, type Workbench } from "./workbench.ts";

const THEMES = {
  dark: "Default Dark Modern",
  light: "Default Light Modern",
  hc: "Default High Contrast",
} as const;
const MINE = "---\ndescription: Reviews as I like it.\n---\nBe brief.\n";
/** The example of the README, which the first reader sees. */
const EXAMPLE = ".claude/agents/auditor.md";
const [, EXAMPLE_TEXT = ""] =
  /^```md \.claude\/agents\/auditor\.md\n([^]*?)^```$/m.exec(
    readFileSync(new URL("../../README.md", import.meta.url), "utf8"),
  ) ?? [];
const SMALL = { x: 356, y: 36, width: 900, height: 310 };
const WIDE = { x: 356, y: 36, width: 918, height: 530 };

let code: Workbench;
let window: Window;

new Shared({
  // The side bar has the width that it has at first, where the pictures begin.
  isNew: true,
  programs: { python3: pythons()[0].path },
  files: {
    "home/.codex/.agents/reviewer.md": MINE,
    "shop/.codex/agents/translator.md":
      "---\ndescription: Translates the shop.\ntools: shell\n---\nTranslate.\n",
  },
}).beginning(async (started) => {
  code = started;
  window = await code.open();
  await window.sideBar("Agent Templates");
  await window.row("reviewer").first().waitFor();
});

for (const [name, theme] of Object.entries(THEMES)) {
  describe(`in a ${name} theme`, () => {
    beforeEach(() => setTheme(name, theme));

    test("the Agents view beside a template", async () => {
      await window.openFile(".codex/.agents/reviewer.md");
      await window.selected("reviewer").waitFor();
      await window.lenses.first().waitFor();
      await window.page.mouse.move(900, 700);
      await window.page.waitForTimeout(800);
      await window.picture(`agents-${name}`, { x: 0, y: 36, width: 820, height: 530 });
    });

    test("a mistake, and what the runtime does about it", async () => {
      await window.openFile(".codex/.agents/migrator.md");
      await window.page.locator(".squiggly-warning").first().waitFor();
      await window.goTo(8, 7);
      await window.hover();
      await window.page.waitForTimeout(800);
      await window.picture(`write-${name}`, WIDE);
      await window.press("Escape");
    });

    test("the preview beside its template", async () => {
      await window.openFile(".codex/.agents/reviewer.md");
      await window.command("View: Toggle Primary Side Bar Visibility");
      await window.page
        .locator(".statusbar-item", { hasText: "codex-templates: reviewer" })
        .click();
      await window.preview.getByText("Who wins").first().waitFor();
      await window.page.waitForTimeout(1500);
      await window.picture(`preview-${name}`, { x: 48, y: 36, width: 1228, height: 708 });
      await window.command("View: Toggle Primary Side Bar Visibility");
      await window.closeAll();
    });
  });
}

// At the end, since VS Code offers a file that it had open before others of the same name.
for (const [name, theme] of Object.entries(THEMES).slice(0, 2)) {
  test(`the example of the README in a ${name} theme`, async () => {
    const path = code.workspace(EXAMPLE);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, EXAMPLE_TEXT);
    await setTheme(name, theme);
    await window.openFile(EXAMPLE);
    await window.page.locator(".squiggly-warning").first().waitFor();
    await window.goTo(4, 5);
    await window.hover();
    await window.page.waitForTimeout(800);
    await window.picture(`readme-${name}`, SMALL);
    await window.press("Escape");
    await window.closeAll();
  });
}

async function setTheme(name: string, theme: string): Promise<void> {
  await code.setSettings({ "workbench.colorTheme": theme, "editor.fontSize": 13 });
  const kind = { dark: "vs-dark", light: "vs", hc: "hc-black" }[name] ?? "";
  await window.page.locator(`.monaco-workbench.${kind}`).waitFor();
}
