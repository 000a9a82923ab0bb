"""Runs a check on each agent that a file defines: the one of a header, or those of a table."""

from collections.abc import Callable, Iterator
from functools import wraps

from agent_lsp.analysis.checks import header
from agent_lsp.dialects.opencode.config import TABLES, tables
from agent_lsp.model.check import Finding
from agent_lsp.syntax.document import memoised
from agent_lsp.syntax.nodes import Mapping, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile, as_template, definition

_Check = Callable[[TemplateFile, Mapping], Iterator[Finding]]


def of_each(check: _Check) -> Callable[[TemplateFile], Iterator[Finding]]:
    """A check of a file that runs `check` on each of its agents, and on the mapping of its keys.

    Nothing is said of a file whose header the program does not use.
    """
    return _of_each(check, header.loads)


def of_each_written(check: _Check) -> Callable[[TemplateFile], Iterator[Finding]]:
    """As `of_each`, also for a file that is refused for one of its values."""
    return _of_each(check, header.parses)


def _of_each(
    check: _Check, is_read: Callable[[TemplateFile], bool]
) -> Callable[[TemplateFile], Iterator[Finding]]:
    @wraps(check)
    def run(file: TemplateFile) -> Iterator[Finding]:
        seen = set()
        for one, top in agents(file) if is_read(file) else ():
            for found in check(one, top):
                # An agent in two tables is read as one.
                if (found.span, found.message) not in seen:
                    seen.add((found.span, found.message))
                    yield found

    return run


@memoised
def agents(file: TemplateFile) -> tuple[tuple[TemplateFile, Mapping], ...]:
    """The agents of a file, each with the mapping of its keys."""
    top = header.root(file)
    if top is None:
        return ()
    if not file.dialect.schema.is_tables:
        return ((file, top),)
    found = []
    for table in TABLES:
        entries = tables(file.document, table)
        for name in file.names:
            entry = entries.get(name.name)
            inner = resolve(entry.value) if entry is not None else None
            if isinstance(inner, Mapping):
                found.append((as_template(file, (name,)), inner))
    return tuple(found)


def overridden(file: TemplateFile) -> frozenset[str]:
    """The settings of an agent that another file of its name gives, too, and decides."""
    found = definition(file)
    if found is None or all(part.path != file.path for part in found.parts):
        return frozenset()
    return frozenset(name for name, part in found.origins.items() if part.path != file.path)


def place(file: TemplateFile) -> Span:
    """Where a finding on an agent as a whole stands: its name in the text, or the first fence."""
    return file.names[0].span or header.opening(file)
