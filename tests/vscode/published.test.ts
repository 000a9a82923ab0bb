/** The extension as people see it who have not used it yet, and who read another language. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { pythons } from "./pythons.ts";
import type { Window } from "./window.ts";
import { Shared, type Workbench, writeNew } from "./workbench.ts";

/** A language that nobody speaks: every text stands between two marks. */
const LANGUAGE = "qps-ploc";
const MARKED = /^\s*⟦.*⟧\s*$/s;

const OPTIONS = { programs: { python3: pythons()[0].path }, language: LANGUAGE };

async function translate(code: Workbench, from: string, to: string): Promise<void> {
  const words = JSON.parse(await readFile(await code.packed(from), "utf8")) as object;
  const made = Object.entries(words).map(([name, text]) => [name, `⟦${String(text)}⟧`]);
  await writeFile(await code.packed(to), JSON.stringify(Object.fromEntries(made)));
}

/** Opens the window, which takes its words from where it finds them then. */
async function open(code: Workbench): Promise<Window> {
  await translate(code, "package.nls.json", `package.nls.${LANGUAGE}.json`);
  await translate(code, "l10n/bundle.l10n.json", `l10n/bundle.l10n.${LANGUAGE}.json`);
  return code.open();
}

describe("the server's life", () => {
  let code: Workbench;
  let window: Window;

  new Shared({
    ...OPTIONS,
    files: { "shop/README.md": "# Nothing here\n" },
    isBare: true,
    isNew: true,
  }).beginning(async (started) => {
    code = started;
    window = await open(code);
  });

  test("it starts with the first template, and not before", async () => {
    await window.openFile("README.md");
    await pause(3000);
    assert.deepEqual(await code.servers(), []);
    const template = code.workspace(".codex", ".agents", "first.md");
    await writeNew(template, "---\nmodle: x\n---\n");
    await code.server();
    await (await window.findProblems("first.md")).waitFor();
  });
});

describe("the extension", () => {
  let window: Window;

  new Shared(OPTIONS).beginning(async (code) => {
    window = await open(code);
    await window.openFile("migrator.md");
  });

  test("has a page without a picture that is not there", async () => {
    await window.command("Extensions: Show Installed Extensions");
    await window.page.locator(".extension-list-item", { hasText: "Agent Templates" }).click();
    await window.preview.getByRole("heading", { name: "What it needs" }).waitFor();
    const widths = await window.preview
      .locator("img")
      .evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth));
    assert(widths.every((width) => width > 0));
    await window.screenshot("page");
  });

  test("speaks the language of VS Code, in commands and in panels", async () => {
    await window.openFile("migrator.md");
    await window.page.locator(".squiggly-warning").waitFor();
    await window.command("⟦Agent Templates⟧: ⟦Preview Spawn⟧");
    const headings = window.preview.locator("h2");
    await headings.first().waitFor();
    const words = await headings.allInnerTexts();
    assert(words.length > 5, words.join());
    assert.deepEqual(
      words.filter((text) => !MARKED.test(text) && text !== "JSON"),
      [],
    );
    await window.screenshot("translated");
  });
});
