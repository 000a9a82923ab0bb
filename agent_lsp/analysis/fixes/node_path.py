"""Finds the node at a finding, and writes the edits of fixes there.

Invariant: the node is in the text of the file; a node that an alias repeats is found at its anchor.
"""

import re
from functools import lru_cache

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.suggest import nearest
from agent_lsp.model.schema import Key, KeyRole
from agent_lsp.model.system import System
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import (
    Entry,
    Mapping,
    Node,
    NodePath,
    Scalar,
    Sequence,
    Style,
    path_at,
    path_to,
)
from agent_lsp.syntax.yaml import edit
from agent_lsp.syntax.yaml.edit import quote, quote_key
from agent_lsp.text import Span, TextEdit
from agent_lsp.workspace.snapshot import TemplateFile


def node_path(file: TemplateFile, span: Span) -> NodePath[Node] | None:
    """The path to the innermost key, value or item of `file` with exactly this span, or None."""
    return path_to(file.document.tree.root, span)


def entry_at(file: TemplateFile, span: Span) -> Entry | None:
    """The entry whose key is at `span`, or None."""
    found = node_path(file, span)
    return found.entry if found is not None and found.is_key else None


def lifts(file: TemplateFile, at: NodePath[Node]) -> bool:
    """Whether removing an item leaves an empty allow list, which would allow everything."""
    if at.sequence is None or len(at.sequence.items) > 1:
        return False
    above = path_at(file.document.tree.root, at.node.span.start).above
    dotted = ".".join(outer.name or "" for outer in above if isinstance(outer, Entry))
    allow = file.dialect.schema.by_role.get(KeyRole.ALLOW)
    return allow is not None and f".{dotted}".endswith(f".{allow.name}")


def key_for(file: TemplateFile, entry: Entry) -> Key | None:
    """The key of the dialect that `entry` sets, at any depth, or None."""
    return next((key for one, key in header.known_entries(file) if one is entry), None)


def reworded(at: NodePath[Node], word: str) -> tuple[TextEdit, ...]:
    """Replaces a key or a value by `word`, and keeps its quotes, if any."""
    if isinstance(at.node, Mapping | Sequence):
        return ()
    span = at.node.span
    if at.is_key:
        return (TextEdit(span, quote_key(word)),)
    style = at.node.style if isinstance(at.node, Scalar) else Style.PLAIN
    is_bare = word.isprintable() and not set(word) & set("'\"\\")
    if style in (Style.SINGLE, Style.DOUBLE) and is_bare:
        return (TextEdit(span, f"{style.value}{word}{style.value}"),)
    return (TextEdit(span, quote(word, flow=at.flow)),)


def removed(file: TemplateFile, at: NodePath[Node]) -> tuple[TextEdit, ...]:
    """Removes an item from its list, or an entry from its mapping."""
    text = file.document.text
    if at.sequence is not None:
        return edit.remove_item(text, at.sequence, at.node)
    return edit.remove_entry(text, at.entry) if at.entry is not None else ()


# The start of a line that cannot belong to an unindented text.
_NO_TEXT = regex(r"[\w.-]+[ \t]*:|[\"'][^\"']*[\"'][ \t]*:|-(?:[ \t]|$)|[#\]}]|---|\.\.\.")
_NO_PROSE = regex(r"-(?:[ \t]|$)|#")
_KEY = regex(r"[\w.-]+[ \t]*:(?:[ \t]|$)")
# The speakers in example dialogs in descriptions.
_SPEAKERS = frozenset({"assistant", "commentary", "context", "example", "human", "user"})
_NAME = regex(r"([\w.-]+)[ \t]*:(?:[ \t]|$)")


def in_quotes(source: str) -> str:
    """`source`, copied from the file, as a quoted text with the same characters.

    A line end in it is folded as in a plain scalar.
    """
    if '"' not in source and "\\" not in source:
        return f'"{source}"'
    return "'" + source.replace("'", "''") + "'"


def line_end(text: str) -> str:
    """The line end of the first line of `text`, or the default one."""
    stop = text.find("\n")
    return "\r\n" if stop > 0 and text[stop - 1] == "\r" else "\n"


def line_start(text: str, at: int) -> int:
    """The offset at which the line of `at` begins."""
    return text.rfind("\n", 0, at) + 1


def whole_line(text: str, at: int) -> Span:
    """The line of `at`, with its line end."""
    stop = text.find("\n", at)
    return Span(line_start(text, at), len(text) if stop < 0 else stop + 1)


def whole_value(file: TemplateFile, span: Span, *, prose: bool) -> Span | None:
    """The whole value, down to its last line, of which `span` is the part on its first line.

    None if the lines below it may not belong to it: they are not indented, are items or comments
    or, unless it is `prose`, look like keys. Below `prose`, a line like `Note: so` or `user: so` is
    a key only if some system has a key of that name.
    """
    text, end = file.document.text, file.document.frontmatter.inner.end
    line = whole_line(text, span.start)
    behind = text[span.end : line.end].strip()
    if behind and not behind.startswith("#"):
        return span
    stop = min(block_end(text, span.start), end)
    below = [row.strip() for row in text[line.end : stop].splitlines() if row.strip()]
    after = next((row for row in text[stop:end].splitlines() if row.strip()), None)
    if after is not None and (
        not _NO_TEXT.match(after.lstrip()) or (prose and _may_go_on(file, after))
    ):
        return None
    if not below:
        return span
    unclear = any(_NO_PROSE.match(row) or (not prose and _KEY.match(row)) for row in below)
    return None if behind or unclear else Span(span.start, stop)


def _may_go_on(file: TemplateFile, row: str) -> bool:
    """Whether an unindented line may continue the prose above it.

    A word that is no key in any system may name a speaker or begin a sentence.
    """
    found = _NAME.match(row)
    if found is None:
        return re.match(r"-(?:[ \t]|$)", row) is not None
    name = found[1]
    if name.lower() not in _SPEAKERS and not name[0].isupper():
        return False
    known = {
        *(key.name for key in file.dialect.schema.keys),
        *file.dialect.schema.ignored,
        *file.dialect.schema.renamed,
    }
    known |= {*file.dialect.schema.elsewhere, *file.options.extra(file.dialect.id).keys}
    known |= keys_of_any_system(file.workspace.systems)
    return name not in known and nearest(name, tuple(known)) is None


@lru_cache(maxsize=1)
def keys_of_any_system(systems: tuple[System, ...]) -> frozenset[str]:
    """The names of all keys in the YAML headers of all systems."""
    dialects = (system.dialect for system in systems)
    return frozenset(
        key.name for dialect in dialects if not dialect.is_toml for key in dialect.schema.keys
    )


def block_end(text: str, at: int) -> int:
    """The end of the line of `at` and of all lines below it that are indented deeper."""
    first = whole_line(text, at)
    column, end = indent(first.of(text)), first.end
    stop = end
    while stop < len(text):
        line = whole_line(text, stop)
        row = line.of(text)
        if row.strip() and indent(row) <= column:
            break
        stop = line.end
        end = stop if row.strip() else end
    return len(text[:end].rstrip("\r\n"))


def indent(line: str) -> int:
    """The number of blanks at the start of a line."""
    return len(line) - len(line.lstrip(" "))


def placeholder(file: TemplateFile, key: Key) -> str:
    """A placeholder for `key` that the runtime accepts; only a name is the final value."""
    if key.role is KeyRole.AGENT and file.name is not None:
        return file.name
    if key.role is KeyRole.DESCRIPTION:
        return "TODO: say what it is for"
    return key.choices[0].name if key.choices else f"TODO: {key.name}"
