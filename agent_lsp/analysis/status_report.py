"""Reports the state of a workspace: scopes, files, winners, settings and skipped files.

Invariant: every fact comes from the functions that diagnostics and previews use.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from agent_lsp.analysis.checks.messages import joined
from agent_lsp.analysis.diagnostics import Silenced, examined, from_below, silenced
from agent_lsp.analysis.preview import programs
from agent_lsp.analysis.preview.programs import confirmation, taken
from agent_lsp.data_classes import replace
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import Candidate, Catalog, Scope
from agent_lsp.model.system import System
from agent_lsp.workspace import definitions
from agent_lsp.workspace.catalogs import catalog
from agent_lsp.workspace.mcp_servers import are_configured, config_errors, mcp_servers
from agent_lsp.workspace.placement import (
    holds_own,
    is_used,
    placement_by_place,
    placements_of_folder,
    uncounted,
)
from agent_lsp.workspace.programs import in_use, installed_version, readers_in_use
from agent_lsp.workspace.search import left_out, template_folders, templates
from agent_lsp.workspace.snapshot import Workspace, may_have_templates, options_at

Json = dict[str, object]


def report(workspace: Workspace, beside: Mapping[str, object]) -> Json:
    """The files that each system finds from each root, and the skipped ones, with `beside`.

    `beside` has `versions`, `settings` and `timings`, which only the server and command line know.
    """
    return {
        **beside,
        "roots": [str(root) for root in workspace.roots],
        "sessions": [
            session
            for root in workspace.roots
            for system in workspace.systems
            if _may_be_used(workspace, system, root)
            for session in _sessions(workspace, system.dialect, root)
        ],
        "several_programs": list(_several(workspace)),
        "uncounted_programs": list(_uncounted(workspace)),
        "folders": [str(folder) for folder in workspace.folders if _is_used(workspace, folder)],
        "hidden_by_settings": [_hidden(one) for one in _silenced(workspace)],
        "skipped": [{"path": str(path), "why": why} for path, why in _skipped(workspace)],
    }


def text(data: Mapping[str, Any]) -> Iterator[str]:
    """A report, line by line."""
    yield "versions"
    yield from (f"  {name} {version}" for name, version in data["versions"].items())
    for settings in data["settings"]:
        yield from ("", f"settings for {settings['root']}")
        yield f"  file: {settings['file'] or 'none'}"
        for one in settings["values"]:
            yield f"  {one['name']} = {one['value']}  ({one['origin']})"
    for session in data["sessions"]:
        yield from _lines_of(session)
    if not data["sessions"]:
        yield from ("", "no agents: no system has a folder here")
    if data["several_programs"]:
        yield from ("", "read by several programs")
        yield from _lines_of_several(data["several_programs"])
    if data["uncounted_programs"]:
        yield from ("", "programs that are skipped here")
        yield from (f"  {one['text']}" for one in data["uncounted_programs"])
    if data["hidden_by_settings"]:
        yield from ("", "hidden by the settings of a repository")
        yield from (f"  {one['text']}" for one in data["hidden_by_settings"])
    if data["skipped"]:
        yield from ("", "skipped")
        yield from (f"  {one['path']}: {one['why']}" for one in data["skipped"])
    yield from ("", "timings")
    yield from (f"  {name}: {1000 * seconds:.0f} ms" for name, seconds in data["timings"].items())


def _lines_of(session: Mapping[str, Any]) -> Iterator[str]:
    """The lines about what one session finds."""
    yield from ("", f"{session['dialect']}, for a session in {session['root']}")
    yield from _versions(session)
    for scope in session["scopes"]:
        many = "1 file" if scope["count"] == 1 else f"{scope['count']} files"
        only = f" for {joined(scope['programs'])} alone" if scope["programs"] else ""
        yield f"  {scope['label']}{only}: {many} in {scope['folder']}"
        for file in scope["files"]:
            but = "" if file["wins"] else f"  (not used: {file['winner'] or 'skipped'})"
            out = f"  (links to {file['leads_to']})" if file["leads_to"] else ""
            said = f"  ({file['standing']})" if file["standing"] else ""
            yield f"    {file['name']}{but}{said}{out}"
    yield from (f"  {note}" for note in session["notes"])
    if session["budget"] is not None:
        yield f"  {session['budget']['text']}"
    for server in session["servers"]:
        yield f"  MCP server {server['name']}, configured in {server['file']}"


def _lines_of_several(files: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """The lines of the files about which programs disagree, and the number of all others."""
    agreed = Counter[str]()
    for file in files:
        if file["agreed"]:
            agreed[joined(one["name"] for one in file["programs"])] += 1
            continue
        yield f"  {file['file']}"
        yield from (f"    {line}" for line in file["lines"])
    for names, many in agreed.items():
        yield f"  {'1 file' if many == 1 else f'{many} files'} alike in {names}"


def _several(workspace: Workspace) -> Iterator[Json]:
    """The templates that several programs read, and what each makes of them."""
    for path in templates(workspace):
        found = programs.of_path(workspace, path)
        if len(found) > 1:
            yield {
                "file": str(path),
                "programs": [
                    {"name": one.name, "dialect": one.dialect, "agent": one.agent, "does": one.does}
                    for one in found
                ],
                "agreed": programs.is_agreed(found),
                "lines": list(programs.lines(found)),
            }


def _uncounted(workspace: Workspace) -> Iterator[Json]:
    """The programs that read files here and do not count, each with the number of files."""
    found = Counter[tuple[str, str, bool]]()
    for folder in _folders_of_all(workspace):
        is_set = bool(options_at(workspace, folder).programs)
        for system, id_, name in _uncounted_in(workspace, folder):
            # The text of a file in a common folder decides whose it is.
            many = sum(map(system.has, workspace.files.entries(folder)))
            if many and system.common is None:
                found[id_, name, is_set] += many
    for (id_, name, is_set), many in found.items():
        why = (
            "the setting `for` does not list it"
            if is_set
            else "nothing else in this project uses it"
        )
        files = "1 file" if many == 1 else f"{many} files"
        said = f"{name} also reads {files}, but is skipped: {why}"
        yield {"program": id_, "count": many, "text": said}


def _folders_of_all(workspace: Workspace) -> tuple[Path, ...]:
    """The folders with templates, also those of programs that settings leave out."""
    if not any(options.programs for options in workspace.settings.values()):
        return workspace.folders
    free = {
        root: replace(options, programs=frozenset()) for root, options in workspace.settings.items()
    }
    every = replace(workspace, settings=free)
    found = (folder for root in workspace.roots for folder in template_folders(every, root))
    return tuple(dict.fromkeys((*workspace.folders, *filter(None, found))))


def _uncounted_in(workspace: Workspace, folder: Path) -> Iterator[tuple[System, str, str]]:
    """The systems that do not count in `folder`, and programs of one whose others do."""
    for system in uncounted(workspace, folder):
        yield system, system.id, system.runtime
    options = options_at(workspace, folder)
    for one in placements_of_folder(workspace, folder) if options.programs else ():
        dialect = in_use(one.system.dialect, options)
        counting = readers_in_use(dialect, options)
        for reader in dialect.variants.readers:
            if reader not in counting:
                yield one.system, f"{one.system.id}-{reader.id}", reader.name


def _versions(session: Mapping[str, Any]) -> Iterator[str]:
    """The version of a runtime that was measured, and the one that is installed here."""
    if session["measured"]:
        here = f"installed here is {session['installed']}" if session["installed"] else ""
        yield f"  measured with {session['measured']}; {here or 'no installation was found'}"


def _silenced(workspace: Workspace) -> tuple[Silenced, ...]:
    """The findings that settings hide; checks templates only if a setting hides any."""
    if not any(options.silence for options in workspace.settings.values()):
        return ()
    return silenced(workspace, ((path, examined(workspace, path)) for path in templates(workspace)))


def _hidden(silenced: Silenced) -> Json:
    return {
        "file": str(silenced.file),
        "count": silenced.count,
        "codes": {code: silenced.codes[code] for code in sorted(silenced.codes)},
        "folders": {str(folder): many for folder, many in sorted(silenced.folders.items()) if many},
        "text": silenced.sentence(from_below(silenced.file.parent)),
    }


def _is_used(workspace: Workspace, folder: Path) -> bool:
    """Whether `folder` is in use, or people may take it for a folder of templates."""
    owner = placement_by_place(workspace, folder)
    return owner is None or holds_own(workspace, owner.system, folder)


def _may_be_used(workspace: Workspace, system: System, root: Path) -> bool:
    """Whether a session may find anything of `system`, so that its dialect has to be loaded."""
    start = options_at(workspace, root).session_root or root
    return may_have_templates(workspace, system, start) or are_configured(
        system, start, workspace.host_paths, workspace.files
    )


def _sessions(workspace: Workspace, dialect: Dialect, root: Path) -> Iterator[Json]:
    """The agents of a session in `root`, if it finds more than the built-in ones."""
    found = catalog(workspace, dialect, options_at(workspace, root).session_root or root)
    configured = mcp_servers(dialect, found.root, workspace.host_paths, workspace.files)
    if not is_used(workspace, dialect.system, found.scopes) and not configured:
        return
    yield {
        "dialect": dialect.id,
        "root": str(found.root),
        "scopes": [_scope(workspace, dialect, found, scope) for scope in found.scopes],
        "notes": list(found.notes()),
        "budget": _budget(dialect, found),
        "servers": [{"name": one.name, "file": str(one.path)} for one in configured],
        "measured": dialect.variants.measured or None,
        "installed": installed_version(
            dialect.variants.packages,
            workspace.host_paths.home,
            found.root,
            workspace.files,
            workspace.host_paths.searched,
        ),
    }


def _budget(dialect: Dialect, found: Catalog) -> Json | None:
    """The share of the session that the descriptions take, if it is known."""
    if dialect.calls.budget is None:
        return None
    budget = dialect.calls.budget(found)
    return {"tokens": budget.tokens, "limit": budget.limit, "text": str(budget)}


def _scope(workspace: Workspace, dialect: Dialect, catalog: Catalog, scope: Scope) -> Json:
    files = []
    for name, path in sorted(_named(workspace, dialect, scope)):
        winner = catalog.winner(name)
        used = catalog.made(name, path)
        wins = bool(used) or any(part.path == path for part in catalog.parts(name))
        by = None if wins or winner is None else str(winner.path)
        said = {"name": used or name, "file": str(path), "wins": wins, "winner": by}
        candidate = Candidate(name, path, scope)
        standing = _standing(workspace, dialect, catalog.root, candidate)
        standing = standing or taken(dialect, catalog, candidate) or None
        leads_to = _leads_to(workspace, scope, path)
        files.append({**said, "standing": standing, "leads_to": leads_to})
    readers = dialect.variants.readers
    return {
        "label": scope.label,
        "folder": str(scope.folder),
        # The programs of the system that look there, unless all do.
        "programs": [one.name for one in readers if one.id in scope.readers],
        # One file can define several names.
        "count": len({one["file"] for one in files}),
        "files": files,
    }


def _standing(
    workspace: Workspace, dialect: Dialect, root: Path, candidate: Candidate
) -> str | None:
    """Whether a person has confirmed the text, if the runtime asks for that."""
    found = confirmation(workspace, dialect, root, candidate)
    if found is None:
        return None
    return found.word if found.is_open else f"not {found.word}: {found.reason}"


def _leads_to(workspace: Workspace, scope: Scope, path: Path) -> str | None:
    """The target of a link that leaves the workspace, or a scope outside of it."""
    real = workspace.files.real
    tops = [root for root in workspace.roots if root in path.parents] or [scope.folder]
    target = real(path)
    is_inside = any(real(top) in target.parents for top in tops)
    return None if is_inside or target == path else str(target)


def _named(workspace: Workspace, dialect: Dialect, scope: Scope) -> Iterator[tuple[str, Path]]:
    """The names that the files of a scope define, in all of its folders, with their files."""
    for folder in definitions.folders(workspace.files, scope):
        found = definitions.names(workspace.files, dialect, folder, scope)
        yield from ((name, path) for name, paths in found.items() for path in paths)


def _skipped(workspace: Workspace) -> Iterator[tuple[Path, str]]:
    """The files that are not read or not used, each with the reason."""
    files, seen = workspace.files, set[Path]()
    yield from sorted(files.locked().items())
    for root in workspace.roots:
        for folder in left_out(workspace, root):
            yield folder, "your own templates, which are not part of this workspace"
        options = options_at(workspace, root)
        for folder, claim in sorted(options.folders.items()):
            if claim is None:
                yield folder, "excluded by a setting"
        for system in workspace.systems:
            session = options.session_root or root
            broken = config_errors(system, session, workspace.host_paths, workspace.files)
            unused = (
                _unused(workspace, system.dialect, root)
                if may_have_templates(workspace, system, root)
                else ()
            )
            for path, why in (*broken, *unused):
                if path not in seen:
                    seen.add(path)
                    yield path, why


def _unused(workspace: Workspace, dialect: Dialect, root: Path) -> Iterator[tuple[Path, str]]:
    """The files of a session that cannot be read here, and those that the runtime skips."""
    found = catalog(workspace, dialect, root)
    for scope in found.scopes:
        for _, path in _named(workspace, dialect, scope):
            file = definitions.source(workspace.files, dialect, path)
            if file is not None and file.problem is not None:
                yield path, file.problem
    for candidate, why in found.skipped():
        yield candidate.path, f"skipped by the runtime: {why}"
