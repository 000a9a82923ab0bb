/**
 * The page of the graph.
 *
 * One agent at a time can be reached with Tab, the arrow keys go from it to its neighbours, and
 * Enter opens its file. Zoom, place and the chosen agent stay when the picture is drawn anew.
 */
import { button, element } from "../../panel/view/dom";
import { t } from "../../panel/view/l10n";
import type { FromPage, Graph, Shown, ToPage } from "../answer";
import { draw, type Picture } from "./draw";

interface Kept extends Shown {
  readonly zoom?: number;
  readonly left?: number;
  readonly top?: number;
  readonly chosen?: string;
}

declare function acquireVsCodeApi(): {
  postMessage(message: FromPage): void;
  getState(): Kept | undefined;
  setState(state: Kept): void;
};

const host = acquireVsCodeApi();
const STEPS = [0.25, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3];
/** A picture is not made for less room than that, and is scrolled there. */
const NARROWEST = 400;
/** What is smaller cannot be read. */
const SMALLEST = 0.6;
const PRESSES: Readonly<Record<string, () => void>> = {
  "+": () => step(1),
  "=": () => step(1),
  "-": () => step(-1),
  "0": () => zoomTo(fitting()),
};

const system = element("select", { "aria-label": t("Agent system") });
const level = element("span", { class: "level", role: "status" });
const bar = element(
  "header",
  {},
  element("h1", {}, t("Agents")),
  system,
  element(
    "div",
    { class: "zoom", role: "group", "aria-label": t("Zoom") },
    button("−", { "aria-label": t("Zoom out"), title: t("Zoom out (-)") }, () => step(-1)),
    level,
    button("+", { "aria-label": t("Zoom in"), title: t("Zoom in (+)") }, () => step(1)),
    button(t("Fit"), { title: t("Show all (0)") }, () => zoomTo(fitting())),
  ),
  element(
    "ul",
    { class: "legend", "aria-label": t("Arrows") },
    element("li", { class: "starts" }, t("may start")),
    element("li", { class: "mentions" }, t("mentions")),
    element("li", { class: "hides" }, t("instead of")),
  ),
);
const nothing = element("p", { class: "empty", role: "status" }, t("Loading …"));
const board = element("main", {});
document.body.append(bar, nothing, board);

let picture: Picture | undefined;
let graph: Graph | undefined;
let drawn = "";
let zoom = kept().zoom ?? 0;
let resizing: ReturnType<typeof setTimeout> | undefined;

window.addEventListener("message", ({ data }: MessageEvent<ToPage>) => show(data));
window.addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof HTMLSelectElement;
  if (!isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    PRESSES[event.key]?.();
  }
});
system.addEventListener("change", () =>
  host.postMessage({ type: "dialect", dialect: system.value }),
);
window.addEventListener("resize", () => {
  clearTimeout(resizing);
  resizing = setTimeout(() => graph && redraw(graph), 200);
});
board.addEventListener("scroll", () => keep({ left: board.scrollLeft, top: board.scrollTop }));
board.addEventListener("wheel", wheel, { passive: false });
board.addEventListener("keydown", move);
board.addEventListener("click", ({ target }) => open(nodeAt(target)));
for (const event of ["focusin", "pointerover"]) {
  board.addEventListener(event, ({ target }) => point(nodeAt(target)));
}
host.postMessage({ type: "ready" });

function show(message: ToPage): void {
  keep(message.shown);
  const found = message.type === "show" ? message.graph : undefined;
  const isEmpty = !found || found.nodes.length === 0;
  nothing.hidden = !isEmpty;
  board.hidden = isEmpty;
  nothing.textContent = message.type === "nothing" ? message.text : t("There is no agent here.");
  showSystems(found);
  const text = JSON.stringify(found);
  if (found && !isEmpty && text !== drawn) {
    drawn = text;
    redraw(found);
  }
}

function redraw(found: Graph): void {
  const hadFocus = board.contains(document.activeElement);
  const { left = 0, top = 0, chosen } = kept();
  graph = found;
  picture = draw(found, Math.max(NARROWEST, board.clientWidth));
  board.replaceChildren(picture.root);
  zoomTo(zoom || fitting());
  board.scrollTo(left, top);
  const at = found.nodes.findIndex((node) => node.place?.uri + node.name === chosen);
  choose(Math.max(at, 0), hadFocus);
}

function showSystems(found: Graph | undefined): void {
  const known = found?.dialects ?? [];
  const all =
    found && !known.some(({ id }) => id === found.dialect.id) ? [...known, found.dialect] : known;
  const before = [...system.options].map(({ value }) => value).join();
  if (before !== all.map(({ id }) => id).join()) {
    system.replaceChildren(...all.map(({ id, title }) => element("option", { value: id }, title)));
  }
  system.hidden = all.length < 2;
  system.value = found?.dialect.id ?? "";
}

/** Lets Tab come to the agent, and nothing else in the picture. */
function choose(at: number, focus: boolean): void {
  picture?.nodes.forEach((node, place) => node.setAttribute("tabindex", place === at ? "0" : "-1"));
  const node = graph?.nodes[at];
  if (node?.place) {
    keep({ chosen: node.place.uri + node.name });
  }
  if (focus) {
    picture?.nodes[at]?.focus();
  }
}

function open(at: number | undefined): void {
  const place = at === undefined ? null : graph?.nodes[at]?.place;
  if (at !== undefined && place) {
    choose(at, false);
    host.postMessage({ type: "open", place });
  }
}

/** Brings out the arrows of one agent. */
function point(at: number | undefined): void {
  const root = picture?.root;
  root?.classList.toggle("pointing", at !== undefined);
  for (const edge of root?.querySelectorAll<SVGElement>(".edge") ?? []) {
    const isNear = [edge.dataset.from, edge.dataset.to].includes(String(at));
    edge.classList.toggle("near", isNear);
  }
}

function move(event: KeyboardEvent): void {
  const at = nodeAt(event.target);
  if (at === undefined || !picture) {
    return;
  }
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    open(at);
    return;
  }
  const next = neighbour(picture.nodes, at, event.key);
  if (next !== undefined) {
    event.preventDefault();
    choose(next, true);
  }
}

/** The nearest agent in the direction of an arrow key; the first and the last with their keys. */
function neighbour(nodes: readonly SVGGElement[], at: number, key: string): number | undefined {
  if (key === "Home" || key === "End") {
    return key === "Home" ? 0 : nodes.length - 1;
  }
  const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[
    key
  ];
  if (!direction) {
    return undefined;
  }
  const [right = 0, down = 0] = direction;
  const boxes = nodes.map((node) => node.getBoundingClientRect());
  const from = boxes[at]!;
  const far = boxes.map((box, place) => {
    const [x, y] = [middle(box).x - middle(from).x, middle(box).y - middle(from).y];
    const along = x * right + y * down;
    const across = Math.abs(x * down) + Math.abs(y * right);
    return { place, along, distance: along + 2 * across };
  });
  const ahead = far.filter(({ along, place }) => place !== at && along > 4);
  return ahead.toSorted((one, other) => one.distance - other.distance)[0]?.place;
}

function middle(box: DOMRect): { x: number; y: number } {
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

function nodeAt(target: EventTarget | null): number | undefined {
  const node = target instanceof Element ? target.closest<SVGElement>(".node") : null;
  return node ? Number(node.dataset.at) : undefined;
}

function wheel(event: WheelEvent): void {
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    step(event.deltaY < 0 ? 1 : -1);
  }
}

function step(by: 1 | -1): void {
  const next =
    by > 0 ? STEPS.find((one) => one > zoom + 0.01) : STEPS.findLast((one) => one < zoom - 0.01);
  zoomTo(next ?? zoom);
}

/** The level at which all is seen, or all that is side by side if that could not be read. */
function fitting(): number {
  const { width, height } = picture ?? { width: 1, height: 1 };
  const [wide, high] = [board.clientWidth / width, board.clientHeight / height];
  const all = Math.min(1, wide, high);
  return all < SMALLEST ? Math.max(SMALLEST, Math.min(1, wide)) : all;
}

/** Zooms around the middle of what is seen. */
function zoomTo(next: number): void {
  if (!picture) {
    return;
  }
  const grown = next / (zoom || next);
  const [x, y] = [
    board.scrollLeft + board.clientWidth / 2,
    board.scrollTop + board.clientHeight / 2,
  ];
  zoom = next;
  picture.root.setAttribute("width", String(picture.width * zoom));
  picture.root.setAttribute("height", String(picture.height * zoom));
  board.scrollTo(x * grown - board.clientWidth / 2, y * grown - board.clientHeight / 2);
  level.textContent = `${Math.round(zoom * 100)} %`;
  keep({ zoom });
}

function kept(): Kept {
  return host.getState() ?? {};
}

function keep(change: Kept): void {
  host.setState({ ...kept(), ...change });
}
