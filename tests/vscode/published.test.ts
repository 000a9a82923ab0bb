/** The extension as people see it who have not used it yet, and who read another language. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { pythons } from "./pythons.ts";
import type { Window } from "./window.ts";
import { Shared, type Workbench } from "./workbench.ts";

/** A language that nobody speaks: every text stands between two marks. */
const LANGUAGE = "qps-ploc";
const MARKED = /^\s*⟦.*⟧\s*$/s;

describe("the extension", () => {
  let code: Workbench;
  let window: Window;

  new Shared({ programs: { python3: pythons()[0].path } }).beginning(async (started) => {
    code = started;
    await translate("package.nls.json", `package.nls.${LANGUAGE}.json`);
    await translate("l10n/bundle.l10n.json", `l10n/bundle.l10n.${LANGUAGE}.json`);
    window = await code.open(undefined, LANGUAGE);
    await window.openFile("migrator.md");
    return window;
  });

  async function translate(from: string, to: string): Promise<void> {
    const words = JSON.parse(await readFile(await code.packed(from), "utf8")) as object;
    const made = Object.entries(words).map(([name, text]) => [name, `⟦${String(text)}⟧`]);
    await writeFile(await code.packed(to), JSON.stringify(Object.fromEntries(made)));
  }

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
