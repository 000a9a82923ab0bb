"""Reads one agent file as Claude Code does: header, values, prompt, and the names in it.

Invariants: a name with a colon belongs to an agent of a plugin, because no other agent may have
one; a file of a plugin counts whatever its header; a file without a readable header counts as a
lost agent only if it can be nothing else, and as documentation otherwise. Merge keys (`<<`) count:
measured with Claude Code 2.1.332, 2026-11-28.
Facts: code.claude.com/docs/sub-agents and plugins-reference as of 2026-10-08, read 2026-11-28; that
a header defines no agent if it is a list or text, or continues behind one: Claude Code 2.1.332,
measured 2026-11-28.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

from agent_lsp.data_classes import replace
from agent_lsp.dialects.claude import entries, frontmatter, hooks, lost_header, policy
from agent_lsp.dialects.claude.facts import (
    ALIASES,
    ALLOW,
    DENY,
    EFFORTS,
    KEYS,
    KNOWN,
    LONGEST_NAME,
    TELLING,
)
from agent_lsp.dialects.claude.shapes import IGNORED, shapes
from agent_lsp.model.runtime import DefinedName, Scope
from agent_lsp.model.schema import ValueKind
from agent_lsp.model.template import Block, LoadError, LoadErrorKind, Reading, Template, Value
from agent_lsp.patterns import regex
from agent_lsp.syntax.document import Document, memoised
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.syntax.nodes import Broken, Entry, Mapping, Node, Scalar, Sequence, Style, resolve
from agent_lsp.text import Span

# A line of more words is not an unfinished key, and neither is bold text or a quotation.
_WORDS = 3
_PROSE = regex(r"\*\*|>[ \t]|[*+][ \t]|-[ \t]+(?!name:)")
# A key at the start of a line, also as an item, or behind a bracket or a quote that opens the line.
_LINE_KEY = regex(
    r"^[ \t]*(?:-[ \t]+)*[\[{\"']?[ \t]*(?P<key>[A-Za-z][\w-]*)[\"']?:(?=[ \t\r\n]|\Z)",
    re.MULTILINE,
)
# A single key may be a word of a text, or of any list.
_FEW = 2


def is_note(document: Document, scope: Scope) -> bool:
    """Whether the file has no header, or one that does not describe an agent.

    A plugin loads every file of its folder, including notes: measured with Claude Code 2.1.332,
    2026-11-28.
    """
    return not (scope.prefix and not scope.lost) and _is_note(document, bool(scope.prefix))


# Asked for the names in a file, and for its reading.
@memoised
def _is_note(document: Document, in_plugin: bool) -> bool:
    if document.frontmatter.fence is FenceKind.ABSENT:
        # In UTF-16, each letter has a NUL.
        if document.text.replace("\0", "")[:3] == "---":
            return False
        is_empty = not document.text.strip("\ufeff \t\r\n")
        is_agent = lost_header.below(document) is not None
        return not (is_empty or is_agent or (not in_plugin and lost_header.addresses(document)))
    if lost_header.below(document) is not None or _is_lost(document, in_plugin):
        return False
    if document.tree.problem is not None and _begins_with_prose(document):
        return True
    if is_no_mapping(document):
        return False
    top = document.tree.top
    keys = set(_keys(top.entries if isinstance(top, Mapping) else ()))
    if not keys:
        # An unfinished key may become one; a rule above text does not.
        is_begun = (
            document.frontmatter.fence is FenceKind.CLOSED
            or not document.frontmatter.body.of(document.text)
        )
        inner = document.frontmatter.inner.of(document.text).strip()
        return not is_begun or not any(key.startswith(inner) for key in KNOWN)
    # Swapped letters of `name` make a word that nobody uses for anything else.
    is_named = any(sorted(key.lower()) == sorted("name") for key in keys)
    is_agent = is_named or not keys.isdisjoint(TELLING)
    return not is_agent and not keys <= KNOWN


def _is_lost(document: Document, in_plugin: bool) -> bool:
    """Whether a closed header in another notation, or the text below it, is that of an agent."""
    if in_plugin or document.frontmatter.fence is not FenceKind.CLOSED:
        return False
    other = lost_header.meant(document)
    return (other is not None and other.is_whole) or lost_header.addresses(document)


def is_no_mapping(document: Document) -> bool:
    """Whether the header has the keys of an agent but is not a mapping, so they are not read."""
    if isinstance(document.tree.top, Mapping) and document.tree.rest is None:
        return False
    if lost_header.meant(document) is not None or lost_header.addresses(document):
        return True
    inner = document.frontmatter.inner
    keys = {found["key"] for found in _LINE_KEY.finditer(document.text, inner.start, inner.end)}
    keys |= set(_in_items(document.tree.root))
    return "name" in keys or len(keys & KNOWN) >= _FEW


def _keys(entries: Iterable[Entry]) -> Iterator[str]:
    """The keys of a header, and the known words that begin a line without a colon."""
    for entry in entries:
        name = entry.name or ""
        word = name if entry.value else re.split(r"[\s:]", name, maxsplit=1)[0]
        if word and (entry.value or word in KNOWN):
            yield word


def _in_items(root: Node | None) -> Iterator[str]:
    """The keys of mappings in a list."""
    top = resolve(root)
    for item in top.items if isinstance(top, Sequence) else ():
        inner = resolve(item)
        if isinstance(inner, Mapping):
            yield from (entry.name for entry in inner.entries if entry.name)


def _begins_with_prose(document: Document) -> bool:
    """Whether the first line below a rule is a sentence, as in a text that begins with a rule."""
    lines = document.frontmatter.inner.of(document.text).splitlines()
    first = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    return bool(_PROSE.match(first)) or (":" not in first and len(first.split()) > _WORDS)


_LISTS = frozenset(key.name for key in KEYS if key.kind is ValueKind.LIST)
_IN_TEXT = frozenset(key.name for key in KEYS if key.in_text)
_FOLDED = {
    "model": frozenset(alias.name for alias in ALIASES),
    "effort": frozenset((*(effort.name for effort in EFFORTS), "med")),
}
# If a word begins with a number, the runtime takes the number.
_NUMBER = regex(r"\s*[-+]?\d")
# Keys whose words do not count with a blank or a line end around them (2.1.332, 2026-11-28).
_AS_WRITTEN = frozenset({"effort", "permissionMode", "memory", "background", "isolation"})
_WORDS_OF = {
    key.name: frozenset(choice.name for choice in key.choices)
    for key in KEYS
    if key.name in ("permissionMode", "memory", "background", "omitClaudeMd")
}
_TEXTS = frozenset({"name", "description"})
_NOTHING = ("", "~", "null", "Null", "NULL")
_MERGE = "<<"
_EMPTY = Template({}, (), (Block(None, "", Span(0, 0)),))
SKIPPED = "the runtime skips the file"
NO_HOOK = "the runtime drops it, and it never runs"
LAST_COUNTS = "the last one is used"
_LOSES = "the agent loads under the name of its file, without its header"


def name_of(file_name: str) -> str | None:
    """The stem of a Markdown file, which is the name in a plugin if the header has none."""
    stem, dot, extension = file_name.rpartition(".")
    # A file `.md` is one as well.
    return (stem or file_name) if dot and extension.lower() == "md" else None


def names_in(document: Document, scope: Scope, path: Path) -> tuple[DefinedName, ...]:
    """The name in the header, if it is allowed; in a plugin behind the names of its folders."""
    if scope.prefix:
        return (_in_plugin(document, scope, path),)
    if not is_looked_at(path, scope) or is_note(document, scope):
        return ()
    value = _written(document, False).get("name") or lost_header.below(document)
    name = value.text if value is not None else ""
    is_absent = document.frontmatter.fence is FenceKind.ABSENT
    if value is None and is_absent and lost_header.addresses(document):
        # The agent has no name, and that of its file is as good as any.
        return () if lost_header.is_note_by_name(path.stem) else (DefinedName(path.stem),)
    return (DefinedName(name, value.span if value else None),) if is_name(name) else ()


def tie(scope: Scope) -> str:
    """The rule between two files of one name in a plugin, or an empty text.

    Elsewhere the last one is used, in the order of whole paths by UTF-16 units: measured with
    Claude Code 2.1.332, 2026-11-28, with 140 names. In a plugin, each of three sessions chose
    differently.
    """
    return "the moment at which the runtime has read each" if scope.prefix else ""


def is_looked_at(path: Path, scope: Scope) -> bool:
    """Whether the runtime reads a file with this extension: `a.MD` only in a plugin.

    Measured with Claude Code 2.1.332, 2026-11-28.
    """
    return bool(scope.prefix) or path.name.endswith(".md")


def _in_plugin(document: Document, scope: Scope, path: Path) -> DefinedName:
    """The name in a readable header, or that of the file, behind the names of its folders."""
    is_read = document.frontmatter.fence is FenceKind.CLOSED and _broken(document) is None
    value = _written(document, True).get("name") if is_read else None
    name = value.text.strip() if value is not None else ""
    top = document.tree.top
    entry = top.get("name") if is_read and isinstance(top, Mapping) else None
    node = entry.node if entry is not None else None
    if isinstance(node, Sequence):
        # A list becomes text with commas, as in JavaScript.
        items = map(resolve, node.items)
        name = ",".join(item.value for item in items if isinstance(item, Scalar))
    inner = path.parent.relative_to(scope.folder).parts if scope.folder in path.parents else ()
    parts = (*inner, name or path.stem)
    return DefinedName(scope.prefix + ":".join(parts), value.span if value and name else None)


def is_name(name: str) -> bool:
    """Whether an agent may have this name."""
    is_of_plugin = ":" in unicodedata.normalize("NFKC", name)
    return 0 < len(name) <= LONGEST_NAME and not is_of_plugin and not name.startswith("-")


def read(document: Document, name: str) -> Reading:
    """The declared and the effective template, and why the runtime skips or loses the rest."""
    in_plugin = ":" in name
    written = Template(_written(document, in_plugin), (), (_prompt(document),))
    if in_plugin and document.frontmatter.fence is not FenceKind.CLOSED:
        # Without a header, all of the text is the prompt.
        return Reading(written, Template({}, (), (_all_prompt(document),)), ())
    if document.frontmatter.fence is not FenceKind.CLOSED:
        return Reading(
            written, _EMPTY, (LoadError(LoadErrorKind.UNSEEN, document.frontmatter.open, SKIPPED),)
        )
    errors, possible = [], []
    for error in _errors(document, written, plugin=in_plugin):
        if in_plugin and error.kind is LoadErrorKind.MISSING:
            continue
        if in_plugin and error.kind is not LoadErrorKind.TYPE:
            possible.append(replace(error, message=_LOSES))
        elif not error.certain:
            possible.append(error)
        else:
            errors.append(error)
    held = _EMPTY if errors else _counting(written, possible)
    if in_plugin and _broken(document) is not None:
        held = replace(written, settings={})
    return Reading(written, held, tuple(errors), possible_errors=tuple(possible))


def _errors(document: Document, declared: Template, *, plugin: bool) -> Iterator[LoadError]:
    """Yields the load errors of the header, certain ones first."""
    broken = _broken(document)
    if broken is not None:
        yield broken
        return
    top = document.tree.top
    entries_ = top.entries if isinstance(top, Mapping) else ()
    wrong = tuple(shapes(entries_, SKIPPED, plugin=plugin))
    yield from wrong
    yield from () if plugin else _hooks(top)
    description = declared.settings.get("description")
    is_described = (description is not None and description.text) or any(
        f.key == "description" for f in wrong
    )
    if not is_described:
        place = top.span if isinstance(top, Mapping) else document.frontmatter.open
        yield LoadError(LoadErrorKind.MISSING, place, SKIPPED, "description")
    seen = set()
    for entry in entries_:
        # An unknown key may occur several times.
        if entry.name in KNOWN and entry.name in seen:
            yield LoadError(
                LoadErrorKind.DUPLICATE, entry.key.span, LAST_COUNTS, entry.name, certain=False
            )
        seen.add(entry.name)


def _hooks(top: Node | None) -> Iterator[LoadError]:
    """Yields the load errors of hooks; `expected` says what to write, `got` what is there."""
    if not isinstance(top, Mapping) or not any(entry.name in hooks.AT_TOP for entry in top.entries):
        return
    for fault in hooks.faults(top):
        message = SKIPPED if fault.in_guard else NO_HOOK
        kind, key = LoadErrorKind.FORBIDDEN, "hooks"
        yield LoadError(
            kind, fault.span, message, key, fault.fix, fault.thing, certain=fault.in_guard
        )


def _broken(document: Document) -> LoadError | None:
    """The reason why the runtime does not read the header as YAML, or may not."""
    problem, rest = document.tree.problem, document.tree.rest
    if problem is not None:
        if frontmatter.is_read(document):
            return None
        place = problem.span
    elif rest is not None:
        place = rest
    elif is_no_mapping(document):
        place = document.frontmatter.inner
    else:
        return None
    return LoadError(LoadErrorKind.SYNTAX, place, SKIPPED)


# Both the names in a file and its reading need them.
@memoised
def _written(document: Document, in_plugin: bool) -> dict[str, Value]:
    """The known keys that are set, as far as they can be read."""
    values: dict[str, Value] = {}
    for entry in _entries(document.tree.top):
        value = _value(document, entry, in_plugin=in_plugin)
        if value is not None and entry.name is not None:
            values[entry.name] = value
        elif entry.name is not None:
            # Of several entries, only the last one is used, even if it has no value.
            values.pop(entry.name, None)
    return values


def _entries(top: Node | None) -> Iterator[Entry]:
    """The keys of a header: first those that it merges from other mappings, then its own."""
    own = top.entries if isinstance(top, Mapping) else ()
    for merge in (entry.node for entry in own if entry.name == _MERGE):
        # If several mappings have a key, the first one gives its value.
        for source in reversed(merge.items) if isinstance(merge, Sequence) else (merge,):
            mapping = resolve(source)
            yield from mapping.entries if isinstance(mapping, Mapping) else ()
    yield from own


def _value(document: Document, entry: Entry, *, in_plugin: bool) -> Value | None:
    name, node, text = entry.name, entry.node, document.text
    if name is None or name not in KNOWN or node is None or entry.value is None:
        return None
    span = entry.value.span
    if name in _LISTS:
        listed = _listed(text, name, node)
        return None if listed is None else Value(listed, span, entry.key.span)
    if name == "effort" and isinstance(node, Sequence) and len(node.items) == 1:
        # The runtime turns the list into text, which is its item.
        node = resolve(node.items[0])
    if not isinstance(node, Scalar) or _is_nothing(node):
        return None
    if name in _TEXTS:
        # The runtime trims neither. A number counts as text in a plugin, and not elsewhere.
        word = _whole(document, node)
        word = word.replace("\\n", "\n") if name == "description" else word
        is_text = in_plugin or entries.is_text(node)
        return Value(word, span, entry.key.span) if is_text else None
    if name == "model" and not entries.is_text(node):
        return None
    # A boolean counts in each of its spellings, and in quotes in only one.
    word = _whole(document, node) if entries.is_text(node) else node.value.lower()
    word = word if name in _AS_WRITTEN else word.strip(entries.TRIMMED)
    # These are compared regardless of case; full model ids are not.
    is_folded = word.lower() in _FOLDED.get(name, ())
    return Value(word.lower() if is_folded else word, span, entry.key.span)


def _whole(document: Document, node: Scalar) -> str:
    """The text of `node`; a block ends with a line end, even if the header ends inside its line."""
    is_block = node.style in (Style.LITERAL, Style.FOLDED) and bool(node.value)
    mark = node.span.of(document.text).partition("\n")[0]
    is_cut = not node.value.endswith("\n")
    return node.value + "\n" if is_block and is_cut and "-" not in mark else node.value


def _listed(text: str, name: str, node: Node) -> tuple[Value, ...] | None:
    """The items of a list, or of text that stands for one; None if the key counts as unset.

    Any other value is an empty list in `tools`, and unset elsewhere.
    """
    found: tuple[Value, ...] | None = () if name == ALLOW else None
    if isinstance(node, Broken):
        return None
    if isinstance(node, Sequence):
        items = (resolve(item) for item in node.items)
        texts = (item for item in items if isinstance(item, Scalar) and entries.is_text(item))
        found = tuple(entries.of_items(text, texts, flow=node.flow))
    elif isinstance(node, Scalar) and name in _IN_TEXT and entries.is_text(node):
        found = tuple(entries.of_scalar(text, node))
    return found


def _counting(declared: Template, possible: Iterable[LoadError]) -> Template:
    """The values of `declared` that the runtime takes, and denied tools if there is no `*`."""
    ignored = {one.span for one in possible if one.message == IGNORED}
    settings = {
        key: one
        for key, one in declared.settings.items()
        if one.span not in ignored and _is_taken(key, one)
    }
    denied = settings.get(DENY)
    if denied is not None and policy.is_void(denied.items):
        settings[DENY] = replace(denied, value=())
    return Template(settings, declared.personas, declared.blocks)


def _is_taken(key: str, value: Value) -> bool:
    """Whether the runtime takes a word for its key; others count as unset."""
    if key == "effort":
        return value.text in _FOLDED[key] or _NUMBER.match(value.text) is not None
    if key == "model":
        return bool(value.text)
    words = _WORDS_OF.get(key)
    return words is None or value.text in words


def _all_prompt(document: Document) -> Block:
    """The whole text as a prompt."""
    text = document.text.removeprefix("\ufeff")
    start = len(document.text) - len(text.lstrip(entries.TRIMMED))
    prompt = text.strip(entries.TRIMMED)
    return Block(None, re.sub("\r\n", "\n", prompt), Span(start, start + len(prompt)))


def _is_nothing(node: Scalar) -> bool:
    return node.value in _NOTHING and not entries.is_text(node)


def _prompt(document: Document) -> Block:
    """The text below the header, trimmed."""
    body = document.frontmatter.body
    text = body.of(document.text)
    start = body.start + len(text) - len(text.lstrip(entries.TRIMMED))
    prompt = text.strip(entries.TRIMMED)
    return Block(None, re.sub("\r\n", "\n", prompt), Span(start, start + len(prompt)))
