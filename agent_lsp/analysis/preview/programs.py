"""Says what each program makes of a file, and whether a person has to confirm the agent there.

Invariants: the answers are those of the catalog, of the calls in each program, and of its records
of what a person has confirmed or switched off. Text of a template stands between backticks, and
nothing else does.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from agent_lsp.analysis.checks.messages import code, joined
from agent_lsp.analysis.preview import as_written
from agent_lsp.analysis.render import count
from agent_lsp.data_classes import dataclass
from agent_lsp.model.availability import Availability
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import Candidate, Catalog, RuntimeRefusal, Toolset
from agent_lsp.model.schema import KeyRole
from agent_lsp.syntax.document import memoised
from agent_lsp.syntax.nodes import Mapping
from agent_lsp.workspace.bundles import texts_of
from agent_lsp.workspace.disk import SourceFile
from agent_lsp.workspace.placement import system_placements
from agent_lsp.workspace.programs import readers_in_use
from agent_lsp.workspace.snapshot import (
    TemplateFile,
    Workspace,
    as_others_read,
    catalog_of,
    template_file,
)

# So many tools are named; of more there is a number, for each set of tools if they have names such
# as `set/tool`.
_MOST_NAMED = 24
_SEVERAL = 2


@dataclass(frozen=True, slots=True)
class Program:
    """A program that reads a file, and what it `does` with it.

    `dialect` is the id of its dialect. `agent` is the name of the agent that it has of the file, or
    None if it has none.
    """

    name: str
    dialect: str
    agent: str | None
    does: str


@memoised
def programs(file: TemplateFile) -> tuple[Program, ...]:
    """What each program does with `file`; none if the only program of its system reads it."""
    others = as_others_read(file)
    # The place of a file may keep it from the others.
    is_one_of_several = others or len(readers_in_use(file.dialect, file.options)) > 1
    return tuple(map(_program, (file, *others))) if is_one_of_several else ()


def lines(found: tuple[Program, ...]) -> Iterator[str]:
    """A line for each answer, with all programs that give it."""
    for same in _alike(found):
        agents = dict.fromkeys(code(one.agent) for one in same if one.agent is not None)
        loads = f"loads it as {joined(agents)}, " if agents else ""
        each = "each " if len(same) > 1 else ""
        yield f"{joined(one.name for one in same)}: {each}{loads}{same[0].does}"


def line(file: TemplateFile) -> str:
    """The line about the program that reads `file` in this way."""
    return next(lines((_program(file),)))


def is_agreed(found: tuple[Program, ...]) -> bool:
    """Whether all programs make the same of the file."""
    return len(_alike(found)) <= 1


def of_path(workspace: Workspace, path: Path) -> tuple[Program, ...]:
    """As `programs`, for the file at `path`; a file that a single program reads is not parsed."""
    placed = system_placements(workspace, path)
    if len(placed) < _SEVERAL and not any(one.dialect.variants.readers for one in placed):
        return ()
    file = template_file(workspace, path)
    return programs(file) if file is not None else ()


def _alike(found: tuple[Program, ...]) -> tuple[tuple[Program, ...], ...]:
    """The programs by what they do, whatever they call the agent."""
    by: dict[object, list[Program]] = {}
    for one in found:
        by.setdefault((one.agent is None, one.does), []).append(one)
    return tuple(map(tuple, by.values()))


def _program(file: TemplateFile) -> Program:
    lost = _lost(file)
    if lost is not None:
        return Program(file.program, file.dialect.id, None, lost)
    return Program(file.program, file.dialect.id, file.name, _has(file))


def _lost(file: TemplateFile) -> str | None:
    """Why the program has no agent of this file, or None if it has."""
    if file.source.problem is not None:
        return f"cannot read the file: {file.source.problem}"
    if file.name is None:
        why = file.scope.lost or f"{code(file.path.name)} cannot be the name of an agent"
        return f"skips the file: {why}"
    if file.reading.errors:
        first, *more = file.reading.errors
        beside = f" (and {len(more)} more)" if more else ""
        return f"refuses the file: {first.message}{beside}"
    lost = as_written.lost(file)
    chain = catalog_of(file).candidates(file.name)
    if not any(one.path == file.path for one in chain):
        return f"does not load the file{f': {lost}' if lost else ''}"
    files = file.workspace.files
    is_used = files.real(chain[0].path) == files.real(file.path)
    if not is_used and not file.dialect.names.is_merged:
        other = f"{code(chain[0].path.name)} ({chain[0].scope.label})"
        return f"uses {other} for {code(file.name)}, not this file"
    return None


def _has(file: TemplateFile) -> str:
    """What the agent has in the program, and what of its header does nothing there."""
    answer = as_written.preview(file, file.reading)
    if isinstance(answer, RuntimeRefusal):
        return f"and each call of it fails: {answer.message}"
    toolset = answer.toolset if answer is not None else as_written.toolset(file)
    ignored = tuple(_ignored(file))
    return "; it ignores ".join(
        (_tools(file, toolset), *((", ".join(map(code, ignored)),) if ignored else ()))
    )


def _tools(file: TemplateFile, toolset: Toolset) -> str:
    roles = (KeyRole.ALLOW, KeyRole.DENY)
    keys = [key.name for key in map(file.dialect.schema.by_role.get, roles) if key is not None]
    is_listed = any(name in file.reading.effective.settings for name in keys)
    # Another key than a list may limit the agent.
    if not is_listed and not (keys == [] and toolset.restricted):
        return "with every tool of the session"
    kept = [one.tool for one in toolset.kept]
    if len(kept) > _MOST_NAMED:
        return f"with {count(toolset)}{_by_set(kept)}"
    return f"with {', '.join(map(code, kept))}" if kept else "with no known tool"


def _by_set(names: list[str]) -> str:
    """The number of tools of each set, and those without a set; nothing if there are no sets."""
    sets = Counter(name.partition("/")[0] if "/" in name else "" for name in names)
    if set(sets) == {""}:
        return ""
    alone = [code(name) for name in names if "/" not in name]
    return f": {joined((*(f'{many} of {code(one)}' for one, many in sets.items() if one), *alone))}"


def _ignored(file: TemplateFile) -> Iterator[str]:
    """The keys of the header that the program does not know."""
    root = file.document.tree.root
    known = {key.name for key in file.dialect.schema.at(file.document, ())}
    for entry in root.entries if isinstance(root, Mapping) else ():
        if entry.name is not None and entry.name not in known:
            yield entry.name


_MARK = "\ufeff"


def confirmation(
    workspace: Workspace, dialect: Dialect, root: Path, candidate: Candidate
) -> Availability | None:
    """Whether a session in `root` has the agent of `candidate`, as far as a person has to confirm.

    None if nobody has to.
    """
    asked = dialect.references.confirmation
    source = workspace.files.read(candidate.path) if asked is not None else None
    if asked is None or source is None or source.problem is not None:
        return None
    files = workspace.files
    records = texts_of(asked.records, root, workspace.host_paths, files)
    manifest = files.read(candidate.path.parent.parent / asked.manifest)
    texts = (*records, manifest.text if manifest is not None else None)
    folders = tuple(dict.fromkeys((str(root), str(files.real(root)))))
    return asked.standing(texts, folders, candidate, _text(source))


def taken(dialect: Dialect, found: Catalog, candidate: Candidate) -> str:
    """Whose calls the agent gets, or what else becomes of it, in words; empty for most."""
    return dialect.names.taken(found, candidate) if dialect.names.taken is not None else ""


def confirmation_of(file: TemplateFile) -> Availability | None:
    """The same for the template `file`, in sessions of its root."""
    if file.name is None or file.reading.errors or file.misplaced is not None:
        return None
    candidate = Candidate(file.name, file.path, file.scope)
    return confirmation(file.workspace, file.dialect, file.root, candidate)


def _text(source: SourceFile) -> str:
    """The text as a runtime that reads UTF-8 has it, with a byte-order mark if there is one."""
    is_cut = source.bom and not source.text.startswith(_MARK)
    return f"{_MARK}{source.text}" if is_cut else source.text
