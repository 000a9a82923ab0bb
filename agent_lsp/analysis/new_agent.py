"""Plans the file of a new agent or of a copy: its path and its text.

Invariants: nothing is written here. Whatever is impossible is reported as an `error` with a
message, before anything is created. No existing file is replaced.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from agent_lsp.analysis.render import shown
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import Candidate
from agent_lsp.model.schema import KeyRole
from agent_lsp.workspace.catalogs import candidates
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.placement import scope_for, system_by_id
from agent_lsp.workspace.scaffold import (
    home_of,
    new_template,
    starter_named,
    starters,
    tables,
    with_new_table,
)
from agent_lsp.workspace.search import leads_out
from agent_lsp.workspace.snapshot import Workspace, root_for, template_file

Json = dict[str, object]

# The scopes in the order in which they are offered, with their meaning for the user.
_KINDS = {"project": "For everybody who works in this project", "user": "For you, in all projects"}
_MEMBERS = ("dialect", "name", "scope", "starter")


def choices(workspace: Workspace, start: Path | None) -> list[Json]:
    """The systems for which an agent can be created.

    Those in use here come first, and then those that are written more widely.
    """
    ranked = sorted(workspace.systems, key=lambda system: -system.repositories)
    found = [
        _choice(workspace, dialect, root_for(workspace, dialect.system, start))
        for dialect in (system.dialect for system in ranked)
        if _offered(workspace, dialect)
    ]
    return sorted(found, key=lambda one: not one["in_use"])


def begin(workspace: Workspace, argument: Mapping[str, object], start: Path | None) -> Json:
    """The file of a new agent with its text, or the reason for having none."""
    strange = next((name for name in argument if name not in _MEMBERS), None)
    if strange is not None:
        return _refused(f"unknown member `{strange}`; expected {', '.join(_MEMBERS)}")
    given = {name: argument.get(name) for name in _MEMBERS}
    wrong = next((name for name, value in given.items() if not isinstance(value, str)), None)
    if wrong is not None:
        return _refused(f"`{wrong}` is missing or not a string")
    system = system_by_id(workspace.systems, str(given["dialect"]))
    dialect = system.dialect if system is not None else None
    offered = _offered(workspace, dialect) if dialect is not None else {}
    if dialect is None or not offered:
        return _refused(f"no new agent can be created for `{given['dialect']}`")
    starter = offered.get(str(given["starter"]))
    if starter is None:
        return _refused(f"there is no starter `{given['starter']}`")
    root, kind, name = (
        root_for(workspace, dialect.system, start),
        str(given["scope"]),
        str(given["name"]),
    )
    if dialect.system.files:
        return _appended(workspace, dialect, root, name, kind, starter)
    return _made(
        workspace, dialect, root, name.removesuffix(dialect.system.extension), kind, starter
    )


def copy(workspace: Workspace, argument: Mapping[str, object], start: Path | None) -> Json:
    """The file of a copy in another scope of the agent at `start`."""
    kind, file = (
        argument.get("scope"),
        template_file(workspace, start) if start is not None else None,
    )
    if not isinstance(kind, str) or kind not in _KINDS or argument.keys() != {"scope"}:
        return _refused(f"`scope` is one of {', '.join(_KINDS)}, and can be used only with `uri`")
    if file is None or file.source.problem is not None or file.dialect.system.files:
        return _refused("`uri` is not a file of one agent that can be copied")
    folder = home_of(file.dialect, kind, file.root, workspace.host_paths, workspace.files)
    if folder is None:
        return _refused(f"{file.dialect.title} have no folder of your own")
    target = folder / file.path.name
    refused = _refused_outside(workspace, target, kind, file.root)
    if refused is not None:
        return refused
    if workspace.files.read(target) is not None:
        return _refused(f"{shown(workspace, target)} already exists and is not changed")
    return _file(target, file.document.text, file.name or file.path.stem, "")


def _offered(workspace: Workspace, dialect: Dialect) -> Mapping[str, str]:
    """The starters by name: whole files, or tables of a file."""
    if dialect.system.files:
        return tables(dialect, workspace.host_paths, workspace.files)
    found = starters(dialect, workspace.host_paths, workspace.files)
    read = {name: workspace.files.read(path) for name, path in found.items()}
    return {name: file.text for name, file in read.items() if file is not None}


def _choice(workspace: Workspace, dialect: Dialect, root: Path) -> Json:
    said = _said(workspace).get(dialect.id, {})
    files, places = workspace.files, workspace.host_paths
    homes = {kind: home_of(dialect, kind, root, places, files) for kind in _KINDS}
    only = min(dialect.system.files) if dialect.system.files else ""
    return {
        "dialect": dialect.id,
        "title": dialect.title,
        "runtime": dialect.runtime,
        "in_use": any(home is not None and _is_used(files, home, only) for home in homes.values()),
        "scopes": [
            {"scope": kind, "meaning": _KINDS[kind], "folder": shown(workspace, home / only)}
            for kind, home in homes.items()
            if home is not None
        ],
        "starters": [
            {"name": name, "description": said.get(name) or _about(dialect, name, text)}
            for name, text in sorted(_offered(workspace, dialect).items())
        ],
    }


def _said(workspace: Workspace) -> Mapping[str, Mapping[str, str]]:
    """What the shipped starters of each system are for, in a file beside them."""
    file = workspace.files.read(workspace.host_paths.templates / "starters.json")
    said: Mapping[str, Mapping[str, str]] = json.loads(file.text) if file is not None else {}
    return said


def _about(dialect: Dialect, name: str, text: str) -> str:
    """What a starter is for, in its own words, or nothing if it does not say so."""
    key = dialect.schema.by_role.get(KeyRole.DESCRIPTION)
    reading = dialect.format.read(dialect.parse(text), name)
    value = reading.declared.settings.get(key.name) if key is not None else None
    return value.text.strip() if value is not None else ""


def _is_used(files: Files, home: Path, only: str) -> bool:
    return files.read(home / only) is not None if only else files.is_folder(home)


def _appended(
    workspace: Workspace, dialect: Dialect, root: Path, name: str, kind: str, table: str
) -> Json:
    """An agent as an additional table of the file that has all agents."""
    folder = home_of(dialect, kind, root, workspace.host_paths, workspace.files)
    if folder is None or kind not in _KINDS:
        return _refused(f"{dialect.title} have no folder `{kind}`")
    path, scope = folder / min(dialect.system.files), scope_for(workspace, dialect.system, folder)
    refused = _refused_outside(workspace, path, kind, root)
    if refused is not None:
        return refused
    file = workspace.files.read(path)
    if file is not None and (
        file.problem or dialect.format.read(dialect.parse(file.text), name).errors
    ):
        return _refused(f"the runtime refuses {shown(workspace, path)}; fix that first")
    added = (
        with_new_table(dialect, file.text if file else "", table, name, scope, path)
        if name
        else None
    )
    if added is None:
        return _refused(f"{shown(workspace, path)} cannot have another agent `{name}`")
    made = {"file": str(path), "text": added, "name": name, "note": None}
    return {"result": {**made, "appended": file is not None}, "error": None}


def _made(
    workspace: Workspace, dialect: Dialect, root: Path, stem: str, kind: str, starter: str
) -> Json:
    name = starter_named(dialect, stem)
    if name is None:
        return _refused(_no_name(dialect, stem))
    folder = home_of(dialect, kind, root, workspace.host_paths, workspace.files)
    if folder is None or kind not in _KINDS:
        return _refused(f"{dialect.title} have no folder `{kind}`")
    path = folder / dialect.system.file_name(stem)
    refused = _refused_outside(workspace, path, kind, root)
    if refused is not None:
        return refused
    scope = scope_for(workspace, dialect.system, folder)
    text = new_template(dialect, starter, scope, path)
    if text is None:
        return _refused(_no_name(dialect, stem))
    if workspace.files.read(path) is not None:
        return _refused(f"{shown(workspace, path)} already exists")
    chain = candidates(workspace, dialect, root, name)
    twin = next((one.path for one in chain if one.path.parent == folder), None)
    if twin is not None:
        return _refused(f"{shown(workspace, twin)} defines `{name}` already")
    return _file(path, text, name, "; ".join(_notes(workspace, stem, name, chain)))


def _notes(
    workspace: Workspace, stem: str, name: str, chain: tuple[Candidate, ...]
) -> Iterator[str]:
    """Notes on unexpected effects of a valid name."""
    if name != stem:
        yield f"the runtime calls it `{name}`"
    if chain:
        where = "built in" if chain[0].scope.builtin else shown(workspace, chain[0].path)
        yield f"there is an agent of this name: {where}"


def _no_name(dialect: Dialect, stem: str) -> str:
    near = "-".join(stem.lower().split())
    hint = f"; try `{near}`" if near != stem and starter_named(dialect, near) is not None else ""
    return f"`{stem}` cannot be the name of an agent of {dialect.id}{hint}"


def _file(path: Path, text: str, name: str, note: str) -> Json:
    made = {"file": str(path), "text": text, "name": name, "note": note or None}
    return {"result": {**made, "appended": False}, "error": None}


def _refused_outside(workspace: Workspace, path: Path, kind: str, root: Path) -> Json | None:
    """The answer for a file of a project that would come into being elsewhere; None for others.

    The links in the user's own folder are theirs.
    """
    real = leads_out(path, root, workspace.files) if kind == "project" else None
    if real is None:
        return None
    return _refused(f"{shown(workspace, path)} is not in the repository: a link points to {real}")


def _refused(message: str) -> Json:
    return {"result": None, "error": message}
