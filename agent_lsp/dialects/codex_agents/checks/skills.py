"""Checks for tables that switch no skill off because of their `path`.

Facts: Codex CLI 0.171.0, run 2026-11-29, as in `codex_agents.skills`.
"""

from collections.abc import Iterator
from pathlib import Path

from agent_lsp.analysis.checks.messages import code
from agent_lsp.dialects.codex_agents.checks.refusals import is_read
from agent_lsp.dialects.codex_agents.skills import PATH, is_void, scalar, switches
from agent_lsp.model.check import Check, Field, Finding, Tag
from agent_lsp.model.schema import Severity
from agent_lsp.syntax.nodes import Scalar
from agent_lsp.workspace.exports import NamedIn, keep
from agent_lsp.workspace.skills import place_of
from agent_lsp.workspace.snapshot import TemplateFile

_DOCUMENT = "SKILL.md"


def futile_switch(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each table that switches no skill off because of its `path`."""
    if not is_read(file) or file.reading.errors:
        return
    named = set[Path]()
    for table in switches(file.document):
        path = scalar(table, PATH)
        target = place_of(file, path.value) if path is not None else None
        if path is not None and is_void(table):
            message = "a table with `name` and `path` does not turn off a skill; remove one of them"
            yield Finding(path.span, message, tags=(Tag.UNNECESSARY,), code="no-effect")
        elif path is not None and target is not None:
            named.add(target)
            yield from _missing(file, path, target)
    keep(file.workspace.files, file.path, NamedIn.SKILL, named)


def _missing(file: TemplateFile, path: Scalar, target: Path) -> Iterator[Finding]:
    files, thing = file.workspace.files, code(path.value)
    if files.is_folder(target):
        right = f"{path.value.rstrip('/')}/{_DOCUMENT}"
        message = (
            f"{thing} is a folder, so it does not turn off a skill; did you mean {code(right)}?"
        )
        yield Finding(path.span, message, Severity.WARNING, meant=(right,))
    elif not files.exists(target):
        message = f"{thing} does not exist, so it does not turn off a skill; correct the path"
        yield Finding(path.span, message, Severity.WARNING)


CHECK = Check(("missing-file", "no-effect"), futile_switch, changes=frozenset({Field.KEY}))
