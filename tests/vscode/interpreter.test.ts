/** Which Python starts the server, and what is said if there is none. */
import assert from "node:assert/strict";
import { chmod, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { pythons } from "./pythons.ts";
import { until, type Window } from "./window.ts";
import { EXTENDED, Shared, type Workbench, writeNew } from "./workbench.ts";

const [python] = pythons();
/** One Python under three names, by which it is told how it was found. */
const NAMED = { python3: python.path, chosen: python.path, named: python.path };
/** Says that it is a Python that is too old. */
const OLD = `#!/bin/sh
echo '{"path": "/usr/bin/old", "version": [3, 9, 2], "suffixes": [".cpython-39-x86_64-linux-gnu.so"]}'
`;
/** Says what Python 2 says of an option that it does not know. */
const PYTHON_2 = "#!/bin/sh\necho 'Unknown option: -I' >&2\nexit 2\n";

describe("without a Python", () => {
  let code: Workbench;
  let window: Window;

  new Shared({
    programs: {},
    isNew: true,
    files: { "old/python3": OLD, "old/python": PYTHON_2 },
  }).beginning(async (started) => {
    code = started;
    for (const name of ["python3", "python"]) {
      const old = join(code.folder, "old", name);
      await chmod(old, 0o755);
      await symlink(old, join(code.folder, "bin", name));
    }
    window = await code.open();
  });

  test("one message says what to do, and the log says what was tried", async () => {
    await window.notifications.first().waitFor();
    await pause(2000);
    assert.equal(await window.notifications.count(), 1);
    const said = await window.notifications.first().innerText();
    assert.match(said, /found no Python that it can use/);
    assert.match(
      said,
      /\/usr\/bin\/old is Python 3\.9\.2, which is older than 3\.11; python is Python 2, which is older than 3\.11\. Install CPython 3\.11 to 3\.15/,
    );
    await window.screenshot("no-python");
    // A window that is still being made shows no log; it has made this when it is done.
    await window.page.locator('[id="status.problems"]').waitFor();
    await window.notifications.getByText("Show Log").click();
    const log = window.page.locator(".output-view .view-lines");
    await log.getByText("Python 3.9.2, which is older").waitFor();
    await window.screenshot("no-python-log");
    assert.deepEqual(await code.servers(), []);
  });

  test("the status says that the server does not run", async () => {
    await window.openFile("migrator.md");
    await window.command("Agent Templates: Show Status");
    await window.page.getByText("Agent Templates: server not running").waitFor();
    await window.screenshot("status-failed");
    await window.press("Escape");
  });

  test("a setting that names something else is said to be wrong", async () => {
    await code.setSettings({ "agentTemplates.interpreter": "/nowhere/python" });
    const message = window.notifications.filter({ hasText: "/nowhere/python" });
    await message.waitFor();
    assert.match(
      await message.innerText(),
      /cannot use \/nowhere\/python.*: there is no such program/,
    );
  });

  test("so is one that names a folder", async () => {
    await code.setSettings({ "agentTemplates.interpreter": code.folder });
    const message = window.notifications.filter({ hasText: "it is a folder, or it is not" });
    await message.waitFor();
  });

  test("the server starts as soon as the setting names a Python", async () => {
    await code.setSettings({ "agentTemplates.interpreter": python.path });
    assert.match((await code.server()).command, new RegExp(`^${python.path} `));
    await window.openFile("migrator.md");
    await window.page.locator(".squiggly-warning").first().waitFor();
  });

  test("a report of an issue says what runs, and what is in force", async () => {
    await code.setSettings({ "agentTemplates.interpreter": python.path });
    await code.server();
    await window.command("Agent Templates: Report Issue");
    const lines = window.page.locator(".monaco-editor .view-line");
    await lines.filter({ hasText: /^-\sStarted\swith:\sPython\s3\.\d+\.\d+/ }).waitFor();
    await lines.filter({ hasText: /^##\sStatus$/ }).waitFor();
    await window.screenshot("report");
  });
});

describe("a server that ends", () => {
  let code: Workbench;
  let window: Window;

  new Shared({ programs: { python3: python.path } }).beginning(async (started) => {
    code = started;
    window = await code.open();
    await window.openFile("migrator.md");
    await window.page.locator(".squiggly-warning").waitFor();
  });

  test("comes back, and answers as before", async () => {
    const { pid } = await code.server();
    process.kill(pid, "SIGKILL");
    await code.server([pid]);
    await window.page.locator(".squiggly-warning").waitFor();
    await window.goTo(5, 3);
    assert.match(await window.hover(), /tools/);
    await window.press("Escape");
    assert.equal(await window.notifications.count(), 0);
  });

  test("is started anew by the command", async () => {
    const { pid } = await code.server();
    await window.command("Agent Templates: Restart Server");
    await code.server([pid]);
    await window.page.locator(".squiggly-warning").waitFor();
    await window.command("Agent Templates: Show Status");
    await window.page.getByText(/Agent Templates: server \d+\.\d+\.\d+ running/).waitFor();
    await window.screenshot("status");
    await window.press("Escape");
  });

  test("and keeps ending is left alone after a while, with one message", async () => {
    await code.setSettings({ "agentTemplates.serverCommand": [python.path, "-c", "exit(3)"] });
    await window.notifications.first().waitFor();
    assert.match(await window.notifications.first().innerText(), /stopped 4 times/);
    await pause(1000);
    assert.equal(await window.notifications.count(), 1);
    const buttons = window.notifications
      .first()
      .locator(".notification-list-item-buttons-container");
    assert.match(await buttons.innerText(), /^Try Again/);
    // A server that is started again is not one that stays away.
    assert.doesNotMatch(await code.log(), /will not be restarted/);
    assert.match(await code.log(), /starting it again/);
    await code.screenshots(window, "crashes");
  });

  test("and one that cannot be started at all is reported once", async () => {
    await code.setSettings({ "agentTemplates.serverCommand": ["no-such-server"] });
    const message = window.notifications.filter({ hasText: "no-such-server" });
    await message.waitFor();
    await pause(1000);
    assert.equal(await message.count(), 1);
    await window.screenshot("no-command");
  });
});

describe("a workspace that is not trusted", () => {
  let code: Workbench;
  let window: Window;
  const starts = (name: string) => new RegExp(`^${join(code.folder, "bin", name)} `);

  new Shared({ ...EXTENDED, programs: NAMED, isNew: true }).beginning(async (started) => {
    code = started;
    const program = (name: string) => join(code.folder, "bin", name);
    await writeFile(join(code.folder, "choice.txt"), program("chosen"));
    const settings = JSON.stringify({ "agentTemplates.interpreter": program("named") });
    await writeNew(code.workspace(".vscode", "settings.json"), settings);
    window = await code.open();
  });

  test("gets the server, and chooses nothing that is executed", async () => {
    assert.match((await code.server()).command, starts("python3"));
    await window.openFile("migrator.md");
    await window.page.locator(".squiggly-warning").waitFor();
    await window.screenshot("restricted");
  });

  test("chooses the interpreter once it is trusted", async () => {
    const { pid } = await code.server();
    await window.trust();
    assert.match((await code.server([pid])).command, starts("named"));
    assert.equal(await window.notifications.count(), 0);
  });
});

describe("the choice of a Python", () => {
  let code: Workbench;
  const program = (name: string) => join(code.folder, "bin", name);
  const starts = (name: string) => new RegExp(`^${program(name)} `);

  // The one before has settings in its workspace, and may not have noticed that they are gone.
  new Shared({ ...EXTENDED, programs: NAMED, isNew: true }).beginning(async (started) => {
    code = started;
    await writeFile(join(code.folder, "choice.txt"), program("chosen"));
    await (await code.open()).trust();
  });

  test("the one in the Python extension counts over the PATH", async () => {
    // The window is trusted a moment before the extension has heard of it.
    const isChosen = async () => starts("chosen").test((await code.server()).command);
    await until(isChosen, "the server runs with the chosen Python");
  });

  test("another choice there starts the server anew", async () => {
    const { pid } = await code.server();
    await writeFile(join(code.folder, "choice.txt"), program("python3"));
    assert.match((await code.server([pid])).command, starts("python3"));
  });

  test("the setting counts over the Python extension", async () => {
    const { pid } = await code.server();
    await code.setSettings({ "agentTemplates.interpreter": program("named") });
    assert.match((await code.server([pid])).command, starts("named"));
  });

  test("a command in the settings is started instead, just as it is", async () => {
    const { pid } = await code.server();
    const command = [python.path, "-I", await code.packed("server/start.py"), "serve", "--stdio"];
    await code.setSettings({ "agentTemplates.serverCommand": command });
    assert.equal((await code.server([pid])).command, command.join(" "));
  });
});
