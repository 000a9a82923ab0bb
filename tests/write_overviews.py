"""Writes the overviews of rules and systems: `python -m tests.write_overviews`.

These are `docs/rules/README.md`, from the pages beside it and the severities in the code,
`docs/dialects/README.md`, and the last part of each rule's page, from `docs/how-we-know.md`.
"""

from agent_lsp.cli.commands.explain import page
from tests.checks.pages import FOLDER, OVERVIEW, PARTS, measured, overview
from tests.dialect_pages import PAGE, comparison
from tests.systems import CODES


def main() -> None:
    """Writes all of them."""
    for code in CODES:
        rest = page(code).partition(f"\n## {PARTS[-1]}\n")[0].rstrip("\n")
        text = f"{rest}\n\n## {PARTS[-1]}\n\n{measured(code)}\n"
        (FOLDER / f"{code}.md").write_text(text, encoding="utf-8", newline="\n")
    OVERVIEW.write_text(overview(), encoding="utf-8", newline="\n")
    PAGE.write_text(comparison(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
