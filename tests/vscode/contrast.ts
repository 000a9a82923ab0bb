/** How well text can be read, as WCAG 2.2 counts (1.4.3): from 1, not at all, to 21. */
import type { Locator } from "playwright-core";

/** What a person of ordinary sight needs for text of ordinary size. */
const NEEDED = 4.5;

/** A piece of text, its colour, and the colours behind it, the nearest first. */
interface Text {
  readonly text: string;
  readonly colour: string;
  readonly opacity: number;
  readonly behind: readonly string[];
}

type Colour = readonly [red: number, green: number, blue: number, alpha: number];

/** The texts in `shown` that differ too little from what is behind them, each with how much. */
export async function paleTexts(shown: Locator): Promise<string[]> {
  const texts = await shown.evaluate(collect);
  return texts.flatMap(({ text, colour, opacity, behind }) => {
    const found = contrast(colour, behind, opacity);
    return found < NEEDED ? [`${text}: ${found.toFixed(2)} to 1, ${colour} on ${behind[0]}`] : [];
  });
}

/** The contrast of `colour` with what is behind it, the nearest first; all as CSS writes them. */
export function contrast(colour: string, behind: readonly string[], opacity = 1): number {
  const ground = behind
    .map(parsed)
    .reduceRight<Colour>((below, above) => over(above, below), [255, 255, 255, 1]);
  const [red, green, blue, alpha] = parsed(colour);
  const both = [over([red, green, blue, alpha * opacity], ground), ground].map(light);
  const [dark = 0, bright = 0] = both.toSorted((one, other) => one - other);
  return (bright + 0.05) / (dark + 0.05);
}

function parsed(colour: string): Colour {
  const isShare = colour.startsWith("color(");
  const [red = 0, green = 0, blue = 0, alpha = 1] = (colour.match(/[\d.]+(?=[ ,)/])/g) ?? []).map(
    Number,
  );
  const scale = isShare ? 255 : 1;
  return colour === "transparent" || colour === "none"
    ? [0, 0, 0, 0]
    : [red * scale, green * scale, blue * scale, alpha];
}

function over([red, green, blue, alpha]: Colour, below: Colour): Colour {
  const mixed = (one: number, other: number) => one * alpha + other * (1 - alpha);
  return [mixed(red, below[0]), mixed(green, below[1]), mixed(blue, below[2]), 1];
}

function light(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.slice(0, 3).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Runs in the page: each text that is drawn, with the colours that take part. */
function collect(root: Element): Text[] {
  const document = root.ownerDocument;
  const found: Text[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent?.trim() ?? "";
    const parent = walker.currentNode.parentElement;
    if (
      text === "" ||
      !parent?.checkVisibility({ opacityProperty: true }) ||
      /SCRIPT|STYLE|TITLE/i.test(parent.tagName)
    ) {
      continue;
    }
    const inPicture = parent.namespaceURI !== "http://www.w3.org/1999/xhtml";
    const { color, fill } = getComputedStyle(parent);
    const behind: string[] = [];
    let opacity = 1;
    const box = inPicture && parent.parentElement?.querySelector("rect");
    if (box) {
      behind.push(getComputedStyle(box).fill);
    }
    for (let at: Element | null = parent; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      behind.push(style.backgroundColor);
      opacity *= Number(style.opacity);
    }
    found.push({ text: text.slice(0, 60), colour: inPicture ? fill : color, opacity, behind });
  }
  for (const one of root.querySelectorAll("input")) {
    const behind = [getComputedStyle(one).backgroundColor];
    for (let at = one.parentElement; at; at = at.parentElement) {
      behind.push(getComputedStyle(at).backgroundColor);
    }
    const isEmpty = one.value === "" && one.placeholder !== "";
    const { color, opacity } = getComputedStyle(one, isEmpty ? "::placeholder" : undefined);
    const text = one.value || one.placeholder;
    if (text !== "" && one.checkVisibility()) {
      found.push({ text, colour: color, opacity: Number(opacity), behind });
    }
  }
  return found;
}
