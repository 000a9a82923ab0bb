"""Links in a prompt: to the files that it names by their paths, and to skills."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath

from agent_lsp.model.discovery import Skills
from agent_lsp.text import Span
from agent_lsp.workspace.scopes import fixed_folder, proper_folder
from agent_lsp.workspace.snapshot import TemplateFile

# Each is looked for on the disk; nobody writes more into a prompt.
_MOST = 200
# A path has a folder or stands in backticks, where it ends with an extension.
_NAME = r"[\w.-]{1,64}"
_PATH = re.compile(
    rf"(?<![\w/.:~@-])(?:(?:\.{{1,2}}/|~/)(?:{_NAME}/){{0,12}}{_NAME}|(?:{_NAME}/){{1,12}}{_NAME})"
    r"|`[\w-]{1,64}\.\w{1,10}(?=`)"
)


@dataclass(frozen=True, slots=True)
class DocumentLink:
    """A path or a skill in a prompt, and the file that it means."""

    span: Span
    target: Path


def document_links(file: TemplateFile) -> tuple[DocumentLink, ...]:
    """The paths in prompts that lead to files, from the session's folder or from the file's."""
    return (*_links(file), *_skills(file))


def _links(file: TemplateFile) -> Iterator[DocumentLink]:
    for found in islice(_in_prompts(file, _PATH), _MOST):
        written = found.group().lstrip("`").rstrip(".")
        start = found.start() + found.group().startswith("`")
        target = _existing(file, written)
        if target is not None:
            yield DocumentLink(Span(start, start + len(written)), target)


def _skills(file: TemplateFile) -> Iterator[DocumentLink]:
    """The skills in prompts that exist, under the name as it is written or in lower case."""
    dialect = file.dialect.references.skills
    if dialect is None:
        return
    user = fixed_folder(file.dialect.system, file.workspace.host_paths, builtin=False)
    project = proper_folder(
        file.dialect.system, file.root, file.workspace.host_paths, file.workspace.files
    )
    folders = [folder.parent / dialect.folder for folder in (project, user) if folder is not None]
    for mention in islice(_in_prompts(file, dialect.mention), _MOST):
        written = next(filter(None, mention.groups()))
        target = _skill(file, dialect, folders, written)
        if target is not None:
            yield DocumentLink(Span(*mention.span()), target)


def _in_prompts(file: TemplateFile, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """The matches of `pattern` in the body, or in the prompts of the templates in a table file."""
    text, read = file.document.text, file.dialect.format.read
    if not file.dialect.schema.is_tables:
        yield from pattern.finditer(text, file.document.frontmatter.body.start)
        return
    for one in file.names:
        span = read(file.document, one.name).declared.default.span
        yield from pattern.finditer(text, span.start, span.end)


def _skill(file: TemplateFile, skills: Skills, folders: list[Path], written: str) -> Path | None:
    names = dict.fromkeys((written, written.lower()))
    paths = (
        folder / place
        for folder in folders
        for name in names
        for place in (f"{name}/{skills.document}", f"{name}.md")
    )
    return next(filter(file.workspace.files.exists, paths), None)


def _existing(file: TemplateFile, written: str) -> Path | None:
    files, home = file.workspace.files, file.workspace.host_paths.home
    is_home = written.startswith("~/")
    bases = (home,) if is_home else (file.root, file.path.parent)
    relative = PurePosixPath(written.removeprefix("~/"))
    targets = (base / relative for base in bases if base is not None)
    return next((one for one in targets if files.exists(one) and not files.is_folder(one)), None)
