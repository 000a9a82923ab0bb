"""Hover on a role's description: how much of it an agent sees that might spawn the role."""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice

from agent_lsp.analysis.markdown import place
from agent_lsp.analysis.markup import code
from agent_lsp.dialects.hint import Hint
from agent_lsp.dialects.template import Value
from agent_lsp.workspace.index import Subject, catalog


def hint(of: Subject, description: Value | None) -> Iterator[str]:
    """What the spawn call's own description shows of this one, in a session of the file's root."""
    known = of.dialect.hint
    if known is None or of.name is None:
        return
    found = catalog(of.workspace, of.dialect, of.root)
    winner = found.winner(of.name)
    if winner is None or winner.path != of.path:
        return
    above = islice(found.names, bisect_left(found.names, of.name))
    before = (name for name in above if found.winner(name) is not None)
    rank = len(list(islice(before, known.roles))) + 1
    where = f"In a session in {code(place(of.workspace, of.root))} the description of"
    call = f"{where} {code(of.dialect.spawn_call)}"
    if rank > known.roles:
        yield f"{call} leaves this role out: it has the first {known.roles} by name"
    else:
        shown = _shown(known, description.text.strip() if description else "")
        yield f"{call} shows {shown}: number {rank} by name, of {known.roles} at most"


def _shown(known: Hint, text: str) -> str:
    if not text:
        return "only the name of this role"
    if len(text) <= known.longest:
        return f"all of it, {len(text)} {'character' if len(text) == 1 else 'characters'}"
    rest = len(text) - known.longest + 1
    return f"its first {known.longest - 1} characters and `…` for the other {rest}"
