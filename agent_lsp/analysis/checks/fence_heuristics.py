"""Finds out whether the closing fence stands where the author wanted it.

Invariant: the runtime uses the first line `---`, wherever it stands. Only the text below that line
can show that the author meant another one.
"""

import re
from collections.abc import Iterator

from agent_lsp.analysis.checks import header, yaml_mistakes
from agent_lsp.analysis.suggest import fold
from agent_lsp.data_classes import dataclass
from agent_lsp.model.dialect import Notation
from agent_lsp.model.schema import Key, KeyRole, ValueKind
from agent_lsp.patterns import regex
from agent_lsp.syntax import frontmatter, yaml
from agent_lsp.syntax.document import memoised
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Sequence, Style, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

_OPEN = "---\n"
_KEY = regex(r"\s*^[\"']?([\w-]+)[\"']?[ \t]*:(?=\s|$)", re.MULTILINE)
# A text that is a list of names and no prose.
_LISTED = regex(r"[\w()*:.-]+(?:,[ \t]*[\w()*:.-]+)*")
_TRUTH = ("true", "false", "yes", "no", "on", "off")
# A longer text is a prompt. Searching it at each keystroke would be slow.
_LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class HeaderLike:
    """Lines that read like a header, with the keys of the dialect in them.

    `close` is the line that closes them like a header. `plain` says that the value of one of the
    keys is a setting and not prose.
    """

    span: Span
    entries: tuple[Entry, ...]
    close: Span | None
    plain: bool

    @property
    def names(self) -> tuple[str, ...]:
        """The keys, in the order of the text, each once."""
        return tuple(dict.fromkeys(entry.name or "" for entry in self.entries))


def header_like(file: TemplateFile, start: int, *, described: bool = False) -> HeaderLike | None:
    """The lines from `start` on that read like a header, or None.

    `described` says that only a header is likely there, so that a description is enough.
    """
    text = file.document.text
    if _KEY.match(text, start) is None:
        return None
    close, end = fence(file, start)
    root = mapping(text[start:end], start) if close is not None else None
    if root is None and begins(file, start):
        # Text that is not YAML may begin as a header and continue as a prompt.
        meant = _meant_end(file, start, end)
        close = None if text[meant:end].strip() else close
        end = meant
        node = resolve(yaml.parse(text[start:end], start).root)
        root = node if isinstance(node, Mapping) else None
    if root is None:
        return None
    known = {key.name: key for key in file.dialect.schema.keys}
    entries = tuple(entry for entry in root.entries if entry.name in known)
    plain = any(_is_setting(known[entry.name or ""], entry) for entry in entries)
    has_text = described and any(
        known[entry.name or ""].role is KeyRole.DESCRIPTION for entry in entries
    )
    if not plain and (close is None or not (has_text or _are_texts(root, known))):
        return None
    return HeaderLike(Span(start, end), entries, close, plain)


def begins(file: TemplateFile, start: int) -> bool:
    """Whether the first line from `start` on that is not blank begins with a key."""
    first = _KEY.match(file.document.text, start)
    return first is not None and file.dialect.key(first[1]) is not None


def opening(file: TemplateFile, start: int) -> Span | None:
    """The first line from `start` on that is not blank, if it could open a header."""
    for row in frontmatter.lines(file.document.text, start):
        line = row.of(file.document.text)
        if line.strip():
            return row if opens(file, line) else None
    return None


def opens(file: TemplateFile, line: str) -> bool:
    """Whether a header begins with `line`, if something follows."""
    return file.dialect.format.split(f"{line}\nx\n", False).fence is not FenceKind.ABSENT


def fence(file: TemplateFile, start: int) -> tuple[Span | None, int]:
    """The first line from `start` on that closes a header, and where the header would end."""
    found = file.dialect.format.split(_OPEN + file.document.text[start : start + _LONGEST], False)
    by = start - len(_OPEN)
    if found.fence is FenceKind.CLOSED and found.close is not None:
        return found.close.shift(by), found.inner.end + by
    return None, found.inner.end + by


def mapping(text: str, start: int) -> Mapping | None:
    """The mapping that `text` at offset `start` is, or None if it is something else."""
    root = resolve(yaml.sound(text, start)) if len(text) <= _LONGEST else None
    return root if isinstance(root, Mapping) else None


def _meant_end(file: TemplateFile, start: int, end: int) -> int:
    """The offset where text that begins as a header stops being one."""
    found = file.dialect.format.split(_OPEN + file.document.text[start:end], False)
    return found.inner.end + start - len(_OPEN)


def _are_texts(root: Mapping, keys: dict[str, Key]) -> bool:
    """Whether there is only a description and the name of a model."""
    for entry in root.entries:
        key, node = keys.get(entry.name or ""), entry.node
        if key is None or key.kind is not ValueKind.TEXT or not isinstance(node, Scalar):
            return False
        if key.role is not KeyRole.DESCRIPTION and len(node.value.split()) > 1:
            return False
    return bool(root.entries)


def _is_setting(key: Key, entry: Entry) -> bool:
    """Whether `entry` has a value that its key takes and that prose does not have."""
    node = entry.node
    word = node.value.strip().lower() if isinstance(node, Scalar) else ""
    match key.kind:
        case ValueKind.BOOL:
            return word in _TRUTH
        case ValueKind.CHOICE:
            return any(word == choice.name for choice in key.choices)
        case ValueKind.LIST | ValueKind.RECORDS:
            is_listed = isinstance(node, Scalar) and _LISTED.fullmatch(node.value.strip())
            return isinstance(node, Sequence) or bool(key.in_text and is_listed)
        case ValueKind.NUMBER:
            return word.isdecimal()
        case ValueKind.TABLE:
            return isinstance(node, Mapping)
        case ValueKind.TEXT:
            return False


_FIRST = regex(r"\s*^([ \t]*)\S", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Early:
    """A line that closes a header although more of the header follows.

    `names` are the keys below it, and `below` is the span of the first one. `within` is the key of
    the text that the line is in. `second` says that another line `---` is right below it. `closed`
    says that a line `---` follows the rest of the header.
    """

    close: Span
    names: tuple[str, ...]
    below: Span | None = None
    within: str | None = None
    second: bool = False
    closed: bool = False


def too_early(file: TemplateFile) -> Early | None:
    """The line that closes the header too early, or None."""
    cut = file.document.frontmatter
    if not header.is_seen(file) or cut.fence is not FenceKind.CLOSED or cut.close is None:
        return None
    return _in_text(file, cut.close) or (_below(file, cut.close) if header.parses(file) else None)


def lacking(file: TemplateFile, names: tuple[str, ...]) -> tuple[str, ...]:
    """The `names` that the header does not have."""
    top = header.root(file)
    return tuple(name for name in names if top is None or top.get(name) is None)


def _in_text(file: TemplateFile, close: Span) -> Early | None:
    """The closing line, if it is inside of a text and the header is valid without it."""
    text, cut = file.document.text, file.document.frontmatter
    following, problem = _FIRST.match(text, cut.body.start), file.document.tree.problem
    is_deeper = following is not None and following[1] != ""
    if not is_deeper and (problem is None or "end of stream" not in problem.message):
        return None
    second, end = fence(file, cut.body.start)
    # A blank line is valid in every kind of text. One of the same length keeps the offsets.
    whole = text[cut.inner.start : close.start] + " " * len(close) + text[close.end : end]
    top = mapping(whole, cut.inner.start)
    within = next(_around(top, close), None) if top is not None else None
    if top is None or within is None:
        return None
    known = {key.name: key for key in file.dialect.schema.keys}
    lost = tuple(
        entry for entry in top.entries if entry.name in known and entry.span.end > within.span.end
    )
    if not lost and not text[close.start].isspace():
        return None
    names = tuple(dict.fromkeys(entry.name or "" for entry in lost))
    below = next((entry.key.span for entry in lost if entry.key.span.start > close.end), None)
    return Early(close, names, below, within.name or "", closed=second is not None)


def _around(top: Mapping, close: Span) -> Iterator[Entry]:
    """The entry whose text begins before the line `close` and ends after it."""
    waiting: list[Mapping | Sequence] = [top]
    while waiting:
        node = waiting.pop()
        values: list[tuple[Entry | None, Node | None]] = (
            [(entry, entry.value) for entry in node.entries]
            if isinstance(node, Mapping)
            else [(None, item) for item in node.items]
        )
        for entry, value in values:
            if value is None or not value.span.start < close.start <= close.end < value.span.end:
                continue
            if isinstance(value, Mapping | Sequence):
                waiting.append(value)
            elif entry is not None:
                yield entry


def _below(file: TemplateFile, close: Span) -> Early | None:
    """The closing line, if keys of the dialect are right below it."""
    start = file.document.frontmatter.body.start
    second = opening(file, start)
    found = header_like(file, second.end + 1 if second is not None else start)
    if found is None or (not found.plain and not lacking(file, found.names)):
        return None
    below = found.entries[0].key.span
    is_closed = found.close is not None
    return Early(close, found.names, below, second=second is not None, closed=is_closed)


_HEADING = regex(r"#{1,6}[ \t]+\S")
# The start of a half-typed or misspelt line of a header, which is no prose.
_YAML = regex(
    r"[\w.-]+[ \t]*:(?:\s|$)|[\w-]+:\S+$|[\"'][^\"']*[\"'][ \t]*:|[a-z][\w.-]*\s*$"
    r"|-\S|-[ \t]+\w+[ \t]*:|-(?:[ \t]+\S+){0,2}\s*$|[#%\]}{,&!?:]|\.\.\.|---",
)
# Sentences that address the agent, not a reader of its description.
_TO_THE_AGENT = regex(r"You(?:\s|.re\s|r\s)|#{1,6}[ \t]")
_SENTENCE = regex(r"[.!?:…][*_\"')\]]*\s*$")
_WORDS = 3
_FENCES = ("```", "~~~")


@dataclass(frozen=True, slots=True)
class Late:
    """The line with which the prompt begins, and the line below that closes the header.

    `bare` says that there is no setting above it. `attached` says that the prompt could be the
    continuation of a text.
    """

    start: Span
    close: Span
    bare: bool
    attached: bool


@memoised
def too_late(file: TemplateFile) -> Late | None:
    """The line of the header that was meant to begin the prompt, or None."""
    cut = file.document.frontmatter
    if not header.is_seen(file) or cut.fence is not FenceKind.CLOSED or cut.close is None:
        return None
    # JSON has no prompt below it, and a file of it may have thousands of agents to ask for.
    if file.dialect.format.notation is Notation.JSON:
        return None
    start = _start(file)
    if start is None or (header.parses(file) and not _has_sentence(file, start)):
        return None
    above = file.document.text[cut.inner.start : start.start]
    bare = not re.sub(r"^[ \t]*#.*", "", above, flags=re.MULTILINE).strip()
    top = mapping(above, cut.inner.start)
    if bare:
        # A bracket or a quote before the first key is a mistake in the header, and no prose.
        tree = file.document.tree
        if yaml_mistakes.opened(file.document.text, cut.inner) or yaml_mistakes.alone(
            file.document.text, tree
        ):
            return None
        return Late(start, cut.close, bare=True, attached=False)
    # Lines below `description: |` without a text are a text that is not indented.
    if top is None or not top.entries or _is_open(top):
        return None
    key = file.dialect.key(top.entries[-1].name or "")
    is_text = key is not None and key.kind is ValueKind.TEXT
    attached = is_text and not _TO_THE_AGENT.match(start.of(file.document.text))
    return Late(start, cut.close, bare=False, attached=attached)


def _start(file: TemplateFile) -> Span | None:
    """The first line of prose after the last key of the dialect, with the headings above it.

    It needs a blank line or a heading above it, or a blank line below it in the header.
    """
    rows = tuple(_rows(file))
    first: Span | None = None
    is_heading = is_apart = False
    for at, row in enumerate(rows):
        line = row.of(file.document.text)
        if not line.strip():
            first, is_apart = (first if is_heading else None), True
        elif _HEADING.match(line):
            first, is_heading, is_apart = (first if is_heading else row), True, True
        elif _is_prose(file, line):
            more = any(not later.of(file.document.text).strip() for later in rows[at:])
            return (first or row) if is_apart or more else None
        else:
            is_heading, is_apart = False, first is not None
    return None


def _rows(file: TemplateFile) -> Iterator[Span]:
    """The lines of the header after the last key of the dialect."""
    text, inner = file.document.text, file.document.frontmatter.inner
    rows = list(frontmatter.lines(text[: inner.end], inner.start))
    # Keys in a code block are an example.
    fences = (at for at, row in enumerate(rows) if text.startswith(_FENCES, row.start))
    first = next(fences, len(rows)) if "\n```" in text or "\n~~~" in text else len(rows)
    for at in range(first - 1, -1, -1):
        row = rows[at]
        if len(row) and not text[row.start].isspace() and begins(file, row.start):
            yield from rows[at + 1 :]
            return
    yield from rows


def _is_prose(file: TemplateFile, line: str) -> bool:
    if line[0] in " \t" or _YAML.match(line):
        return False
    word = re.split(r"[\s:]", line, maxsplit=1)[0]
    return all(fold(word) != fold(key.name) for key in file.dialect.schema.keys)


def _is_open(top: Mapping) -> bool:
    value = resolve(top.entries[-1].value)
    is_block = isinstance(value, Scalar) and value.style in (Style.LITERAL, Style.FOLDED)
    return is_block and isinstance(value, Scalar) and not value.value


def _has_sentence(file: TemplateFile, start: Span) -> bool:
    """Whether the text that YAML reads as keys from `start` on is prose."""
    top = header.root(file)
    return top is not None and any(
        entry.key.span.start >= start.start
        and len((entry.name or "").split()) > 1
        and (
            len((entry.name or "").split()) >= _WORDS
            or _SENTENCE.search(entry.span.of(file.document.text)) is not None
        )
        for entry in top.entries
    )
