/** The preview panel, and every control of it. */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import type { FrameLocator, Locator } from "playwright-core";
import { pythons } from "./pythons.ts";
import { until, type Window } from "./window.ts";
import { serve, type Workbench } from "./workbench.ts";

const REVIEWER = ".codex/.agents/reviewer.md";
const HOSTILE = `---
description: x
allow_list:
  - "<img src=x onerror=alert(1)>"
---
</script><script>document.title = "hacked"</script>
<img src="x" onerror="document.title = 'hacked'"> <b>bold</b>
`;
const CONFIG = `[agents.presets.scout]
model = "haiku"
[agents.presets.writer]
model = "opus"
`;

let code: Workbench;
let window: Window;

/** The page of the panel in front. */
const panel = (): FrameLocator => window.preview;
const section = (name: string): Locator => panel().getByRole("region", { name, exact: true });
const summary = (): Locator => panel().locator(".summary");

before(async () => {
  code = await serve({
    programs: { python3: pythons()[0].path },
    files: {
      "home/.codex/.agents/reviewer.md": "---\ndescription: Mine.\n---\nMine.\n",
      "shop/.codex/.agents/hostile.md": HOSTILE,
      "shop/.codex/.agents/broken.md": "---\ndescription: [\n---\nBroken.\n",
      "shop/docs/templates/planner.md": "---\nname: planner\n---\nPlan.\n",
      "shop/moltis.toml": CONFIG,
    },
  });
  window = await code.open();
  await window.openFile(REVIEWER);
});

after(() => code.close());
afterEach((context) => window.screenshotIfFailed(context));

/** Opens the panel with the button in the title of the editor. */
async function open(): Promise<void> {
  await window.page.locator(".editor-actions a[aria-label^='Preview Spawn']").first().click();
  await summary().waitFor();
}

describe("the preview panel", () => {
  test("the button in the editor's title opens it beside the editor, which keeps the focus", async () => {
    await open();
    assert.equal(
      await window.page.locator(".tab.active", { hasText: "Preview reviewer.md" }).count(),
      1,
    );
    assert.match(await summary().innerText(), /gpt-5.3-codex · medium · read-only · 4 of 29 tools/);
    await window.screenshot("panel");
  });

  test("all its parts are there, under headings", async () => {
    const headings = await panel().getByRole("heading", { level: 2 }).allInnerTexts();
    assert.deepEqual(headings, [
      "Who wins",
      "Settings",
      "Tools",
      "Prompt",
      "Problems",
      "Notes",
      "JSON",
    ]);
  });
});
