"""Writes what is made of the forms of the settings: `python -m tests.write_settings`."""

import re
from pathlib import Path

from agent_lsp.settings.forms import SCHEMA_FILE, editor_schema, schema, table
from tests.checks.pages import claims
from tests.vscode_words import manifest, write

_ROOT = Path(__file__).parents[1]
_TABLE = re.compile(r"^\| in a file \|.*?\n(?!\|)", re.MULTILINE | re.DOTALL)


def main() -> None:
    """Writes the schema, the table into its page, and the extension's settings."""
    (_ROOT / SCHEMA_FILE).write_text(schema(), encoding="utf-8", newline="\n")
    page = _ROOT / "docs/settings.md"
    text = page.read_text(encoding="utf-8")
    page.write_text(_TABLE.sub(lambda _: table(), text, count=1), encoding="utf-8", newline="\n")
    made = manifest()
    made["contributes"]["configuration"]["properties"] |= editor_schema(claims())
    write(made)


if __name__ == "__main__":
    main()
