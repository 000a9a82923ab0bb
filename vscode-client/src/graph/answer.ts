/** What the server says of the agents of a session, and what panel and page tell each other. */
import type { Place } from "../panel/answer";

interface System {
  readonly id: string;
  readonly title: string;
}

export interface GraphNode {
  readonly name: string;
  readonly scope: string;
  readonly builtin: boolean;
  readonly hidden: boolean;
  readonly place: Place | null;
  readonly problems: number;
}

/** `from` and `to` are places in the list of nodes. */
export interface GraphEdge {
  readonly kind: "hides" | "starts" | "mentions";
  readonly from: number;
  readonly to: number;
}

export interface Graph {
  readonly dialect: System;
  readonly dialects: readonly System[];
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  readonly error: null;
}

/** The session that is shown: where it starts, and of which system, if somebody has chosen one. */
export interface Shown {
  readonly uri?: string;
  readonly dialect?: string;
}

/** From the extension to the page. */
export type ToPage =
  | { readonly type: "show"; readonly shown: Shown; readonly graph: Graph }
  | { readonly type: "nothing"; readonly shown: Shown; readonly text: string };

/** From the page to the extension. */
export type FromPage =
  | { readonly type: "ready" }
  | { readonly type: "dialect"; readonly dialect: string }
  | { readonly type: "open"; readonly place: Place };
