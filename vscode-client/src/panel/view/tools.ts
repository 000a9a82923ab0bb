/** The tools in two groups, kept and removed, of which a person can search one. */
import type { Spawn, Verdict } from "../answer";
import { element, replace, words } from "./dom";
import { details, summary } from "./details";
import { keep, kept, link } from "./host";
import { rich, t } from "./l10n";

/** Makes the content of the section once; the result shows a spawn in it. */
export function tools(content: HTMLElement): (spawn: Spawn) => void {
  const search = element("input", {
    type: "search",
    id: "search-tools",
    placeholder: t("Search tools"),
    "aria-label": t("Search tools"),
    spellcheck: "false",
  });
  search.value = kept().filter ?? "";
  const found = element("p", { class: "found", role: "status" });
  const lists = element("div");
  content.append(search, found, lists);
  let current: Spawn | undefined;
  const draw = () => {
    if (current) {
      const text = search.value.trim();
      replace(lists, groups(current, text));
      const all = [...current.kept, ...current.removed];
      const count = all.filter((one) => matches(one, text)).length;
      found.textContent = text === "" ? "" : t("{0} of {1} tools match", count, all.length);
    }
  };
  search.addEventListener("input", () => {
    keep({ filter: search.value });
    draw();
  });
  return (spawn) => {
    current = spawn;
    search.hidden = spawn.kept.length + spawn.removed.length === 0;
    draw();
  };
}

function groups({ kept, removed, patterns, restricted }: Spawn, text: string): Node[] {
  const open = patterns.flatMap((one, at) => [at > 0 ? ", " : "", element("code", {}, one)]);
  const all = kept.length + removed.length;
  return [
    ...(all === 0
      ? [element("p", { class: "empty" }, t("This runtime is not known to have tools."))]
      : []),
    ...(all > 0 && !restricted
      ? [element("p", { class: "remark" }, t("The template restricts no tools."))]
      : []),
    group("kept", t("Kept"), kept, text, t("The agent has no tools.")),
    ...(open.length > 0
      ? [
          element(
            "p",
            { class: "remark beside" },
            ...rich("Also any other tool that matches {0}.", element("span", {}, ...open)),
          ),
        ]
      : []),
    group("removed", t("Removed"), removed, text, t("No tool is removed.")),
  ].slice(0, all === 0 ? 1 : undefined);
}

function group(
  key: string,
  title: string,
  all: readonly Verdict[],
  text: string,
  none: string,
): HTMLElement {
  const shown = all.filter((one) => matches(one, text));
  const count = text === "" ? `${all.length}` : t("{0} of {1}", shown.length, all.length);
  const heading = element("h3", {}, `${title} `, element("span", { class: "count" }, count));
  const empty = all.length === 0 ? none : t("No tool matches.");
  const content =
    shown.length === 0
      ? element("p", { class: "empty" }, empty)
      : element("ul", { class: "tools" }, ...shown.map(row));
  return details(`tools.${key}`, summary(heading), [content], true);
}

function row({ tool, reason, condition, certain, place }: Verdict): HTMLElement {
  return element(
    "li",
    {},
    element("code", { class: "tool" }, tool),
    element(
      "span",
      { class: "reason" },
      !certain && element("span", { class: "badge" }, t("not certain")),
      link(place, words(reason)),
      condition !== "" &&
        element("span", { class: "condition" }, ...words(t("only if {0}", condition))),
    ),
  );
}

function matches({ tool, reason }: Verdict, text: string): boolean {
  const wanted = text.toLowerCase();
  return `${tool} ${reason}`.toLowerCase().includes(wanted);
}
