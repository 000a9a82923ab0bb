/**
 * Where the boxes and arrows of a graph are: agents in layers from left to right, each with the
 * files that it hides below it, and those that nothing leads to or from in a grid underneath.
 */
import { graphlib, layout as layered } from "@dagrejs/dagre";
import type { Graph, GraphEdge, GraphNode } from "../answer";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  /** A box for each node, in their order. */
  readonly boxes: readonly Box[];
  /** The way of each edge, in their order. */
  readonly ways: readonly (readonly Point[])[];
  /** Where the grid of those that are alone begins, if there are others, too. */
  readonly alone: number | undefined;
}

const MARGIN = 16;
const HEIGHT = 46;
const GAP = 22;
const CAPTION = 30;
/** The grid is as wide as that, or as the layers. */
const GRID = 860;

/** One agent: its files, the one that counts first. */
interface Stack {
  readonly nodes: number[];
  readonly width: number;
  readonly height: number;
}

/** How wide a box has to be for its words. */
function widthOf({ name, scope }: GraphNode): number {
  return Math.min(260, Math.max(120, 28 + name.length * 8, 28 + scope.length * 6.4));
}

export function layout({ nodes, edges }: Graph): Layout {
  const stacks = stacked(nodes);
  const stackOf = new Map(stacks.flatMap((stack) => stack.nodes.map((node) => [node, stack])));
  const arrows = edges.filter(({ kind }) => kind !== "hides");
  const linked = new Set(arrows.flatMap(({ from, to }) => [stackOf.get(from), stackOf.get(to)]));
  const boxes: Box[] = [];
  const place = (stack: Stack, x: number, y: number) => {
    stack.nodes.forEach((node, at) => {
      boxes[node] = { x, y: y + at * (HEIGHT + GAP), width: stack.width, height: HEIGHT };
    });
  };
  const tied = stacks.filter((stack) => linked.has(stack));
  const { size, bends } = layers(tied, arrows, (node) => tied.indexOf(stackOf.get(node)!), place);
  const others = stacks.filter((stack) => !linked.has(stack));
  const alone = tied.length > 0 && others.length > 0 ? size.height + CAPTION : undefined;
  const top = alone ?? (tied.length > 0 ? size.height : MARGIN);
  const end = grid(others, Math.max(GRID, size.width), top, place);
  const ways = edges.map((edge) => way(edge, boxes, bends.get(edge) ?? []));
  const right = Math.max(size.width, ...boxes.map((box) => box.x + box.width + MARGIN));
  return { width: right, height: Math.max(size.height, end), boxes, ways, alone };
}

function stacked(nodes: readonly GraphNode[]): Stack[] {
  const byName = new Map<string, number[]>();
  nodes.forEach(({ name }, at) => byName.set(name, [...(byName.get(name) ?? []), at]));
  return [...byName.values()].map((of) => ({
    nodes: of.toSorted((one, other) => Number(nodes[one]!.hidden) - Number(nodes[other]!.hidden)),
    width: Math.max(...of.map((node) => widthOf(nodes[node]!))),
    height: of.length * (HEIGHT + GAP) - GAP,
  }));
}

/** Places the stacks that arrows tie; the bends are where an arrow keeps clear of others. */
function layers(
  stacks: readonly Stack[],
  arrows: readonly GraphEdge[],
  of: (node: number) => number,
  place: (stack: Stack, x: number, y: number) => void,
): { size: { width: number; height: number }; bends: Map<GraphEdge, Point[]> } {
  const bends = new Map<GraphEdge, Point[]>();
  if (stacks.length === 0) {
    return { size: { width: 0, height: 0 }, bends };
  }
  const drawn = new graphlib.Graph({ multigraph: true });
  const spacing = { nodesep: 28, ranksep: 64, edgesep: 14, marginx: MARGIN, marginy: MARGIN };
  drawn.setGraph({ rankdir: "LR", ...spacing });
  drawn.setDefaultEdgeLabel(() => ({}));
  stacks.forEach(({ width, height }, at) => drawn.setNode(String(at), { width, height }));
  arrows.forEach(({ from, to }, at) =>
    drawn.setEdge(String(of(from)), String(of(to)), {}, String(at)),
  );
  layered(drawn);
  stacks.forEach((stack, at) => {
    const { x, y } = drawn.node(String(at));
    place(stack, x - stack.width / 2, y - stack.height / 2);
  });
  arrows.forEach((arrow, at) => {
    const name = String(at);
    const found = drawn.edge({ v: String(of(arrow.from)), w: String(of(arrow.to)), name });
    bends.set(arrow, (found.points ?? []).slice(1, -1));
  });
  const { width = 0, height = 0 } = drawn.graph();
  return { size: { width, height }, bends };
}

/** Places stacks in rows; the result is where the last one ends. */
function grid(
  stacks: readonly Stack[],
  width: number,
  top: number,
  place: (stack: Stack, x: number, y: number) => void,
): number {
  let [x, y, row] = [MARGIN, top, 0];
  for (const stack of stacks) {
    if (x > MARGIN && x + stack.width + MARGIN > width) {
      [x, y, row] = [MARGIN, y + row + GAP, 0];
    }
    place(stack, x, y);
    x += stack.width + GAP;
    row = Math.max(row, stack.height);
  }
  return stacks.length > 0 ? y + row + MARGIN : top;
}

/** From side to side, or down from a file to the one that it hides. */
function way({ kind, from, to }: GraphEdge, boxes: readonly Box[], bends: Point[]): Point[] {
  const [one, other] = [boxes[from]!, boxes[to]!];
  if (kind === "hides") {
    const middle = one.x + one.width / 2;
    return [
      { x: middle, y: one.y + one.height },
      { x: middle, y: other.y },
    ];
  }
  const isBack = other.x < one.x;
  const side = (box: Box, isRight: boolean) => ({
    x: isRight ? box.x + box.width : box.x,
    y: box.y + box.height / 2,
  });
  return [side(one, !isBack), ...bends, side(other, isBack)];
}
