/**
 * The picture of a graph.
 *
 * Invariant: names become text, never markup; each agent has a name in words for who cannot see it.
 */
import { t } from "../../panel/view/l10n";
import type { Graph, GraphNode } from "../answer";
import { layout, type Point, secondLine } from "./layout";

const SVG = "http://www.w3.org/2000/svg";
const LONGEST = 30;
const KINDS = ["starts", "mentions", "hides"] as const;

export interface Picture {
  readonly root: SVGSVGElement;
  readonly width: number;
  readonly height: number;
  /** The drawn agents, in the order of the graph. */
  readonly nodes: readonly SVGGElement[];
}

/** The picture of `graph`, about `room` wide. */
export function draw(graph: Graph, room: number): Picture {
  const { width, height, boxes, ways, alone } = layout(graph, room);
  const root = svg("svg", {
    viewBox: `0 0 ${width} ${height}`,
    role: "group",
    "aria-label": t("{0} agents of {1}", graph.nodes.length, graph.dialect.title),
    "aria-description": t("Arrow keys go from one agent to another, Enter opens its file"),
  });
  root.append(heads());
  if (alone !== undefined) {
    const caption = svg("text", { x: 16, y: alone - 12, class: "caption" });
    caption.textContent = t("Not connected");
    root.append(caption);
  }
  graph.edges.forEach(({ kind, from, to }, at) => {
    const line = svg("path", {
      d: curve(ways[at] ?? []),
      class: `edge ${kind}`,
      "marker-end": `url(#head-${kind})`,
      "data-from": from,
      "data-to": to,
      "aria-hidden": "true",
    });
    root.append(line);
  });
  const nodes = graph.nodes.map((node, at) => {
    const { x, y, width: wide, height: high } = boxes[at]!;
    const drawn = svg("g", {
      class: ["node", node.hidden && "hidden", node.builtin && "builtin"].filter(Boolean).join(" "),
      role: "button",
      tabindex: -1,
      transform: `translate(${x} ${y})`,
      "aria-label": described(graph, at),
      "data-at": at,
    });
    const name = svg("text", { x: 12, y: 19, class: "name" });
    name.textContent = shortened(node.name);
    const scope = svg("text", { x: 12, y: 36, class: "scope" });
    scope.textContent = shortened(secondLine(node));
    const title = svg("title", {});
    title.textContent = node.place?.label ?? node.name;
    drawn.append(title, svg("rect", { width: wide, height: high, rx: 4 }), name, scope);
    if (node.problems > 0) {
      drawn.append(...problems(node, wide));
    }
    root.append(drawn);
    return drawn;
  });
  return { root, width, height, nodes };
}

function problems({ problems: count }: GraphNode, width: number): SVGElement[] {
  const text = svg("text", { x: width - 10, y: 19, class: "problems" });
  text.textContent = String(count);
  // The colour of a warning is too pale for figures.
  const mark = svg("circle", {
    cx: width - 16 - 8 * String(count).length,
    cy: 15,
    r: 3.5,
    class: "mark",
  });
  return [mark, text];
}

/** All that the picture says of one agent, in words. */
function described({ nodes, edges }: Graph, at: number): string {
  const { name, scope, hidden, problems: count, place } = nodes[at]!;
  const others = (kind: string, isFrom: boolean) =>
    edges
      .filter((edge) => edge.kind === kind && (isFrom ? edge.from : edge.to) === at)
      .map((edge) => nodes[isFrom ? edge.to : edge.from]!);
  const named = (say: (names: string) => string, found: readonly GraphNode[]) =>
    found.length > 0 ? [say(found.map((one) => one.name).join(", "))] : [];
  const scopes = others("hides", true).map((one) => one.scope);
  return [
    name,
    scope,
    ...(hidden ? [t("shadowed")] : []),
    ...(scopes.length > 0 ? [t("instead of {0}", scopes.join(", "))] : []),
    ...named((names) => t("may start {0}", names), others("starts", true)),
    ...named((names) => t("may be started by {0}", names), others("starts", false)),
    ...named((names) => t("mentions {0}", names), others("mentions", true)),
    ...(count > 0 ? [count === 1 ? t("1 problem") : t("{0} problems", count)] : []),
    ...(place ? [place.label] : []),
  ].join("; ");
}

function curve(points: readonly Point[]): string {
  const [start, ...rest] = points;
  if (!start) {
    return "";
  }
  let before = start;
  const pieces = rest.map((point) => {
    const middle = (before.x + point.x) / 2;
    const piece = `C${middle} ${before.y} ${middle} ${point.y} ${point.x} ${point.y}`;
    before = point;
    return piece;
  });
  return `M${start.x} ${start.y}${pieces.join("")}`;
}

function heads(): SVGElement {
  const all = svg("defs", {});
  for (const kind of KINDS) {
    const head = svg("marker", {
      id: `head-${kind}`,
      class: `head ${kind}`,
      viewBox: "0 0 10 10",
      refX: 9,
      refY: 5,
      markerWidth: 7,
      markerHeight: 7,
      orient: "auto",
    });
    head.append(svg("path", { d: "M0 0L10 5L0 10z" }));
    all.append(head);
  }
  return all;
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

function svg<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | number>>,
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, String(value));
  }
  return made;
}
