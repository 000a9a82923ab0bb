"""Hover on a role's description: how much of it an agent sees that might spawn the role."""

from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice

from agent_lsp.analysis.markdown import place
from agent_lsp.analysis.markup import code
from agent_lsp.dialects.hint import RoleHint
from agent_lsp.dialects.template import Value
from agent_lsp.workspace.index import TemplateFile, catalog


def hint(file: TemplateFile, description: Value | None) -> Iterator[str]:
    """What the spawn call's own description shows of this one, in a session of the file's root."""
    dialect = file.dialect.hint
    if dialect is None or file.name is None:
        return
    found = catalog(file.workspace, file.dialect, file.root)
    winner = found.winner(file.name)
    if winner is None or winner.path != file.path:
        return
    above = islice(found.names, bisect_left(found.names, file.name))
    before = (name for name in above if found.winner(name) is not None)
    rank = len(list(islice(before, dialect.roles))) + 1
    where = f"In a session in {code(place(file.workspace, file.root))} the description of"
    call = f"{where} {code(file.dialect.spawn_call)}"
    if rank > dialect.roles:
        yield f"{call} leaves this role out: it has the first {dialect.roles} by name"
    else:
        shown = _shown(dialect, description.text.strip() if description else "")
        yield f"{call} shows {shown}: number {rank} by name, of {dialect.roles} at most"


def _shown(hint: RoleHint, text: str) -> str:
    if not text:
        return "only the name of this role"
    if len(text) <= hint.longest:
        return f"all of it, {len(text)} {'character' if len(text) == 1 else 'characters'}"
    rest = len(text) - hint.longest + 1
    return f"its first {hint.longest - 1} characters and `…` for the other {rest}"
