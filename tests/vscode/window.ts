/** What a person does and sees in one window of VS Code. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { FrameLocator, Locator, Page } from "playwright-core";

const SCREENSHOTS = process.env["SCREENSHOTS"] ?? "build/vscode-screenshots";
mkdirSync(join(SCREENSHOTS, "pictures"), { recursive: true });

/** Seconds after which nothing comes any more, on a machine with other things to do. */
export const PATIENCE = 180;

/** How large a window is, in pixels. */
export const VIEWPORT = { width: 1280, height: 800 };

/** Keys of the tests' own for what is done often: the palette takes ten times as long. */
const CLOSE_ALL = "Control+Alt+F1";
const HOVER = "Control+Alt+F2";
const REVERT_AND_CLOSE = "Control+Alt+F3";
const RESTART_SERVER = "Control+Alt+F4";
const CLEAR = "Control+Alt+F5";

/** What these keys do, as VS Code reads it. */
export const KEYS = Object.entries({
  [CLOSE_ALL]: ["workbench.action.closeAllEditors"],
  [HOVER]: ["editor.action.showHover"],
  [REVERT_AND_CLOSE]: ["workbench.action.revertAndCloseActiveEditor"],
  [RESTART_SERVER]: ["agentTemplates.restartServer"],
  [CLEAR]: [
    "workbench.action.closePanel",
    "workbench.action.closeAuxiliaryBar",
    "workbench.action.editorLayoutSingle",
    "workbench.view.explorer",
    "notifications.hideList",
    "notifications.clearAll",
    // Files that were open come first in the list of all, before anything is typed.
    "workbench.action.clearEditorHistoryWithoutConfirm",
    "workbench.action.focusActiveEditorGroup",
  ],
}).map(([key, commands]) => ({
  key: key.toLowerCase().replace("control", "ctrl"),
  command: "runCommands",
  args: { commands },
}));

/** What is seen in a window in which something is left. */
const LEFT = [
  ...[".tab", ".monaco-dialog-box", ".quick-input-widget", ".context-view .monaco-menu"],
  ...[".notifications-toasts .notification-list-item", ".notifications-center"],
  ...[".part.panel", ".part.auxiliarybar"],
].join(", ");
const EXPLORER = ".explorer-folders-view";

/** One thing of a page as a screen reader is told of it. */
export interface Heard {
  readonly role: string;
  readonly name: string;
  readonly description: string;
  readonly level: number | undefined;
  readonly focused: boolean;
}

export class Window {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
    page.setDefaultTimeout(PATIENCE * 1000);
    lookOften(page.locator("body"));
  }

  /** Opens the file whose path in the workspace ends with `path`. */
  async openFile(path: string): Promise<void> {
    const name = path.split("/").at(-1) ?? path;
    await this.ask("Control+P", path, name);
    // The tab of a preview in another group has the same name in it.
    const group = this.page.locator(".editor-group-container.active");
    await group.locator(".tab.active", { hasText: name }).waitFor();
    await group.locator(".editor-instance .view-lines").first().waitFor();
  }

  /** Runs a command from the palette. */
  async command(title: string): Promise<void> {
    await this.ask("F1", `>${title}`, title);
  }

  /** Trusts the workspace, if nobody has done so. */
  async trust(): Promise<void> {
    await this.command("Workspaces: Manage Workspace Trust");
    const trust = this.page.getByRole("button", { name: "Trust", exact: true });
    const trusted = this.page.getByText("You trust this folder");
    await trust.or(trusted).first().waitFor();
    if (await trust.isVisible()) {
      await trust.click();
    }
    await trusted.first().waitFor();
    await this.closeAll();
  }

  /** Loads the window again; what was open in it comes back. */
  async reload(): Promise<void> {
    await this.bringUp("F1", ">Developer: Reload Window", "Reload Window");
    // The input goes with the window, and nothing can be asked of it any more.
    const loaded = this.page.waitForEvent("load");
    await this.press("Enter");
    await loaded;
    await this.page.locator(".monaco-workbench .statusbar").waitFor();
  }

  /** Closes all editors of a window in which nothing asks, and nothing is still to be saved. */
  async closeAll(): Promise<void> {
    await until(async () => {
      await this.press(CLOSE_ALL);
      return this.isGone(".tab");
    }, "the editors to close");
  }

  /** Leaves what tests have opened, without saving it: what is to be seen then is what was at first. */
  async clear(): Promise<void> {
    await this.page.setViewportSize(VIEWPORT);
    // Where nothing shows a hover.
    await this.page.mouse.move(0, 0);
    await this.press("Escape", "Escape");
    await until(async () => {
      await this.press(REVERT_AND_CLOSE);
      return this.isGone(".tab");
    }, "the editors to close");
    await until(async () => {
      await this.press(CLEAR);
      return this.isGone(LEFT);
    }, "an empty window");
    await this.page.locator(EXPLORER).waitFor();
  }

  /** Starts the server anew. */
  async restartServer(): Promise<void> {
    await this.press(RESTART_SERVER);
  }

  private isGone(selector: string): Promise<boolean> {
    return this.page
      .locator(`${selector} >> visible=true`)
      .first()
      .waitFor({ state: "hidden", timeout: 1000 })
      .then(
        () => true,
        () => false,
      );
  }

  /** Puts the cursor to a line and column, both counted from 1. */
  async goTo(line: number, column = 1): Promise<void> {
    await this.ask("Control+G", `:${line}:${column}`, "");
  }

  /** Shows the Problems panel, with all that has `text` in it. */
  async findProblems(text: string): Promise<Locator> {
    const filter = this.page.locator(
      ".markers-panel-action-filter-container input, .viewpane-filter input",
    );
    await until(async () => {
      if (!(await filter.isVisible())) {
        await this.press("Control+Shift+M");
      }
      return isSeen(filter);
    }, "the Problems panel");
    const found = this.page.locator(".markers-panel .monaco-list-row", { hasText: text });
    await until(async () => {
      if ((await filter.inputValue()) !== text) {
        await filter.fill(text);
      }
      // The panel takes up what is typed after a while, and may have put back what it had before.
      const isShown = text !== "" && (await found.first().isVisible());
      if (!isShown) {
        await pause(700);
      }
      return (await filter.inputValue()) === text;
    }, "the filter of the Problems panel");
    return found;
  }

  async hidePanel(): Promise<void> {
    await this.command("View: Hide Panel");
  }

  /** Types slowly enough that each letter is a keystroke of its own. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text, { delay: 40 });
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      await this.page.keyboard.press(key);
    }
  }

  /** Clicks one of the links above the first line. */
  async lens(title: string): Promise<void> {
    await this.focusEditor();
    await this.goTo(1);
    await this.lenses.filter({ hasText: title }).first().click();
  }

  /** Goes from a preview or a panel to the editor on the left. */
  async focusEditor(): Promise<void> {
    const first = this.page.locator(".editor-group-container").first();
    await first.locator(".view-line").first().click();
  }

  /** The text of the active editor as it is drawn. */
  async text(): Promise<string> {
    const lines = this.page.locator(".editor-group-container.active .view-lines").first();
    return (await lines.innerText()).replaceAll("\u00a0", " ");
  }

  /** The content of the panel, or of the rendered Markdown, in front. */
  get preview(): FrameLocator {
    return this.page.frameLocator("iframe.webview.ready:visible").frameLocator("#active-frame");
  }

  /** What a screen reader is told of the panel in front, in its order. */
  async heard(): Promise<Heard[]> {
    const session = await this.page.context().newCDPSession(this.page);
    try {
      const { frameTree } = await session.send("Page.getFrameTree");
      type Tree = typeof frameTree;
      const flat = (tree: Tree): Tree[] => [tree, ...(tree.childFrames ?? []).flatMap(flat)];
      const isPage = ({ frame }: Tree) => frame.name === "active-frame";
      const frameId = flat(frameTree).findLast(isPage)?.frame.id;
      if (!frameId) {
        throw new Error("no panel is open");
      }
      const { nodes } = await session.send("Accessibility.getFullAXTree", { frameId });
      const byId = new Map(nodes.map((node) => [node.nodeId, node]));
      const walk = (node: (typeof nodes)[number] | undefined): typeof nodes =>
        node ? [node, ...(node.childIds ?? []).flatMap((id) => walk(byId.get(id)))] : [];
      const said = (value: { value?: unknown } | undefined) => String(value?.value ?? "");
      return walk(nodes.find(({ parentId }) => parentId === undefined))
        .filter(({ ignored }) => !ignored)
        .map(({ role, name, description, properties = [] }) => {
          const has = (wanted: string) =>
            properties.find(({ name }) => name === wanted)?.value.value;
          return {
            role: said(role),
            name: said(name),
            description: said(description),
            level: has("level") as number | undefined,
            focused: has("focused") === true && said(role) !== "RootWebArea",
          };
        });
    } finally {
      await session.detach();
    }
  }

  /** What the hover at the cursor says; it is asked for again where VS Code shows none. */
  async hover(): Promise<string> {
    const hover = this.page
      .locator(".monaco-hover:not(.hidden) .hover-contents", { hasText: /\S/ })
      .first();
    let asked = 0;
    await until(async () => {
      // A server that has just started is not asked by the window yet.
      if (Date.now() - asked > 20_000) {
        await this.press(HOVER);
        asked = Date.now();
      }
      return hover.isVisible();
    }, "a hover");
    return hover.innerText();
  }

  /** The links above the first line. */
  get lenses(): Locator {
    return this.page.locator(".codelens-decoration a");
  }

  get suggestions(): Locator {
    return this.page.locator(".suggest-widget.visible .monaco-list-row");
  }

  /** The messages at the lower right, and those of the list behind the bell while it is open. */
  get notifications(): Locator {
    return this.page.locator(
      ":is(.notifications-toasts, .notifications-center.visible) .notification-list-item",
    );
  }

  /** Clicks a button of a message. VS Code puts a message behind the bell after a while. */
  async clickNotification(button: string): Promise<void> {
    const found = this.notifications.getByRole("button", { name: button });
    await until(async () => {
      if (!(await found.isVisible())) {
        await this.command("Notifications: Show Notifications");
      }
      return found.click({ timeout: 3000 }).then(
        () => true,
        () => false,
      );
    }, button);
  }

  /** Shows the views behind one of the icons at the edge. */
  async sideBar(title: string): Promise<void> {
    await this.page.locator(`.activitybar .action-label[aria-label^="${title}"]`).click();
  }

  /** What matches `selector`, if the focus is in it. */
  focusIn(selector: string): Locator {
    return this.page.locator(`${selector}:focus-within`).first();
  }

  /** The tab of the file that is only previewed. */
  previewTab(name: string): Locator {
    return this.page.locator(".tab.active", { hasText: name }).locator(".italic");
  }

  /** The rows of the view in the side bar that begin with `label`. */
  row(label: string): Locator {
    return this.page.locator(`.pane-body .monaco-list-row[aria-label^="${label}"]`);
  }

  /** The same, if it is the selected one. */
  selected(label: string): Locator {
    return this.page.locator(`.pane-body .monaco-list-row.selected[aria-label^="${label}"]`);
  }

  /** One of the buttons in the title of the view in the side bar. */
  button(title: string): Locator {
    return this.page.locator(".sidebar").getByRole("button", { name: title }).first();
  }

  /** Takes `command` from the menu of a row. A list that is drawn anew takes the menu with it. */
  async menu(label: string, command: string): Promise<void> {
    let isClicked = false;
    await until(async () => {
      const item = await this.openMenu(label, command);
      await this.untilGone(item, () => {
        isClicked = true;
        return item.click({ timeout: 3000 });
      });
      return isClicked;
    }, `the menu of “${label}”`);
  }

  /** Opens the menu of a row, in which there is `command`. */
  async openMenu(label: string, command: string): Promise<Locator> {
    await this.row(label).first().click({ button: "right" });
    const item = this.page.getByRole("menuitem", { name: command });
    await item.waitFor();
    return item;
  }

  /** Repeats `leave` until `there` has gone: a menu that has just come up takes nothing. */
  async untilGone(there: Locator, leave: () => Promise<void>): Promise<void> {
    await until(async () => {
      await pause(400);
      if (await there.isVisible()) {
        await leave().catch(() => undefined);
      }
      return there.waitFor({ state: "hidden", timeout: 1500 }).then(
        () => true,
        () => false,
      );
    }, "the menu to go");
  }

  async screenshot(name: string): Promise<void> {
    await this.page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
  }

  /** Keeps a part of what the window shows, for the documentation. */
  async picture(
    name: string,
    clip: { x: number; y: number; width: number; height: number },
  ): Promise<void> {
    await this.page.screenshot({ path: join(SCREENSHOTS, "pictures", `${name}.png`), clip });
  }

  /** Opens the input at the top with `key`, and answers it. */
  private async ask(key: string, text: string, row: string): Promise<void> {
    await this.bringUp(key, text, row);
    await this.take(text);
  }

  /** Opens the input at the top with `key`, and types. A window that still loads closes it. */
  private async bringUp(key: string, text: string, row: string): Promise<void> {
    await until(async () => {
      // One that is about to go would take the key with it, and some keys are lost.
      await this.input.waitFor({ state: "hidden", timeout: 2000 }).catch(() => undefined);
      await this.press(key);
      const isThere = (await isSeen(this.input)) && (await this.lists(text, row, 20));
      if (!isThere) {
        await this.press("Escape");
      }
      return isThere;
    }, `the line “${row}”`);
  }

  /** Types into the input at the top, and takes the line below it that has the text `row`. */
  async answer(text: string, row: string): Promise<void> {
    await until(async () => {
      // The question before may still be about to go.
      await this.input.waitFor();
      return this.lists(text, row, PATIENCE);
    }, `the line “${row}” for “${text}”`);
    await this.take(text);
  }

  /** The input at the top. */
  private get input(): Locator {
    return this.page.locator(".quick-input-widget input").first();
  }

  /**
   * Types into the input at the top; whether the line with the text `row` is the one in focus before
   * the input goes, and before so many seconds have passed.
   */
  private async lists(text: string, row: string, seconds: number): Promise<boolean> {
    const line = this.page.locator(".quick-input-list .monaco-list-row.focused", { hasText: row });
    const end = Date.now() + seconds * 1000;
    await this.input.fill(text, { timeout: 2400 }).catch(ifLate);
    while (Date.now() < end && (await this.input.isVisible())) {
      if ((await this.input.inputValue({ timeout: 2400 }).catch(ifLate)) !== text) {
        await this.input.fill(text, { timeout: 2400 }).catch(ifLate);
      } else if (await line.isVisible()) {
        return true;
      }
      await pause(50);
    }
    return false;
  }

  /** Takes the line in focus; what was picked may ask the next question in the same place. */
  private async take(text: string): Promise<void> {
    await this.input.press("Enter");
    const isTaken = async () =>
      !(await this.input.isVisible()) ||
      (await this.input.inputValue({ timeout: 2400 }).catch(ifLate)) !== text;
    await until(isTaken, `an answer to “${text}”`);
  }
}

let looksOften = false;

/**
 * Has all locators look for what they wait for ten times in a second. Playwright itself does so if it
 * is to wait for less than two and a half seconds, and otherwise twice in a second.
 */
function lookOften(any: Locator): void {
  if (looksOften) {
    return;
  }
  looksOften = true;
  const locators = Object.getPrototypeOf(any) as Locator;
  const { waitFor } = locators;
  locators.waitFor = async function (this: Locator, options = {}) {
    const end = Date.now() + (options.timeout ?? PATIENCE * 1000);
    for (;;) {
      const left = end - Date.now();
      try {
        return await waitFor.call(this, { ...options, timeout: Math.max(Math.min(left, 2400), 1) });
      } catch (error) {
        if (left <= 2400) {
          throw error;
        }
        ifLate(error);
      }
    }
  };
}

/** Whether something is seen soon, as what a key brings up. */
export function isSeen(what: Locator): Promise<boolean> {
  return what.waitFor({ timeout: 2400 }).then(
    () => true,
    () => false,
  );
}

/** Takes it that something has gone before it could be looked at. */
function ifLate(error: unknown): undefined {
  if (!(error instanceof Error && error.name === "TimeoutError")) {
    throw error;
  }
  return undefined;
}

/** Waits until `condition` holds; fails after so many seconds. */
export async function until(
  condition: () => Promise<boolean>,
  what = "that",
  seconds = PATIENCE,
): Promise<void> {
  const end = Date.now() + seconds * 1000;
  while (!(await condition())) {
    if (Date.now() > end) {
      throw new Error(`waited ${seconds} seconds for ${what} in vain`);
    }
    await pause(50);
  }
}
