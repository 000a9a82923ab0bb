"""Checks whether another file of the same name is used instead of this one."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, shown, some
from agent_lsp.model.check import Basis, Check, Finding, Related
from agent_lsp.model.runtime import Candidate
from agent_lsp.model.schema import Severity
from agent_lsp.text import Span
from agent_lsp.workspace.scopes import session_root
from agent_lsp.workspace.snapshot import TemplateFile, candidates, deeper

# A message names and links at most this many files.
_MOST, _MOST_RELATED = 3, 10


def shadowed(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on a shadowed file: never used, not in its root, or not below it."""
    if file.name is None or file.source.problem is not None or file.dialect.names.is_merged:
        return
    chain = candidates(file.workspace, file.dialect, file.root, file.name)
    if not any(other.path == file.path for other in chain):
        return
    winner, own = chain[0], next(other for other in chain if other.path == file.path)
    twins = [other for other in chain if other.scope == own.scope]
    tie = file.dialect.names.tie(own.scope)
    if tie and len(twins) > 1:
        yield _undecided(file, own, [other for other in twins if other is not own], tie)
        return
    twin = twins[0]
    if twin.path != file.path:
        is_beside = twin.path.parent == file.path.parent
        other = (
            f"{code(twin.path.name)} in the same folder"
            if is_beside
            else code(shown(file, twin.path))
        )
        thing = f"never used: {other} defines {code(file.name)}, too"
        order = "last, which is the one used" if file.dialect.names.last_wins else "first"
        message = f"{thing}, and comes {order}"
        yield Finding(_place(file, own), message, Severity.WARNING, related=_related(twin))
        return
    if winner.path != file.path:
        yield Finding(_place(file, own), _loses(file, winner), related=_related(winner))
        return
    nearer = deeper(file)
    if nearer:
        disk = file.workspace.files
        roots = (session_root(file.dialect.system, other.path.parent, disk) for other in nearer)
        where = some([shown(file, root) for root in roots if root is not None], _MOST)
        files = "a nearer file defines" if len(nearer) == 1 else "nearer files define"
        message = (
            f"not used in sessions started in {where} or below: {files} {code(file.name)}, too"
        )
        related = tuple(link for other in nearer[:_MOST_RELATED] for link in _related(other))
        yield Finding(_place(file, own), message, related=related)


def _place(file: TemplateFile, own: Candidate) -> Span:
    """The name in the file, or its first line if the file's name is the agent's name."""
    return own.span or header.opening(file)


def _undecided(file: TemplateFile, own: Candidate, others: list[Candidate], tie: str) -> Finding:
    """The finding on several files of one scope if nobody can tell which one is used."""
    files = some([shown(file, other.path) for other in others], _MOST, "and")
    defines = "defines" if len(others) == 1 else "define"
    decides = f"one of them is used, and {tie} decides which"
    related = tuple(
        Related(other.path, other.span or Span(0, 0), f"defines {code(other.name)}, too")
        for other in others[:_MOST_RELATED]
    )
    message = f"{files} {defines} {code(file.name or '')}, too: {decides}"
    return Finding(_place(file, own), message, Severity.WARNING, related=related)


def _loses(file: TemplateFile, winner: Candidate) -> str:
    where = f"not used in sessions started in {code(shown(file, file.root))}"
    other = code(shown(file, winner.path))
    return f"{where}: {other} defines {code(winner.name)}, too, and comes first"


def _related(winner: Candidate) -> tuple[Related, ...]:
    return (
        Related(
            winner.path, winner.span or Span(0, 0), f"this file is used for {code(winner.name)}"
        ),
    )


CHECK = Check(("shadowed",), shadowed, basis=Basis.FILE)
