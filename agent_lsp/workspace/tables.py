"""Begins an agent in a file of tables, from one of those in the starter's file.

Invariant: what is begun is appended, and nothing that stands in the file changes.
"""

import json
import re
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

from agent_lsp.dialects.answers import DefinedName, Scope
from agent_lsp.dialects.model import Dialect
from agent_lsp.text import Span, TextEdit, apply
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.scopes import HostPaths

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def tables(dialect: Dialect, places: HostPaths, files: Files) -> Mapping[str, str]:
    """The tables to begin with, each with the name that it has and without what explains it."""
    folder = places.templates / dialect.id / "starters"
    path = next((folder / name for name in files.entries(folder) if dialect.has(name)), None)
    file = files.read(path) if path is not None and dialect.files else None
    if file is None or path is None:
        return {}
    text, scope = file.text, Scope("project", "project", folder)
    spans = [one.span for one in _named(dialect, text, scope, path) if one.span is not None]
    starts = [text.rfind("\n", 0, span.start) + 1 for span in spans]
    found = {}
    for (start, end), span in zip(pairwise((*starts, len(text))), spans, strict=True):
        lines = text[start:end].rstrip().split("\n")
        # What stands above the next table explains that one.
        while lines and (lines[-1].startswith("#") or not lines[-1].strip()):
            lines.pop()
        found[span.of(text)] = "\n".join(lines) + "\n"
    return found


def with_new_table(
    dialect: Dialect, text: str, table: str, name: str, scope: Scope, path: Path
) -> str | None:
    """What is to be appended to `text` for an agent called `name`; None if that makes none."""
    key = name if _BARE.fullmatch(name) else json.dumps(name, ensure_ascii=False)
    [span] = {one.span for one in _named(dialect, table, scope, path)}
    gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    added = gap + apply(table, [TextEdit(span or Span(0, 0), key)])
    after = dialect.parse(text + added)
    before = [one.name for one in _named(dialect, text, scope, path)]
    names = [one.name for one in _named(dialect, text + added, scope, path)]
    is_sound = not dialect.read(after, name).errors
    return added if is_sound and names == [*before, name] else None


def _named(dialect: Dialect, text: str, scope: Scope, path: Path) -> tuple[DefinedName, ...]:
    return (
        dialect.names_in(dialect.parse(text), scope, path) if dialect.names_in is not None else ()
    )
