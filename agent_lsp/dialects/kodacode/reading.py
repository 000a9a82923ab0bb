"""Reads one agent file as KodaCode does: header, settings, prompt.

Invariants: what is refused while files are read fails the whole catalog; an invalid mode does so
only for the definition that wins. The runtime takes white space off both ends of the file and of
the header, and knows a fence only by the line ends around it, so the first line of a header cannot
close it.
Facts: internal/agent/{loader,markdown,definition}.go, there `splitMarkdownFrontMatter`, and
internal/provider/model.go of sageil/kodacode at aa5479acbe0f, read 2026-11-27.
"""

from collections.abc import Iterator
from itertools import pairwise

from agent_lsp.data_classes import replace
from agent_lsp.decoders import go, yaml_v3
from agent_lsp.decoders.go import SPACE
from agent_lsp.decoders.yaml_v3 import Decoded
from agent_lsp.dialects.kodacode.facts import FORBIDDEN, FORBIDDEN_TEXT, MODES, PRIMARY, RECORD
from agent_lsp.model.template import Block, LoadError, LoadErrorKind, Reading, Template, Value
from agent_lsp.patterns import regex
from agent_lsp.syntax import frontmatter
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.frontmatter import FenceKind, Frontmatter
from agent_lsp.text import Span

_UNCLOSED = "front matter is missing closing delimiter"
_INVALID_MODE = "agent mode is invalid"
_LISTS = ("AllowTools", "DisallowedTools")
# The errors that the runtime finds before it reads the keys.
_OF_ANY_YAML = (LoadErrorKind.SYNTAX, LoadErrorKind.DUPLICATE)
_EMPTY = Template({}, (), (Block(None, "", Span(0, 0)),))


def name_of(file_name: str) -> str | None:
    """The id that a file of this name defines, or None where the runtime skips it.

    It is empty for a file called `.md`, which the catalog then refuses.
    """
    return go.trim(file_name[:-3]) if go.lower(file_name[-3:]) == ".md" else None


def read(document: Document, name: str) -> Reading:
    """The declared and the effective values; a refused file has no effective ones.

    `name` is the agent's id.
    """
    frontmatter, text = document.frontmatter, document.text
    decoded = yaml_v3.decode(
        document.tree, RECORD, frontmatter.inner.of(text), frontmatter.inner.start
    )
    prompt = _prompt(text, frontmatter.body)
    written = Template(dict(_settings(decoded.values)), (), (prompt,))
    if frontmatter.fence is FenceKind.UNCLOSED:
        return Reading(
            written, _EMPTY, (LoadError(LoadErrorKind.UNSEEN, frontmatter.open, _UNCLOSED),)
        )
    if frontmatter.fence is not FenceKind.CLOSED:
        whole = _prompt(text, Span(0, len(text)))
        marked = document.bom and not text.startswith("\ufeff")
        whole = replace(whole, text="\ufeff" * marked + whole.text)
        return Reading(written, Template({}, (), (whole,)))
    errors = tuple(_errors(decoded, name))
    return Reading(written, _EMPTY if errors else written, errors)


def mode(template: Template) -> str:
    """The mode that the runtime goes by; one that it does not know is returned as it is."""
    value = template.settings.get("mode")
    return value.text if value is not None else PRIMARY


def is_hidden(template: Template) -> bool:
    """Whether the picker leaves an agent out, whatever its mode."""
    value = template.settings.get("hidden")
    return value is not None and value.value is True


def _errors(decoded: Decoded, agent: str) -> Iterator[LoadError]:
    """The load errors, in the order of the runtime's checks; it stops at the first."""
    found = [
        replace(error, message=f"decode front matter: {error.message}") for error in decoded.errors
    ]
    yield from (error for error in found if error.kind in _OF_ANY_YAML)
    # The runtime stops at the first; what comes later is wrong all the same.
    if FORBIDDEN in decoded.names:
        span = decoded.names[FORBIDDEN]
        yield LoadError(LoadErrorKind.FORBIDDEN, span, FORBIDDEN_TEXT, FORBIDDEN)
    yield from (error for error in found if error.kind not in _OF_ANY_YAML)
    yield from _refused_model(decoded)
    value = decoded.values.get("mode")
    word = go.lower(go.trim(value.text)) if value is not None else ""
    names = [choice.name for choice in MODES]
    if value is not None and word and word not in names:
        text = f"agent {go.quote(agent)}: {_INVALID_MODE}"
        error = LoadError(LoadErrorKind.CHOICE, value.span, text, "mode", ", ".join(names), word)
        yield replace(error, of_winner=True)


def _refused_model(decoded: Decoded) -> Iterator[LoadError]:
    value = decoded.values.get("model")
    reference = go.trim(value.text) if value is not None else ""
    provider, slash, model = reference.partition("/")
    if value is not None and reference and not (provider and slash and model):
        text = f"model ref must be in provider/model format: {go.quote(value.text)}"
        expected = "provider/model"
        got = reference
        yield LoadError(
            LoadErrorKind.CHOICE, value.span, f"parse model: {text}", "model", expected, got
        )


def _settings(values: dict[str, Value]) -> Iterator[tuple[str, Value]]:
    """The settings as the runtime uses them: trimmed, and blank ones left out."""
    for name, value in values.items():
        if name in _LISTS:
            yield name, replace(value, value=tuple(_entries(value)))
        elif isinstance(value.value, str):
            text = _normal(name, go.trim(value.text))
            if text:
                yield name, replace(value, value=text)
        else:
            yield name, value


def _normal(name: str, text: str) -> str:
    if name == "mode":
        return go.lower(text)
    if name == "model":
        return "/".join(map(go.trim, text.split("/", 1)))
    return text


def _entries(value: Value) -> Iterator[Value]:
    """A blank entry matches no tool, but it makes a list of a list that has no other."""
    for item in value.items:
        name = go.trim(item.text)
        if name:
            yield replace(item, value=name)


def _prompt(text: str, body: Span) -> Block:
    whole = body.of(text)
    start = body.start + len(whole) - len(whole.lstrip(go.SPACE))
    prompt = go.trim(whole)
    return Block(None, prompt.replace("\r\n", "\n"), Span(start, start + len(prompt)))


_FENCE = "---"
_BOM = "\ufeff"
_ABSENT = Span(0, 0)
# White space that makes no difference to YAML, and that people type in.
_BLANK_LINES = regex(r"(?:[ ]*\r?\n)*")
_BLANKS = regex(r"[ \r\n]*")


def split(text: str, bom: bool) -> Frontmatter:
    """Splits `text` at the first line that is `---`, and the next, but not right below it."""
    start = len(text) - len(text.lstrip(SPACE))
    marked = text.startswith(_BOM, start)
    rows = list(frontmatter.lines(text, start + marked))
    end = len(text.rstrip(SPACE))
    # A file that is nothing but a fence has no line end behind it once it is trimmed.
    if not rows or rows[0].of(text) != _FENCE or rows[0].end == end:
        return Frontmatter(FenceKind.ABSENT, _ABSENT, _ABSENT, None, Span(0, len(text)))
    opening = Span(start, rows[0].end)
    inner_start = rows[1].start if len(rows) > 1 else len(text)
    for before, row in pairwise(rows[1:]):
        if text[row.start : min(row.end, end)] == _FENCE:
            fence = FenceKind.HIDDEN if bom or marked else FenceKind.CLOSED
            inner = _inner(text, Span(inner_start, before.end))
            return Frontmatter(fence, opening, inner, row, Span(_after(text, row), len(text)))
    return _unclosed(text, opening, inner_start)


def _unclosed(text: str, opening: Span, start: int) -> Frontmatter:
    """The frontmatter without an end; an empty one ends where the author means it to."""
    rest = text[opening.start :].removeprefix(_BOM)
    meant = frontmatter.split(rest, lambda line: line == _FENCE)
    shift = len(text) - len(rest)
    inner, body = meant.inner.shift(shift), meant.body.shift(shift)
    return Frontmatter(FenceKind.UNCLOSED, opening, Span(start, max(inner.end, start)), None, body)


def _inner(text: str, span: Span) -> Span:
    """The header without white space that YAML would trip over and the runtime takes away."""
    header = span.of(text)
    lead = header[: len(header) - len(header.lstrip(SPACE))]
    trail = header[len(header.rstrip(SPACE)) :]
    start = span.start if _BLANK_LINES.fullmatch(lead) else span.start + len(lead)
    end = span.end if _BLANKS.fullmatch(trail) else span.end - len(trail)
    return Span(start, max(start, end))


def _after(text: str, row: Span) -> int:
    stop = text.find("\n", row.end)
    return len(text) if stop < 0 else stop + 1
