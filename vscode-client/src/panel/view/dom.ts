/**
 * Makes elements.
 *
 * Invariant: what comes from a template becomes text or the value of an attribute, never markup.
 */

type Child = Node | string | false | undefined;
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** An element; `true` is an attribute without a value, and `false` none at all. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) {
      made.setAttribute(key, value === true ? "" : String(value));
    }
  }
  made.append(...children.filter((child): child is Node | string => !!child));
  return made;
}

/** Our own words, in which pairs of backticks mark code. */
export function words(text: string): Node[] {
  const pieces = text.split("`");
  if (pieces.length % 2 === 0) {
    // The last backtick has no partner, and stays what it is.
    pieces.push(`${pieces.pop()}`);
    pieces.splice(-2, 2, pieces.slice(-2).join("`"));
  }
  return pieces.flatMap((piece, at) =>
    piece === "" ? [] : [at % 2 === 1 ? element("code", {}, piece) : new Text(piece)],
  );
}

export function button(
  label: string | readonly Node[],
  attributes: Attributes,
  click: () => void,
): HTMLButtonElement {
  const children = typeof label === "string" ? [label] : label;
  const made = element("button", { type: "button", ...attributes }, ...children);
  made.addEventListener("click", click);
  return made;
}

/**
 * Puts `children` in the place of what is in `parent`. The focus stays on what it was on: the
 * control with the same words, else the one at the same place.
 */
export function replace(parent: Element, children: readonly Node[]): void {
  const before = controls(parent);
  const focused = before.findIndex((one) => one === document.activeElement);
  const text = before[focused]?.textContent;
  parent.replaceChildren(...children);
  if (focused >= 0) {
    const after = controls(parent);
    const at = Math.min(focused, after.length - 1);
    const same = [after[at], ...after].find((one) => one?.textContent === text);
    (same ?? after[at])?.focus({ preventScroll: true });
  }
}

function controls(parent: Element): HTMLElement[] {
  return [...parent.querySelectorAll<HTMLElement>("button, summary, input, select, textarea")];
}
