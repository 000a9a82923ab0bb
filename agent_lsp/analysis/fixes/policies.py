"""Fixes for a tool policy that the runtime does not see, and for keys that it refuses.

Invariant: what changes the tools of an agent is not safe, since the author has to want it, unless
the key is only misspelt.
"""

import re
from collections.abc import Iterator

from agent_lsp.analysis.checks import header, tool_policy, unknown_key
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.fixes.model import Proposal
from agent_lsp.analysis.fixes.node_path import entry_at
from agent_lsp.analysis.suggest import fold
from agent_lsp.model.schema import KeyRole
from agent_lsp.syntax.nodes import Entry, Scalar, Sequence
from agent_lsp.syntax.yaml import edit
from agent_lsp.syntax.yaml.quote import quote
from agent_lsp.text import Span, TextEdit
from agent_lsp.workspace.snapshot import TemplateFile


def migrated(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """A policy of another system or version moves to the key that it has here."""
    entry, top = entry_at(file, diagnostic.span), header.root(file)
    said = file.dialect.renamed.get(entry.name or "") if entry is not None else None
    if entry is None or said is None or top is None or said.key is None:
        return
    old, new = code(entry.name or ""), code(said.key)
    if top.get(said.key) is not None:
        yield Proposal(f"Remove {old}: {new} counts", _without(file, entry))
    elif unknown_key.harmless(file, said, entry) is not None:
        allows = file.dialect.key_with_role(KeyRole.ALLOW)
        is_allowing = allows is not None and allows.name == said.key
        opposite = f", and `{said.key}: []` would allow nothing" if is_allowing else ""
        title = f"Remove {old}: it limits nothing{opposite}"
        yield Proposal(title, _without(file, entry), safe=True)
    else:
        listed = _as_list(file, entry)
        if listed is not None:
            key = TextEdit(entry.key.span, said.key)
            # In another case it is the same key, and no doubt that it was meant.
            is_safe = fold(entry.name or "") == fold(said.key)
            yield Proposal(f"Write {new} in place of {old}", (key, *listed), is_safe)


def set_or_removed(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """An allow list without a value gets the empty one, which is the opposite, or goes away."""
    entry = entry_at(file, diagnostic.span)
    if entry is None:
        return
    name = code(entry.name or "")
    at = file.document.text.find(":", entry.key.span.end) + 1
    value = entry.value
    is_written = value is not None and len(value.span) > 0
    empty = TextEdit(value.span, "[]") if value and is_written else TextEdit(Span(at, at), " []")
    yield Proposal("Allow nothing: write `[]`", (empty,))
    yield Proposal(f"Remove {name}: it limits nothing", _without(file, entry))


def removed(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """A key goes away for which alone the runtime refuses the header."""
    entry = entry_at(file, diagnostic.span)
    if entry is not None:
        yield Proposal(f"Remove {code(entry.name or '')}", _without(file, entry), safe=True)


def _without(file: TemplateFile, entry: Entry) -> tuple[TextEdit, ...]:
    """Takes `entry` out; where a header may be absent, one that has no other entry goes, too."""
    top = header.root(file)
    if file.dialect.is_header_optional and top is not None and len(top.entries) == 1:
        return (
            TextEdit(
                Span(file.document.frontmatter.open.start, file.document.frontmatter.body.start), ""
            ),
        )
    return edit.remove_entry(file.document.text, entry)


def _as_list(file: TemplateFile, entry: Entry) -> tuple[TextEdit, ...] | None:
    """What makes a list of tools of the value, spelt as they are here; None if it is no such."""
    value = entry.value
    if isinstance(value, Sequence):
        items = (item for item in value.items if isinstance(item, Scalar))
        return tuple(
            TextEdit(item.span, quote(_spelt(file, item.value), flow=True))
            for item in items
            if _spelt(file, item.value) != item.value
        )
    if not isinstance(value, Scalar) or not value.value.strip():
        return None
    names = re.split(r"[\s,]+", value.value.strip(" ,\t\n"))
    listed = ", ".join(quote(_spelt(file, name), flow=True) for name in names)
    return (TextEdit(value.span, f"[{listed}]"),)


def _spelt(file: TemplateFile, name: str) -> str:
    """A tool as it is spelt here, if it is known in another case or is one of a server."""
    server = tool_policy.misnamed(file, name)
    if server is not None and len(server.meant) == 1:
        return server.meant[0]
    return next((tool for tool in tool_policy.names(file) if tool == name.lower()), name)
