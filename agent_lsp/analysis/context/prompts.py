"""Finds the prompts of a file, and what they name: variables, and files by a link or `@`."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from urllib.parse import unquote

from agent_lsp.data_classes import dataclass
from agent_lsp.model.schema import Choice, KeyRole
from agent_lsp.patterns import regex
from agent_lsp.syntax.document import memoised
from agent_lsp.syntax.frontmatter import code_blocks
from agent_lsp.text import Span
from agent_lsp.workspace.exports import NamedIn, keep
from agent_lsp.workspace.memo import Lifetime, Memo
from agent_lsp.workspace.paths import holds
from agent_lsp.workspace.snapshot import TemplateFile


def is_value(file: TemplateFile) -> bool:
    """Whether a prompt is the value of a key, in the notation of the header."""
    return (
        file.dialect.schema.is_tables or file.dialect.schema.by_role.get(KeyRole.PROMPT) is not None
    )


@memoised
def prompts(file: TemplateFile) -> tuple[Span, ...]:
    """The places of the prompts, in the order of the text."""
    if not file.dialect.schema.is_tables:
        return (file.body,)
    read = file.dialect.format.read
    spans = (read(file.document, one.name).declared.default.span for one in file.names)
    return tuple(sorted(span for span in spans if len(span)))


_VARIABLE = regex(r"\$\{(\w+)\}", re.ASCII)
_BEGUN = regex(r"\$\{(\w*)\Z", re.ASCII)
_REST = regex(r"\w*(\}?)", re.ASCII)
# Nobody types a longer word.
_LONGEST_VARIABLE = 80


def variables(file: TemplateFile) -> Iterator[tuple[Choice, Span]]:
    """The known variables in the prompt, in the order of the text."""
    known = {one.name: one for one in file.dialect.format.variables}
    body = file.document.frontmatter.body.start
    for found in _VARIABLE.finditer(file.document.text, body) if known else ():
        if found[1] in known:
            yield known[found[1]], Span(*found.span())


def variable_at(file: TemplateFile, offset: int) -> tuple[Choice, Span] | None:
    """The known variable at `offset`, with the span of the text that is replaced, or None."""
    return next(((one, span) for one, span in variables(file) if span.covers(offset)), None)


def begun_at(file: TemplateFile, offset: int) -> tuple[Span, bool] | None:
    """The word of a variable that is being typed at `offset`, and whether its brace is closed."""
    text, body = file.document.text, file.document.frontmatter.body.start
    if not file.dialect.format.variables or offset < body:
        return None
    start = max(body, offset - _LONGEST_VARIABLE)
    found, rest = _BEGUN.search(text[start:offset]), _REST.match(text, offset)
    if found is None or rest is None:
        return None
    return Span(start + found.start(1), rest.start(1)), bool(rest[1])


# Each one costs a look at the disk.
_MOST = 200
# No prompt has more of them, and in a long line each one costs a search.
_MOST_SIGNS, _LONGEST_LINE = 2_000, 2_000
# Both begin with a sign, which is found much faster than what may stand before it.
_LINK = regex(r"\]\((?P<path>[^()\s<>]{1,300})\)")
_LABEL = regex(r"(?:(?<![\w!\])])|(?<=\\[nrt]))\[[^\[\]\r\n]{0,200}\Z")
_LONGEST = 202
# A path or the name of a file; not a decorator, an address of mail or an account.
_AT = regex(
    r"@(?P<path>(?:~/)?(?:[\w.-]{1,64}/){0,12}[\w.-]{1,64}\.(?:md|mdc|txt|json|ya?ml|toml))"
    r"(?![\w/-])"
)
_BEFORE_AT = regex(r"[\w@/.:+-]")
_ESCAPES = ("\\n", "\\r", "\\t")
_FENCE = "```"
_PATH = regex(r"[\w./@ +-]*[\w-]\.\w{1,10}")
_GIT = ".git"


@dataclass(frozen=True, slots=True)
class _Places:
    """The places that a path may mean, and the one where something is."""

    all: tuple[Path, ...] = ()
    there: Path | None = None


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file that a prompt names as `written` at `span`, by a link or behind `@`.

    `targets` are the places that the path may mean, without `..`, the likeliest first. `target` is
    the one where a file or a folder is, or None.
    """

    written: str
    span: Span
    is_link: bool
    targets: tuple[Path, ...]
    target: Path | None


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known about the paths in a prompt, and all places where one may lead to a file."""

    of_path: dict[tuple[str, bool], _Places]
    watched: frozenset[Path]


# A prompt has the same paths at each keystroke. Those that are no longer in it are forgotten.
_KNOWN = Memo[_Known](Lifetime.TREE)
_NOTHING = _Known({}, frozenset())


@memoised
def named_files(file: TemplateFile) -> tuple[NamedFile, ...]:
    """The files that the prompt of `file` names, in the order of the text."""
    if file.dialect.format.is_text:
        return ()
    files, key, home = file.workspace.files, (file.path, file.root), file.workspace.host_paths.home
    before = _KNOWN.peek(files, None, key, basis=home) or _NOTHING
    now: dict[tuple[str, bool], _Places] = {}
    found = []
    for written, span, is_link in islice(_written(file), _MOST):
        said = (written, is_link)
        places = now.get(said)
        if places is None:
            places = now[said] = before.of_path.get(said) or _found(file, *said)
        if places.all:
            found.append(NamedFile(written, span, is_link, places.all, places.there))
    known = before if now.keys() == before.of_path.keys() else _Known(now, _watched(now.values()))
    if known is not before:
        _KNOWN.keep(files, None, key, known, basis=home)
    keep(files, file.path, NamedIn.PROMPT, known.watched)
    return tuple(sorted(found, key=lambda one: one.span))


def _watched(every: Iterable[_Places]) -> frozenset[Path]:
    """The places of files, and those to which a file may come where nothing is."""
    places = (one.all if one.there is None else (one.there,) for one in every)
    return frozenset(chain.from_iterable(places))


def named_file_at(file: TemplateFile, offset: int) -> NamedFile | None:
    """The file that the prompt names at `offset`, or None."""
    return next((one for one in named_files(file) if one.span.covers(offset)), None)


def repository(file: TemplateFile) -> Path | None:
    """The folder of the repository of `file`, or None."""
    files = file.workspace.files
    above = (file.path.parent, *file.path.parent.parents)
    return next((one for one in above if files.exists(one / _GIT)), None)


def left(file: TemplateFile, target: Path) -> str:
    """What a path out of `file` to `target` leaves, or an empty text if it stays inside."""
    files, own = file.workspace.files, repository(file)
    real = files.real(target)
    if own is not None and not holds(files.real(own), real):
        return "the repository"
    inside = (file.root, *file.workspace.roots, *((own,) if own is not None else ()))
    return "" if any(holds(files.real(one), real) for one in inside) else "the workspace"


def joined(folder: Path, path: str) -> Path:
    """The place to which `path` leads from `folder`, without `.` and `..`."""
    at = folder
    for part in path.split("/"):
        if part == "..":
            at = at.parent
        elif part not in ("", "."):
            at /= part
    return at


def _written(file: TemplateFile) -> Iterator[tuple[str, Span, bool]]:
    """The paths in the prompts, each with its span and whether it is a link."""
    text, is_escaped = file.document.text, is_value(file)
    for prompt in prompts(file):
        begin = prompt.start
        for path, start, end, is_link in _in_prompt(prompt.of(text), is_escaped):
            yield path, Span(begin + start, begin + end), is_link


# Most keystrokes leave a prompt as it is, and several features ask about each.
@lru_cache(maxsize=8)
def _in_prompt(text: str, is_escaped: bool) -> tuple[tuple[str, int, int, bool], ...]:
    """The paths in a prompt, each with its place and whether it is a link."""
    blocks = () if is_escaped else code_blocks(text, unclosed=True)
    found_paths = []
    for pattern, is_link in ((_LINK, True), (_AT, False)):
        for found in islice(pattern.finditer(text), _MOST_SIGNS):
            at = found.start()
            is_code = any(one.start <= at < one.end for one in blocks)
            # Fences in a value need not be lines of their own.
            is_code |= is_escaped and text.count(_FENCE, 0, at) % 2 == 1
            if not is_code and (_is_link(text, at) if is_link else _is_apart(text, at)):
                found_paths.append((found["path"], *found.span("path"), is_link))
    return tuple(found_paths[:_MOST])


def _is_apart(text: str, offset: int) -> bool:
    before = _BEFORE_AT.match(text, offset - 1) if offset else None
    return before is None or (offset > 1 and text.startswith(_ESCAPES, offset - 2))


def _is_link(text: str, end: int) -> bool:
    """Whether the text before `end` is the label of a link, and not in backticks."""
    near = max(0, end - _LONGEST_LINE)
    escape = text.rfind(_ESCAPES[0], near, end)
    behind = escape + len(_ESCAPES[0]) if escape >= 0 else near
    line = max(behind, text.rfind("\n", near, end) + 1)
    found = _LABEL.search(text, max(line, end - _LONGEST), end)
    return found is not None and text.count("`", line, found.start()) % 2 == 0


def _found(file: TemplateFile, written: str, is_link: bool) -> _Places:
    bases: tuple[Path, ...] = ()
    path = unquote(written.partition("#")[0]) if is_link else written
    if path.startswith("~/"):
        home = file.workspace.host_paths.home
        bases, path = () if home is None else (home,), path.removeprefix("~/")
    elif not path.startswith("/") and _PATH.fullmatch(path) is not None:
        bases = tuple(_bases(file))
    places = tuple(dict.fromkeys(joined(one, path) for one in bases))
    there = next((one for one in places if file.workspace.files.exists(one)), None)
    return _Places(places, there)


def _bases(file: TemplateFile) -> Iterator[Path]:
    """The folders from which a path may lead: that of the file, of the session, and those above.

    If the file is a link to another one, the paths in it are mostly those of the other folder.
    """
    yield file.workspace.files.real(file.path).parent
    yield file.path.parent
    yield file.root
    top = repository(file) or file.root
    for folder in file.path.parent.parents:
        if not holds(top, folder):
            return
        yield folder
