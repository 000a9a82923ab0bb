"""Searches the agents and personas of all folders that a session could look into.

Invariants: closed files are read once, and again only after a change. Only the symbols in the
answer are resolved beyond their names. A search can pause after each file, but whoever goes on with
it after a change gets places in the texts before.
"""

import re
from bisect import bisect_right
from collections.abc import Generator, Iterator
from itertools import accumulate
from pathlib import Path

from agent_lsp.analysis.navigation.name_index import (
    Agent,
    AgentFolder,
    agent_folders,
    agents,
    agents_of,
    line,
    names,
)
from agent_lsp.analysis.render import shown
from agent_lsp.data_classes import dataclass, field, replace
from agent_lsp.model.runtime import Candidate
from agent_lsp.text import Span
from agent_lsp.workspace.catalogs import candidates
from agent_lsp.workspace.memo import Lifetime, Memo
from agent_lsp.workspace.placement import folder_placement
from agent_lsp.workspace.snapshot import Workspace, root_for

# The most matches in an answer. An editor asks again after each letter, and a longer list helps no
# reader.
MOST = 200
# The most letters of a query for which subsequences are searched.
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class WorkspaceSymbol:
    """An agent, or one of its personas with `persona`; `where` describes its place briefly."""

    agent: str
    persona: str | None
    path: Path
    span: Span
    where: str

    @property
    def name(self) -> str:
        """The name of the symbol itself."""
        return self.agent if self.persona is None else self.persona


def workspace_symbols(workspace: Workspace, query: str) -> tuple[WorkspaceSymbol, ...]:
    """The best matches of `query`, whose letters appear in the name in the same order."""
    return tuple(one for one in searching(workspace, query) if one is not None)


def searching(workspace: Workspace, query: str) -> Iterator[WorkspaceSymbol | None]:
    """The best matches of `query`, in steps; None where the search can pause without one."""
    table = yield from _table(workspace)
    # An empty text still has one line, which belongs to no row.
    if not table.rows:
        return
    found: dict[int, None] = {}
    for pattern in _patterns(line(query)):
        for match in pattern.finditer(table.text):
            found[bisect_right(table.starts, match.start()) - 1] = None
            if len(found) == MOST:
                break
        yield None
        if len(found) == MOST:
            break
    for index in found:
        yield _found(workspace, table, index)


def reading(workspace: Workspace) -> Iterator[None]:
    """Reads the names in all files before a search, in steps; files may change meanwhile."""
    for agent in agents(workspace):
        if agent.is_kept:
            names(workspace, agent)
        yield


# The length of a name and the name, by which matches are sorted; the name in the form for searches;
# its agent; and for a persona, its name and its place.
_Row = tuple[int, str, str, Agent, tuple[str, Span] | None]


@dataclass(frozen=True, slots=True)
class _Table:
    """All names, in the order that ranks equally good matches.

    `text` has a line for each of `rows`, and `starts` are the offsets of these lines. `folders`
    shows whether the table is still valid, and `answered` stores earlier answers.
    """

    folders: tuple[tuple[_Row, ...], ...]
    rows: tuple[_Row, ...]
    text: str
    starts: tuple[int, ...]
    answered: dict[int, WorkspaceSymbol] = field(default_factory=dict)


_TABLE = Memo[_Table](Lifetime.TREE)
_ROWS = Memo[tuple[_Row, ...]](Lifetime.TEXTS)


def _table(workspace: Workspace) -> Generator[None, None, _Table]:
    # An editor asks after each letter, and usually nothing has changed since the last one.
    sources, found = agent_folders(workspace), list[tuple[_Row, ...]]()
    for one in sources:
        found.append((yield from _rows(workspace, one)))
    folders = tuple(found)
    kept = _TABLE.peek(workspace.files, None, None)
    if kept is not None and kept.folders == folders:
        pairs = zip(sources, kept.folders, folders, strict=True)
        if all(before is now or not folder.is_kept for folder, before, now in pairs):
            return kept
        # A changed text may decide whether a file is used, even if no name has changed.
        made = replace(kept, folders=folders, answered={})
        _TABLE.keep(workspace.files, None, None, made)
        return made
    rows = sorted((row for found in folders for row in found), key=lambda row: row[:2])
    yield
    # Each name is a line, so that one search through the text finds all matches.
    lines = [f"{row[2]}\n" for row in rows]
    starts = tuple(accumulate(map(len, lines[:-1]), initial=0))
    made = _Table(folders, tuple(rows), "".join(lines), starts)
    _TABLE.keep(workspace.files, None, None, made)
    return made


def _rows(workspace: Workspace, folder: AgentFolder) -> Generator[None, None, tuple[_Row, ...]]:
    """The names in one folder, read again only if one of its texts has changed."""
    # An `AgentFolder` is compared by identity, so the rows are valid until the folders are found
    # again.
    place = folder.folder
    kept = _ROWS.peek(workspace.files, place, None, basis=folder) if folder.is_kept else None
    if kept is not None:
        return kept
    found = list[_Row]()
    for agent in agents_of(workspace, folder):
        found += _named(workspace, agent)
        yield
    rows = tuple(found)
    if folder.is_kept:
        _ROWS.keep(workspace.files, place, None, rows, basis=folder)
    return rows


def _named(workspace: Workspace, agent: Agent) -> Iterator[_Row]:
    inside = names(workspace, agent)
    own, *others = inside.folded.split("\n")
    yield len(agent.name), agent.name, own, agent, None
    for persona, folded in zip(inside.personas, others, strict=True):
        yield len(persona[0]), persona[0], folded, agent, persona


def _patterns(wanted: str) -> Iterator[re.Pattern[str]]:
    """Patterns for the matches, the best first: the name, its start, a part, a subsequence."""
    whole = re.escape(wanted)
    yield re.compile(f"^{whole}$", re.MULTILINE)
    yield re.compile(f"^{whole}", re.MULTILINE)
    if wanted:
        yield re.compile(whole)
    if 0 < len(wanted) < _LONGEST:
        # Each letter can only match at its first chance, so that no line takes long.
        letters = (f"[^{one}\\n]*{one}" for one in map(re.escape, wanted))
        yield re.compile("^" + "".join(letters), re.MULTILINE)


def _found(workspace: Workspace, table: _Table, index: int) -> WorkspaceSymbol:
    kept = table.answered.get(index)
    if kept is not None:
        return kept
    *_, agent, persona = table.rows[index]
    found = WorkspaceSymbol(
        agent.name,
        persona[0] if persona is not None else None,
        agent.path,
        persona[1] if persona is not None else names(workspace, agent).span,
        _where(workspace, agent),
    )
    table.answered[index] = found
    return found


def _where(workspace: Workspace, agent: Agent) -> str:
    owner = folder_placement(workspace, agent.path.parent)
    label = owner.scope.label if owner is not None else "claimed folder"
    root = root_for(workspace, agent.dialect.system, agent.path)
    chain = candidates(workspace, agent.dialect, root, agent.name)
    if agent.dialect.names.is_merged and any(one.path == agent.path for one in chain):
        # Each file contributes a part of the agent, and none shadows another one.
        return f"{label} ({agent.dialect.id})"
    return f"{label}{_state(workspace, chain, agent.path)} ({agent.dialect.id})"


def _state(workspace: Workspace, chain: tuple[Candidate, ...], path: Path) -> str:
    real = workspace.files.real
    if not any(real(one.path) == real(path) for one in chain):
        return ", not loaded"
    if real(chain[0].path) != real(path):
        return f", shadowed by {shown(workspace, chain[0].path)}"
    return ""
