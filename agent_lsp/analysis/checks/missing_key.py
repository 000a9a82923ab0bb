"""A mapping lacks a key that the parser insists on."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header, known_keys
from agent_lsp.analysis.checks.messages import code, refused
from agent_lsp.analysis.checks.model import Finding, Rule
from agent_lsp.model.template import LoadErrorKind
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each mapping that the parser refuses for want of a key."""
    for fault in header.faults(file, LoadErrorKind.MISSING):
        list_name, _, name = fault.key.rpartition(".")
        if not list_name and known_keys.stands_below(file, name):
            continue
        place = f"this item of {code(list_name.partition('[')[0])}" if list_name else "the header"
        level = header.level_at(file, fault.span)
        misspelt = known_keys.misspelt(file, level, name) if level is not None else None
        if misspelt is not None:
            thing = f"{place} has {code(misspelt.name or '')} and lacks {code(name)}"
            message = refused(file, thing, f"write {code(name)}")
            yield Finding(misspelt.key.span, message, meant=(name,))
            continue
        thing = f"{place} has no {code(name)}"
        where = _place(file, level, fault.span) if list_name else header.opening(file)
        is_bare = bool(list_name) and (level is None or not level.mapping.entries)
        yield Finding(where, refused(file, thing, "remove it" if is_bare else "add it"))


def _place(file: TemplateFile, level: header.Level | None, span: Span) -> Span:
    """The first key of the mapping, or the dash of an item in which there is none."""
    if level is not None:
        return level.mapping.entries[0].key.span if level.mapping.entries else span
    text = file.document.text
    dash = text.rfind("-", file.document.frontmatter.inner.start, span.start)
    is_before = dash >= 0 and not text[dash + 1 : span.start].strip()
    return Span(dash, dash + 1) if is_before else span


RULE = Rule("missing-key", check)
