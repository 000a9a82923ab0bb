/** The Agents view, its actions, and the line about the agent in the status bar. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { pythons } from "./pythons.ts";
import { isSeen, until, type Window } from "./window.ts";
import { Shared, type Workbench } from "./workbench.ts";

const MINE = "---\ndescription: Mine, for every project.\n---\nBe brief.\n";
const PROJECT = ["shop", ".codex", ".agents"];

let code: Workbench;
let window: Window;

/** A file of the project's own agents. */
function agent(name: string): string {
  return join(code.folder, ...PROJECT, `${name}.md`);
}

new Shared({
  programs: { python3: pythons()[0].path },
  files: {
    "home/.codex/.agents/mine.md": MINE,
    "home/.codex/.agents/reviewer.md": MINE,
    "shop/moltis.toml": '[agents.presets.scout]\nmodel = "haiku"\n[agents.presets.writer]\n',
  },
}).beginning(async (started) => {
  code = started;
  window = await code.open();
  await window.sideBar("Agent Templates");
  await window.row("migrator").waitFor();
  // What is drawn anew just then takes no click.
  await until(async () => {
    await window.row("reviewer").first().locator(".monaco-tl-twistie").click();
    return isSeen(window.row("security"));
  }, "the personas");
});

describe("the Agents view", () => {
  test("shows each agent with its scope, and who takes whose place", async () => {
    assert.match(await window.row("architect").innerText(), /built-in/);
    assert.match(await window.row("mine").innerText(), /user/);
    const [counts, shadowed] = await window.row("reviewer").allInnerTexts();
    assert.match(counts ?? "", /project · overrides user/);
    assert.match(shadowed ?? "", /user · shadowed by project/);
    await until(
      async () =>
        /, 13 agents, \d errors?, 1 warning/.test(await said(window, "Codex agent templates")),
      "the numbers of agents and problems",
    );
    await code.screenshots(window, "agents");
  });

  test("shows the agents of deeper sessions below their folder", async () => {
    await window.row("services/billing").click();
    await window.row("reconciler").waitFor();
    assert.match(await window.row("reviewer").nth(2).innerText(), /overrides .codex\/.agents/);
    await window.row("services/billing").click();
  });

  test("a click opens the agent, and a persona at its line", async () => {
    await window.row("triage").click();
    await window.page.locator(".tab.active", { hasText: "triage.md" }).waitFor();
    await window.row("security").click();
    await window.page.locator(".tab.active", { hasText: "reviewer.md" }).waitFor();
    await window.page.locator(".statusbar-item", { hasText: "Ln 7," }).waitFor();
  });

  test("a click previews and leaves the focus in the view, where Delete asks for the agent", async () => {
    const before = await readFile(agent("triage"), "utf8");
    await window.row("triage").click();
    await window.previewTab("triage.md").waitFor();
    await window.page.locator(".statusbar-item", { hasText: "codex-templates: triage" }).waitFor();
    await window.focusIn(".sidebar").waitFor();
    await window.screenshot("agents-click");
    await window.press("Delete");
    await cancelDeletion("triage");
    // The arrows move on to another one, which nobody has opened.
    await window.press("ArrowUp", "Delete");
    await cancelDeletion("reviewer");
    // A persona is not its agent, which would be deleted with all the others.
    await window.press("ArrowUp", "Delete");
    await window.selected("quick").waitFor();
    await window.page.waitForTimeout(1000);
    assert.equal(await window.page.locator(".monaco-dialog-box").count(), 0);
    assert.equal(await window.page.locator(".tab.dirty").count(), 0);
    assert.equal(await readFile(agent("triage"), "utf8"), before);
  });

  test("Enter and a double click go to the agent, and so does its menu", async () => {
    const goTo: Readonly<Record<string, () => Promise<void>>> = {
      migrator: () => window.press("Enter"),
      triage: () => window.row("triage").dblclick(),
      "release-notes": () => window.menu("release-notes", "Open"),
    };
    for (const [name, open] of Object.entries(goTo)) {
      await window.row(name).click();
      await window.previewTab(`${name}.md`).waitFor();
      await window.focusIn(".sidebar").waitFor();
      await open();
      await window.focusIn(".editor-instance").waitFor();
      await window.previewTab(`${name}.md`).waitFor({ state: "detached" });
    }
    await window.closeAll();
  });

  test("selects the agent of the active editor", async () => {
    await window.openFile(".codex/.agents/release-notes.md");
    await window.selected("release-notes").waitFor();
  });

  test("selects the agent at the cursor where a file has several", async () => {
    await window.openFile("moltis.toml");
    await window.goTo(3);
    await window.selected("writer").waitFor();
    await window.goTo(1);
    await window.selected("scout").waitFor();
  });

  test("counts the problems while a person types", async () => {
    await window.openFile(".codex/.agents/triage.md");
    assert.doesNotMatch(await said(window, "triage"), /warning/);
    await window.goTo(7, 999);
    await window.type("s");
    await until(async () => /1 warning/.test(await said(window, "triage")), "a warning");
    await window.press("Escape");
    await window.press("Control+Z");
    await until(async () => !/warning/.test(await said(window, "triage")), "no warning");
  });

  test("does not draw anew what stays the same", async () => {
    const row = await window.row("mine").elementHandle();
    await window.button("Refresh Agents").click();
    await window.openFile(".codex/.agents/migrator.md");
    await window.selected("migrator").waitFor();
    assert.equal(await row?.evaluate((node) => node.isConnected), true);
  });

  test("the eye previews what is spawned", async () => {
    await window.row("mine").hover();
    await window.row("mine").getByRole("button", { name: "Preview Spawn" }).click();
    await window.page.locator("iframe.webview.ready").first().waitFor();
    await window.closeAll();
  });
});

describe("its actions", () => {
  test("what comes with the runtime is copied to the project", async () => {
    await window.menu("worker", "Copy to Project");
    await window.page.locator(".tab.active", { hasText: "worker.md" }).waitFor();
    assert(existsSync(agent("worker")));
    await until(async () => (await window.row("worker").count()) === 2, "both workers");
    await window.page.waitForTimeout(1000);
    assert(await window.focusIn(".sidebar").isVisible());
    assert.match(await window.row("worker").first().innerText(), /project · overrides built-in/);
  });

  test("deleting asks, says who counts then, and can be left", async () => {
    if (!existsSync(agent("worker"))) {
      await window.menu("worker", "Copy to Project");
      await until(async () => (await window.row("worker").count()) === 2, "both workers");
    }
    await window.menu("worker", "Delete");
    const dialog = window.page.locator(".monaco-dialog-box");
    await dialog.getByText("Delete the agent “worker”?").waitFor();
    assert.match(await dialog.innerText(), /Then the built-in agent is used/);
    await window.screenshot("delete");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    assert(existsSync(agent("worker")));
    await window.menu("worker", "Delete");
    await dialog.getByRole("button", { name: "Move to Trash" }).click();
    // A served VS Code has no trash, and says so before anything is lost.
    await dialog.getByRole("button", { name: "Delete Permanently" }).click();
    await until(async () => !existsSync(agent("worker")), "the file to go");
    await until(async () => (await window.row("worker").count()) === 1, "the row to go");
    assert.equal(await window.page.locator(".tab").count(), 0);
  });

  test("a new agent is asked for step by step, and its name is checked as it is typed", async () => {
    await window.button("New Agent…").click();
    await window.page.getByPlaceholder("Which agent system is it for?").waitFor();
    await window.page.waitForTimeout(500);
    await window.screenshot("new-agent-system");
    await window.answer("Codex agent", "Codex agent templates");
    await window.page.getByText("Only me").waitFor();
    await window.page.waitForTimeout(500);
    await window.screenshot("new-agent-scope");
    await window.answer("This", "This project");
    await window.answer("role", "role");
    const input = window.page.locator(".quick-input-widget input").first();
    await input.fill("Code Review");
    await window.page.getByText("try “code-review”").waitFor();
    await window.screenshot("new-agent-name");
    await input.fill("migrator");
    await window.page.getByText("migrator.md already exists").waitFor();
    await input.press("Enter");
    assert(await input.isVisible());
    await input.fill("explorer");
    await window.page.getByText("there is an agent of this name: built in").waitFor();
    await input.fill("greeter");
    await input.press("Enter");
    await window.page.locator(".tab.active", { hasText: "greeter.md" }).waitFor();
    assert.match(await readFile(agent("greeter"), "utf8"), /^description: /m);
    await window.selected("greeter").waitFor();
  });

  test("a preset is added to the file of all, from the row of its system", async () => {
    await window.row("Moltis presets").hover();
    await window.row("Moltis presets").getByRole("button", { name: "New Agent…" }).click();
    await window.page
      .locator(".quick-input-titlebar", { hasText: "New Agent: Moltis presets" })
      .waitFor();
    await window.answer("This", "This project");
    await window.page.getByText("Judges a change, and touches nothing.").waitFor();
    await code.screenshots(window, "new-agent");
    await window.answer("reviewer", "reviewer");
    const input = window.page.locator(".quick-input-widget input").first();
    await input.fill("judge");
    await input.press("Enter");
    await window.page.locator(".tab.active", { hasText: "moltis.toml" }).waitFor();
    await until(async () => /\[agents\.presets\.judge\]/.test(await window.text()), "the preset");
    await window.row("judge").waitFor();
    await window.screenshot("new-preset");
    await window.press("Control+S");
    await window.closeAll();
  });

  test("a step can go back to the one before", async () => {
    await window.button("New Agent…").click();
    await window.answer("Codex agent", "Codex agent templates");
    await window.page.getByText("Only me").waitFor();
    await window.page
      .locator(".quick-input-titlebar")
      .getByRole("button", { name: "Back" })
      .click();
    await window.page.getByText("Claude Code sub-agents").first().waitFor();
    await window.press("Escape");
    await window.closeAll();
  });

  test("the runtime's own agents cannot be deleted", async () => {
    const copy = await window.openMenu("architect", "Copy to Project");
    assert.equal(await window.page.getByRole("menuitem", { name: "Delete" }).count(), 0);
    await window.untilGone(copy, () => window.press("Escape"));
  });
});

describe("an agent that comes with the runtime", () => {
  test("can be looked at, and not be changed", async () => {
    await window.row("architect").click();
    await window.page.locator(".tab.active", { hasText: "architect.md" }).waitFor();
    await window.selected("architect").waitFor();
    await window.focusEditor();
    const before = await window.text();
    await window.type("x");
    await window.page.getByText("Editor is read-only").first().waitFor();
    assert.equal(await window.text(), before);
    await window.press("Escape");
  });

  test("is named in the status bar, and has its preview, which follows to others and back", async () => {
    await window.row("architect").click();
    await window.page
      .locator(".statusbar-item", { hasText: "codex-templates: architect" })
      .waitFor();
    await window.page.locator(".editor-actions a[aria-label^='Preview Spawn']").first().click();
    const heading = (name: string) =>
      window.preview.getByRole("heading", { level: 1, name, exact: true }).waitFor();
    await heading("architect");
    await window.screenshot("agents-builtin");
    await window.row("triage").click();
    await heading("triage");
    await window.row("architect").click();
    await heading("architect");
    await window.closeAll();
  });
});

describe("the status bar", () => {
  test("names the system, the agent and its tools, and opens the preview", async () => {
    await window.openFile(".codex/.agents/reviewer.md");
    const line = window.page.locator(".statusbar-item", { hasText: "codex-templates: reviewer" });
    await line.waitFor();
    assert.match(await line.innerText(), /reviewer, 4 tools/);
    await window.screenshot("status-bar");
    await line.click();
    await window.page.locator("iframe.webview.ready").first().waitFor();
    await window.closeAll();
    await until(async () => (await line.count()) === 0, "the line to go");
  });

  test("what is in force is a document", async () => {
    await window.command("Agent Templates: Show What Applies");
    await window.page.locator(".tab.active", { hasText: "status" }).waitFor();
    await until(async () => /^versions$/m.test(await window.text()), "the versions");
    await window.screenshot("in-force");
    await window.closeAll();
  });
});

/** What a screen reader says of a row. */
async function said(at: Window, label: string): Promise<string> {
  return (await at.row(label).first().getAttribute("aria-label")) ?? "";
}

/** Leaves the question whether to delete `name`. */
async function cancelDeletion(name: string): Promise<void> {
  const dialog = window.page.locator(".monaco-dialog-box");
  await dialog.getByText(`Delete the agent “${name}”?`).waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
}
