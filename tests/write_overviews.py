"""Writes the overviews of rules and systems: `python -m tests.write_overviews`.

These are `docs/rules/README.md`, from the pages beside it and the severities in the code, and
`docs/dialects/README.md`.
"""

from tests.checks.pages import OVERVIEW, overview
from tests.dialect_pages import PAGE, comparison


def main() -> None:
    """Writes both."""
    OVERVIEW.write_text(overview(), encoding="utf-8", newline="\n")
    PAGE.write_text(comparison(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
