"""Runs a check on each agent that a file defines: the one of a header, or those of a table."""

from collections.abc import Callable, Iterator
from functools import wraps

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.memo import memoised
from agent_lsp.model.check import Finding
from agent_lsp.syntax.nodes import Mapping, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile, as_template

_Check = Callable[[TemplateFile, Mapping], Iterator[Finding]]


def of_each(check: _Check) -> Callable[[TemplateFile], Iterator[Finding]]:
    """A check of a file that runs `check` on each of its agents, and on the mapping of its keys.

    Nothing is said of a file whose header the program does not use.
    """

    @wraps(check)
    def run(file: TemplateFile) -> Iterator[Finding]:
        if header.loads(file):
            for one, top in agents(file):
                yield from check(one, top)

    return run


@memoised
def agents(file: TemplateFile) -> tuple[tuple[TemplateFile, Mapping], ...]:
    """The agents of a file, each with the mapping of its keys."""
    top = header.root(file)
    if top is None:
        return ()
    if not file.dialect.schema.is_tables:
        return ((file, top),)
    table = top.get("agent")
    node = resolve(table.value) if table is not None else None
    found = []
    for name in file.names if isinstance(node, Mapping) else ():
        entry = node.get(name.name) if isinstance(node, Mapping) else None
        inner = resolve(entry.value) if entry is not None else None
        if isinstance(inner, Mapping):
            found.append((as_template(file, (name,)), inner))
    return tuple(found)


def place(file: TemplateFile) -> Span:
    """Where a finding on an agent as a whole stands: its name in the text, or the first fence."""
    return file.names[0].span or header.opening(file)
