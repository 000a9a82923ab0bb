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
import { count, notes, problems, prompt, raw, scopes, settings, warnings } from "./sections";
import { tools } from "./tools";

// Who listens hears of another agent, since the panel goes on by itself.
const title = element("h1", { "aria-live": "polite" });
const place = element("p", { class: "place" });
const pin = button("Pin", { "aria-pressed": "false" }, () => {
  const pinned = pin.getAttribute("aria-pressed") !== "true";
  showPin(pinned);
  tell({ type: "pin", pinned });
});
const graph = button("Graph", { title: "Show who may spawn whom" }, () => tell({ type: "graph" }));
const form = element("form");
const summary = element("p", { class: "summary", role: "status" });
const warning = element("div");
const nothing = element("p", { class: "empty" }, "Loading …");
const main = element("main", { hidden: true });

const scopesAt = section("Who wins");
const settingsAt = section("Settings");
const toolsAt = section("Tools");
const promptAt = section("Prompt");
const problemsAt = section("Problems");
const notesAt = section("Notes");
const rawAt = section("JSON");
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
  pin.textContent = pinned ? "Pinned" : "Pin";
  pin.setAttribute("aria-pressed", String(pinned));
  pin.title = pinned ? "Follow the active editor again" : "Stay at this template";
}

function showDescription(of: Description): void {
  const { spawn } = of;
  const persona = spawn?.persona;
  draw(title, [of.name, persona], () => [
    new Text(spawn?.name ?? of.name ?? of.file?.label ?? ""),
    ...(persona ? [element("span", { class: "persona" }, ` as ${persona}`)] : []),
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
  const wrong = all.length > 0 ? [count(all.length, "problem")] : ["no problems"];
  if (!spawn) {
    return [...(refusal ? [`${call} fails`] : []), ...wrong];
  }
  const values = spawn.settings
    .filter(({ name }) => ["model", "reasoning_effort", "effort", "sandbox"].includes(name))
    .map(({ name, value }) => value ?? `${name.replace("reasoning_", "")} inherited`);
  const known = spawn.kept.length + spawn.removed.length;
  const has = known > 0 ? [`${spawn.kept.length} of ${count(known, "tool")}`] : [];
  return [...values, ...has, ...wrong];
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

function section(heading: string): Section {
  const id = `section-${heading.toLowerCase().replaceAll(" ", "-")}`;
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
