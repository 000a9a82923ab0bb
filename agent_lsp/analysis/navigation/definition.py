"""Finds the target of a name: its definition, all candidates, its references and links.

Invariant: the place of an agent is that of its name, or the start of the file that is named after
it. A persona leads from its declaration to its prompt, and from everywhere else to its declaration.
"""

import re
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

from agent_lsp.analysis.context.hooks import scripts
from agent_lsp.analysis.context.prompts import joined, named_files
from agent_lsp.analysis.navigation.references import (
    Reference,
    ReferenceRole,
    Target,
    meaning,
    owner,
    references,
    target_at,
)
from agent_lsp.data_classes import dataclass
from agent_lsp.model.discovery import Skills
from agent_lsp.patterns import regex
from agent_lsp.text import Span
from agent_lsp.workspace.catalogs import candidates
from agent_lsp.workspace.mcp_servers import place_of
from agent_lsp.workspace.named_servers import named_server_at, server_of
from agent_lsp.workspace.scopes import fixed_folder, proper_folder
from agent_lsp.workspace.skills import by_path, entries, meant_by
from agent_lsp.workspace.snapshot import TemplateFile, Workspace, deeper, template_file


def definition(file: TemplateFile, offset: int) -> tuple[Reference, ...]:
    """The target of the name at `offset`; at the top of a shadowed file, the winner."""
    at = target_at(file, offset)
    if at is None:
        return ()
    if at.target.persona is not None:
        wanted = (
            ReferenceRole.MARKER
            if at.role is ReferenceRole.DECLARATION
            else ReferenceRole.DECLARATION
        )
        found = tuple(place for place in _of_persona(file, at.target) if place.role is wanted)
        return found[:1] or tuple(p for p in _of_persona(file, at.target) if p.span != at.span)[:1]
    if at.role is ReferenceRole.MENTION:
        return (home(file.workspace, at.target),)
    chain = candidates(file.workspace, file.dialect, file.root, at.target.agent)
    targets = (Target(owner(file, one.path), one.path, one.name) for one in chain[:1])
    return tuple(home(file.workspace, target) for target in targets)


def implementation(file: TemplateFile, offset: int) -> tuple[Reference, ...]:
    """All files that define the agent at `offset`: the winner, shadowed ones, deeper sessions."""
    at = target_at(file, offset)
    if at is None or at.target.persona is not None:
        return definition(file, offset)
    own = template_file(file.workspace, at.target.path)
    nearer = deeper(own) if own is not None else ()
    chain = (*candidates(file.workspace, file.dialect, file.root, at.target.agent), *nearer)
    paths = dict.fromkeys(one.path for one in chain)
    found = (Target(owner(file, path), path, at.target.agent) for path in paths)
    return tuple(home(file.workspace, target) for target in found)


def references_at(file: TemplateFile, offset: int, *, declaration: bool) -> tuple[Reference, ...]:
    """All references to what is at `offset`, with its `declaration` if wanted."""
    at = target_at(file, offset)
    if at is None:
        return ()
    found = tuple(meaning(file.workspace, at.target))
    if not declaration:
        return tuple(place for place in found if place.role is not ReferenceRole.DECLARATION)
    own = home(file.workspace, at.target)
    is_listed = at.target.persona is not None or any(
        (one.path, one.span) == (own.path, own.span) for one in found
    )
    return found if is_listed else (own, *found)


def highlights(file: TemplateFile, offset: int) -> tuple[Reference, ...]:
    """The references in this file to what is at `offset`."""
    at = target_at(file, offset)
    if at is None or at.role is ReferenceRole.FILE:
        return ()
    return tuple(place for place in references(file) if place.target == at.target)


def home(workspace: Workspace, target: Target) -> Reference:
    """The start of the agent's file, or the place of its name if the text declares it."""
    file = template_file(workspace, target.path)
    names = file.names if file is not None else ()
    span = next((one.span for one in names if one.name == target.agent and one.span), Span(0, 0))
    return Reference(target, target.path, span, ReferenceRole.FILE)


def _of_persona(file: TemplateFile, target: Target) -> tuple[Reference, ...]:
    owner = file if file.path == target.path else template_file(file.workspace, target.path)
    if owner is None:
        return ()
    return tuple(place for place in references(owner) if place.target == target)


# The most links in a file, because each one is looked up on the disk.
_MOST = 200
# A path has a folder, or it stands in backticks and ends with an extension.
_NAME = r"[\w.-]{1,64}"
_PATH = regex(
    rf"(?<![\w/.:~@-])(?:(?:\.{{1,2}}/|~/)(?:{_NAME}/){{0,12}}{_NAME}|(?:{_NAME}/){{1,12}}{_NAME})"
    r"|`[\w-]{1,64}\.\w{1,10}(?=`)"
)


@dataclass(frozen=True, slots=True)
class DocumentLink:
    """A path or a skill that a file names, and the file that it refers to."""

    span: Span
    target: Path


def document_links(file: TemplateFile) -> tuple[DocumentLink, ...]:
    """The paths and skills in prompts and the header that lead to files."""
    return (*_named_skills(file), *_scripts(file), *_files(file), *_links(file), *_skills(file))


def file_at(file: TemplateFile, offset: int) -> DocumentLink | None:
    """The existing file that the prompt, or a hook, names at `offset`, or None."""
    every = chain(_files(file), _scripts(file))
    return next((link for link in every if link.span.covers(offset)), None)


def skill_at(file: TemplateFile, offset: int) -> DocumentLink | None:
    """The skill that the header names at `offset`, or None."""
    return next((link for link in _named_skills(file) if link.span.covers(offset)), None)


def configured_at(file: TemplateFile, offset: int) -> tuple[Path, Span] | None:
    """Where the MCP server that the header names at `offset` is configured, or None."""
    named = named_server_at(file, offset)
    server = server_of(file, named) if named is not None else None
    if server is None:
        return None
    return server.path, place_of(server, file.workspace.files)


def _named_skills(file: TemplateFile) -> Iterator[DocumentLink]:
    for entry in islice(entries(file), _MOST):
        skill = meant_by(file, entry)
        if skill is not None and skill.path is not None:
            yield DocumentLink(entry.span, skill.path)
    files = file.workspace.files
    for entry, place in islice(by_path(file), _MOST):
        if files.exists(place) and not files.is_folder(place):
            yield DocumentLink(entry.span, place)


def _files(file: TemplateFile) -> Iterator[DocumentLink]:
    """The files behind links of Markdown and behind `@`."""
    for one in named_files(file):
        if one.target is not None and not file.workspace.files.is_folder(one.target):
            yield DocumentLink(one.span, one.target)


def _scripts(file: TemplateFile) -> Iterator[DocumentLink]:
    for one in islice(scripts(file), _MOST):
        if file.workspace.files.exists(one.path):
            yield DocumentLink(one.span, one.path)


def _links(file: TemplateFile) -> Iterator[DocumentLink]:
    """The paths of existing files in other words."""
    taken = {at for one in named_files(file) for at in range(one.span.start, one.span.end)}
    for found in islice(_in_prompts(file, _PATH), _MOST):
        written = found.group().lstrip("`").rstrip(".")
        start = found.start() + found.group().startswith("`")
        target = _existing(file, written) if start not in taken else None
        if target is not None:
            yield DocumentLink(Span(start, start + len(written)), target)


def _skills(file: TemplateFile) -> Iterator[DocumentLink]:
    """The skills in prompts that exist, under the name as written or in lower case."""
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
    """The matches of `pattern` in the body, or in the prompts of a file of tables."""
    text, read = file.document.text, file.dialect.format.read
    if not file.dialect.schema.is_tables:
        yield from pattern.finditer(text, file.body.start, file.body.end)
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
    targets = (joined(base, written.removeprefix("~/")) for base in bases if base is not None)
    return next((one for one in targets if files.exists(one) and not files.is_folder(one)), None)
