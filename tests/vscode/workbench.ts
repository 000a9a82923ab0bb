/**
 * A real VS Code, served to a real browser.
 *
 * Every `serve` has its own profile, home and workspace in a temporary folder, so that nothing of
 * the machine's user takes part, and tests may change every file that they see. The extension is
 * installed once and copied into each profile, because that takes much less time.
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
import { PATIENCE, until, Window } from "./window.ts";

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

export interface Options {
  /** Programs on the PATH by their name there, such as `python3`; nothing else is on it. */
  readonly programs: Readonly<Record<string, string>>;
  /** User settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Environment variables, given the folder that everything is in. */
  readonly variables?: (folder: string) => Readonly<Record<string, string>>;
  /** Files to write before the start, by their path in the served folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** Other extensions, as folders next to this file. */
  readonly extensions?: readonly string[];
  /** Whether workspaces have to be trusted; otherwise all are. */
  readonly trust?: boolean;
}

/** A running VS Code; `folder` holds its `home` and the workspace `shop`. */
export class Workbench {
  readonly folder: string;
  private readonly url: string;
  private readonly process: ChildProcess;
  private readonly browser: Browser;
  private readonly windows: Window[] = [];
  private settings: Readonly<Record<string, unknown>>;

  constructor(
    folder: string,
    url: string,
    process: ChildProcess,
    browser: Browser,
    settings: Readonly<Record<string, unknown>> = {},
  ) {
    this.folder = folder;
    this.settings = settings;
    this.url = url;
    this.process = process;
    this.browser = browser;
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

  /**
   * Opens `folder` (the whole workspace if left out) in a new browser window, as one that shows
   * `language` if there is one.
   */
  async open(folder = this.workspace(), language?: string): Promise<Window> {
    const context = await this.browser.newContext({
      viewport: { width: 1280, height: 800 },
    });
    // VS Code's own words stay English: it has those of another language in a pack.
    await context.addInitScript((name) => {
      if (name) {
        Object.assign(globalThis, { _VSCODE_NLS_LANGUAGE: name });
      }
    }, language);
    // Before anything is waited for, because it says for how long.
    const window = new Window(await context.newPage());
    this.windows.push(window);
    await window.page.goto(`${this.url}/?folder=${encodeURIComponent(folder)}`, {
      waitUntil: "commit",
    });
    await window.page.locator(".monaco-workbench .statusbar").waitFor();
    return window;
  }

  /** What the extension has written to its log, in all windows. */
  async log(): Promise<string> {
    const folder = join(this.folder, "data", "logs");
    const names = await readdir(folder, { recursive: true });
    const logs = names.filter((name) => name.endsWith("Agent Templates.log"));
    const texts = await Promise.all(logs.map((name) => readFile(join(folder, name), "utf8")));
    assert(texts.length > 0, "there is a log");
    return texts.join("");
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

  /** Keeps what the last window shows, for a test that has failed. */
  async failed(test: string): Promise<void> {
    await this.windows.at(-1)?.screenshot(`failed-${test.replace(/\W+/g, "-").slice(0, 60)}`);
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

/**
 * The VS Code of the tests of a file or of a `describe`. After a test that fails there is a new one,
 * so that the next test finds what the first one found.
 */
export class Shared {
  private readonly options: Options;
  private code: Workbench | undefined;

  constructor(options: Options) {
    this.options = options;
    after(() => this.stop());
  }

  /** Has each test from here on begin in the window that `begin` returns; it is opened once. */
  beginning(begin: (code: Workbench) => Promise<Window>): void {
    let window: Window | undefined;
    beforeEach(async () => {
      this.code ??= await serve(this.options);
      window ??= await begin(this.code);
    });
    afterEach(async (context) => {
      const { passed, name } = context as { passed?: boolean; name?: string };
      if (passed === false) {
        window = undefined;
        await this.code?.failed(name ?? "").catch(() => undefined);
        await this.stop();
      }
    });
    after(() => window?.page.context().close());
  }

  private async stop(): Promise<void> {
    const { code } = this;
    this.code = undefined;
    await code?.close();
  }
}

/** Writes a file and the folders that it needs. */
export async function writeNew(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** Serves VS Code with the extension and a new profile, to a browser that starts in the meantime. */
export async function serve(options: Options): Promise<Workbench> {
  const folder = await mkdtemp(join(tmpdir(), "agent-templates-"));
  const starting = start(folder, options);
  const launching = launch();
  try {
    const [{ url, server }, browser] = await Promise.all([starting, launching]);
    return new Workbench(folder, url, server, browser, options.settings);
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
  await cp(join(ROOT, "examples", "shop"), join(folder, "shop"), {
    recursive: true,
  });
  // Runtimes look for templates up to the folder that has this.
  await mkdir(join(folder, "shop", ".git"));
  const settings = JSON.stringify({ ...QUIET, ...options.settings });
  const files = {
    "data/User/settings.json": settings,
    "home/.keep": "",
    ...options.files,
  };
  for (const [path, text] of Object.entries(files)) {
    await writeNew(join(folder, path), text);
  }
  for (const extension of options.extensions ?? []) {
    // A folder in this place is an installed extension.
    const goal = join(folder, "extensions", extension);
    await cp(join(import.meta.dirname, extension), goal, { recursive: true });
  }
  await mkdir(join(folder, "built-in"));
  for (const name of BUILT_IN) {
    await symlink(join(WORKBENCH, "extensions", name), join(folder, "built-in", name));
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
