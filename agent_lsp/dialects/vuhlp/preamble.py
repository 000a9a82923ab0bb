"""Reads the `[template]` block of a role template, and the parts that its prompt seems to have.

Invariants: the runtime looks at none of this, so nothing here is ever an error; the block is part
of the prompt. It goes from its header to the next blank line, heading, rule or fence. A header is
no code of Markdown and no comment, and where it is not on top, a line of the block follows: prose
has links that look like it. A part counts as there if any word points to it, and all of them do in
a text that is not in English: nobody is told about words that cannot be looked for.
Facts: "Role template (editable)" in the document of the system, read 2026-11-27.
"""

import re
from collections.abc import Iterator

from agent_lsp.data_classes import dataclass
from agent_lsp.dialects.vuhlp.facts import KEYS
from agent_lsp.model.schema import ValueKind
from agent_lsp.model.template import Block, Reading, Template, Value
from agent_lsp.patterns import regex
from agent_lsp.syntax import frontmatter
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.frontmatter import FenceKind, Frontmatter
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, Style
from agent_lsp.syntax.toml.scan import WordKind as TomlKind
from agent_lsp.syntax.toml.scan import kind
from agent_lsp.text import Span

# Nobody declares more, and the runtime reads none of it.
_LONGEST = 20_000
# Four spaces or a tab make code of it.
_HEADER = regex(r"\ufeff? {0,3}\[[ \t]*template[ \t]*\][ \t]*(?:#.*)?")
_LINE = regex(r"^\ufeff? {0,3}\[[ \t]*template[ \t]*\]", re.MULTILINE)
# A comment that suppresses a finding looks like a heading, and is none.
_END = regex(r"\s*$|#{1,6}[ \t]+(?!agent-template-lsp\b)|[ \t]*(?:```|~~~)|(?:-{3,}|\+{3,})[ \t]*$")
_ENTRY = regex(rf"\r?\n[ \t]*(?:{'|'.join(key.name for key in KEYS)})[ \t]*=")
_HIDDEN = regex(r"<!--.*?(?:-->|\Z)|<pre\b.*?(?:</pre>|\Z)", re.DOTALL | re.IGNORECASE)
_QUOTED = regex(r"""\"[^"\n]*\"|'[^'\n]*'|#.*""")
_ITEM = regex(r"""\s*[\]"']""")
BLANK = " \t\r\n\ufeff"


@dataclass(frozen=True, slots=True)
class Preamble:
    """`header` is the line `[template]`, `span` the whole block with it.

    `settings` are the known keys whose values have the right type, `entries` all that is written.
    """

    header: Span
    span: Span
    settings: dict[str, Value]
    entries: tuple[Entry, ...]


def split(text: str, _bom: bool) -> Frontmatter:
    """Splits off the block without its first line; the whole text is the prompt anyway."""
    whole = Span(0, len(text))
    rows = frontmatter.lines(text)
    header = next(_headers(text, rows), None)
    if header is None:
        return Frontmatter(FenceKind.ABSENT, Span(0, 0), Span(0, 0), None, whole)
    end = start = min(header.end + 1 + text.startswith("\r\n", header.end), len(text))
    depth, resumed = 0, start
    for row in rows:
        line = row.of(text)
        if row.end - start > _LONGEST:
            break
        if depth > 0 and row.start >= resumed and not line.strip():
            # A list goes on below blank lines; what else stands there is the prompt.
            more = _ITEM.match(text, row.end)
            resumed = text.rfind("\n", 0, more.end()) + 1 if more else resumed
        if row.start < resumed:
            continue
        if _END.match(line) or _HEADER.fullmatch(line):
            break
        bare = _QUOTED.sub("", line)
        depth += bare.count("[") - bare.count("]")
        end = row.end
    return Frontmatter(FenceKind.CLOSED, header, Span(start, end), None, whole)


def read(document: Document, _name: str) -> Reading:
    """The declarations, which hold nothing, and the whole text, which is the prompt."""
    found = preamble(document)
    prompt = Block(None, document.text, Span(0, len(document.text)))
    template = Template(found.settings if found else {}, (), (prompt,))
    return Reading(template, template)


def preamble(document: Document) -> Preamble | None:
    """The block of a document that was read with `split` and `toml.parse`, or None."""
    header, inner = document.frontmatter.open, document.frontmatter.inner
    if document.frontmatter.fence is not FenceKind.CLOSED:
        return None
    root = document.tree.root
    entries = root.entries if isinstance(root, Mapping) else ()
    settings: dict[str, Value] = {}
    for entry in entries:
        value = _value(entry)
        if value is not None and entry.name is not None:
            settings.setdefault(entry.name, value)
    return Preamble(header, Span(header.start, max(header.end, inner.end)), settings, entries)


def has_block(text: str) -> bool:
    """Whether `text` has a `[template]` block outside of code fences."""
    # Nearly all files of folders that are somebody else's have no such line at all.
    return bool(_LINE.search(text)) and split(text, False).fence is FenceKind.CLOSED


def name_of(file_name: str) -> str | None:
    """The stem as it is; only `md`, in lower case, is an extension."""
    stem = file_name.removesuffix(".md")
    return stem if stem and stem != file_name else None


def type_of(node: Node | None) -> str:
    """The type of a value, in words."""
    match node:
        case Scalar():
            names = {TomlKind.STRING: "a string", TomlKind.BOOLEAN: "true or false"}
            return names.get(kind(node), kind(node).value)
        case Sequence():
            return "list of strings" if all(map(is_text, node.items)) else "list of other values"
        case Mapping():
            return "table"
        case _:
            return "nothing that can be read"


def is_text(node: Node | None) -> bool:
    """Whether a value is a text."""
    return isinstance(node, Scalar) and kind(node) is TomlKind.STRING


def within_quotes(node: Scalar) -> Span:
    """The span of the text of a value, without its quotes, which may not be closed yet."""
    is_quoted = node.style in (Style.DOUBLE, Style.SINGLE)
    is_closed = is_quoted and len(node.span) >= len(node.value) + 2
    start, end = node.span.start + is_quoted, node.span.end - is_closed
    return Span(start, max(start, end))


def _headers(text: str, rows: Iterator[Span]) -> Iterator[Span]:
    """The rows of `rows` that are headers; those behind the first one are left to be read."""
    top = len(text) - len(text.lstrip(BLANK))
    hidden: tuple[Span, ...] | None = None
    for row in rows:
        if not _HEADER.fullmatch(row.of(text)):
            continue
        if hidden is None:
            # An example in a comment or in a fence that hides the other is hidden by either.
            comments = (Span(*found.span()) for found in _HIDDEN.finditer(text))
            hidden = (*frontmatter.code_blocks(text, unclosed=True), *comments)
        if (row.start <= top or _ENTRY.match(text, row.end)) and not _within(hidden, row):
            yield row


def _value(entry: Entry) -> Value | None:
    """The value of a known key with the right type."""
    key = next((key for key in KEYS if key.name == entry.name), None)
    node = entry.value
    if key is None or node is None:
        return None
    if key.kind is ValueKind.TEXT and isinstance(node, Scalar) and is_text(node):
        return Value(node.value, node.span, entry.key.span)
    if key.kind is ValueKind.LIST and isinstance(node, Sequence):
        items = (item for item in node.items if isinstance(item, Scalar) and is_text(item))
        return Value(
            tuple(Value(item.value, item.span) for item in items), node.span, entry.key.span
        )
    return None


def _within(fences: tuple[Span, ...], row: Span) -> bool:
    return any(fence.start <= row.start < fence.end for fence in fences)


_PARTS = (
    (
        "identity",
        r"\byou(?:r|rs|rself)?\b|\b(?:act|acts|acting) as\b|\b(?:identity|role|persona|I am)\b",
    ),
    (
        "responsibilities",
        (
            r"\b(?:responsib\w*|always|tasks?|dut(?:y|ies)|jobs?|must|should|goals?|ensure"
            r"|make sure|check|checks|review|run|write|record|verify"
            r"|find|read|collect|gather|plan|coordinate"
            r"|delegate|split|resolve|implement|fix|test|search|scan|help|helps|build|handle"
            r"|investigate|analy[sz]e|apply|keep|maintain|create|draft|triage|research)\b"
        ),
    ),
    (
        "constraints",
        (
            r"\b(?:constraints?|never|not|no|cannot|avoid|only|limit(?:s|ed)?|without|skip|refuse"
            r"|except|unless|forbidden|refrain|minimal|stop|stay|boundar(?:y|ies))\b|n['\u2019]t\b"
        ),
    ),
    (
        "output style",
        (
            r"\b(?:outputs?|format\w*|styles?|respon[ds]\w*|reply|replies|reports?|summar\w+|answers?"
            r"|produces?|returns?|deliver\w*|markdown|json|yaml|tables?|lists?|bullets?|lines?"
            r"|sentences?|sections?|write in|end with|headings?|diffs?|findings|tone|prose|verse)\b"
        ),
    ),
)
_WORDS = tuple((part, regex(words, re.IGNORECASE)) for part, words in _PARTS)
_ENGLISH = regex(
    r"\b(?:the|you|your|and|of|to|with|for|is|are|not|never|this|that|when|it)\b", re.IGNORECASE
)
_WORD = regex(r"[^\W\d_]+")
# From so many letters on a text says which language it is in.
_ENOUGH = 30


def missing_parts(body: str) -> tuple[str, ...]:
    """The parts that `body`, a prompt without its block, does not seem to have."""
    if _is_foreign(body):
        return ()
    return tuple(part for part, words in _WORDS if not words.search(body))


def _is_foreign(body: str) -> bool:
    """Whether a text is in another language than English, as far as can be told."""
    words = _WORD.findall(body)
    letters = sum(map(len, words))
    strange = sum(not letter.isascii() for word in words for letter in word)
    # In Chinese and its like a few letters say much.
    if strange * 5 > letters:
        return True
    return letters >= _ENOUGH and len(_ENGLISH.findall(body)) * 20 < len(words)
