"""A mapping lacks a key that the parser insists on."""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header, keys
from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.analysis.rules.wording import code, refused
from agent_lsp.dialects.template import FaultKind
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding for each mapping that the parser refuses for want of a key."""
    for fault in header.faults(of, FaultKind.MISSING):
        list_name, _, name = fault.key.rpartition(".")
        if not list_name and keys.stands_below(of, name):
            continue
        place = f"this item of {code(list_name.partition('[')[0])}" if list_name else "the header"
        level = header.level_at(of, fault.span)
        misspelt = keys.misspelt(of, level, name) if level is not None else None
        if misspelt is not None:
            thing = f"{place} has {code(misspelt.name or '')} and lacks {code(name)}"
            message = refused(of, thing, f"write {code(name)}")
            yield Finding(misspelt.key.span, message, meant=(name,))
            continue
        thing = f"{place} has no {code(name)}"
        where = _place(of, level, fault.span) if list_name else header.opening(of)
        is_bare = bool(list_name) and (level is None or not level.mapping.entries)
        yield Finding(where, refused(of, thing, "remove it" if is_bare else "add it"))


def _place(of: Subject, level: header.Level | None, span: Span) -> Span:
    """The first key of the mapping, or the dash of an item in which there is none."""
    if level is not None:
        return level.mapping.entries[0].key.span if level.mapping.entries else span
    text = of.document.text
    dash = text.rfind("-", of.document.cut.inner.start, span.start)
    is_before = dash >= 0 and not text[dash + 1 : span.start].strip()
    return Span(dash, dash + 1) if is_before else span


RULE = Rule("missing-key", check)
