/**
 * Where the boxes and arrows of a graph are.
 *
 * Agents that arrows tie stand in layers from left to right, each above the files that it hides.
 * What is not tied to each other stands side by side, and what is tied to nothing at the end.
 */
import { graphlib, layout as layered } from "@dagrejs/dagre";
import { t } from "../../panel/view/l10n";
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
  /** Where those begin that nothing is tied to, if there are others, too. */
  readonly alone: number | undefined;
}

const MARGIN = 16;
const HEIGHT = 46;
const GAP = 22;
const CAPTION = 34;
const SPACING = { rankdir: "LR", nodesep: 28, ranksep: 64, edgesep: 14 };

/** One agent: its files, the one that counts first. */
interface Stack {
  readonly nodes: readonly number[];
  readonly width: number;
  readonly height: number;
}

/** What is placed as a whole. */
interface Block {
  readonly width: number;
  readonly height: number;
  put(x: number, y: number): void;
}

/** The layout of a picture that is about `width` wide. */
export function layout({ nodes, edges }: Graph, width: number): Layout {
  const boxes: Box[] = [];
  const bends = new Map<GraphEdge, readonly Point[]>();
  const stacks = stacked(nodes);
  const arrows = edges.filter(({ kind }) => kind !== "hides");
  const groups = tied(stacks, arrows);
  const several = groups.filter((group) => group.length > 1);
  const single = groups.filter((group) => group.length === 1).flat();
  const first = flow(
    several.map((group) => component(group, arrows, boxes, bends)),
    width,
    MARGIN,
  );
  const alone = several.length > 0 && single.length > 0 ? first.bottom + CAPTION : undefined;
  // In columns, since nothing but their order says where to look for one.
  const column = Math.max(...single.map((stack) => stack.width));
  const rest = flow(
    single.map((stack) => block({ ...stack, width: column }, boxes)),
    width,
    alone ?? MARGIN,
  );
  return {
    width: Math.max(first.right, rest.right) + MARGIN,
    height: Math.max(first.bottom, rest.bottom) + MARGIN,
    boxes,
    ways: edges.map((edge) => way(edge, boxes, bends.get(edge) ?? [])),
    alone,
  };
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

/** What stands below a name. */
export function secondLine({ scope, hidden }: GraphNode): string {
  return hidden ? t("{0}, shadowed", scope) : scope;
}

/** How wide a box has to be for its words. */
function widthOf(node: GraphNode): number {
  const second = secondLine(node).length;
  return Math.min(260, Math.max(120, 34 + node.name.length * 8, 28 + second * 6.2));
}

/** The stacks in groups that arrows tie together, in the order of their first members. */
function tied(stacks: readonly Stack[], arrows: readonly GraphEdge[]): Stack[][] {
  const groupOf = new Map<number, Set<Stack>>();
  for (const stack of stacks) {
    const group = new Set([stack]);
    stack.nodes.forEach((node) => groupOf.set(node, group));
  }
  for (const { from, to } of arrows) {
    const [one, other] = [groupOf.get(from)!, groupOf.get(to)!];
    if (one !== other) {
      for (const stack of other) {
        one.add(stack);
        stack.nodes.forEach((node) => groupOf.set(node, one));
      }
    }
  }
  const groups = new Set(stacks.map((stack) => groupOf.get(stack.nodes[0]!)!));
  return [...groups].map((group) => [...group]);
}

function block({ nodes, width, height }: Stack, boxes: Box[]): Block {
  const put = (x: number, y: number) =>
    nodes.forEach((node, at) => {
      boxes[node] = { x, y: y + at * (HEIGHT + GAP), width, height: HEIGHT };
    });
  return { width, height, put };
}

/** Stacks in layers, and the places where an arrow over several layers keeps clear of others. */
function component(
  stacks: readonly Stack[],
  arrows: readonly GraphEdge[],
  boxes: Box[],
  bends: Map<GraphEdge, readonly Point[]>,
): Block {
  const idOf = new Map(stacks.flatMap(({ nodes }, at) => nodes.map((node) => [node, String(at)])));
  const own = arrows.filter(({ from }) => idOf.has(from));
  const drawn = new graphlib.Graph({ multigraph: true });
  drawn.setGraph({ ...SPACING });
  stacks.forEach(({ width, height }, at) => drawn.setNode(String(at), { width, height }));
  own.forEach(({ from, to }, at) => drawn.setEdge(idOf.get(from)!, idOf.get(to)!, {}, String(at)));
  layered(drawn);
  const { width = 0, height = 0 } = drawn.graph();
  const put = (left: number, top: number) => {
    stacks.forEach((stack, at) => {
      const { x, y } = drawn.node(String(at));
      block(stack, boxes).put(left + x - stack.width / 2, top + y - stack.height / 2);
    });
    own.forEach((arrow, at) => {
      const edge = { v: idOf.get(arrow.from)!, w: idOf.get(arrow.to)!, name: String(at) };
      const points: readonly Point[] = drawn.edge(edge).points ?? [];
      // The outermost lie on the border of a stack, and the only one between them on no way.
      const inner = points.length > 3 ? points.slice(1, -1) : [];
      bends.set(
        arrow,
        inner.map(({ x, y }) => ({ x: left + x, y: top + y })),
      );
    });
  };
  return { width, height, put };
}

/** Places blocks in rows, and says how far they reach. */
function flow(
  blocks: readonly Block[],
  width: number,
  top: number,
): { right: number; bottom: number } {
  let [x, y, row, right] = [MARGIN, top, 0, 0];
  for (const one of blocks) {
    if (x > MARGIN && x + one.width + MARGIN > width) {
      [x, y, row] = [MARGIN, y + row + GAP, 0];
    }
    one.put(x, y);
    right = Math.max(right, x + one.width);
    row = Math.max(row, one.height);
    x += one.width + GAP;
  }
  return { right, bottom: blocks.length > 0 ? y + row : 0 };
}

/** From side to side, or down from a file to the one that it hides. */
function way(
  { kind, from, to }: GraphEdge,
  boxes: readonly Box[],
  bends: readonly Point[],
): Point[] {
  const [one, other] = [boxes[from]!, boxes[to]!];
  if (kind === "hides") {
    const x = one.x + one.width / 2;
    return [
      { x, y: one.y + one.height },
      { x, y: other.y },
    ];
  }
  const isBack = other.x < one.x;
  const side = (box: Box, isRight: boolean) => ({
    x: isRight ? box.x + box.width : box.x,
    y: box.y + box.height / 2,
  });
  return [side(one, !isBack), ...bends, side(other, isBack)];
}
