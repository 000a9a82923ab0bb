/**
 * The page of a preview panel.
 *
 * A section is made anew only if what it shows has changed, so that a person who reads, selects or
 * walks through it by keyboard is left alone while another person types in the template.
 */
import type { Description, Spawn, ToPage } from "../answer";
import { listen, showControls } from "./controls";
import { button, element, replace } from "./dom";
import { keep, kept, link, tell } from "./host";
import { t } from "./l10n";
import { notes, problemCount, problems, prompt, raw, scopes, settings, warnings } from "./sections";
import { tools } from "./tools";

// Who listens hears of another agent, since the panel goes on by itself.
const title = element("h1", { "aria-live": "polite" });
const place = element("p", { class: "place" });
const pin = button(t("Pin"), { "aria-pressed": "false" }, () => {
  const pinned = pin.getAttribute("aria-pressed") !== "true";
  showPin(pinned);
  tell({ type: "pin", pinned });
});
const graph = button(t("Graph"), { title: t("Show who may spawn whom") }, () =>
  tell({ type: "graph" }),
);
const form = element("form");
const summary = element("p", { class: "summary", role: "status" });
const warning = element("div");
const nothing = element("p", { class: "empty" }, t("Loading …"));
const main = element("main", { hidden: true });

const scopesAt = section("who-wins", t("Who wins"));
const settingsAt = section("settings", t("Settings"));
const toolsAt = section("tools", t("Tools"));
const promptAt = section("prompt", t("Prompt"));
const problemsAt = section("problems", t("Problems"));
const notesAt = section("notes", t("Notes"));
const rawAt = section("json", "JSON");
const showTools = tools(toolsAt.content);

/** What each place shows, to tell whether it has to change. */
const drawn = new Map<Element, string>();
let isFirst = true;

document.body.append(
  element(
    "header",
    {},
    element("div", { class: "title" }, title, element("div", { class: "actions" }, graph, pin)),
    place,
  ),
  form,
  summary,
  warning,
  nothing,
  main,
);
listen(form);
window.addEventListener("message", ({ data }: MessageEvent<ToPage>) => show(data));
window.addEventListener("scroll", () => isFirst || keep({ scroll: window.scrollY }));
tell({ type: "ready" });

function show(message: ToPage): void {
  const { shown } = message;
  const before = kept();
  const isSame = before.uri === undefined || before.uri === shown.uri;
  const scroll = isSame ? (isFirst ? (before.scroll ?? 0) : window.scrollY) : 0;
  keep(shown);
  showPin(shown.pinned);
  const description = message.type === "show" ? message.description : undefined;
  for (const part of [form, summary, warning, main]) {
    part.hidden = !description;
  }
  nothing.hidden = !!description;
  if (description) {
    showDescription(description);
  } else {
    nothing.textContent = message.type === "nothing" ? message.text : "";
    title.textContent = decodeURIComponent(shown.uri.split("/").at(-1) ?? "");
    place.replaceChildren();
  }
  window.scrollTo(0, scroll);
  isFirst = false;
}

function showPin(pinned: boolean): void {
  pin.textContent = pinned ? t("Pinned") : t("Pin");
  pin.setAttribute("aria-pressed", String(pinned));
  pin.title = pinned ? t("Follow the active editor again") : t("Stay at this template");
}

function showDescription(of: Description): void {
  const { spawn } = of;
  const persona = spawn?.persona;
  draw(title, [of.name, persona], () => [
    new Text(spawn?.name ?? of.name ?? of.file?.label ?? ""),
    ...(persona ? [element("span", { class: "persona" }, ` ${t("as {0}", persona)}`)] : []),
  ]);
  draw(place, [of.dialect, of.file], () => [new Text(`${of.dialect.title}, `), link(of.file)]);
  showControls(form, of);
  const told = headline(of);
  draw(summary, told, () => told.flatMap(piece));
  draw(warning, [of.refusal, spawn?.lost, of.call], () => warnings(of));
  scopesAt.show([of.name, of.scopes], () => scopes(of));
  showSpawn(spawn);
  problemsAt.show(of.problems, () => problems(of));
  rawAt.show([of.exchanges, spawn?.exhibits], () => raw(of));
}

function showSpawn(spawn: Spawn | null): void {
  for (const part of [settingsAt, toolsAt, promptAt, notesAt]) {
    part.root.hidden = !spawn;
  }
  if (!spawn) {
    return;
  }
  const { kept: has, removed, patterns, restricted } = spawn;
  settingsAt.show(spawn.settings, () => settings(spawn));
  if (changes(toolsAt.content, [has, removed, patterns, restricted])) {
    showTools(spawn);
  }
  promptAt.show(spawn.prompt, () => prompt(spawn));
  notesAt.show(spawn.notes, () => notes(spawn));
  notesAt.root.hidden = spawn.notes.length === 0;
}

/** What is read aloud when it changes. */
function headline({ spawn, problems: all, refusal, call }: Description): string[] {
  const wrong = all.length > 0 ? [problemCount(all.length)] : [t("no problems")];
  if (!spawn) {
    return [...(refusal ? [t("{0} fails", call)] : []), ...wrong];
  }
  const values = spawn.settings
    .filter(({ name }) => ["model", "reasoning_effort", "effort", "sandbox"].includes(name))
    .map(({ name, value }) => value ?? t("{0} inherited", name.replace("reasoning_", "")));
  const known = spawn.kept.length + spawn.removed.length;
  const has = known > 0 ? [toolCount(spawn.kept.length, known)] : [];
  return [...values, ...has, ...wrong];
}

function toolCount(kept: number, known: number): string {
  return known === 1 ? t("{0} of 1 tool", kept) : t("{0} of {1} tools", kept, known);
}

/** A line ends between two pieces, and not within one. */
function piece(text: string, at: number): Node[] {
  return [...(at > 0 ? [new Text(" · ")] : []), element("span", { class: "piece" }, text)];
}

interface Section {
  readonly root: HTMLElement;
  readonly content: HTMLElement;
  show(data: unknown, build: () => Node[]): void;
}

function section(name: string, heading: string): Section {
  const id = `section-${name}`;
  const content = element("div");
  const root = element(
    "section",
    { "aria-labelledby": id },
    element("h2", { id }, heading),
    content,
  );
  main.append(root);
  return { root, content, show: (data, build) => draw(content, data, build) };
}

function draw(at: Element, data: unknown, build: () => Node[]): void {
  if (changes(at, data)) {
    replace(at, build());
  }
}

function changes(at: Element, data: unknown): boolean {
  const text = JSON.stringify(data);
  const isNew = drawn.get(at) !== text;
  drawn.set(at, text);
  return isNew;
}
