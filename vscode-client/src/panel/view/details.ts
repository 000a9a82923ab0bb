/** Parts that a person can open and close; what was done stays done. */
import { element } from "./dom";
import { keep, kept } from "./host";

/** What is always seen of such a part; words that stand at several come with what they are about. */
export function summary(words: Node | string, about?: string): HTMLElement {
  const said = about === undefined ? undefined : `${words}: ${about}`;
  return element("summary", { "aria-label": said }, words);
}

export function details(
  key: string,
  head: HTMLElement,
  content: readonly Node[],
  open = false,
): HTMLDetailsElement {
  const made = element("details", {}, head, ...content);
  made.open = kept().open?.[key] ?? open;
  made.addEventListener("toggle", () => {
    const before = kept().open ?? {};
    if ((before[key] ?? open) !== made.open) {
      keep({ open: { ...before, [key]: made.open } });
    }
  });
  return made;
}
