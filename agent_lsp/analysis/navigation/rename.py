"""Renames an agent or a persona at all places that refer to it.

Invariants: nothing outside the workspace folders is edited. A name that the runtime would not
accept, or that is already used, is refused with a reason. The edits cover exactly the references,
and these are still found afterwards.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from agent_lsp.analysis.navigation.references import (
    Reference,
    ReferenceRole,
    Target,
    called,
    meaning,
    target_at,
)
from agent_lsp.analysis.render import shown
from agent_lsp.data_classes import dataclass, field, replace
from agent_lsp.model.template import Reading
from agent_lsp.syntax.toml import edit
from agent_lsp.syntax.yaml.edit import quote
from agent_lsp.text import Span, TextEdit, apply
from agent_lsp.workspace.paths import may_be_called
from agent_lsp.workspace.snapshot import TemplateFile, Workspace, template_file

Edits = Mapping[Path, tuple[TextEdit, ...]]


@dataclass(frozen=True, slots=True)
class CannotRename:
    """The reason why something cannot be renamed, as a message."""

    message: str


@dataclass(frozen=True, slots=True)
class Renaming:
    """The edits of each file, and the new path of the agent's own file, if it moves.

    `doubtful` are edits of words that may refer to something else, so that the user has to confirm
    them. `left` are the files outside the workspace folders that mention the name.
    """

    edits: Edits = field(default_factory=dict)
    moved: tuple[Path, Path] | None = None
    doubtful: Edits = field(default_factory=dict)
    left: tuple[Path, ...] = ()


def prepare(file: TemplateFile, offset: int) -> tuple[Span, str] | CannotRename:
    """The span and the current name of the thing to rename at `offset`."""
    at = target_at(file, offset)
    if at is None:
        return CannotRename("no agent and no persona has its name here")
    refused = _out_of_reach(file.workspace, at.target)
    if refused is not None:
        return refused
    return at.span, at.target.persona or at.target.agent


def rename(file: TemplateFile, offset: int, name: str) -> Renaming | CannotRename:
    """The changes that give what is at `offset` the name `name`."""
    at = target_at(file, offset)
    if at is None:
        return CannotRename("no agent and no persona has its name here")
    owner = template_file(file.workspace, at.target.path)
    refused = _out_of_reach(file.workspace, at.target)
    if refused is not None or owner is None:
        return refused or CannotRename(f"`{at.target.path.name}` no longer exists")
    of_target = _agent if at.target.persona is None else _persona
    found = of_target(owner, at.target, name.strip())
    if isinstance(found, CannotRename):
        return found
    return _illegible(file.workspace, found, name.strip()) or _chosen(found, at)


def moving(workspace: Workspace, path: Path, to: Path) -> Renaming:
    """The edits that keep references valid when `path` moves; none if the name stays the same."""
    file = template_file(workspace, path)
    if file is None or _is_in_text(file, file.name):
        return Renaming()
    name = _called_by_path(file, to)
    if file.name is None or name is None or name == file.name:
        return Renaming()
    target = Target(file.dialect, path, file.name)
    if _out_of_reach(workspace, target) is not None or path.parent != to.parent:
        return Renaming()
    return _renaming(workspace, target, name)


def _chosen(renaming: Renaming, at: Reference) -> Renaming:
    """The renaming, in which the place where the user asked for it is not doubtful."""
    doubtful = renaming.doubtful.get(at.path, ())
    chosen = tuple(edit for edit in doubtful if edit.span == at.span)
    if not chosen:
        return renaming
    others = {path: edits for path, edits in renaming.doubtful.items() if path != at.path}
    rest = tuple(edit for edit in doubtful if edit not in chosen)
    edits = {**renaming.edits, at.path: (*renaming.edits.get(at.path, ()), *chosen)}
    return replace(renaming, edits=edits, doubtful={**others, at.path: rest} if rest else others)


def _illegible(workspace: Workspace, renaming: Renaming, name: str) -> CannotRename | None:
    """The reason why a text cannot mention the agent by its new name, such as one with `)`."""
    for path, edits in renaming.edits.items():
        file = template_file(workspace, path)
        if file is None:
            continue
        parsed = file.dialect.parse(apply(file.document.text, edits), bom=file.document.bom)
        was = {mention.span for mention in file.dialect.mentioned(file.document)}
        now = {mention.span for mention in file.dialect.mentioned(parsed)}
        moved = 0
        for change in sorted(edits, key=lambda change: change.span):
            start = change.span.start + moved
            moved += len(change.text) - len(change.span)
            if change.span in was and Span(start, start + len(change.text)) not in now:
                where = shown(workspace, path)
                return CannotRename(
                    f"`{name}` would not be read as a name where `{where}` mentions it"
                )
    return None


def _out_of_reach(workspace: Workspace, target: Target) -> CannotRename | None:
    if any(root in target.path.parents for root in workspace.roots):
        return None
    where = shown(workspace, target.path)
    return CannotRename(
        f"`{where}` is outside the workspace folders, and only files in them are edited"
    )


def _persona(owner: TemplateFile, target: Target, name: str) -> Renaming | CannotRename:
    """The renamed persona, if the runtime reads its new name as a persona at the same places."""
    dialect, was = owner.dialect, owner.reading
    renaming = _renaming(owner.workspace, target, name)
    text = apply(owner.document.text, renaming.edits.get(target.path, ()))
    parsed = dialect.parse(text, bom=owner.document.bom)
    now = dialect.format.read(parsed, target.agent)
    others = {one.name for one in was.declared.personas if one.name != target.persona}
    others |= {
        block.name or "" for block in was.declared.blocks[1:] if block.name != target.persona
    }
    same = _shape(now) == _shape(was) and (not now.errors or bool(was.errors))
    if name and same:
        return renaming
    if others & {name, name.casefold()}:
        return CannotRename(f"`{target.agent}` has a persona `{name}` already")
    return CannotRename(
        f"`{name}` cannot be the name of a persona: the runtime would not read it as one"
    )


def _shape(reading: Reading) -> tuple[object, ...]:
    """The part of the answer that a mere renaming leaves the same."""
    written = reading.declared
    names = [one.name for one in written.personas]
    blocks = [(block.name in names, len(block.markers)) for block in written.blocks]
    return len(names), len(set(names)), blocks, len(written.settings)


def _agent(owner: TemplateFile, target: Target, name: str) -> Renaming | CannotRename:
    """The renamed agent, if its new name is free in every session that uses it."""
    if _is_in_text(owner, target.agent):
        return _written(owner, target, name)
    # The name may have the folders of the file in front.
    folders = target.agent[: target.agent.rfind("/") + 1]
    file_name = f"{name.removeprefix(folders)}{target.path.suffix}"
    is_part = _is_part(name.removeprefix(folders)) and may_be_called(file_name, target.path)
    path = target.path.with_name(file_name) if is_part else None
    called_ = _called_by_path(owner, path) if path is not None else None
    if path is None or called_ is None:
        return CannotRename(
            f"`{name}` cannot be the name of an agent: the runtime would skip its file"
        )
    if path == target.path:
        return Renaming()
    if called_ == owner.dialect.names.default_name:
        return CannotRename(
            f"a call for `{called_}` uses no template, so no agent can have this name"
        )
    files = owner.workspace.files
    if files.exists(path) and files.real(path) != files.real(target.path):
        return CannotRename(f"`{shown(owner.workspace, path)}` already exists")
    taken = _taken(owner, target, called_)
    if taken is not None:
        return taken
    return replace(_renaming(owner.workspace, target, called_), moved=(target.path, path))


def _is_in_text(file: TemplateFile, name: str | None) -> bool:
    """Whether the name of an agent stands in the text, and not in the path of its file."""
    named = next((one for one in file.names if one.name == name), None)
    names_in = file.dialect.names.names_in
    return names_in is not None and (
        named is None or named.span is not None or file.dialect.schema.is_tables
    )


def _called_by_path(file: TemplateFile, path: Path) -> str | None:
    """The name of the agent if its file were at `path`, and its text has no name."""
    names_in, own = file.dialect.names.names_in, file.dialect.names.name_of(path.name)
    if own is None or names_in is None:
        return own
    return next((one.name for one in names_in(file.document, file.scope, path)), None)


def _written(owner: TemplateFile, target: Target, name: str) -> Renaming | CannotRename:
    """The renamed agent, whose name is in the text, if the new name is read as intended."""
    dialect, files = owner.dialect, owner.workspace.files
    if any(one.name == name for one in owner.names):
        where = shown(owner.workspace, target.path)
        return CannotRename(f"`{name}` is taken: `{where}` defines it")
    taken = _taken(owner, target, name)
    if taken is not None:
        return taken
    renaming = _renaming(owner.workspace, target, name)
    file = files.read(target.path)
    if dialect.names.names_in is None or file is None:
        return CannotRename(f"`{target.path.name}` no longer exists")
    text = apply(file.text, renaming.edits.get(target.path, ()))
    document = dialect.parse(text, bom=file.bom)
    again = dialect.names.names_in(document, owner.scope, target.path)
    expected = [name if one.name == target.agent else one.name for one in owner.names]
    is_broken = document.tree.problem is not None and owner.document.tree.problem is None
    # In the texts that mention it, a name is written without escapes.
    is_plain = edit.quote(name) == f'"{name}"'
    if not name or not is_plain or is_broken or [one.name for one in again] != expected:
        return CannotRename(
            f"`{name}` cannot be the name of an agent: the runtime would not read it"
        )
    return renaming


def _taken(owner: TemplateFile, target: Target, name: str) -> CannotRename | None:
    """The reason why prompts would refer to another agent by the new name."""
    workspace = owner.workspace
    paths = dict.fromkeys(place.path for place in meaning(workspace, target))
    for path in (target.path, *paths):
        file = template_file(workspace, path)
        chain = called(file, name) if file is not None else ()
        other = next((one for one in chain if one.path != target.path), None)
        if other is not None:
            where = shown(workspace, other.path)
            seen = "" if path == target.path else f" for `{shown(workspace, path)}`"
            return CannotRename(f"`{name}` is taken{seen}: `{where}` defines it")
    return None


def _renaming(workspace: Workspace, target: Target, name: str) -> Renaming:
    """The edits of all references to `target` in the workspace folders."""
    found: dict[bool, dict[Path, dict[Span, TextEdit]]] = {True: {}, False: {}}
    left: dict[Path, None] = {}
    for place in meaning(workspace, target):
        if _out_of_reach(workspace, Target(target.dialect, place.path, "")) is not None:
            left[place.path] = None
        else:
            found[place.is_sure].setdefault(place.path, {})[place.span] = _edit(place, name)
    sure, doubtful = (
        {path: tuple(edits.values()) for path, edits in found[is_sure].items()}
        for is_sure in (True, False)
    )
    return Renaming(sure, doubtful=doubtful, left=tuple(left))


def _edit(reference: Reference, name: str) -> TextEdit:
    if reference.role is not ReferenceRole.DECLARATION:
        return TextEdit(reference.span, name)
    dialect = reference.target.dialect
    if dialect.schema.is_tables and not dialect.is_toml:
        return TextEdit(reference.span, json.dumps(name, ensure_ascii=False))
    if dialect.schema.is_tables:
        return TextEdit(reference.span, edit.quote_key(name))
    return TextEdit(reference.span, edit.quote(name) if dialect.is_toml else quote(name, flow=True))


def _is_part(name: str) -> bool:
    """Whether `name` can be a part of a file name."""
    return bool(name) and not set(name) & set("/\\\0") and name.isprintable()
