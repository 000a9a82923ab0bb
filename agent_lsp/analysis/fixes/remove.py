"""Fixes that remove what is repeated, has no effect, or is not allowed.

Invariants: a removal is safe only if the runtime does the same without the entry, whoever starts
the agent and whatever else allows or denies tools. A fix that changes the tools of an agent is not
safe, because the author has to decide it, unless the key is only misspelled.
"""

import re
from collections.abc import Iterator

from agent_lsp.analysis.checks import header, tool_policy, unknown_key
from agent_lsp.analysis.checks.messages import code, listed
from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.fixes.node_path import entry_at, lifts, node_path, removed
from agent_lsp.analysis.suggest import fold
from agent_lsp.model.check import Proposal
from agent_lsp.model.schema import KeyRole, ValueKind
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Entry, Mapping, Scalar, Sequence, Style, path_at
from agent_lsp.syntax.yaml import edit
from agent_lsp.syntax.yaml.edit import quote
from agent_lsp.text import Span, TextEdit
from agent_lsp.workspace.snapshot import TemplateFile


def without_effect(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Removes an entry that the runtime drops from a list, or that another entry covers."""
    edits = _without(file, diagnostic.span)
    if edits:
        title, but = _remove(file, diagnostic.span), _elsewhere(file, diagnostic)
        yield Proposal(title, edits, safe=not but, caveat=but)


def _elsewhere(file: TemplateFile, diagnostic: Diagnostic) -> str:
    """The effects of the entry outside of a spawned agent, or nothing."""
    reach = file.dialect.references.reach
    if diagnostic.code == "unavailable-tool" and reach.session:
        return f"a session of {reach.session} loses it, too"
    if diagnostic.code == "redundant-entry" and _may_be_part(file, diagnostic.span):
        return "it may be a part of another name"
    if (
        diagnostic.code != "redundant-entry"
        or diagnostic.related
        or _is_repeated(file, diagnostic.span)
    ):
        return ""
    return "it is no longer denied where a call or a session allows more"


def _may_be_part(file: TemplateFile, span: Span) -> bool:
    """Whether the entry is not a tool and blanks divide the text: `Web Search, Web Fetch`."""
    leaf, at = path_at(file.document.tree.root, span.start).node, node_path(file, span)
    is_in_text = isinstance(leaf, Scalar) and (at is None or at.sequence is None)
    word = span.of(file.document.text).strip()
    is_known = any(tool.name == word for tool in file.dialect.tools.listed)
    return is_in_text and word.isalpha() and not is_known


def _is_repeated(file: TemplateFile, span: Span) -> bool:
    """Whether the list, or the text that is one, repeats the entry."""
    leaf, at = path_at(file.document.tree.root, span.start).node, node_path(file, span)
    if at is not None and at.sequence is not None:
        values = [item.value for item in at.sequence.items if isinstance(item, Scalar)]
        return isinstance(at.node, Scalar) and values.count(at.node.value) > 1
    words = leaf.value.replace(",", " ").split() if isinstance(leaf, Scalar) else []
    return words.count(span.of(file.document.text).strip()) > 1


def contradiction(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Removes one of two entries that contradict each other; the author chooses which."""
    lists = ((diagnostic.span, "allowed"), *((link.span, "denied") for link in diagnostic.related))
    for span, which in lists:
        edits = _without(file, span)
        if edits:
            title = f"{_remove(file, span)} from the {which} tools"
            yield Proposal(title, edits, caveat=_shared(file, span))


def _shared(file: TemplateFile, span: Span) -> str:
    """Which keys lose an item together, because the value of one is an alias of the other's."""
    top = header.root(file)
    values = {entry.name or "": entry.node for entry in (top.entries if top else ())}
    names = [
        name
        for name, value in values.items()
        if value is not None and value.span.start <= span.start < value.span.end
    ]
    return f"{listed(names, 'and')} share the list" if len(names) > 1 else ""


def dropped(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Removes an entry, so that the default applies."""
    entry = entry_at(file, diagnostic.span)
    if entry is not None:
        edits = edit.remove_entry(file.document.text, entry)
        yield Proposal(f"Remove {code(entry.name or '')}", edits)


def denied(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Removes an entry that denies every tool, or every allowed one."""
    for span in (diagnostic.span, *(link.span for link in diagnostic.related)):
        at = node_path(file, span)
        if at is not None and at.sequence is not None and not lifts(file, at):
            title = f"{_remove(file, span)} from the denied tools"
            yield Proposal(title, removed(file, at), caveat=_shared(file, span))


def repeated_key(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Removes one of two equal keys; either one if both have the same value."""
    second = entry_at(file, diagnostic.span)
    first = entry_at(file, diagnostic.related[0].span) if diagnostic.related else None
    if first is None or second is None:
        return
    text = file.document.text
    alike = _source(text, first) == _source(text, second)
    name = code(second.name or "")
    yield Proposal(f"Remove the second {name}", edit.remove_entry(text, second), safe=alike)
    if not alike:
        yield Proposal(f"Remove the first {name}", edit.remove_entry(text, first))


def repeated_persona(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Removes the declaration of a persona that is never used."""
    key, top = file.dialect.schema.by_role.get(KeyRole.PERSONAS), header.root(file)
    entry = top.get(key.name) if key and top else None
    if entry is None or not isinstance(entry.value, Sequence):
        return
    for item in entry.value.items:
        if isinstance(item, Mapping) and item.span.start <= diagnostic.span.start < item.span.end:
            title = f"Remove this declaration of {code(diagnostic.span.of(file.document.text))}"
            yield Proposal(title, edit.remove_item(file.document.text, entry.value, item))


def empty_list(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Removes an empty list, which changes nothing, or denies everything instead."""
    entry, top = entry_at(file, diagnostic.span), header.root(file)
    if entry is None or top is None:
        return
    text = file.document.text
    name = code(entry.name or "")
    yield Proposal(f"Remove {name}: it is empty", edit.remove_entry(text, entry))
    deny = file.dialect.schema.by_role.get(KeyRole.DENY)
    if deny is not None and top.get(deny.name) is None:
        added = edit.insert_entry(text, top, deny.name, ("*",), after=entry.name)
        yield Proposal(f'Allow nothing: write `{deny.name}: ["*"]`', added)


def _without(file: TemplateFile, span: Span) -> tuple[TextEdit, ...]:
    """The edits that remove an entry from its list, or from the text that is one."""
    at = node_path(file, span)
    if at is not None:
        return removed(file, at) if at.sequence is not None else ()
    leaf = path_at(file.document.tree.root, span.start).node
    if not isinstance(leaf, Scalar):
        return ()
    if not leaf.span.start <= span.start < span.end <= leaf.span.end:
        return ()
    text, inner = file.document.text, _content(file.document.text, leaf)
    behind = _BEHIND.match(text, span.end, inner.end)
    if behind is not None:
        return (TextEdit(Span(span.start, behind.end()), ""),)
    kept = text[inner.start : span.start].rstrip(_DIVIDERS)
    # The only entry is not removed, because an empty list may mean the opposite of no list.
    return (TextEdit(Span(inner.start + len(kept), span.end), ""),) if kept else ()


# The separator after each entry except the last.
_BEHIND = regex(r"\s*,\s*(?=[^\s,])|\s+(?=[^\s,])")
_DIVIDERS = ", \t\r\n"


def _content(text: str, node: Scalar) -> Span:
    """The span of the text of `node`, without its quotes or block indicator."""
    if node.style in (Style.SINGLE, Style.DOUBLE):
        return Span(node.span.start + 1, node.span.end - 1)
    if node.style in (Style.LITERAL, Style.FOLDED):
        mark, _, _ = node.span.of(text).partition("\n")
        return Span(node.span.start + len(mark), node.span.end)
    return node.span


def _remove(file: TemplateFile, span: Span) -> str:
    return f"Remove {code(span.of(file.document.text)) if len(span) else 'the blank entry'}"


def _source(text: str, entry: Entry) -> str:
    return entry.value.span.of(text).strip() if entry.value is not None else ""


def migrated(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Moves a policy of another system or version to the key that this one has for it."""
    entry, top = entry_at(file, diagnostic.span), header.root(file)
    said = file.dialect.schema.renamed.get(entry.name or "") if entry is not None else None
    if entry is None or said is None or top is None or said.key is None:
        return
    old, new = code(entry.name or ""), code(said.key)
    if top.get(said.key) is not None:
        yield Proposal(f"Remove {old}: {new} is used", _without_entries(file, entry))
    elif unknown_key.harmless(file, said, entry) is not None:
        allows = file.dialect.schema.by_role.get(KeyRole.ALLOW)
        is_allowing = allows is not None and allows.name == said.key
        opposite = f", and `{said.key}: []` would allow nothing" if is_allowing else ""
        title = f"Remove {old}: it limits nothing{opposite}"
        yield Proposal(title, _without_entries(file, entry), safe=True)
    else:
        now = file.dialect.schema.by_name().get(said.key)
        is_list = now is None or now.kind is ValueKind.LIST
        listed = _as_list(file, entry) if is_list else ()
        if listed is not None:
            key = TextEdit(entry.key.span, said.key)
            # A key that differs only in case is certainly the one that was meant.
            is_safe = fold(entry.name or "") == fold(said.key)
            yield Proposal(f"Replace {old} with {new}", (key, *listed), is_safe)


def set_or_removed(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Sets an allow list without a value to the empty list, its opposite, or removes it."""
    entry = entry_at(file, diagnostic.span)
    if entry is None:
        return
    name = code(entry.name or "")
    at = file.document.text.find(":", entry.key.span.end) + 1
    value = entry.value
    is_written = value is not None and len(value.span) > 0
    empty = TextEdit(value.span, "[]") if value and is_written else TextEdit(Span(at, at), " []")
    yield Proposal("Allow nothing: write `[]`", (empty,))
    yield Proposal(f"Remove {name}: it limits nothing", _without_entries(file, entry))


def key_removed(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Removes a key that is the only reason for the runtime to refuse the header."""
    entry = entry_at(file, diagnostic.span)
    if entry is not None:
        yield Proposal(f"Remove {code(entry.name or '')}", _without_entries(file, entry), safe=True)


def _without_entries(file: TemplateFile, entry: Entry) -> tuple[TextEdit, ...]:
    """Removes `entry`, and an optional header that has no other entry."""
    top = header.root(file)
    if file.dialect.format.is_header_optional and top is not None and len(top.entries) == 1:
        return (
            TextEdit(
                Span(file.document.frontmatter.open.start, file.document.frontmatter.body.start), ""
            ),
        )
    return edit.remove_entry(file.document.text, entry)


def _as_list(file: TemplateFile, entry: Entry) -> tuple[TextEdit, ...] | None:
    """Converts the value to a list of tools as this system spells them; None if it is no list."""
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
    """The spelling of a tool in this system: of a known one in another case, or one of a server."""
    server = tool_policy.misnamed(file, name)
    if server is not None and len(server.meant) == 1:
        return server.meant[0]
    return next((tool for tool in tool_policy.policy(file).names if tool == name.lower()), name)
