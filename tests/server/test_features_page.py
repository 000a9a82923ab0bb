"""The page that lists the features agrees with the methods that the server answers."""

import re

from lsprotocol import types

from agent_lsp.server.app import create
from tests.server.editor import ROOT

# Notifications that keep both sides in step are no features.
_HOUSEKEEPING = re.compile(
    r"initialize.*|shutdown|exit|textDocument/(did|willSave).*|workspace/did.*"
)
_ALWAYS = {types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, types.WORKSPACE_EXECUTE_COMMAND}


def test_every_method_has_one_row() -> None:
    page = (ROOT / "docs" / "features.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| `(\w+/[\w/]+)` \|", page)
    asked = {
        method for method in create().protocol.fm.features if not _HOUSEKEEPING.fullmatch(method)
    }

    assert sorted(rows) == sorted(asked | _ALWAYS)
