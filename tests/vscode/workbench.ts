/**
 * A real VS Code, served to a real browser.
 *
 * It has its own profile, home and workspace in a temporary folder, so that nothing of the machine's
 * user takes part, and tests may change every file that they see. To start one takes longer than most
 * tests, so those that can do with the same one share its window (`Shared`): what the ones before have
 * left is cleared away.
 */
import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, afterEach, beforeEach } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { type Browser, chromium } from "playwright-core";
import { KEYS, PATIENCE, until, VIEWPORT, Window } from "./window.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const VSCODE = setting("VSCODE");
const VSIX = setting("VSIX");
const WORKBENCH = join(VSCODE, "node_modules", "code-server", "lib", "vscode");
const SERVER = join(WORKBENCH, "out", "server-main.js");

/** What VS Code shows on its own and what would only be in the way. */
const QUIET = {
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.welcomePage.walkthroughs.openOnInstall": false,
  "chat.commandCenter.enabled": false,
  "security.workspace.trust.startupPrompt": "never",
  "security.workspace.trust.banner": "never",
  "extensions.ignoreRecommendations": true,
  "git.enabled": false,
  // What tests have run before moves nothing up in the list.
  "workbench.commandPalette.history": 0,
  "editor.minimap.enabled": false,
  // A cursor that blinks is drawn anew all the time, without a graphics card.
  "editor.cursorBlinking": "solid",
};

/**
 * The extensions in VS Code itself that have to do with what is tested: with the languages of
 * templates and settings, and with how a window looks. The hundred others make a window start later.
 */
const BUILT_IN = [
  ...["configuration-editing", "emmet", "html", "json", "json-language-features", "log"],
  ...["markdown-basics", "markdown-language-features", "media-preview", "prompt-basics"],
  ...["theme-defaults", "theme-modern-icons", "theme-seti", "yaml", "node_modules"],
];

/** A theme of each kind, by what VS Code calls it and by the class of its windows. */
export const THEMES = {
  "Default Light Modern": "vs",
  "Default Dark Modern": "vs-dark",
  "Default High Contrast Light": "hc-light",
  "Default High Contrast": "hc-black",
};

/** What belongs to VS Code itself in its folder, and the programs that it finds. */
const KEPT = ["bin", "built-in", "choice.txt", "data", "extensions", "server"];

export interface Options {
  /** Programs on the PATH by their name there, such as `python3`; nothing else is on it. */
  readonly programs: Readonly<Record<string, string>>;
  /** User settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Environment variables, given the folder that everything is in. */
  readonly variables?: (folder: string) => Readonly<Record<string, string>>;
  /** Files to write before the start, by their path in the served folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** Whether the workspace holds `files` alone, and not the example beside them. */
  readonly isBare?: boolean;
  /** Other extensions, as folders next to this file. */
  readonly extensions?: readonly string[];
  /** Whether workspaces have to be trusted; otherwise all are. */
  readonly trust?: boolean;
  /** The language of the window; VS Code's own words stay English. */
  readonly language?: string;
  /** Whether the window has to be a new one, in which no server has been started. */
  readonly isNew?: boolean;
}

/** What all have that need another extension, or a workspace that has to be trusted: they share it. */
export const EXTENDED = { extensions: ["python-extension", "toml-extension"], trust: true };

/** A running VS Code with one window; `folder` holds its `home` and the workspace `shop`. */
export class Workbench {
  readonly folder: string;
  private readonly url: string;
  private readonly process: ChildProcess;
  private readonly browser: Browser;
  private options: Options;
  private settings: Readonly<Record<string, unknown>>;
  private window: Window | undefined;
  /** What was in the log before the tests that run now. */
  private logged: ReadonlyMap<string, number> = new Map();

  constructor(
    folder: string,
    url: string,
    process: ChildProcess,
    browser: Browser,
    options: Options,
  ) {
    this.folder = folder;
    this.url = url;
    this.process = process;
    this.browser = browser;
    this.options = options;
    this.settings = options.settings ?? {};
  }

  /** A path in the workspace. */
  workspace(...path: string[]): string {
    return join(this.folder, "shop", ...path);
  }

  /** The place of a file of the installed extension. */
  async packed(path: string): Promise<string> {
    const extensions = join(this.folder, "extensions");
    const name = (await readdir(extensions)).find((folder) => folder.startsWith("agent-template-"));
    assert(name);
    return join(extensions, name, path);
  }

  /** Replaces the user's settings, which VS Code notices by itself. */
  async setSettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
    this.settings = settings;
    await writeSettings(this.folder, settings);
  }

  /**
   * Keeps what `window` shows in a theme of each kind; the other settings stay.
   *
   * A list or a hover stays, because no key is pressed.
   */
  async screenshots(window: Window, name: string): Promise<void> {
    for (const [theme, kind] of Object.entries(THEMES)) {
      await writeSettings(this.folder, { ...this.settings, "workbench.colorTheme": theme });
      await window.page.locator(`.monaco-workbench.${kind}`).waitFor();
      // Colours of text and panels follow a moment later.
      await pause(250);
      await window.screenshot(`theme-${name}-${kind}`);
    }
    await writeSettings(this.folder, this.settings);
  }

  /** The window with the workspace, which is opened the first time. */
  async open(): Promise<Window> {
    this.window ??= await this.openWindow();
    return this.window;
  }

  /**
   * Puts everything into the state in which a VS Code with `options` would be when it is new, except
   * that the server runs already.
   */
  async reset(options: Options): Promise<void> {
    this.options = options;
    const window = await this.open();
    await window.clear();
    for (const name of await readdir(this.folder)) {
      if (!KEPT.includes(name)) {
        await empty(join(this.folder, name));
      }
    }
    await rm(join(this.folder, "bin"), { recursive: true });
    await writeFiles(this.folder, options);
    await this.setSettings(options.settings ?? {});
    const before = (await this.servers()).map(({ pid }) => pid);
    this.logged = new Map((await this.logs()).map(([name, text]) => [name, text.length]));
    await window.restartServer();
    await this.server(before);
    // What the restart has closed or said.
    await window.clear();
    // A theme goes a moment after its setting, to the light one that is there without any.
    await window.page.locator(`.monaco-workbench.${THEMES["Default Light Modern"]}`).waitFor();
  }

  private async openWindow(): Promise<Window> {
    const context = await this.browser.newContext({ viewport: VIEWPORT });
    // VS Code's own words stay English: it has those of another language in a pack.
    await context.addInitScript((name) => {
      if (name) {
        Object.assign(globalThis, { _VSCODE_NLS_LANGUAGE: name });
      }
    }, this.options.language);
    // Before anything is waited for, because it says for how long.
    this.window = new Window(await context.newPage());
    await this.window.page.goto(`${this.url}/?folder=${encodeURIComponent(this.workspace())}`, {
      waitUntil: "commit",
    });
    await this.window.page.locator(".monaco-workbench .statusbar").waitFor();
    return this.window;
  }

  /** What the extension has written to its log since these tests have begun. */
  async log(): Promise<string> {
    const logs = await this.logs();
    assert(logs.length > 0, "there is a log");
    return logs.map(([name, text]) => text.slice(this.logged.get(name) ?? 0)).join("");
  }

  /** The name and the text of each log of the extension. */
  private async logs(): Promise<[string, string][]> {
    const folder = join(this.folder, "data", "logs");
    const names = await readdir(folder, { recursive: true });
    const logs = names.filter((name) => name.endsWith("Agent Templates.log"));
    return Promise.all(
      logs.map(async (name): Promise<[string, string]> => [
        name,
        await readFile(join(folder, name), "utf8"),
      ]),
    );
  }

  /** The processes that run a server for this VS Code. */
  async servers(): Promise<{ readonly pid: number; readonly command: string }[]> {
    const { stdout } = await promisify(execFile)("ps", ["-eo", "pid=,args="]);
    return stdout
      .split("\n")
      .filter((line) => line.includes(this.folder) && line.includes("serve --stdio"))
      .map((line) => {
        const [, pid, command] = /^\s*(\d+) (.*)$/.exec(line) ?? [];
        return { pid: Number(pid), command: command ?? "" };
      });
  }

  /** Waits until exactly one server runs, another one than those in `not`, and returns it. */
  async server(not: readonly number[] = []): Promise<{ pid: number; command: string }> {
    let found: { pid: number; command: string } | undefined;
    await until(async () => {
      const [one, more] = await this.servers();
      found = one;
      return one !== undefined && more === undefined && !not.includes(one.pid);
    }, "one server");
    assert(found);
    return found;
  }

  /** Keeps what the window shows, for a test that has failed. */
  async failed(test: string): Promise<void> {
    await this.window?.screenshot(`failed-${test.replace(/\W+/g, "-").slice(0, 60)}`);
  }

  async close(): Promise<void> {
    await this.browser.close();
    // One that has ended by itself does not end again.
    if (this.process.kill()) {
      await once(this.process, "exit");
    }
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The VS Code of this process, and what in it only a new one could change. */
let running: { readonly code: Workbench; readonly kind: string } | undefined;

after(stop);

async function stop(): Promise<void> {
  const code = running?.code;
  running = undefined;
  await code?.close();
}

/** The VS Code that runs, as good as new, if it can be had with `options`; otherwise a new one. */
async function take(options: Options): Promise<Workbench> {
  const { extensions, trust, language, variables } = options;
  const kind = JSON.stringify([extensions, trust, language, variables?.("")]);
  if (options.isNew || running?.kind !== kind) {
    await stop();
  }
  try {
    await running?.code.reset(options);
  } catch (error) {
    console.error("Starting a new VS Code, since this one cannot be cleared:", error);
    await running?.code.failed("clear").catch(() => undefined);
    await stop();
  }
  running ??= { code: await serve(options), kind };
  return running.code;
}

/**
 * The VS Code of the tests of a file or of a `describe`, which others have had before and get
 * afterwards. After a test that fails there is a new one, so that the next test finds what the first
 * one found.
 */
export class Shared {
  private readonly options: Options;

  constructor(options: Options) {
    this.options = options;
  }

  /** Has each test from here on begin in the window that `begin` has opened. */
  beginning(begin: (code: Workbench) => Promise<void>): void {
    let code: Workbench | undefined;
    let hasBegun = false;
    beforeEach(async () => {
      code ??= await take(this.options);
      if (!hasBegun) {
        await begin(code);
        hasBegun = true;
      }
    });
    afterEach(async (context) => {
      const { passed, name } = context as { passed?: boolean; name?: string };
      if (passed === false) {
        await code?.failed(name ?? "").catch(() => undefined);
        code = undefined;
        hasBegun = false;
        await stop();
      }
    });
  }
}

/** Writes a file and the folders that it needs. */
export async function writeNew(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** Serves VS Code with the extension and a new profile, to a browser that starts in the meantime. */
async function serve(options: Options): Promise<Workbench> {
  const folder = await mkdtemp(join(tmpdir(), "agent-templates-"));
  const starting = start(folder, options);
  const launching = launch();
  try {
    const [{ url, server }, browser] = await Promise.all([starting, launching]);
    return new Workbench(folder, url, server, browser, options);
  } catch (error) {
    // Nothing is left of what has started all the same.
    await Promise.allSettled([
      starting.then(({ server }) => server.kill()),
      launching.then((browser) => browser.close()),
    ]);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    throw error;
  }
}

/** Starts VS Code in `folder`, and waits until it answers. */
async function start(
  folder: string,
  options: Options,
): Promise<{ url: string; server: ChildProcess }> {
  await prepare(folder, options);
  const extensions = join(folder, "extensions");
  await mkdir(extensions, { recursive: true });
  // A thousand files, for which Node takes five times as long.
  await promisify(execFile)("cp", ["-r", `${await installed()}/.`, extensions]);
  const port = await freePort();
  const server = spawn(
    join(VSCODE, "node"),
    [
      SERVER,
      ...["--host", "127.0.0.1", "--port", String(port), "--without-connection-token"],
      ...["--accept-server-license-terms", "--telemetry-level", "off"],
      // Or the login shell would put its own PATH in place of ours.
      "--force-disable-user-env",
      ...(options.trust ? [] : ["--disable-workspace-trust"]),
      ...profile(folder),
    ],
    { cwd: WORKBENCH, env: environment(folder, options), stdio: "ignore" },
  );
  const url = `http://127.0.0.1:${port}`;
  try {
    await until(async () => {
      assert.equal(server.exitCode, null, "VS Code has ended");
      return fetch(url).then(
        ({ ok }) => ok,
        () => false,
      );
    }, "an answer of VS Code");
  } catch (error) {
    server.kill();
    throw error;
  }
  return { url, server };
}

let ownExtensions: Promise<string> | undefined;

/** A folder with the installed extension: `$EXTENSIONS`, or a new one for this file. */
function installed(): Promise<string> {
  ownExtensions ??= process.env["EXTENSIONS"]
    ? Promise.resolve(process.env["EXTENSIONS"])
    : install();
  return ownExtensions;
}

async function install(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "agent-templates-installed-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const script = join(import.meta.dirname, "install-extension");
  const { stdout } = await promisify(execFile)(script, [VSCODE, VSIX, folder]);
  return stdout.trim();
}

async function prepare(folder: string, options: Options): Promise<void> {
  await writeFiles(folder, options);
  await writeSettings(folder, options.settings ?? {});
  await writeNew(join(folder, "data", "User", "keybindings.json"), JSON.stringify(KEYS));
  for (const extension of options.extensions ?? []) {
    // A folder in this place is an installed extension.
    const goal = join(folder, "extensions", extension);
    await cp(join(import.meta.dirname, extension), goal, { recursive: true });
  }
  await mkdir(join(folder, "built-in"));
  for (const name of BUILT_IN) {
    await symlink(join(WORKBENCH, "extensions", name), join(folder, "built-in", name));
  }
}

/** Writes what stands outside of VS Code: the workspace, the home, and the programs. */
async function writeFiles(folder: string, options: Options): Promise<void> {
  if (!options.isBare) {
    await cp(join(ROOT, "examples", "shop"), join(folder, "shop"), { recursive: true });
  }
  // Runtimes look for templates up to the folder that has this.
  await mkdir(join(folder, "shop", ".git"), { recursive: true });
  for (const [path, text] of Object.entries({ "home/.keep": "", ...options.files })) {
    await writeNew(join(folder, path), text);
  }
  await mkdir(join(folder, "bin"));
  // VS Code starts these itself, also where a test wants no Python to be found.
  const needed = {
    sh: "/bin/sh",
    ps: "/bin/ps",
    env: "/usr/bin/env",
    cat: "/bin/cat",
  };
  for (const [name, target] of Object.entries({
    ...needed,
    ...options.programs,
  })) {
    await symlink(target, join(folder, "bin", name));
  }
}

/** Removes what is in a folder, which stays itself, since VS Code watches it. */
async function empty(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

async function writeSettings(folder: string, settings: Options["settings"]): Promise<void> {
  const text = JSON.stringify({ ...QUIET, ...settings });
  // A served VS Code reads from the second what is meant for a machine, as all remote ones do.
  await writeNew(join(folder, "data", "User", "settings.json"), text);
  await writeNew(join(folder, "data", "Machine", "settings.json"), text);
}

function environment(folder: string, options: Options): NodeJS.ProcessEnv {
  return {
    HOME: join(folder, "home"),
    PATH: join(folder, "bin"),
    LANG: "C.UTF-8",
    PYTHON_CHOICE: join(folder, "choice.txt"),
    ...options.variables?.(folder),
  };
}

function profile(folder: string): string[] {
  return [
    ...["--user-data-dir", join(folder, "data"), "--server-data-dir", join(folder, "server")],
    ...["--extensions-dir", join(folder, "extensions")],
    ...["--builtin-extensions-dir", join(folder, "built-in")],
  ];
}

function launch(): Promise<Browser> {
  const off = ["background-networking", "component-update", "sync", "gpu", "quic"];
  return chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    timeout: PATIENCE * 1000,
    args: ["--no-sandbox", "--no-first-run", ...off.map((name) => `--disable-${name}`)],
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  assert(address && typeof address === "object");
  return address.port;
}

function setting(name: string): string {
  const value = process.env[name];
  assert(value, `the variable ${name} is not set; \`make test-vscode\` sets it`);
  return value;
}
