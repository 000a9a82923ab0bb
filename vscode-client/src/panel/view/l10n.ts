/** The words of a page in the language of VS Code, as far as somebody has translated them. */

const BUNDLE = JSON.parse(document.documentElement.dataset["l10n"] ?? "{}") as Readonly<
  Record<string, string | undefined>
>;

/** `message` translated, with `values` for `{0}`, `{1}` and so on. */
export function t(message: string, ...values: readonly (string | number)[]): string {
  return pieces(message)
    .map((piece, at) => (at % 2 === 1 ? String(values[Number(piece)] ?? "") : piece))
    .join("");
}

/** `message` translated, with elements for `{0}`, `{1}` and so on. */
export function rich(message: string, ...values: readonly Node[]): Node[] {
  return pieces(message).flatMap((piece, at) => {
    const value = at % 2 === 1 ? values[Number(piece)] : piece && new Text(piece);
    return value ? [value] : [];
  });
}

/** The text, and at every second place the number of a value. */
function pieces(message: string): string[] {
  return (BUNDLE[message] ?? message).split(/\{(\d+)\}/);
}
