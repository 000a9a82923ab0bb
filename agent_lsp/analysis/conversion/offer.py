"""The conversions that an editor offers for a template.

Invariant: none that would write over a file, and none that is refused.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from agent_lsp.analysis.conversion import convert, merged, targets
from agent_lsp.analysis.conversion.model import Converted, Weight
from agent_lsp.analysis.rules.wording import code, shown
from agent_lsp.dialects.answers import Refusal
from agent_lsp.workspace.index import Subject


@dataclass(frozen=True, slots=True)
class Offer:
    """The files that a template becomes in the system `target`; `title` says what is lost."""

    title: str
    target: str
    files: tuple[Converted, ...]


def offers(of: Subject, name: str | None = None) -> Iterator[Offer]:
    """One for each other system into which the template can go, or the agent `name` of a file."""
    if of.scope.builtin:
        return
    for target in targets(of.dialect):
        made = convert(of, target, agent_name=name)
        if isinstance(made, Refusal):
            continue
        if any(of.workspace.files.read(one.path) is not None for one in made):
            continue
        counts = Counter(one.weight for one in merged(made))
        first, *others = made
        where = code(shown(of, first.path)) + (f" and {len(others)} more" if others else "")
        said = [f"{counts[w]} {w.value}" for w in (Weight.WIDER, Weight.LOST) if counts[w]]
        loss = f" ({', '.join(said)})" if said else ""
        yield Offer(f"Convert to {target.title}: {where}{loss}", target.id, made)
