"""Writes the pages that are made from the code: `python -m tests.rules.write_pages`.

These are `docs/rules`, from the docstrings of the rules, and `docs/dialects/README.md`.
"""

from pathlib import Path

from agent_lsp.analysis.rules import RULES
from tests.dialect_pages import PAGE, comparison
from tests.rules.pages import overview

FOLDER = Path(__file__).parents[2] / "docs" / "rules"


def main() -> None:
    """Writes a page for each rule and the overviews, and removes pages of rules that are gone."""
    pages = {f"{rule.code}.md": rule.page for rule in RULES} | {"README.md": overview()}
    for stale in FOLDER.glob("*.md"):
        if stale.name not in pages:
            stale.unlink()
    for name, text in pages.items():
        (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")
    PAGE.write_text(comparison(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
