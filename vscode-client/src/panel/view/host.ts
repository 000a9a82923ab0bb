/** The extension behind the page, and what the page keeps over a reload. */
import type { FromPage, Place, Shown } from "../answer";
import { button } from "./dom";
import { t } from "./l10n";

/** What is shown, and how a person has arranged it. */
export interface Kept extends Partial<Shown> {
  readonly scroll?: number;
  readonly filter?: string;
  /** What has been opened or closed by hand, by its key. */
  readonly open?: Readonly<Record<string, boolean>>;
}

interface Host {
  postMessage(message: FromPage): void;
  getState(): Kept | undefined;
  setState(state: Kept): void;
}

declare function acquireVsCodeApi(): Host;

const host = acquireVsCodeApi();

export function tell(message: FromPage): void {
  host.postMessage(message);
}

export function kept(): Kept {
  return host.getState() ?? {};
}

export function keep(change: Kept): void {
  host.setState({ ...kept(), ...change });
}

/** A link to a place; only its words where nobody can go there. */
export function link(place: Place | null, label?: string | readonly Node[]): Node {
  const words = label ?? path(place?.label ?? "");
  if (!place) {
    const text = document.createElement("span");
    text.append(...(typeof words === "string" ? [words] : words));
    return text;
  }
  // Where a path can be broken, its parts would be read out one by one.
  const said = label === undefined ? place.label : undefined;
  const attributes = { class: "link", title: t("Open {0}", place.label), "aria-label": said };
  return button(words, attributes, () => tell({ type: "open", place }));
}

/** A path that can be broken where a folder ends. */
function path(text: string): Node[] {
  return text
    .split(/(?<=\/)/)
    .flatMap((part, at) => [...(at > 0 ? [document.createElement("wbr")] : []), new Text(part)]);
}
