"""Another file of the same name is used instead of this one."""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header
from agent_lsp.analysis.rules.model import Finding, Related, Rule
from agent_lsp.analysis.rules.wording import code, shown, some
from agent_lsp.dialects.answers import Candidate
from agent_lsp.dialects.vocabulary import Severity
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject, candidates, deeper
from agent_lsp.workspace.scopes import session_root

# As many are named in the message, and linked from it.
_MOST, _MOST_RELATED = 3, 10


def check(of: Subject) -> Iterator[Finding]:
    """Yields one finding on a file that does not win: ever, at home, or for sessions below."""
    if of.name is None or of.file.problem is not None:
        return
    chain = candidates(of.workspace, of.dialect, of.root, of.name)
    if not any(other.path == of.path for other in chain):
        return
    winner, own = chain[0], next(other for other in chain if other.path == of.path)
    twins = [other for other in chain if other.scope == own.scope]
    if of.dialect.tie and len(twins) > 1:
        yield _undecided(of, [other for other in twins if other is not own])
        return
    twin = twins[0]
    if twin.path != of.path:
        thing = f"never used: {code(twin.path.name)} beside it defines {code(of.name)}, too"
        order = "last, which counts here" if of.dialect.last_wins else "first"
        message = f"{thing}, and comes {order}"
        yield Finding(header.opening(of), message, Severity.WARNING, related=_related(twin))
        return
    if winner.path != of.path:
        yield Finding(header.opening(of), _loses(of, winner), related=_related(winner))
        return
    nearer = deeper(of)
    if nearer:
        disk = of.workspace.files
        roots = (session_root(of.dialect, other.path.parent, disk) for other in nearer)
        where = some([shown(of, root) for root in roots if root is not None], _MOST)
        files = "a nearer file defines" if len(nearer) == 1 else "nearer files define"
        message = f"not used in sessions started in {where} or below: {files} {code(of.name)}, too"
        related = tuple(link for other in nearer[:_MOST_RELATED] for link in _related(other))
        yield Finding(header.opening(of), message, related=related)


def _undecided(of: Subject, others: list[Candidate]) -> Finding:
    """The finding on files of one scope of which nobody can tell which one is used."""
    files = some([shown(of, other.path) for other in others], _MOST, "and")
    defines = "defines" if len(others) == 1 else "define"
    decides = f"one of them is used, and {of.dialect.tie} decides which"
    related = tuple(
        Related(other.path, other.span or Span(0, 0), f"defines {code(other.name)}, too")
        for other in others[:_MOST_RELATED]
    )
    message = f"{files} {defines} {code(of.name or '')}, too: {decides}"
    return Finding(header.opening(of), message, Severity.WARNING, related=related)


def _loses(of: Subject, winner: Candidate) -> str:
    where = f"not used in sessions started in {code(shown(of, of.root))}"
    other = code(shown(of, winner.path))
    return f"{where}: {other} defines {code(winner.name)}, too, and comes first"


def _related(winner: Candidate) -> tuple[Related, ...]:
    return (
        Related(
            winner.path, winner.span or Span(0, 0), f"this file is used for {code(winner.name)}"
        ),
    )


RULE = Rule("shadowed", check)
