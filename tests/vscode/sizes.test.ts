/** The Agents view where there is nothing, and where there is much. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { pythons } from "./pythons.ts";
import { until, type Window } from "./window.ts";
import { type Options, Shared } from "./workbench.ts";

const MINE = "---\ndescription: Mine, for every project.\n---\nBe brief.\n";
const PROGRAMS = { python3: pythons()[0].path };
const HOME = {
  "home/.codex/.agents/mine.md": MINE,
  "home/.codex/.agents/reviewer.md": MINE,
};
const README = { "shop/README.md": "# Nothing here\n" };
const MANY = Object.fromEntries(
  Array.from({ length: 200 }, (_, number) => {
    const name = `agent-with-a-rather-long-name-${String(number).padStart(3, "0")}`;
    return [`shop/.codex/.agents/${name}.md`, MINE];
  }),
);

let window: Window;

/** Has the tests of a `describe` begin with the Agents view of a workspace that holds `files`. */
function beginning(options: Omit<Options, "programs">): void {
  new Shared({ ...options, programs: PROGRAMS, isBare: true }).beginning(async (code) => {
    window = await code.open();
    await window.sideBar("Agent Templates");
  });
}

describe("in a workspace with an empty agent", () => {
  beginning({ files: { ...HOME, "shop/.codex/.agents/blank.md": "" } });

  test("a click on it brings up no list, which would take the focus", async () => {
    await window.row("blank").click();
    await window.previewTab("blank.md").waitFor();
    await window.page.waitForTimeout(2000);
    assert.equal(await window.suggestions.count(), 0);
    assert(await window.focusIn(".sidebar").isVisible());
  });
});

describe("in a workspace with two hundred agents", () => {
  // Two hundred files that appear at once keep the extension busy for long.
  beginning({ files: { ...HOME, ...MANY }, isNew: true });

  test("they can be scrolled through, also in a narrow side bar", async () => {
    await window.row("agent-with-a-rather-long-name-000").waitFor();
    await window.page.setViewportSize({ width: 520, height: 700 });
    await window.screenshot("agents-many");
    const row = window.row("Codex agent templates").first();
    assert.match((await row.getAttribute("aria-label")) ?? "", /206 agents/);
  });
});

describe("in a workspace without any agent", () => {
  beginning({ files: { ...HOME, ...README }, isNew: true });

  test("who has agents of their own sees them, with the runtime's", async () => {
    await window.row("mine").waitFor();
    assert.equal(await window.row("migrator").count(), 0);
  });
});

describe("in a workspace of somebody without any agent", () => {
  beginning({ files: README, isNew: true });

  test("the view says how to begin, and begins one", async () => {
    await window.page.getByText("There are no agents yet").waitFor();
    await window.page.mouse.move(900, 700);
    await window.page.waitForTimeout(500);
    await window.screenshot("agents-none");
    await window.page.getByRole("button", { name: "Get Started" }).click();
    await window.page.getByText("Get Started with Agent Templates").first().waitFor();
    await window.page.getByText("See all agents").first().waitFor();
    await window.page.setViewportSize({ width: 1800, height: 900 });
    const picture = window.page.locator(".getting-started-media img").first();
    await picture.waitFor();
    await until(
      () => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth > 0),
      "the picture",
    );
    await window.screenshot("walkthrough");
    const sideBar = window.page.locator(".sidebar");
    await sideBar.getByRole("button", { name: "New Agent" }).last().click();
    await window.answer("Claude", "Claude Code");
    await window.answer("This", "This project");
    await window.page.locator(".quick-input-widget input").first().fill("helper");
    await window.press("Enter");
    await window.page.locator(".tab.active", { hasText: "helper.md" }).waitFor();
    await window.row("helper").waitFor();
  });
});
