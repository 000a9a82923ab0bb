"""Writes `docs/rules` from the docstrings of the rules: `python -m tests.rules.write_pages`."""

from pathlib import Path

from agent_lsp.analysis.rules import RULES
from tests.rules.pages import overview

FOLDER = Path(__file__).parents[2] / "docs" / "rules"


def main() -> None:
    """Writes a page for each rule and the overview, and removes pages of rules that are gone."""
    pages = {f"{rule.code}.md": rule.page for rule in RULES} | {"README.md": overview()}
    for stale in FOLDER.glob("*.md"):
        if stale.name not in pages:
            stale.unlink()
    for name, text in pages.items():
        (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
