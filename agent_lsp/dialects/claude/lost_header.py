"""Finds headers that an author intended and that the runtime does not see, and writes them in YAML.

Invariant: a text that only shows a header as an example has none: the text above it says so, or it
is in a code block below other text.
Facts: Claude Code 2.1.332, measured 2026-11-28: a file that does not begin with `---` has no
header, and is documentation; so is a file whose first two lines are `---`, and one whose header has
no `name`. A blank of YAML follows each colon: U+00A0 is none, and `=` and U+FF1A are letters.
"""

import re
from collections.abc import Iterable, Iterator

from agent_lsp.analysis.checks import header_invalid as shared_invalid
from agent_lsp.analysis.checks import headers as shared
from agent_lsp.analysis.checks.messages import absent, code, refused
from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.suggest import fold
from agent_lsp.data_classes import dataclass
from agent_lsp.dialects.claude import frontmatter
from agent_lsp.dialects.claude.facts import KNOWN
from agent_lsp.model.check import ANY_FIELD, Basis, Check, Field, Finding, Fixer, Proposal
from agent_lsp.model.template import LoadErrorKind, Value
from agent_lsp.patterns import regex
from agent_lsp.syntax import characters
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.syntax.nodes import Mapping
from agent_lsp.syntax.yaml import edit
from agent_lsp.syntax.yaml import parse as parse_yaml
from agent_lsp.text import Span, TextEdit
from agent_lsp.workspace.snapshot import TemplateFile

_LOOKED_AT = 5_000
# A header that is not on the first line, with nothing important above it.
_BLANK_OR_COMMENT = r"[ \t]*\r?\n|[ \t]*<!--[^\n]*-->[ \t]*\r?\n"
_LATE = regex(
    rf"(?:(?:{_BLANK_OR_COMMENT})*(?:`{{3,}}|~{{3,}})[\w-]*[ \t]*\r?\n(?:{_BLANK_OR_COMMENT})*"
    rf"|(?:{_BLANK_OR_COMMENT}|#[^\n]*\n)+)"
    r"---[ \t]*\r?\n(?P<header>(?:(?!---)[^\n]*\n)+)---[ \t]*(?:\r?\n|\Z)"
)
# A header whose first line is missing, or only looks like `---`.
_NEAR = regex(
    r"(?:[ \t]*(?:-{2,}|[–—]+|\+{3})[;:.,]?[ \t]*(?:ya?ml|toml|#[^\n]*)?[ \t]*\r?\n)?"
    r"(?P<header>[ \t]*(?:name|description)[ \t]*[:=][^\n]*\n"
    r"(?:(?![ \t]*(?:-{3}|[–—]{3}|\+{3}))[^\n]*\n)+?)"
    r"[ \t]*(?:-{2,}|[–—]+|\+{3})[;:.,]?[ \t]*(?:\r?\n|\Z)"
)
# A header without its lines `---`, up to the first blank line, or in a code block.
_BARE = regex(
    r"(?:(?:`{3,}|~{3,})[\w-]*[ \t]*\r?\n)?"
    r"(?P<header>(?:name|description):[ \t][^\n]*\n"
    r"(?:(?![ \t]*\r?\n|`{3}|~{3})[^\n]+(?:\n|\Z))+)"
)
# A line above a header; a colon at its end says that an example follows.
_SENTENCE = regex(r"[^`~].*[^:]", re.DOTALL)
_KEY = regex(r"(?:name|description):")
_MOST_ABOVE = 2
# A header whose lines end in CR alone, changed to LF: otherwise the first line has no end.
_OLD_ENDS = regex(r"\r(?!\n)")
_WHOLE = regex(r"---[ \t]*\n(?P<header>(?:(?!---[ \t]*\n)[^\n]*\n)+)---[ \t]*(?:\n|\Z)")
_NAME = regex(
    r"^[ \t]*name[ \t]*[:=][ \t]*[\"']?(?P<name>[^\s\"'#][^\n\"'#]*?)[\"']?[ \t]*\r?$", re.MULTILINE
)
_DESCRIPTION = regex(r"^[ \t]*description[ \t]*[:=]", re.MULTILINE)
# Text that speaks to an agent, below nothing but titles.
_TITLE = regex(r"[ \t]*(?:#|<!--|={3,}[ \t]*$|-{3,}[ \t]*$)")
_TO_AGENT = regex(
    r"[*_>\s]*(?:(?i:You are|You['\u2019]re)\s+"
    r"(?:(?i:an?|the|now|acting|responsible|tasked)\b|[A-Z])"
    r"|(?i:Act as|Your (?:role|job|task) is)\s)"
)
# A setting in any notation, and the lines around some.
_SAID = regex(
    r"[ \t]*(?:[|>*+#\d.{<\[\"-]+[ \t]*)?[*_`\"']{0,3}(?i:name|description|tools|model|color)\b"
    r"|[ \t]*(?:[\[\]{}()|:,; \t=+*_~–—-]+|`{3}\w*|</?\w+>)[ \t]*\Z"
)
# Names of files that people put beside agents to explain them.
_NOTES = frozenset({"readme", "changelog", "contributing", "license", "agents", "claude", "index"})


def below(document: Document) -> Value | None:
    """The name in a header that does not begin correctly in the first line, or None."""
    cut = document.frontmatter
    if cut.fence is FenceKind.CLOSED and not cut.inner.of(document.text).strip():
        # Blanks and a line end replace the text above it, so that offsets stay.
        begin = _blanked(document.text, cut.body.start)
        return _named(begin, (_NEAR.match(begin, len(begin) - len(begin.lstrip())),))
    if cut.fence is not FenceKind.ABSENT:
        return None
    begin, hidden = document.text[:_LOOKED_AT], characters.leading(document.text[:_LOOKED_AT])
    if len(hidden):
        # Invisible characters above the header count as a blank line.
        begin = f"{' ' * (hidden.end - 1)}\n{begin[hidden.end :]}"
    begin, ends = _OLD_ENDS.subn("\n", begin)
    found = _named(begin, _found(begin, is_old=bool(ends)))
    return found or _name_meant(document) or frontmatter.name_in_other_notation(begin)


def _blanked(text: str, at: int) -> str:
    """The start of a text from `at`, with a line end right above its first word."""
    words = text[at : at + _LOOKED_AT]
    first = at + len(words) - len(words.lstrip())
    return f"{' ' * (first - 1)}\n{words.lstrip()}"


def _found(begin: str, *, is_old: bool) -> Iterator[re.Match[str] | None]:
    """Yields possible headers at the start of a text, the likeliest first."""
    if is_old:
        yield _WHOLE.match(begin)
    yield _LATE.match(begin)
    yield _NEAR.match(begin)
    yield _BARE.match(begin)
    yield _below_text(begin)


def _below_text(begin: str) -> re.Match[str] | None:
    """A header below a line or two of text."""
    at = above = 0
    for line in begin.splitlines(keepends=True):
        bare = line.strip()
        if bare == "---" and above and _KEY.match(begin, at + len(line)):
            return _WHOLE.match(begin, at)
        above += bool(bare)
        if bare and (above > _MOST_ABOVE or not _SENTENCE.fullmatch(bare)):
            return None
        at += len(line)
    return None


def _named(begin: str, found: Iterable[re.Match[str] | None]) -> Value | None:
    """The name in the first of the headers that were `found`, if it has a description as well."""
    header = next((one for one in found if one is not None), None)
    if header is None or not _DESCRIPTION.search(begin, *header.span("header")):
        return None
    name = _NAME.search(begin, *header.span("header"))
    return Value(name["name"], Span(*name.span("name"))) if name is not None else None


def is_note_by_name(stem: str) -> bool:
    """Whether a file has a name that is usual for documentation."""
    return stem.lower() in _NOTES


def addresses(document: Document) -> bool:
    """Whether the text of a file, below a header that is closed, begins by speaking to an agent."""
    cut = document.frontmatter
    if cut.fence not in (FenceKind.ABSENT, FenceKind.CLOSED):
        return False
    start = cut.body.start if cut.fence is FenceKind.CLOSED else 0
    begin = document.text[start : start + _LOOKED_AT]
    lines = (line for line in begin.splitlines() if line.strip("\ufeff \t"))
    first = next((one for one in lines if not (_TITLE.match(one) or _SAID.match(one))), "")
    return _TO_AGENT.match(first) is not None


@dataclass(frozen=True, slots=True)
class Meant:
    """A header in another notation: its place, and its settings, in the order of the text.

    `settings` has each key in the runtime's spelling, and the other lines as they are. `fence` is
    what stands in the place of `---`, `depth` the indentation of the settings; `is_sound` says that
    the header is a mapping.
    """

    span: Span
    settings: tuple[tuple[str, re.Match[str] | None], ...]
    keys: frozenset[str]
    first: re.Match[str]
    fence: str
    depth: int
    is_sound: bool

    @property
    def is_whole(self) -> bool:
        """Whether an agent has all that it needs."""
        return {"name", "description"} <= self.keys

    @property
    def name(self) -> Value | None:
        """The name in the text, or None."""
        found = next((found for key, found in self.settings if key == "name" and found), None)
        text = found["value"].strip(_QUOTES) if found is not None else ""
        return Value(text, Span(*found.span("value"))) if found is not None else None

    @property
    def place(self) -> Span:
        """The first setting."""
        return Span(self.first.start("key"), self.first.end("value"))


# Keys that stand for those of the runtime, in one spelling.
_STANDING = {
    **dict.fromkeys(("name", "id", "agent", "agentname", "agentid"), "name"),
    **dict.fromkeys(("description", "desc", "summary", "agentdescription"), "description"),
}
_KEY_BY_FOLD = {fold(key): key for key in KNOWN} | _STANDING
_QUOTES = "\"'"
_SETTING = regex(
    r"[ \t]*(?P<mark>>[ \t]*|#{1,6}[ \t]*|[-*+][ \t]+(?=\*\*))?(?P<open>[*_`\"']{0,3})"
    r"(?P<key>[A-Za-z][A-Za-z _-]{0,24}?)(?:(?P=open))?[ \t\xa0]*(?P<sign>[:=\uff1a])"
    r"(?P<bold>[*_`]*)(?P<gap>[ \t\xa0]*)(?P<value>[^\r\n]*?)[ \t\xa0]*\r?\n?"
)
_RULES = r"={3,}|\+{3,}|\*{3,}|_{3,}|~{3,}|/{3,}|;{3,}|-{1,3}(?:[ \t]+-{1,3})+|(?:\*[ \t]+){2,}\*"
_OPENING = regex(rf"[ \t]*(?:>[ \t]*-{{3,}}|{_RULES}|<!--(?:-|\Z)*)[ \t]*\r?\n?")
_BEHIND = regex(r"[ \t]*(?P<fence>-{3,}|<!--)[ \t]*(?=[A-Za-z][\w -]*:[ \t])")
_CLOSING = regex(rf"[ \t]*(?:>[ \t]*)?(?:[-=+*~]{{3,}}|{_RULES}|-->)[ \t]*\r?\n?")
_PARENT = regex(r"[ \t]*[A-Za-z][\w-]*:[ \t]*\r?\n?")
_DEEPER = regex(r"[ \t]+\S|[ \t]*-[ \t]")
_WITH_COLONS = regex(r"\s*(?:(?!---)[-–—+=~*]{3,}[ \t]*\r?\n)?[ \t]*(?:name|description):[ \t]")
_MOST_LINES = 60
_BARE_HEADER = "the header is not between lines `---`"


def meant(document: Document) -> Meant | None:
    """The header that a file was meant to have and that is in another notation, or None."""
    cut, text = document.frontmatter, document.text
    top = document.tree.top
    if cut.fence is FenceKind.CLOSED and cut.close is not None:
        if isinstance(top, Mapping) and top.get("name") is not None:
            return None
        span = Span(cut.open.start, cut.close.end)
        return _read(text, cut.inner, span, is_sound=isinstance(top, Mapping))
    return _unfenced(text) if cut.fence is FenceKind.ABSENT else None


def _name_meant(document: Document) -> Value | None:
    found = meant(document) if document.frontmatter.fence is FenceKind.ABSENT else None
    return found.name if found is not None else None


def _unfenced(text: str) -> Meant | None:
    """A header at the start of a text without `---`, below blank lines and titles."""
    at, fence = 0, ""
    for line in text[:_LOOKED_AT].splitlines(keepends=True):
        behind = _BEHIND.match(line)
        if behind is not None or _OPENING.fullmatch(line):
            fence = line[: behind.end()].strip() if behind is not None else line.strip()
            start = at + (behind.end() if behind is not None else len(line))
            return _block(text, at, start, fence)
        if _SETTING.fullmatch(line) and not _TITLE.match(line):
            return _block(text, at, at, "")
        if line.strip("\ufeff \t\r\n") and not _TITLE.match(line):
            return None
        at += len(line)
    return None


def _block(text: str, begin: int, start: int, fence: str) -> Meant | None:
    """The header whose settings begin at `start`, below or behind a `fence`, if it has two keys."""
    end = start
    for line in text[start : start + _LOOKED_AT].splitlines(keepends=True):
        if fence.startswith("<!--") and _SETTING.fullmatch(line) and line.rstrip().endswith("-->"):
            end += len(line)
            end_of_block = end
            break
        if _CLOSING.fullmatch(line):
            end_of_block = end + len(line)
            break
        if not (_SETTING.fullmatch(line) or (end > start and _DEEPER.match(line))):
            end_of_block = end
            if fence:
                return None
            break
        end += len(line)
    else:
        end_of_block = end
    found = _read(text, Span(start, end), Span(begin, end_of_block), is_sound=False, fence=fence)
    return found if found is not None and found.is_whole else None


def _read(text: str, inner: Span, span: Span, *, is_sound: bool, fence: str = "") -> Meant | None:
    """The header whose settings are in `inner`, or None if a line is none."""
    rows = inner.of(text).splitlines(keepends=True)
    if len(rows) > _MOST_LINES:
        return None
    settings: list[tuple[str, re.Match[str] | None]] = []
    keys: dict[str, re.Match[str]] = {}
    depth, at = 0, inner.start
    for row, below in zip(rows, (*rows, "")[1:], strict=True):
        found = _SETTING.fullmatch(text, at, at + len(row))
        indent = len(row) - len(row.lstrip(" \t"))
        at += len(row)
        if not row.strip():
            continue
        if not keys and _PARENT.fullmatch(row) and _SETTING.match(below) and below[:1].isspace():
            depth = len(below) - len(below.lstrip(" \t"))
        elif found is not None and indent <= depth:
            key = _KEY_BY_FOLD.get(fold(found["key"]), found["key"].strip().replace(" ", "-"))
            if key in keys:
                return None
            keys[key] = found
            settings.append((key, found))
        elif keys and _DEEPER.match(row):
            settings.append((row.rstrip()[depth:], None))
        else:
            return None
    if not {"name", "description"} & keys.keys():
        return None
    first = next(iter(keys.values()))
    return Meant(span, tuple(settings), frozenset(keys), first, fence, depth, is_sound)


def _in_yaml(other: Meant) -> Iterator[str]:
    """The lines of the header in YAML."""
    for key, found in other.settings:
        value = found["value"].replace("\xa0", " ").strip() if found is not None else ""
        value = value.removesuffix("-->").strip()
        is_quoted = value[:1] in (*_QUOTES,) and value[-1:] == value[:1] and len(value) > 1
        if found is None or not value:
            yield key if found is None else f"{key}:"
        elif is_quoted or (value[0] in "[|>" and parse_yaml(f"{key}: {value}").problem is None):
            yield f"{key}: {value}"
        else:
            yield f"{key}: {edit.quote(value)}"


def words(other: Meant) -> tuple[str, str]:
    """Why the runtime does not see the settings, and what to do."""
    key, fence = other.first["key"], other.fence
    thing, fix = _slip(other.first, other.depth, is_fenced=bool(fence))
    if fence == "---":
        return f"{code(f'--- {key}: …')} does not open a header", "write `---` on its own line"
    if fence.startswith("<!--"):
        return "the header is in a comment", "write it between lines `---`"
    if fence:
        also = f", and {fix.removeprefix('write ')} for each key" if fix else ""
        return f"{code(fence)} does not open a header", f"write `---`{also}"
    if other.is_sound and not thing:
        return f"the header has {code(key)} for the name of the agent", "write `name`"
    return thing or _BARE_HEADER, fix or "write `---` above and below it"


def _slip(first: re.Match[str], depth: int, *, is_fenced: bool) -> tuple[str, str]:
    """The slip in the notation of a setting, and the fix; both are empty if there is none."""
    key, sign, gap, mark = first["key"], first["sign"], first["gap"], first["mark"]
    bold, right = first["open"] or first["bold"], f"write {code(f'{key}: …')}"
    slips = (
        (sign == "=", f"{code(f'{key} = …')} is not YAML", right),
        (sign == "\uff1a", f"U+FF1A after {code(key)} only looks like `:`", right),
        ("\xa0" in gap, f"U+00A0 after {code(f'{key}:')} is not a space", right),
        (bool(bold), f"{code(bold)} turns the key {code(key)} into text", right),
        (
            bool(mark) and not is_fenced,
            f"{code((mark or '').strip())} hides the key {code(key)}",
            right,
        ),
        (not gap and first["value"], f"no space after the colon of {code(key)}", right),
        (depth, f"{code(key)} is below another key", "write it at the start of its line"),
    )
    return next(((thing, fix) for is_so, thing, fix in slips if is_so), ("", ""))


def header_missing(file: TemplateFile) -> Iterator[Finding]:
    """Yields the finding on a file without a header; one in another notation has its own words."""
    found = tuple(shared.header_missing(file))
    other = meant(file.document) if found else None
    thing, fix = words(other) if other is not None else (_BARE_HEADER, "")
    if thing == _BARE_HEADER or _is_fenced_yaml(file.document):
        yield from found
        return
    yield Finding(found[0].span, absent(file, thing, fix))


def _is_fenced_yaml(document: Document) -> bool:
    """Whether a text without a header begins with settings in YAML, between lines of any kind."""
    begin = document.text[:_LOOKED_AT].lstrip("\ufeff")
    return _WITH_COLONS.match(begin) is not None


def header_invalid(file: TemplateFile) -> Iterator[Finding]:
    """Yields the finding on a header that is no YAML; one in another notation has its own words."""
    found = tuple(shared_invalid.header_invalid(file))
    other = meant(file.document) if found else None
    if other is None:
        yield from found
        return
    yield Finding(other.place, refused(file, *words(other)))


def rewritten(file: TemplateFile, _found: Diagnostic) -> Iterator[Proposal]:
    """The header in YAML, between lines `---` at the start of the file."""
    other, text = meant(file.document), file.document.text
    if other is None or "name" not in other.keys:
        return
    end = "\r\n" if "\r\n" in text else "\n"
    lines = list(_in_yaml(other))
    if "description" not in other.keys:
        lines.insert(1, 'description: "TODO: say what it is for"')
    written = end.join(("---", *lines, "---"))
    # Without a line above and below it, nobody knows where the header ends.
    is_safe = other.is_whole and words(other)[0] != _BARE_HEADER
    if file.document.frontmatter.fence is FenceKind.CLOSED:
        edits: tuple[TextEdit, ...] = (TextEdit(other.span, written),)
    else:
        top = len(text) - len(text.lstrip("\ufeff"))
        added = TextEdit(Span(top, top), written + end)
        removed = TextEdit(Span(max(top, other.span.start), other.span.end), "")
        edits = (
            (added, removed)
            if other.span.start > top
            else (TextEdit(Span(top, other.span.end), written + end),)
        )
    yield Proposal("Write the header in YAML", edits, safe=is_safe)


FIXERS: dict[str, tuple[Fixer, ...]] = dict.fromkeys(
    ("header-missing", "header-invalid", "agent-name", "header-cut-short"), (rewritten,)
)
CHECKS: tuple[Check, ...] = (
    Check(
        ("header-missing",),
        header_missing,
        changes=ANY_FIELD,
        basis=Basis.FILE,
        needs=(FenceKind.ABSENT,),
    ),
    Check(
        ("header-invalid",),
        header_invalid,
        changes=frozenset({Field.LOADS, Field.KEY}),
        basis=Basis.FILE,
        needs=(LoadErrorKind.SYNTAX,),
    ),
)
