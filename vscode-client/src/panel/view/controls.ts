/**
 * The arguments of the spawn call, as controls.
 *
 * Invariant: a control in which somebody types is left alone; what is empty is not in the call.
 */
import type { Call, Control, Description } from "../answer";
import { button, element, replace } from "./dom";
import { tell } from "./host";
import { t } from "./l10n";

type About = Readonly<Record<"id" | "name" | "title", string>> & {
  readonly "data-holds": string | undefined;
};
type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const NAMES: Readonly<Record<string, string>> = {
  agent: t("Agent"),
  "persona name": t("Persona"),
  model: t("Model"),
  effort: t("Effort"),
  mode: t("Mode"),
  task: t("Task"),
};
const ABSENT: Readonly<Record<string, string>> = { "persona name": t("none") };
/** What a call is about, and in this order. */
const ORDER = Object.keys(NAMES);
/** A person who types is waited for that long. */
const PAUSE = 250;

let shape = "";
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows the controls in `form`. */
export function showControls(form: HTMLFormElement, { call, controls }: Description): void {
  const wanted = JSON.stringify([call, controls.map(({ value: _, ...one }) => one)]);
  if (wanted !== shape) {
    shape = wanted;
    form.setAttribute("aria-label", t("Arguments of {0}", call));
    replace(form, build(form, controls));
  }
  for (const control of controls) {
    const field = form.elements.namedItem(control.name) as Field | null;
    if (field && (field !== document.activeElement || field instanceof HTMLSelectElement)) {
      fill(field, control);
    }
  }
  mark(form);
}

function build(form: HTMLFormElement, controls: readonly Control[]): Node[] {
  const rank = ({ holds }: Control) => ORDER.indexOf(holds ?? "");
  const main = controls
    .filter((one) => one.main)
    .toSorted((one, other) => rank(one) - rank(other))
    .map(row);
  const others = controls.filter((one) => !one.main).map(row);
  const clear = button(
    t("Clear"),
    { class: "clear", title: t("Call without these arguments") },
    () => {
      for (const field of fields(form).filter(isClearable)) {
        field.value = "";
      }
      send(form);
    },
  );
  const given = controls.some((one) => !one.main && one.value !== null);
  return [
    element("div", { class: "fields" }, ...main),
    ...(others.length > 0
      ? [
          element(
            "details",
            { class: "more", open: given },
            element("summary", {}, t("More arguments")),
            element("div", { class: "fields" }, ...others),
          ),
        ]
      : []),
    clear,
  ];
}

function row(control: Control): HTMLElement {
  const id = `argument-${control.name}`;
  const name = (control.holds && NAMES[control.holds]) ?? control.name;
  const about = {
    id,
    name: control.name,
    title: `${control.name}: ${control.meaning}`,
    "data-holds": control.holds ?? undefined,
  };
  const label = element("label", { for: id }, name);
  const wide = control.form === "long text";
  return element("div", { class: wide ? "field wide" : "field" }, label, ...field(control, about));
}

function field(control: Control, about: About): Node[] {
  const absent = ABSENT[control.holds ?? ""] ?? t("not given");
  if (control.form === "choice" || control.form === "switch") {
    const choices =
      control.form === "choice"
        ? control.choices
        : ["true", "false"].map((name) => ({ name, meaning: "" }));
    const options = choices.map(({ name, meaning }) =>
      element("option", { value: name, title: meaning }, name),
    );
    return [element("select", about, element("option", { value: "" }, absent), ...options)];
  }
  if (control.form === "long text") {
    return [element("textarea", { ...about, rows: 1, placeholder: absent })];
  }
  const list = `${about.id}-choices`;
  const input = element("input", {
    ...about,
    type: "text",
    placeholder: absent,
    spellcheck: "false",
    list: control.choices.length > 0 && list,
  });
  const options = control.choices.map(({ name }) => element("option", { value: name }));
  return options.length > 0 ? [input, element("datalist", { id: list }, ...options)] : [input];
}

function fill(field: Field, { value }: Control): void {
  const text = value === null ? "" : String(value);
  if (field instanceof HTMLSelectElement && ![...field.options].some((one) => one.value === text)) {
    // What was chosen is gone from the file, and the runtime has something to say about that.
    field.append(element("option", { value: text }, text));
  }
  if (field.value !== text) {
    field.value = text;
  }
}

/** Sends the call when something is chosen, and a moment after something was typed. */
export function listen(form: HTMLFormElement): void {
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", () => send(form));
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => send(form), PAUSE);
  });
}

function send(form: HTMLFormElement): void {
  clearTimeout(timer);
  mark(form);
  tell({ type: "call", call: Object.fromEntries(fields(form).flatMap(given)) as Call });
}

function given(field: Field): [string, string | boolean][] {
  const isSwitch = field instanceof HTMLSelectElement && field.options[1]?.value === "true";
  return field.value === "" ? [] : [[field.name, isSwitch ? field.value === "true" : field.value]];
}

/** Offers to clear what is given, if anything is. */
function mark(form: HTMLFormElement): void {
  const clear = form.querySelector<HTMLButtonElement>(".clear");
  if (clear) {
    clear.hidden = fields(form).every((one) => one.value === "" || !isClearable(one));
  }
}

/** Which agent of the file is shown is no matter of what it is called with. */
function isClearable(field: Field): boolean {
  return field.dataset.holds !== "agent";
}

function fields(form: HTMLFormElement): Field[] {
  return [...form.querySelectorAll<Field>("input, select, textarea")];
}
