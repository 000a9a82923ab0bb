/** What the server says of one spawn, and what a panel and its page tell each other. */

/** A file, or a range in it; `label` is how people write the place. */
export interface Place {
  readonly uri: string;
  readonly range: { readonly start: Position; readonly end: Position } | null;
  readonly label: string;
}

export interface Position {
  readonly line: number;
  readonly character: number;
}

/** The arguments of the runtime's spawn call, under its own names. */
export type Call = Readonly<Record<string, string | boolean>>;

export interface Control {
  readonly name: string;
  readonly meaning: string;
  readonly form: "text" | "long text" | "choice" | "switch";
  readonly value: string | boolean | null;
  readonly choices: readonly { readonly name: string; readonly meaning: string }[];
  readonly main: boolean;
  readonly holds: string | null;
}

export interface ScopeStep {
  readonly label: string;
  readonly builtin: boolean;
  readonly folder: Place | null;
  readonly files: readonly {
    readonly place: Place | null;
    readonly wins: boolean;
    readonly current: boolean;
  }[];
}

export interface Setting {
  readonly name: string;
  readonly value: string | null;
  readonly origin: string;
  readonly place: Place | null;
  readonly note: string;
  readonly chain: readonly {
    readonly label: string;
    readonly place: Place | null;
    readonly value: string | null;
    readonly said: string;
    readonly wins: boolean;
  }[];
}

export interface Verdict {
  readonly tool: string;
  readonly reason: string;
  readonly condition: string;
  readonly certain: boolean;
  readonly place: Place | null;
}

export interface Part {
  readonly title: string;
  readonly text: string;
  readonly verbatim: boolean;
  readonly origin: string;
  readonly place: Place | null;
}

export interface Spawn {
  readonly name: string;
  readonly persona: string | null;
  readonly depth: number;
  readonly lost: readonly string[];
  readonly notes: readonly string[];
  readonly settings: readonly Setting[];
  readonly restricted: boolean;
  readonly kept: readonly Verdict[];
  readonly removed: readonly Verdict[];
  readonly patterns: readonly string[];
  readonly prompt: readonly Part[];
  readonly exhibits: readonly {
    readonly name: string;
    readonly title: string;
    readonly value: unknown;
  }[];
}

export interface Problem {
  readonly severity: "error" | "warning" | "information" | "hint";
  readonly code: string;
  readonly message: string;
  readonly place: Place | null;
}

export interface Exchange {
  readonly call: string;
  readonly arguments: unknown;
  readonly answer: unknown;
}

/** Either a whole description, or nothing but an `error`. */
export interface Description {
  readonly dialect: { readonly id: string; readonly title: string };
  readonly call: string;
  readonly name: string | null;
  readonly file: Place | null;
  readonly controls: readonly Control[];
  readonly scopes: readonly ScopeStep[];
  readonly spawn: Spawn | null;
  readonly refusal: {
    readonly message: string;
    readonly ours: boolean;
    readonly cause: Place | null;
  } | null;
  readonly problems: readonly Problem[];
  readonly exchanges: readonly Exchange[];
  readonly error: null;
}

/** What a panel shows; its page keeps it, so that it is there again after a reload. */
export interface Shown {
  readonly uri: string;
  readonly call: Call;
  readonly pinned: boolean;
}

/** From the extension to the page. */
export type ToPage =
  | { readonly type: "show"; readonly shown: Shown; readonly description: Description }
  | { readonly type: "nothing"; readonly shown: Shown; readonly text: string };

/** From the page to the extension. */
export type FromPage =
  | { readonly type: "ready" }
  | { readonly type: "call"; readonly call: Call }
  | { readonly type: "pin"; readonly pinned: boolean }
  | { readonly type: "open"; readonly place: Place }
  | { readonly type: "graph" };
