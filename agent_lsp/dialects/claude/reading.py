"""Reads one agent file as Claude Code does: header, values, prompt, and the names in it.

Invariants: a name with a colon is that of a plugin's agent, since no other may have one; a file
of a plugin counts whatever its header is like.
Facts: code.claude.com/docs/sub-agents and plugins-reference as of 2026-10-08, read 2026-11-28.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from agent_lsp.dialects.answers import Named, Scope
from agent_lsp.dialects.claude import entries, recovery
from agent_lsp.dialects.claude.facts import (
    ALIASES,
    EFFORTS,
    KEYS,
    LONGEST_NAME,
    OTHER_KEYS,
    TELLING,
)
from agent_lsp.dialects.claude.recovery import Outcome
from agent_lsp.dialects.claude.shapes import no_text, shapes
from agent_lsp.dialects.template import Block, Fault, FaultKind, Reading, Template, Value
from agent_lsp.dialects.vocabulary import Kind
from agent_lsp.syntax import markdown, unseen
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.markdown import Cut, Fence
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, Style, resolve
from agent_lsp.text import Span

_LISTS = frozenset(key.name for key in KEYS if key.kind is Kind.LIST)
_IN_TEXT = frozenset(key.name for key in KEYS if key.in_text)
_FOLDED = {
    "model": frozenset(alias.name for alias in ALIASES),
    "effort": frozenset(effort.name for effort in EFFORTS),
}
_KNOWN = frozenset(key.name for key in KEYS) | OTHER_KEYS
_NOTHING = ("", "~", "null", "Null", "NULL")
_EMPTY = Template({}, (), (Block(None, "", Span(0, 0)),))
# A line of more words is no key that is only begun, nor is one that is in bold type or a quotation.
_WORDS = 3
_PROSE = re.compile(r"\*\*|>[ \t]|[*+][ \t]|-[ \t]+(?!name:)")
# A header that is not on the first line, with nothing of weight above it.
_LATE = re.compile(
    r"(?:[ \t]*\r?\n|[ \t]*<!--[^\n]*-->[ \t]*\r?\n|(?:`{3,}|~{3,})[\w-]*[ \t]*\r?\n|#[^\n]*\n)+"
    r"---[ \t]*\r?\n(?P<header>(?:(?!---)[^\n]*\n)+)---[ \t]*(?:\r?\n|\Z)"
)
# A header whose first line is not there, or only looks like `---`.
_NEAR = re.compile(
    r"(?:[ \t]*[-–—]{2,}[ \t]*(?:ya?ml)?[ \t]*\r?\n)?"
    r"(?P<header>(?:name|description):[^\n]*\n(?:(?![ \t]*[-–—]{3})[^\n]*\n)+?)"
    r"[ \t]*[-–—]{3,}[ \t]*(?:\r?\n|\Z)"
)
_NAME = re.compile(
    r"^name:[ \t]*[\"']?(?P<name>[^\s\"'#][^\n\"'#]*?)[\"']?[ \t]*\r?$", re.MULTILINE
)
_LOOKED_AT = 5_000
SKIPPED = "the runtime skips the file"
MAY_SKIP = "the runtime may skip the file"
_LOSES = "the agent loads under the name of its file, without what the header says"


def cut(text: str, bom: bool) -> Cut:
    """The cut at the first line and the next one that is `---`, blanks behind it aside."""
    return markdown.cut(text, lambda line: line.rstrip(" \t") == "---", bom=bom)


def name_of(file_name: str) -> str | None:
    """The stem of a Markdown file, which is the name only for want of one in a plugin."""
    stem, dot, extension = file_name.rpartition(".")
    return stem if dot and stem and extension.lower() == "md" else None


def names_in(document: Document, scope: Scope, path: Path) -> tuple[Named, ...]:
    """The name in the header, if it may be one; in a plugin behind the names of its folders."""
    if is_note(document, scope):
        return ()
    value = _written(document).get("name") or _below(document)
    name = value.text.strip() if value is not None else ""
    if scope.prefix:
        inner = path.parent.relative_to(scope.folder).parts if scope.folder in path.parents else ()
        parts = (*inner, name or path.stem)
        return (Named(scope.prefix + ":".join(parts), value.span if value else None),)
    return (Named(name, value.span if value else None),) if is_name(name) else ()


def is_name(name: str) -> bool:
    """Whether an agent may be called so."""
    return 0 < len(name) <= LONGEST_NAME and ":" not in name and not name.startswith("-")


def is_note(document: Document, _scope: Scope) -> bool:
    """Whether the file has no header, or one that does not speak of an agent."""
    if document.cut.fence is Fence.ABSENT:
        return bool(document.text.strip("\ufeff \t\r\n")) and _below(document) is None
    if document.tree.problem is not None and _begins_with_prose(document):
        return True
    top = resolve(document.tree.root)
    found = top.entries if isinstance(top, Mapping) else ()
    # A word without a colon is no key of the author's own.
    keys = {one.name for one in found if one.name and (one.value or one.name in _KNOWN)}
    keys |= {key for key, *_ in _recovered(document)}
    if not keys:
        # What is only begun may become one; a rule above a text does not.
        is_begun = document.cut.fence is Fence.CLOSED or not document.cut.body.of(document.text)
        inner = document.cut.inner.of(document.text).strip()
        return not is_begun or not any(key.startswith(inner) for key in _KNOWN)
    is_agent = "name" in {key.lower() for key in keys} or not keys.isdisjoint(TELLING)
    return not is_agent and not keys <= _KNOWN


def _below(document: Document) -> Value | None:
    """The name in a header that does not begin as it has to in the first line, or None."""
    if document.cut.fence is not Fence.ABSENT:
        return None
    begin, hidden = document.text[:_LOOKED_AT], unseen.leading(document.text[:_LOOKED_AT])
    if len(hidden):
        # Signs that nobody sees stand above the header as a blank line does.
        begin = f"{' ' * (hidden.end - 1)}\n{begin[hidden.end :]}"
    found = _LATE.match(begin) or _NEAR.match(begin)
    if found is None or "\ndescription:" not in f"\n{found['header']}":
        return None
    name = _NAME.search(document.text, found.start("header"), found.end("header"))
    return Value(name["name"], Span(*name.span("name"))) if name is not None else None


def _begins_with_prose(document: Document) -> bool:
    """Whether the first line below a rule is a sentence, as in a text that begins with one."""
    lines = document.cut.inner.of(document.text).splitlines()
    first = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    return bool(_PROSE.match(first)) or (":" not in first and len(first.split()) > _WORDS)


def read(document: Document, name: str) -> Reading:
    """What the author wrote, what the runtime holds of it, and why it skips or loses the rest."""
    written = Template(_written(document), (), (_prompt(document),))
    if document.cut.fence is not Fence.CLOSED:
        return Reading(written, _EMPTY, (Fault(FaultKind.UNSEEN, document.cut.open, SKIPPED),))
    in_plugin = ":" in name
    faults, doubts = [], []
    for fault in _faults(document, written, plugin=in_plugin):
        if in_plugin and fault.kind is not FaultKind.TYPE:
            doubts.append(replace(fault, message=_LOSES))
        elif not fault.certain:
            doubts.append(fault)
        else:
            faults.append(fault)
    held = _EMPTY if faults else written
    return Reading(written, held, tuple(faults), doubts=tuple(doubts))


def _faults(document: Document, written: Template, *, plugin: bool) -> Iterator[Fault]:
    """What is wrong with the header, what the runtime certainly refuses first."""
    broken = _broken(document)
    if broken is not None:
        yield broken
        return
    top = resolve(document.tree.root)
    entries_ = top.entries if isinstance(top, Mapping) else ()
    wrong = tuple(shapes(entries_, SKIPPED, MAY_SKIP, plugin=plugin))
    yield from wrong
    told = written.settings.get("description")
    is_told = (told is not None and told.text) or any(f.key == "description" for f in wrong)
    if not is_told:
        place = top.span if isinstance(top, Mapping) else document.cut.open
        yield Fault(FaultKind.MISSING, place, SKIPPED, "description")
    seen = set()
    for entry in entries_:
        if entry.name is not None and entry.name in seen:
            yield Fault(FaultKind.DUPLICATE, entry.key.span, MAY_SKIP, entry.name, certain=False)
        seen.add(entry.name)


def _broken(document: Document) -> Fault | None:
    """Why the header is no YAML to the runtime, or may be none."""
    problem, rest = document.tree.problem, document.tree.rest
    if problem is not None:
        header = document.cut.inner
        outcome = recovery.recover(header.of(document.text), header.start).outcome
        if outcome is Outcome.RECOVERED:
            return None
        certain, place = outcome is Outcome.LOST, problem.span
    elif rest is not None:
        # Readers differ about a second document, and agree about a key less indented than others.
        above = document.text[document.cut.inner.start : rest.start].rstrip()
        certain, place = not above.endswith("\n..."), rest
    else:
        return None
    return Fault(FaultKind.SYNTAX, place, SKIPPED if certain else MAY_SKIP, certain=certain)


def _written(document: Document) -> dict[str, Value]:
    """The known keys that are set, as far as they can be told."""
    top = resolve(document.tree.root)
    values: dict[str, Value] = {}
    for entry in top.entries if isinstance(top, Mapping) else ():
        value = _value(document.text, entry)
        if value is not None and entry.name is not None:
            values[entry.name] = value
    for name, key, text, span in _recovered(document):
        if name in _LISTS:
            items = tuple(entries.split(text, span))
            values[name] = Value(items, span, key)
        elif name in _KNOWN:
            values[name] = Value(text, span, key)
    return values


def _recovered(document: Document) -> tuple[tuple[str, Span, str, Span], ...]:
    header = document.cut.inner
    if document.tree.problem is None:
        return ()
    return recovery.recover(header.of(document.text), header.start).values


def _value(text: str, entry: Entry) -> Value | None:
    name, node = entry.name, resolve(entry.value)
    if name is None or name not in _KNOWN or node is None or entry.value is None:
        return None
    span = entry.value.span
    if name in _LISTS:
        listed = _listed(text, name, node)
        return None if listed is None else Value(listed, span, entry.key.span)
    if isinstance(node, Scalar) and not _is_nothing(node):
        word = node.value.strip()
        # These are compared without regard to case, which full ids of models are not.
        is_folded = word.lower() in _FOLDED.get(name, ())
        return Value(word.lower() if is_folded else word, span, entry.key.span)
    return None


def _listed(text: str, name: str, node: Node) -> tuple[Value, ...] | None:
    """The items of a list, or of a text that stands for one; None where nothing is limited."""
    if isinstance(node, Sequence):
        items = (resolve(item) for item in node.items)
        scalars = (item for item in items if isinstance(item, Scalar))
        return tuple(
            value
            for item in (entries.apart(text, scalars) if node.flow else scalars)
            for value in entries.split(entries.source(text, item), item.span)
        )
    if isinstance(node, Scalar) and name in _IN_TEXT and not (_is_nothing(node) or no_text(node)):
        return tuple(entries.split(entries.source(text, node), node.span))
    return () if isinstance(node, Mapping) and name == "tools" else None


def _is_nothing(node: Scalar) -> bool:
    return node.style is Style.PLAIN and node.value in _NOTHING


def _prompt(document: Document) -> Block:
    """The text below the header, trimmed."""
    body = document.cut.body
    text = body.of(document.text)
    start = body.start + len(text) - len(text.lstrip())
    prompt = text.strip()
    return Block(None, re.sub("\r\n", "\n", prompt), Span(start, start + len(prompt)))
