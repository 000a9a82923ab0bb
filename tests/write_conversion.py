"""Writes the table of conversions: `python -m tests.write_conversion`."""

from tests.conversion_page import PAGE, page


def main() -> None:
    """Writes `docs/conversion.md`."""
    PAGE.write_text(page(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
