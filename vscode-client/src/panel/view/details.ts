/** Parts that a person can open and close; what was done stays done. */
import { element } from "./dom";
import { keep, kept } from "./host";

export function details(
  key: string,
  summary: Node | string,
  content: readonly Node[],
  open = false,
): HTMLDetailsElement {
  const made = element("details", {}, element("summary", {}, summary), ...content);
  made.open = kept().open?.[key] ?? open;
  made.addEventListener("toggle", () => {
    const before = kept().open ?? {};
    if ((before[key] ?? open) !== made.open) {
      keep({ open: { ...before, [key]: made.open } });
    }
  });
  return made;
}
