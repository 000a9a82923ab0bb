"""Finds out what is certain about a file behind a syntax error in its header.

The statements that cannot be read are taken out, and the rest is read as the runtime would read it.
Invariants: every offset stays the same, because blanks take the place of what is taken out. A
statement is taken out as a whole, so no value of the rest depends on how the author mends it.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from agent_lsp.analysis.suggest import nearest
from agent_lsp.data_classes import dataclass, replace
from agent_lsp.model.dialect import Notation
from agent_lsp.model.runtime import DefinedName
from agent_lsp.model.schema import KeyRole
from agent_lsp.model.template import LoadErrorKind
from agent_lsp.patterns import regex
from agent_lsp.syntax.document import Document, memoised
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.syntax.nodes import Entry, path_at
from agent_lsp.syntax.nodes import Mapping as MappingNode
from agent_lsp.text import Span
from agent_lsp.workspace import definitions
from agent_lsp.workspace.mcp_servers import configured_for
from agent_lsp.workspace.snapshot import TemplateFile, catalog_of

# More broken statements than this are no slips, but another language.
_MOST = 5
# A longer header is not written by hand, and would be read several times at each keystroke.
_LONGEST = 20_000
# A line that begins a statement of its own, in YAML and in TOML.
_KEY = r"""(?:[\w.-]+|"[^"\n]*"|'[^'\n]*')"""
_YAML = regex(rf"^({_KEY})[ \t]*:(?=[ \t\r]|$)", re.MULTILINE)
_TOML = regex(rf"^[ \t]*(?:({_KEY})[ \t]*=|\[)", re.MULTILINE)
_TEXT = r'"(?:[^"\\\n]|\\.)*"'
_JSON = regex(rf"^[ \t]*({_TEXT})[ \t]*:", re.MULTILINE)
_BRACKETS = regex(rf"{_TEXT}|[\[\]{{}}]")
_TABLE = regex(r"^[ \t]*\[", re.MULTILINE)
_STOPS = (LoadErrorKind.DUPLICATE,)
# The runtime stops at these before it looks at the statements.
_BEFORE = (LoadErrorKind.UNSEEN, LoadErrorKind.SYNTAX)
# Answers about the session of a file do not depend on what the file says.
_OF_SESSION = (catalog_of, configured_for)
_NO_DOCUMENT = "did not find expected <document start>"
# What a key of these roles says leaves the name and the description as they are.
_APART = frozenset({KeyRole.ALLOW, KeyRole.DENY, KeyRole.MODEL, KeyRole.EFFORT})
_NOT_A_LINE_END = regex(r"[^\r\n]")


@dataclass(frozen=True, slots=True)
class Mended:
    """A file without its broken statements, which are at `removed`.

    `keys` are the keys that the file lacks without them, and `repeated` those that were there twice
    and are there once.
    """

    file: TemplateFile
    removed: tuple[Span, ...]
    keys: tuple[str, ...]
    repeated: tuple[str, ...] = ()

    def precedes(self, span: Span) -> bool:
        """Whether a place in the file stands above all broken statements."""
        return all(span.end <= one.start for one in self.removed)

    def is_slip(self, word: str) -> bool:
        """Whether a word is a misspelling of a key of the dialect."""
        word = word.strip("\"'")
        return nearest(word, (key.name for key in self.file.dialect.schema.keys)) is not None

    def lacks(self, span: Span) -> bool:
        """Whether a place in the file belongs to a broken statement."""
        return any(one.start <= span.start < one.end for one in self.removed)

    def is_repeated(self, span: Span) -> bool:
        """Whether a place in the file belongs to a key that was there twice."""
        document = self.file.document
        above = path_at(document.tree.root, span.start).above if self.repeated else ()
        entries = [one for one in above if isinstance(one, Entry)]
        return any(one.key.span.of(document.text).strip("\"'") in self.repeated for one in entries)

    @property
    def lacks_no_known_key(self) -> bool:
        """Whether no broken statement can be one that sets a key of the dialect."""
        known = {key.name for key in self.file.dialect.schema.keys}
        return all(key and key not in known and not self.is_slip(key) for key in self.keys)

    @property
    def lacks_only_tools(self) -> bool:
        """Whether every broken statement is a line that sets tools, a model or an effort."""
        keys, text = self.file.dialect.schema.by_name(), self.file.source.text
        is_line = all("\n" not in span.of(text).strip() for span in self.removed)
        return is_line and all(key in keys and keys[key].role in _APART for key in self.keys)


@memoised
def mended(file: TemplateFile) -> Mended | None:
    """The file without the broken statements of its header, or else without repeated ones.

    None if there is none, if a statement may be longer than it seems, or if the header has no
    statements that can be told apart.
    """
    document = file.document
    is_sound = document.tree.problem is None and _refused_at(file) is None
    if is_sound or document.frontmatter.fence is not FenceKind.CLOSED:
        return None
    if len(document.frontmatter.parsed) > _LONGEST:
        return None
    is_json = file.dialect.notation is Notation.JSON
    starts = _JSON if is_json else _TOML if document.tree.sections else _YAML
    removed: list[Span] = []
    keys: list[str] = []
    repeated: list[str] = []
    for _ in range(_MOST):
        joined = _with_comma(file, document) if is_json else None
        found = _broken(file, document, starts) if joined is None else None
        if found is not None and found[0] not in removed:
            removed.append(found[0])
            joined = _without(file, document, found[0])
            # A key that is there twice is not absent without the second one.
            is_left = _is_twice(document) and _has(joined, starts, found[1])
            (repeated if is_left else keys).append(found[1])
        if joined is None:
            return None
        document = joined
        rest, is_sound = _as_read(file, document), document.tree.problem is None
        if is_sound and (file.document.tree.problem is not None or _refused_at(rest) is None):
            return Mended(rest, tuple(removed), tuple(keys), tuple(repeated))
    return None


def _is_twice(document: Document) -> bool:
    """Whether the parser stops at a key that is there twice."""
    problem = document.tree.problem
    return problem is None or problem.message == "duplicate key"


def _has(document: Document, starts: re.Pattern[str], key: str) -> bool:
    return any(own == key for _, _, own in _statements(document, starts))


def _refused_at(file: TemplateFile) -> int | None:
    """The offset of a key that is there twice, at which a parser stops in sound statements."""
    found = (*file.reading.errors, *file.reading.possible_errors)
    return next((one.span.start for one in found if one.kind in _STOPS), None)


def named(file: TemplateFile) -> TemplateFile | None:
    """A file whose own name for its agent is not valid, as if it were called like the file.

    None if the runtime takes the name, or if it does not look at the file.
    """
    key = file.dialect.schema.by_role.get(KeyRole.AGENT)
    is_looked_at = file.misplaced is None and file.scope.counts(file.path.name)
    is_looked_at = is_looked_at and file.path.name.endswith(file.dialect.system.extension)
    top = file.document.tree.top
    if file.names or key is None or file.dialect.names.names_in is None or not is_looked_at:
        return None
    if not isinstance(top, MappingNode) or top.get(key.name) is None:
        return None
    view = replace(file, names=(DefinedName(file.path.stem),), others=())
    return _in_session_of(file, view)


def as_if_loaded(file: TemplateFile) -> TemplateFile | None:
    """A file that the runtime reads and refuses, as it would be without the reasons for that.

    None if the runtime does not refuse it, or does not get as far as its statements.
    """
    errors = file.reading.errors
    if not errors or any(one.kind in _BEFORE for one in errors):
        return None
    whole = named(file) or file
    declared = file.reading.declared
    reading = replace(file.reading, effective=declared, errors=())
    return _in_session_of(file, replace(whole, reading=reading, others=()))


def _in_session_of(file: TemplateFile, view: TemplateFile) -> TemplateFile:
    """`view`, another view of `file`, with what is known of their session."""
    known = ((one, file.answers.get(one)) for one in _OF_SESSION)
    view.answers.update((one, answer) for one, answer in known if answer is not None)
    return view


def refused_keys(file: TemplateFile) -> frozenset[Span]:
    """The keys of the statements for which the runtime refuses a file, and of those around them."""
    root = file.document.tree.root
    paths = (path_at(root, error.span.start).above for error in file.reading.errors)
    return frozenset(one.key.span for path in paths for one in path if isinstance(one, Entry))


def _broken(
    file: TemplateFile, document: Document, starts: re.Pattern[str]
) -> tuple[Span, str] | None:
    """The first statement that cannot be read, with its key if it has one."""
    tree, text = document.tree, document.text
    if starts is _JSON:
        return _broken_member(document)
    at = min((one.span.start for one in tree.damage), default=None)
    if tree.problem is not None and tree.problem.message == _NO_DOCUMENT:
        # The parser complains about the line behind directives, which set no key.
        start, end, _ = next(_statements(document, starts))
        return Span(start, end), Span(start, end).of(text).strip()
    if tree.problem is None:
        at = _refused_at(_as_read(file, document))
    if at is None:
        return None
    for start, end, key in _statements(document, starts):
        if start <= at < end or (at == end == document.frontmatter.parsed.end):
            is_table = starts is _TOML and not key
            span = Span(start, _end_of_table(document, end) if is_table else end)
            return (span, key) if span.of(text).strip() else None
    return None


def _broken_member(document: Document) -> tuple[Span, str] | None:
    """The line of the first member of JSON that cannot be read, if all of the member is on it."""
    text, problem = document.text, document.tree.problem
    at = problem.span.start if problem is not None else -1
    end = min(one for one in (text.find("\n", at), len(text)) if one >= 0)
    line = Span(text.rfind("\n", 0, at) + 1, end)
    found = _JSON.match(text, line.start, line.end)
    brackets = "".join(one for one in _BRACKETS.findall(line.of(text)) if len(one) == 1)
    while brackets != (inner := brackets.replace("[]", "").replace("{}", "")):
        brackets = inner
    return (line, found[1].strip('"')) if found is not None and not brackets else None


def _end_of_table(document: Document, start: int) -> int:
    """The end of a table of TOML: without its header, its keys would belong to the one above."""
    end = document.frontmatter.parsed.end
    found = _TABLE.search(document.text, start, end)
    return end if found is None else found.start()


def _statements(document: Document, starts: re.Pattern[str]) -> Iterator[tuple[int, int, str]]:
    """The statements of the header from start to end, each with its key."""
    header = document.frontmatter.parsed
    found = [
        (one.start(), (one[1] or "").strip("\"'"))
        for one in starts.finditer(document.text, header.start, header.end)
    ]
    if not found or found[0][0] > header.start:
        found.insert(0, (header.start, ""))
    for (start, key), (end, _) in pairwise((*found, (header.end, ""))):
        yield start, end, key


def _with_comma(file: TemplateFile, document: Document) -> Document | None:
    """JSON with the comma that is missing between two lines, in the place of a blank; or None."""
    text, problem = document.text, document.tree.problem
    at = problem.span.start if problem is not None else 0
    before = text[:at].rstrip()
    is_between = text[at : at + 1] == '"' and before[-1:] not in ("", ",", "{", "[", ":")
    if not is_between or text[at - 1 : at] not in (" ", "\t") or "\n" not in text[len(before) : at]:
        return None
    return file.dialect.parse(f"{text[: at - 1]},{text[at:]}", bom=document.bom)


def _without(file: TemplateFile, document: Document, span: Span) -> Document:
    text = document.text
    blank = _NOT_A_LINE_END.sub(" ", span.of(text))
    return file.dialect.parse(f"{text[: span.start]}{blank}{text[span.end :]}", bom=document.bom)


def _as_read(file: TemplateFile, document: Document) -> TemplateFile:
    """The file with another text, and the names that this text defines."""
    names_in, names = file.dialect.names.names_in, file.names
    if names_in is not None and not names and file.misplaced is None:
        names = names_in(document, file.scope, file.path)
    name = names[0].name if names else file.path.stem
    reading = definitions.read(file.dialect, document, file.scope, name)
    view = replace(file, document=document, reading=reading, names=names, others=())
    return _in_session_of(file, view)
