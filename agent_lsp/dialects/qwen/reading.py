"""Reads one agent file as Qwen Code does: header, values, prompt, and what it refuses.

Invariant: of a header that is no YAML the effective values are those of the line reader, and the
declared ones what the author meant by it. If the two are the same, nothing is lost.
Facts: Qwen Code 0.24.4, `parseSubagentContent` in subagents/subagent-manager and the functions that
it calls, read and measured 2026-11-28 (`tests/conformance/qwen.jsonl`).
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from agent_lsp.analysis.checks.messages import code
from agent_lsp.data_classes import dataclass
from agent_lsp.dialects.qwen import line_reader, values
from agent_lsp.dialects.qwen.facts import AS_APPROVAL, COLORS
from agent_lsp.dialects.qwen.refusals import PREFIX, broken_claim, failures, refusals, wrong_values
from agent_lsp.dialects.qwen.tools import is_tool, tool_of
from agent_lsp.dialects.qwen.values import Read, text_of, trimmed
from agent_lsp.model.runtime import DefinedName, Scope
from agent_lsp.model.template import Block, LoadError, LoadErrorKind, Reading, Template, Value
from agent_lsp.patterns import regex
from agent_lsp.syntax import frontmatter, nodes
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.frontmatter import FenceKind, Frontmatter
from agent_lsp.syntax.nodes import Broken, Entry, Node, Scalar, Style, Tree, resolve
from agent_lsp.syntax.yaml import javascript
from agent_lsp.syntax.yaml.properties import glued_keys
from agent_lsp.syntax.yaml.signs import lone_signs
from agent_lsp.text import Span

_END = r"(?:\r\n|\r|\n)"
_OPEN = regex(rf"\ufeff?---{_END}")
_CLOSE = regex(rf"{_END}---(?P<end>{_END})")
_LINE_END = regex(_END)
_FENCE = "---"
_NO_HEADER = f"{PREFIX}Invalid format: missing YAML frontmatter"
_EMPTY = Template({}, (), (Block(None, "", Span(0, 0)),))
# The names of files that explain a folder.
NOTES = frozenset({"readme", "changelog", "contributing", "license", "agents", "qwen", "index"})


def split(text: str, _bom: bool) -> Frontmatter:
    """The header, the fences and the body of `text`; only a line that is just `---` is a fence."""
    opened = _OPEN.match(text)
    if opened is None:
        return Frontmatter(FenceKind.ABSENT, Span(0, 0), Span(0, 0), None, Span(0, len(text)))
    opening = Span(0, len(opened[0].rstrip("\r\n")))
    closed = _CLOSE.search(text, opened.end())
    if closed is not None:
        at = closed.start("end") - len(_FENCE)
        inner = Span(opened.end(), closed.start())
        body = Span(closed.end(), len(text))
        return Frontmatter(FenceKind.CLOSED, opening, inner, Span(at, at + len(_FENCE)), body)
    meant = frontmatter.split(text, lambda line: line.strip() == _FENCE)
    return Frontmatter(FenceKind.UNCLOSED, opening, meant.inner, None, meant.body)


def parse(text: str, start: int = 0) -> Tree:
    """The tree of a header, as a parser of YAML 1.2 reads it."""
    return javascript.parse(text, start, npm=True)


def name_of(file_name: str) -> str | None:
    """The stem of a file that the runtime reads: one whose name ends in `.md`, in lower case."""
    return file_name.removesuffix(".md") if file_name.endswith(".md") else None


def names_in(document: Document, _scope: Scope, path: Path) -> tuple[DefinedName, ...]:
    """The name in the header; a lost agent without one is called after its file here."""
    found = effective(document) if document.frontmatter.fence is FenceKind.CLOSED else {}
    name = found.get("name") or meant(document, found).get("name")
    text = text_of(name) if name is not None else None
    if name is not None and text:
        return (DefinedName(text, name.span),)
    is_empty = not trimmed(document.text)
    is_note = is_empty or (path.stem.lower() in NOTES and not meant(document, found))
    return () if is_note else (DefinedName(path.stem),)


# A document is asked for several times by each of its checks.
@lru_cache(maxsize=4)
def effective(document: Document) -> Mapping[str, Read]:
    """The values of a header as the runtime reads them, by YAML or line by line."""
    header = document.frontmatter.inner
    if is_yaml(document):
        return _with_line_end(document, values.mapping(document.tree.root))
    return line_reader.read(header.of(document.text), header.start)


def _with_line_end(document: Document, found: dict[str, Read]) -> dict[str, Read]:
    """`found`, where a block of text at the end of the header ends its line, as others do.

    libyaml ends it only where the text does, and the runtime's parser always.
    """
    top, end = resolve(document.tree.root), document.frontmatter.inner.end
    last = top.entries[-1] if isinstance(top, nodes.Mapping) and top.entries else None
    node = resolve(last.value) if last is not None else None
    name = values.name_of(last.key) if last is not None else ""
    if last is None or name not in found or not isinstance(node, Scalar):
        return found
    is_block = node.style in (Style.LITERAL, Style.FOLDED) and node.span.end >= end
    mark = _LINE_END.split(node.span.of(document.text), maxsplit=1)[0]
    if is_block and node.value and "-" not in mark and not node.value.endswith("\n"):
        one = found[name]
        found[name] = Read(f"{node.value}\n", one.span, one.key)
    return found


def is_yaml(document: Document) -> bool:
    """Whether the runtime's parser of YAML takes the header, and finds a mapping in it."""
    is_mapping = isinstance(resolve(document.tree.root), nodes.Mapping)
    return is_mapping and fault(document) is None


@dataclass(frozen=True, slots=True)
class Fault:
    """The reason why a header is no YAML to the runtime; `repeated` is a second key of a name."""

    span: Span
    repeated: Entry | None = None


@lru_cache(maxsize=4)
def fault(document: Document) -> Fault | None:
    """The first reason why a header is no YAML to the runtime, or None."""
    tree = document.tree
    if tree.problem is not None:
        return Fault(tree.problem.span)
    if tree.rest is not None:
        return Fault(tree.rest)
    tab = _tab_in_text(document.text, tree.root)
    if tab is not None:
        return Fault(tab)
    header = document.frontmatter.inner
    text = header.of(document.text)
    signs = (*glued_keys(tree.root, text, header.start), *lone_signs(tree.root, text, header.start))
    sign = min(signs, default=None)
    return Fault(sign) if sign is not None else next(_stricter(document.text, tree.root), None)


_TAB_ROW = regex(r"(?<=\n)\t[ \t]*(?=\r?\n)")


def _tab_in_text(text: str, root: Node | None) -> Span | None:
    """The first line in the text of a key that is only a tab with blanks behind it, or None."""
    top = resolve(root)
    for entry in top.entries if isinstance(top, nodes.Mapping) and "\t" in text else ():
        one = entry.value
        is_block = isinstance(one, Scalar) and one.style in (Style.LITERAL, Style.FOLDED)
        found = (
            None
            if is_block or not isinstance(one, Scalar)
            else _TAB_ROW.search(text, one.span.start, one.span.end)
        )
        if found is not None:
            return Span(*found.span())
    return None


def _stricter(text: str, root: Node | None) -> Iterator[Fault]:
    """What the runtime's parser rejects and libyaml takes: a repeated key, and a glued comment."""
    waiting, seen = [root], set[int]()
    while waiting:
        one = waiting.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        if not values.takes_tag(one):
            yield Fault(one.span)
        is_closed = isinstance(one, Scalar) and one.style in (Style.SINGLE, Style.DOUBLE)
        if is_closed and text[one.span.end : one.span.end + 1] == "#":
            yield Fault(Span(one.span.end, one.span.end + 1))
        if isinstance(one, nodes.Sequence):
            waiting += reversed(one.items)
        elif isinstance(one, nodes.Mapping):
            yield from _keys(one)
            waiting += [entry.value for entry in reversed(one.entries)]


def _keys(mapping: nodes.Mapping) -> Iterator[Fault]:
    """The keys that stand twice, and those with the tag of a merge that merge no mapping."""
    names = set[object]()
    for entry in mapping.entries:
        if values.is_merge(entry):
            if not all(isinstance(one, nodes.Mapping) for one in values.merged(entry)):
                yield Fault(entry.key.span)
            continue
        name = values.unique_name(entry.key)
        if name in names:
            yield Fault(entry.key.span, entry)
        names.add(name)


# The keys of which the author's intention can be told from a header that is no YAML.
_WORDS = frozenset({"name", "description", "model", "approvalMode", "permissionMode", "color"})
_LISTS = frozenset({"tools", "disallowedTools"})


def meant(document: Document, found: Mapping[str, Read]) -> Mapping[str, Read]:
    """The values that the author meant, where the header is not YAML; else those that are `found`.

    A value that error recovery cannot read either is the one that the runtime has.
    """
    if document.frontmatter.fence is FenceKind.CLOSED and is_yaml(document):
        return found
    tolerant = resolve(document.tree.root)
    intended = dict(found)
    for entry in tolerant.entries if isinstance(tolerant, nodes.Mapping) else ():
        name, read = entry.name or "", values.of_node(entry.value)
        if read is None or isinstance(resolve(entry.value), Broken):
            continue
        is_list = name in _LISTS and isinstance(read.value, tuple | str)
        is_word = name in _WORDS and isinstance(read.value, str) and _is_whole(entry)
        if is_list or is_word or (name not in found and name not in _LISTS | _WORDS):
            intended[name] = Read(read.value, read.span, entry.key.span)
    return intended


def _is_whole(entry: Entry) -> bool:
    node = resolve(entry.value)
    return isinstance(node, Scalar) and bool(node.value)


def read(document: Document, _name: str) -> Reading:
    """The declared and the effective template, and why the runtime skips or changes the file."""
    if document.frontmatter.fence is not FenceKind.CLOSED:
        written = _template(document, meant(document, {}))
        unseen = LoadError(LoadErrorKind.UNSEEN, document.frontmatter.open, _NO_HEADER)
        return Reading(written, _EMPTY, (unseen,))
    found = effective(document)
    intended = meant(document, found)
    held = _template(document, found)
    declared = held if intended is found else _template(document, intended)
    reason = fault(document)
    header = document.frontmatter.inner
    claim = broken_claim(
        header.of(document.text),
        None if reason is None else reason.span.start - header.start,
        is_repeated=reason is not None and reason.repeated is not None,
    )
    if claim is not None and reason is not None:
        broken = LoadError(LoadErrorKind.SYNTAX, reason.span, claim)
        return Reading(declared, _EMPTY, (broken,))
    errors = tuple(refusals(document, found, held.default.text))
    if errors and reason is not None and reason.repeated is None:
        # A key that is only lost on the way is not what is missing.
        lost = [one.key for one in errors if one.kind is LoadErrorKind.MISSING]
        if any(key in intended for key in lost) or not isinstance(
            resolve(document.tree.root), nodes.Mapping
        ):
            errors = (LoadError(LoadErrorKind.SYNTAX, reason.span, errors[0].message),)
    if errors:
        twice = (
            one for one in _misread(document, declared, held) if one.kind is LoadErrorKind.DUPLICATE
        )
        calls = failures(document) if "executor" not in found else ()
        more = (*twice, *wrong_values(found), *calls)
        return Reading(declared, _EMPTY, errors, possible_errors=more)
    possible = list(_misread(document, declared, held))
    if not possible:
        possible += wrong_values(found)
    if "executor" not in found:
        possible += failures(document)
    return Reading(declared, held, possible_errors=tuple(possible))


def _template(document: Document, found: Mapping[str, Read]) -> Template:
    return Template(dict(_settings(found)), (), (_prompt(document),))


def _prompt(document: Document) -> Block:
    """The text below the header, trimmed, with LF for each end of a line."""
    body = document.frontmatter.body
    text = body.of(document.text)
    start = body.start + len(text) - len(text.lstrip(values.BLANKS))
    bare = trimmed(text)
    prompt = bare.replace("\r\n", "\n").replace("\r", "\n")
    return Block(None, prompt, Span(start, start + len(bare)))


def _settings(found: Mapping[str, Read]) -> Iterator[tuple[str, Value]]:
    """The keys that have an effect, with their values as the runtime uses them."""
    for key, one in found.items():
        value = _value(key, one)
        if value is not None:
            yield key, Value(value, one.span, one.key)
    mode = found.get("permissionMode")
    approval = found.get("approvalMode")
    is_own = approval is not None and approval.value != ""
    word = mode.value if mode is not None and isinstance(mode.value, str) else ""
    if mode is not None and word in AS_APPROVAL and not is_own:
        yield "approvalMode", Value(AS_APPROVAL[word], mode.span, mode.key)
    if "model" not in found or found["model"].value == "":
        legacy = found.get("modelConfig")
        model = legacy.members.get("model") if legacy is not None else None
        if model is not None and isinstance(model.value, str):
            yield "model", Value(model.value, model.span, model.key)


_COLOR_NAMES = frozenset(choice.name for choice in COLORS)


def _value(key: str, one: Read) -> object | None:
    """The value of a key in effect, or None where the key counts as absent."""
    text = text_of(one) if not isinstance(one.value, Mapping) else None
    if key in ("name", "description"):
        return text
    if key in _LISTS:
        return entries(one) or None
    if key == "model":
        return text or None
    if key in ("approvalMode", "executionBackend"):
        return one.value or None if isinstance(one.value, str) else None
    if key == "permissionMode":
        return one.value if one.value in tuple(AS_APPROVAL) else None
    if key == "color":
        return one.value if isinstance(one.value, str) and one.value in _COLOR_NAMES else None
    if key == "background":
        return text if text in ("true", "false") and one.value in (text, True, False) else None
    if key == "maxTurns":
        number = values.count(one)
        return None if number is None else str(number)
    return _of_mapping(key, one)


def _of_mapping(key: str, one: Read) -> object | None:
    """What counts of a mapping: the names of servers and events, a program, limits."""
    members = one.members
    if key == "mcpServers":
        names = {name: member for name, member in members.items() if _is_mapping(member)}
    elif key == "hooks":
        names = {name: member for name, member in members.items() if _is_list(member)}
    elif key == "executor":
        command = members.get("command")
        return trimmed(text_of(command) or "") if command is not None else None
    elif key == "runConfig":
        shown = [
            f"{name}: {text_of(member)}" for name, member in members.items() if member.is_number
        ]
        return ", ".join(shown) or None
    else:
        return None
    return tuple(Value(name, member.key or member.span) for name, member in names.items()) or None


def _is_mapping(one: Read) -> bool:
    return isinstance(one.value, Mapping)


def _is_list(one: Read) -> bool:
    return isinstance(one.value, tuple)


def entries(one: Read) -> tuple[Value, ...]:
    """The entries of a list of tools; anything but a list or text has none."""
    if isinstance(one.value, tuple):
        texts = (item for item in one.value if isinstance(item.value, str))
        return tuple(
            Value(tool_of(str(item.value)), item.span, written=str(item.value)) for item in texts
        )
    if isinstance(one.value, str):
        return tuple(_in_text(one.value, one.span))
    return ()


def _in_text(text: str, span: Span) -> Iterator[Value]:
    """The entries of a text, divided by commas; in quotes or a block their places are not exact."""
    lead = 0 if len(text) == len(span) else 1 if len(text) + 2 == len(span) else None
    at = 0
    for piece in text.split(","):
        bare = trimmed(piece)
        if bare:
            start = at + len(piece) - len(piece.lstrip(values.BLANKS))
            place = span
            if lead is not None:
                place = Span(span.start + lead + start, span.start + lead + start + len(bare))
            yield Value(tool_of(bare), place, written=bare)
        at += len(piece) + 1


_EVERY_TOOL = "the agent gets every tool"


def _misread(document: Document, declared: Template, held: Template) -> Iterator[LoadError]:
    """The possible error of a header that is no YAML, if the runtime reads another one in it."""
    reason = fault(document)
    if reason is None:
        return
    lost = list(differences(declared, held))
    header = document.frontmatter.inner
    cut = line_reader.cut_value(header.of(document.text), header.start)
    if cut is not None and reason.repeated is None and cut in held.settings:
        others = (one for one in lost if not one.startswith(f"`{cut}` is"))
        lost = [*others, f"`{cut}` ends with its first line"]
    if reason.repeated is not None:
        said = consequence(lost) if lost else "the last one is used"
        kind, key = LoadErrorKind.DUPLICATE, reason.repeated.name or ""
        yield LoadError(kind, reason.span, said, key, certain=False)
    elif lost:
        yield LoadError(LoadErrorKind.SYNTAX, reason.span, consequence(lost))


def consequence(lost: list[str]) -> str:
    """What the runtime makes of a header that is no YAML."""
    *others, last = lost
    things = f"{', '.join(others)} and {last}" if others else last
    return f"the runtime reads the header line by line: {things}"


def differences(declared: Template, held: Template) -> Iterator[str]:
    """The values that the runtime has instead of what the author meant, a clause each."""
    for key in ("tools", "disallowedTools"):
        mine, its = (one.settings.get(key) for one in (declared, held))
        wanted = [item.text for item in mine.items] if mine is not None else []
        got = [item.text for item in its.items] if its is not None else []
        if wanted == got:
            continue
        if not got:
            yield _EVERY_TOOL if key == "tools" else f"`{key}` removes nothing"
        else:
            entries_ = ", ".join(f"`{one}`" for one in got)
            is_none = key == "tools" and not any(map(is_tool, got))
            effect = ", so the agent has no tools" if is_none else ""
            yield f"`{key}` has the entries {entries_}{effect}"
    for key in declared.settings.keys() | held.settings.keys():
        if key in _LISTS:
            continue
        mine, its = (one.settings.get(key) for one in (declared, held))
        if its is None:
            yield f"`{key}` is lost"
        elif mine is not None and mine.value != its.value and isinstance(its.value, str):
            yield f"`{key}` is {code(its.text)}"
