"""Writes what is made of the forms of the settings: `python -m tests.write_settings`."""

import json
import re
from pathlib import Path

from agent_lsp.settings.schema import SCHEMA_FILE, editor_schema, schema, table
from tests.checks.pages import claims

MANIFEST = "vscode-client/package.json"

_ROOT = Path(__file__).parents[1]
_TABLE = re.compile(r"^\| in a file \|.*?\n(?!\|)", re.MULTILINE | re.DOTALL)


def main() -> None:
    """Writes the schema, the table into its page, and the extension's settings."""
    (_ROOT / SCHEMA_FILE).write_text(schema(), encoding="utf-8", newline="\n")
    page = _ROOT / "docs/settings.md"
    text = page.read_text(encoding="utf-8")
    page.write_text(_TABLE.sub(lambda _: table(), text, count=1), encoding="utf-8", newline="\n")
    manifest = _ROOT / MANIFEST
    made = json.loads(manifest.read_text(encoding="utf-8"))
    made["contributes"]["configuration"]["properties"] |= editor_schema(claims())
    written = json.dumps(made, indent=2, ensure_ascii=False) + "\n"
    manifest.write_text(written, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
