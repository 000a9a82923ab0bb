"""The files that a prompt names by their paths, and the skills that it names."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath

from agent_lsp.dialects.folders import Skills
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject
from agent_lsp.workspace.scopes import fixed_folder, proper_folder

# Each is looked for on the disk; nobody writes more into a prompt.
_MOST = 200
# A path has a folder or stands in backticks, where it ends with an extension.
_NAME = r"[\w.-]{1,64}"
_PATH = re.compile(
    rf"(?<![\w/.:~@-])(?:(?:\.{{1,2}}/|~/)(?:{_NAME}/){{0,12}}{_NAME}|(?:{_NAME}/){{1,12}}{_NAME})"
    r"|`[\w-]{1,64}\.\w{1,10}(?=`)"
)


@dataclass(frozen=True, slots=True)
class Link:
    """A path or a skill in a prompt, and the file that it means."""

    span: Span
    target: Path


def links(of: Subject) -> tuple[Link, ...]:
    """The paths in prompts that lead to files, from the session's folder or from the file's."""
    return (*_links(of), *_skills(of))


def _links(of: Subject) -> Iterator[Link]:
    for found in islice(_in_prompts(of, _PATH), _MOST):
        written = found.group().lstrip("`").rstrip(".")
        start = found.start() + found.group().startswith("`")
        target = _existing(of, written)
        if target is not None:
            yield Link(Span(start, start + len(written)), target)


def _skills(of: Subject) -> Iterator[Link]:
    """The skills in prompts that exist, under the name as it is written or in lower case."""
    known = of.dialect.skills
    if known is None:
        return
    user = fixed_folder(of.dialect, of.workspace.places, builtin=False)
    project = proper_folder(of.dialect, of.root, of.workspace.places, of.workspace.files)
    folders = [folder.parent / known.folder for folder in (project, user) if folder is not None]
    for mention in islice(_in_prompts(of, known.mention), _MOST):
        written = next(filter(None, mention.groups()))
        target = _skill(of, known, folders, written)
        if target is not None:
            yield Link(Span(*mention.span()), target)


def _in_prompts(of: Subject, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """What `pattern` finds in the body, or in a file of tables in the prompts of its templates."""
    text, read = of.document.text, of.dialect.read
    if of.dialect.keys_at is None:
        yield from pattern.finditer(text, of.document.cut.body.start)
        return
    for one in of.names:
        span = read(of.document, one.name).written.default.span
        yield from pattern.finditer(text, span.start, span.end)


def _skill(of: Subject, known: Skills, folders: list[Path], written: str) -> Path | None:
    names = dict.fromkeys((written, written.lower()))
    paths = (
        folder / place
        for folder in folders
        for name in names
        for place in (f"{name}/{known.document}", f"{name}.md")
    )
    return next(filter(of.workspace.files.exists, paths), None)


def _existing(of: Subject, written: str) -> Path | None:
    files, home = of.workspace.files, of.workspace.places.home
    is_home = written.startswith("~/")
    bases = (home,) if is_home else (of.root, of.path.parent)
    relative = PurePosixPath(written.removeprefix("~/"))
    targets = (base / relative for base in bases if base is not None)
    return next((one for one in targets if files.exists(one) and not files.is_folder(one)), None)
