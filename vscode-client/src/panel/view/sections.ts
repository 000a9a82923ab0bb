/** The sections below the controls, each made of what the server says. */
import type { Description, Part, Place, Problem, ScopeStep, Setting, Spawn } from "../answer";
import { details, summary } from "./details";
import { element, words } from "./dom";
import { link } from "./host";
import { rich, t } from "./l10n";

const STAND_IN = t("stand-in for the runtime’s own text");
const SEVERITIES: Readonly<Record<Problem["severity"], string>> = {
  error: t("error"),
  warning: t("warning"),
  information: t("information"),
  hint: t("hint"),
};

/** What keeps the call from being made, and what of the template does not count. */
export function warnings({ call, refusal, spawn }: Description): Node[] {
  const lost = spawn?.lost ?? [];
  const told = lost.map((one) => element("p", { class: "banner" }, ...words(one)));
  if (!refusal) {
    return told;
  }
  const cause = refusal.cause;
  const name = element("code", {}, call);
  return [
    element(
      "div",
      { class: "banner refusal" },
      element(
        "h2",
        {},
        ...(refusal.ours ? rich("{0} is not answered here", name) : rich("{0} fails", name)),
      ),
      element("pre", {}, refusal.message),
      !!cause && element("p", {}, ...rich("No agent loads because of {0}.", link(cause))),
    ),
  ];
}

/** The scopes in the order of precedence, and which file in them wins. */
export function scopes({ name, scopes: steps }: Description): Node[] {
  if (name === null) {
    return [empty(t("The runtime loads no agent from this file."))];
  }
  return [element("ol", { class: "scopes" }, ...steps.map((step) => scope(step, name)))];
}

function scope({ label, folder, files, builtin }: ScopeStep, name: string): HTMLElement {
  const rows = files.map(({ place, wins, current }) =>
    element(
      "div",
      { class: wins ? "file wins" : "file" },
      link(place),
      element("span", { class: wins ? "badge good" : "badge" }, wins ? t("wins") : t("shadowed")),
      builtin && element("span", { class: "badge" }, t("stand-in")),
      current && element("span", { class: "quiet" }, t("this file")),
    ),
  );
  const none = element(
    "div",
    { class: "file quiet" },
    ...rich("no {0}", element("code", {}, name)),
  );
  return element(
    "li",
    {},
    element("div", { class: "scope" }, files.length > 0 || builtin ? label : link(folder, label)),
    ...(rows.length > 0 ? rows : [none]),
  );
}

/** Each setting with where it comes from. */
export function settings({ settings: all }: Spawn): Node[] {
  return [element("dl", { class: "settings" }, ...all.flatMap(setting))];
}

function setting({ name, value, origin, place, note, chain }: Setting): Node[] {
  const steps = chain.map((step, at) =>
    element(
      "li",
      { class: step.wins ? "wins" : "" },
      link(step.place, words(step.label)),
      ": ",
      step.value === null
        ? element(
            "span",
            { class: "quiet" },
            ...words(at === chain.length - 1 ? t("not known here") : step.said || t("not set")),
          )
        : element("code", {}, step.value),
      step.wins && " ",
      step.wins && element("span", { class: "badge good" }, t("decides")),
    ),
  );
  return [
    element("dt", {}, name),
    element(
      "dd",
      {},
      value === null
        ? element("span", { class: "value quiet" }, t("inherited"))
        : element("code", { class: "value" }, value),
      element("span", { class: "origin" }, link(place, words(origin)), lineOf(place)),
      note !== "" && element("p", { class: "remark" }, ...words(note)),
      steps.length > 1 &&
        details(`settings.${name}`, summary(t("how it is chosen"), name), [
          element("ol", { class: "chain" }, ...steps),
        ]),
    ),
  ];
}

/** The pieces of the prompt in their order. */
export function prompt({ prompt: parts }: Spawn): Node[] {
  return parts.length > 0 ? parts.flatMap(part) : [empty(t("The prompt is empty."))];
}

function part({ title, text, verbatim, origin, place }: Part): Node[] {
  const lines = text === "" ? 0 : text.split("\n").length;
  return [
    element(
      "div",
      { class: "part" },
      element("h3", {}, ...words(title)),
      element(
        "p",
        { class: "origin" },
        link(place, words(origin)),
        lineOf(place),
        `: ${lineCount(lines)}`,
      ),
      element(
        "span",
        { class: verbatim ? "badge good" : "badge" },
        verbatim ? t("verbatim") : STAND_IN,
      ),
    ),
    text === ""
      ? empty(t("Empty."))
      : element(
          "pre",
          {
            class: verbatim ? "" : "stand-in",
            role: "group",
            tabindex: 0,
            "aria-label": verbatim ? title : t("{0}, a stand-in", title),
          },
          text,
        ),
  ];
}

/** What is wrong with the file. */
export function problems({ problems: all }: Description): Node[] {
  if (all.length === 0) {
    return [empty(t("No problems."))];
  }
  return [element("ul", { class: "problems" }, ...all.map(problem))];
}

function problem({ severity, code, message, place }: Problem): HTMLElement {
  return element(
    "li",
    { class: severity },
    element("span", { class: "severity" }, SEVERITIES[severity]),
    link(place, words(message)),
    element("span", { class: "quiet" }, code, lineOf(place)),
  );
}

export function notes({ notes: all }: Spawn): Node[] {
  return [element("ul", { class: "notes" }, ...all.map((one) => element("li", {}, ...words(one))))];
}

/** The calls and the answers as the runtime writes them. */
export function raw({ exchanges, spawn }: Description): Node[] {
  const calls = exchanges.map(({ call, arguments: given, answer }) =>
    details(`json.${call}`, summary(element("code", {}, call)), [
      element("h3", {}, t("Arguments")),
      json(t("Arguments of {0}", call), given),
      element("h3", {}, t("Answer")),
      json(t("Answer of {0}", call), answer),
    ]),
  );
  const exhibits = (spawn?.exhibits ?? []).map(({ name, title, value }) =>
    details(`json.${name}`, summary(element("code", {}, name)), [
      element("p", { class: "remark" }, ...words(title)),
      json(name, value),
    ]),
  );
  return [...calls, ...exhibits];
}

export function problemCount(count: number): string {
  return count === 1 ? t("1 problem") : t("{0} problems", count);
}

function lineCount(count: number): string {
  return count === 1 ? t("1 line") : t("{0} lines", count);
}

/** The line of a place, for those who look for it themselves. */
function lineOf(place: Place | null): string {
  return place?.range ? `, ${t("line {0}", place.range.start.line + 1)}` : "";
}

function json(label: string, value: unknown): HTMLElement {
  const about = { role: "group", tabindex: 0, "aria-label": label };
  return element("pre", about, JSON.stringify(value, null, 2));
}

function empty(text: string): HTMLElement {
  return element("p", { class: "empty" }, text);
}
