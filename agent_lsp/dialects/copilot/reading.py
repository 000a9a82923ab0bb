"""Reads one agent file as VS Code does, and as Copilot CLI does.

Invariants: VS Code refuses no file: what it loses of a header is a possible error, and the
effective values are those that it has. The declared values are what the author meant. Copilot CLI
loads a file as a whole, or not at all.
Facts: VS Code 1.139.1 (`PromptFileParser`) and Copilot CLI 1.0.102, run 2026-11-28
(`tests/conformance/copilot.jsonl`).
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from agent_lsp.analysis.checks.messages import listed
from agent_lsp.analysis.checks.unknown_key import begun
from agent_lsp.data_classes import replace
from agent_lsp.dialects.copilot import (
    AGENT,
    CHAT_MODE,
    CLI,
    PLAIN,
    VSCODE,
    cli_header,
    header_reader,
    id_at,
    policy,
    readers_at,
    values,
)
from agent_lsp.dialects.copilot.header_reader import DUPLICATE, INVALID, Header
from agent_lsp.model.runtime import DefinedName, Scope
from agent_lsp.model.template import Block, LoadError, LoadErrorKind, Reading, Template, Value
from agent_lsp.patterns import regex
from agent_lsp.syntax import frontmatter, nodes
from agent_lsp.syntax.document import Document, parse
from agent_lsp.syntax.frontmatter import FenceKind, Frontmatter
from agent_lsp.syntax.nodes import Broken, Entry, Scalar, resolve
from agent_lsp.text import Span

_MARK = "\ufeff"
_FENCE = regex(r"---\s*")
_LINE = regex(r"[^\r\n]*(?P<end>\r\n|\r|\n|\Z)")
_LINE_OF_CLI = regex(r"[^\n]*(?P<end>\n|\Z)")
_NOTHING = Template({}, (), (Block(None, "", Span(0, 0)),))


def split(text: str, _bom: bool) -> Frontmatter:
    """The header, the fences and the body as VS Code finds them; a lone CR ends a line."""
    return _split(text, _LINE)


def split_for_cli(text: str, _bom: bool) -> Frontmatter:
    """As `split`, for Copilot CLI, to which a lone CR is text."""
    return _split(text, _LINE_OF_CLI)


def _split(text: str, line: re.Pattern[str]) -> Frontmatter:
    """The parts of a file; one byte-order mark does not count."""
    start = len(_MARK) if text.startswith(_MARK) else 0
    first = line.match(text, start)
    if first is None or not _FENCE.fullmatch(first[0]):
        return Frontmatter(FenceKind.ABSENT, Span(0, 0), Span(0, 0), None, Span(0, len(text)))
    opening = Span(start, start + len(first[0].rstrip("\r\n")))
    begin = at = end = first.end()
    while at < len(text):
        row = line.match(text, at)
        if row is None:
            break
        if _FENCE.fullmatch(row[0]):
            close = Span(at, at + len(row[0].rstrip("\r\n")))
            inner, body = Span(begin, max(begin, end)), Span(row.end(), len(text))
            return Frontmatter(FenceKind.CLOSED, opening, inner, close, body)
        end, at = at + len(row[0].rstrip("\r\n")), row.end()
    meant = frontmatter.split(text[start:], lambda row: bool(_FENCE.fullmatch(row)))
    inner, body = _moved(meant.inner, start), _moved(meant.body, start)
    return Frontmatter(FenceKind.UNCLOSED, opening, inner, None, body)


def _moved(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)


def name_of(file_name: str) -> str | None:
    """The name that a file gives to its agent where the header gives none, or None."""
    for end in (AGENT, CHAT_MODE, PLAIN):
        if file_name.endswith(end):
            return file_name.removesuffix(end) or None
    return None


def names_in(document: Document, scope: Scope, path: Path) -> tuple[DefinedName, ...]:
    """The name in the header as VS Code reads it, or else that of the file.

    A file that no program takes for an agent has none, and one that only Copilot CLI takes has the
    name that it has there. A text beside agents, such as a `README.md`, is none: VS Code does not
    look at it, and the CLI refuses a file without a header.
    """
    takers = readers_at(scope, path) if not scope.builtin else VSCODE
    if not takers:
        return ()
    if takers == CLI:
        if document.frontmatter.fence is FenceKind.ABSENT and not path.name.endswith(AGENT):
            return ()
        named = read_for_cli(document, "").declared.settings.get("name")
        if named is not None and named.text:
            return (DefinedName(named.text, named.span),)
        return (DefinedName(id_at(scope, path)),)
    value = settings(document).get("name")
    if value is not None:
        return (DefinedName(value.text, value.span),)
    own = name_of(path.name)
    return () if own is None else (DefinedName(own),)


def header(document: Document) -> Header:
    """What VS Code reads in the header; of one without an end, the rest of the file is header."""
    cut = document.frontmatter
    if cut.fence is FenceKind.ABSENT:
        return header_reader.read("")
    end = cut.close.start if cut.close is not None else len(document.text)
    begin = min(cut.inner.start, end)
    return header_reader.read(document.text[begin:end], begin)


def entry(document: Document, name: str) -> Entry | None:
    """The first key of a name as VS Code reads the header, with its value, or None."""
    return next((one for one in header(document).entries if one.name == name), None)


def settings(document: Document) -> dict[str, Value]:
    """The values of a header as VS Code takes them."""
    return values.settings(header(document).entries)


def meant(document: Document) -> dict[str, Value]:
    """The values that the author means: those of VS Code, and those that it loses."""
    found = settings(document)
    top = resolve(document.tree.root)
    tolerant = top.entries if isinstance(top, nodes.Mapping) else ()
    whole = (one for one in tolerant if not isinstance(resolve(one.value), Broken))
    return {**values.settings(whole), **found}


def _called(found: dict[str, Value], tool_of: Callable[[str], str]) -> dict[str, Value]:
    """`found` with the names of today for tools, and the entries as they are written."""
    tools = found.get("tools")
    if tools is None:
        return found
    items = (replace(item, value=tool_of(item.text), written=item.text) for item in tools.items)
    return {**found, "tools": replace(tools, value=tuple(items))}


def read(document: Document, _name: str) -> Reading:
    """What VS Code has of a file, and what it loses of the header."""
    cut = document.frontmatter
    found = _called(settings(document), policy.in_vs)
    held = Template(found, (), (_prompt(document),))
    if cut.fence is FenceKind.ABSENT:
        return Reading(held, held)
    intended = _called(meant(document), policy.in_vs)
    declared = Template(intended, (), (Block(None, cut.body.of(document.text), cut.body),))
    if cut.fence is FenceKind.UNCLOSED:
        return Reading(declared, held)
    possible = tuple(_possible(document))
    return Reading(declared if possible else held, held, possible_errors=possible)


def _prompt(document: Document) -> Block:
    """The text below the header, as it is; a header without an end leaves none."""
    cut, text = document.frontmatter, document.text
    if cut.fence is FenceKind.UNCLOSED:
        return Block(None, "", Span(len(text), len(text)))
    body = cut.body
    if cut.fence is FenceKind.ABSENT and text.startswith(_MARK):
        body = Span(len(_MARK), len(text))
    return Block(None, body.of(text), body)


def _possible(document: Document) -> Iterator[LoadError]:
    found = header(document)
    lost = lost_names(document)
    is_cut = found.rest is not None or any(one.code == INVALID for one in found.faults)
    if lost or is_cut:
        said, kind = consequence(document, lost), LoadErrorKind.SYNTAX
        is_certain = bool(lost) or not found.entries or said.endswith(_EVERY)
        yield LoadError(kind, cause(document), said, certain=is_certain)
        return
    for one in found.faults:
        if one.code == DUPLICATE:
            name = one.span.of(document.text).strip("\"'")
            said = "VS Code uses the first one"
            yield LoadError(LoadErrorKind.DUPLICATE, one.span, said, name)


def lost_names(document: Document) -> tuple[str, ...]:
    """The names of the keys that stand in the header and that VS Code does not read."""
    found, text, inner = header(document), document.text, document.frontmatter.inner
    have = {one.name for one in found.entries}
    top = resolve(document.tree.root)
    entries = top.entries if isinstance(top, nodes.Mapping) else ()
    names = [one.name for one in entries if one.value is not None and one.name is not None]
    is_open = found.open_quote is not None or any(one.opened is not None for one in found.faults)
    if found.rest is not None or is_open or not found.entries:
        # A reader of YAML may give up at the same place.
        start = text.rfind("\n", 0, cause(document).start) + 1
        rest = Span(max(start, inner.start), inner.end)
        first = found.entries[0].key.span.start if found.entries else inner.start
        column = first - max(text.rfind(end, 0, first) for end in "\r\n") - 1
        names = [*_begun(text, rest, column, is_whole=not found.entries), *names]
    return tuple(name for name in dict.fromkeys(names) if name not in have)


def _begun(text: str, rest: Span, column: int, *, is_whole: bool) -> Iterator[str]:
    """The known keys that lines set, or are meant to set, in the part that VS Code does not read.

    The keys begin in `column`. The header `is_whole` in that part if no key of it is read.
    """
    for row in _ROW.finditer(text, rest.start, rest.end):
        if len(row["blanks"]) > column:
            continue
        found = meant_by(row["line"])
        if found is not None and (
            is_whole or found[0] in _FOR_TOOLS or not _DASH.match(row["line"])
        ):
            yield found[0]


def meant_by(line: str) -> tuple[str, str] | None:
    """The key that a line sets, or is meant to set, and the value in the line; or None."""
    found = begun(line, _KNOWN) or begun(_DASH.sub("", line), _KNOWN)
    if found is None:
        word, _, rest = line.partition(" ")
        names = rest.replace(",", " ").split()
        if word == _TOOLS and names and all(map(policy.is_tool, names)):
            return word, rest.strip()
    return found


_ROW = regex(r"^(?P<blanks>[ \t]*)(?P<line>[^\s#][^\r\n]*)", re.MULTILINE)
_DASH = regex(r"^[-*>][ \t]+")
_TOOLS = "tools"
_FOR_TOOLS = frozenset({_TOOLS, *values.INSTEAD_OF_TOOLS})
_KNOWN = frozenset({*values.TEXTS, *values.SWITCHES, *values.OTHERS, *_FOR_TOOLS})


def cause(document: Document) -> Span:
    """The line or the sign because of which VS Code loses the rest of a header."""
    found, text, inner = header(document), document.text, document.frontmatter.inner
    if found.open_quote is not None:
        return found.open_quote
    if found.rest is None and text.startswith(_MARK, inner.start):
        # It belongs to the first key.
        return Span(inner.start, inner.start + len(_MARK))
    opened = next((one.opened for one in found.faults if one.opened is not None), None)
    if not found.entries and opened is None:
        # The first line decides whether there are keys.
        first = next((row for row in _TEXT.finditer(text, inner.start, inner.end)), None)
        start = first.start() if first is not None else inner.start
    elif found.rest is None:
        if opened is not None:
            return opened
        start = inner.start
    elif opened is not None and opened.start < found.rest:
        return opened
    else:
        start = found.rest
    row = _LINE.match(text, start)
    end = row.start("end") if row is not None else start
    return Span(start, max(start, end))


# The first text that is no comment.
_TEXT = regex(r"^(?![ \t]*(?:#|\r?$))[^\r\n]*[^\s]", re.MULTILINE)


_EVERY = ", and the agent has every tool"


def consequence(document: Document, names: tuple[str, ...]) -> str:
    """What VS Code makes of a header that it does not read to its end, where `names` are lost."""
    lost = "the text is lost"
    if names:
        lost = f"{listed(names, 'and')} {'is' if len(names) == 1 else 'are'} lost"
    written, tools = entry(document, _TOOLS), settings(document).get(_TOOLS)
    if tools is None and (written is not None or not _FOR_TOOLS.isdisjoint(names)):
        return f"{lost}{_EVERY}"
    is_open = tools is None or bool(tools.items)
    return lost if is_open or names else f"{lost}, and the agent has no tools"


def read_for_cli(document: Document, _name: str) -> Reading:
    """What Copilot CLI has of a file, or why it does not load it."""
    given, document = document, _with_column_of_mark(document)
    cut = document.frontmatter
    top = resolve(document.tree.root)
    entries = top.entries if isinstance(top, nodes.Mapping) else ()
    known = (one for one in entries if one.name in cli_header.KNOWN)
    taken = dict(_of_cli(_called(values.settings(known), policy.in_cli), entries))
    body = cut.body.of(document.text)
    bare = body.strip()
    start = cut.body.start + (body.index(bare) if bare else 0)
    written = Template(taken, (), (Block(None, bare, Span(start, start + len(bare))),))
    if cut.fence is not FenceKind.CLOSED:
        unseen = LoadError(LoadErrorKind.UNSEEN, cut.open, cli_header.NO_HEADER)
        return Reading(written, _NOTHING, (unseen,))
    errors = tuple(cli_header.errors(document))
    if document is not given and not any(cli_header.errors(given)):
        # The mark is the only reason.
        mark = Span(cut.inner.start, cut.inner.start + len(_MARK))
        errors = tuple(replace(one, span=mark) for one in errors)
    return Reading(written, _NOTHING if errors else written, errors)


def _with_column_of_mark(document: Document) -> Document:
    """The document with a blank for a byte-order mark at the start of its header.

    The CLI skips the mark, and counts its column, so that a key beside it is indented.
    """
    start, text = document.frontmatter.inner.start, document.text
    if not text.startswith(_MARK, start) or document.frontmatter.fence is not FenceKind.CLOSED:
        return document
    return parse(f"{text[:start]} {text[start + len(_MARK) :]}", split_for_cli)


_SWITCHES = frozenset({"user-invocable", "disable-model-invocation", "infer"})


def _divided(node: Scalar) -> Iterator[Value]:
    """The items of a text for the CLI: quotes around one belong to it."""
    return (one for one in values.in_text(node, quotes="") if one.text)


def _of_cli(found: dict[str, Value], entries: tuple[Entry, ...]) -> Iterator[tuple[str, Value]]:
    """The values that differ from those of VS Code: other words for true, and lists."""
    yield from found.items()
    for entry in entries:
        node, name = resolve(entry.value), entry.name or ""
        if entry.value is None or node is None:
            continue
        if name in _SWITCHES and isinstance(node, Scalar) and cli_header.type_of(node) == "boolean":
            yield name, Value(node.value.lower() == "true", entry.value.span, entry.key.span)
        elif name == "tools" and isinstance(node, Scalar | nodes.Sequence):
            items = values.texts(node) if isinstance(node, nodes.Sequence) else _divided(node)
            value = Value(tuple(items), entry.value.span, entry.key.span)
            yield from _called({name: value}, policy.in_cli).items()
        elif name == "skills" and isinstance(node, nodes.Sequence):
            yield name, Value(tuple(values.texts(node)), entry.value.span, entry.key.span)
