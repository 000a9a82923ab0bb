"""Lists the conversions that an editor offers for a template.

Invariant: no offer would overwrite a file, and none is refused.
"""

from collections import Counter
from collections.abc import Iterator

from agent_lsp.analysis.checks.messages import code, shown
from agent_lsp.analysis.conversion import convert, is_older, merged, targets
from agent_lsp.analysis.conversion.pair import Converted, LossSeverity
from agent_lsp.data_classes import dataclass
from agent_lsp.model.runtime import RuntimeRefusal
from agent_lsp.workspace.snapshot import TemplateFile


@dataclass(frozen=True, slots=True)
class Offer:
    """The files that a template becomes in the system `target`; `title` names the losses."""

    title: str
    target: str
    files: tuple[Converted, ...]


def offers(file: TemplateFile, name: str | None = None) -> Iterator[Offer]:
    """Offers conversions of the template, or of agent `name` in it, to all other systems.

    Those come first that are written more widely.
    """
    if file.scope.builtin:
        return
    own = (file.dialect,) if is_older(file) else ()
    others = targets(file.workspace.systems, file.dialect)
    ranked = sorted(others, key=lambda target: -target.system.repositories)
    for target in (*own, *ranked):
        made = convert(file, target, agent_name=name)
        if isinstance(made, RuntimeRefusal):
            continue
        if any(file.workspace.files.read(one.path) is not None for one in made):
            continue
        counts = Counter(one.weight for one in merged(made))
        first, *rest = made
        where = code(shown(file, first.path)) + (f" and {len(rest)} more" if rest else "")
        said = [
            f"{counts[w]} {w.value}" for w in (LossSeverity.WIDER, LossSeverity.LOST) if counts[w]
        ]
        loss = f" ({', '.join(said)})" if said else ""
        yield Offer(f"Convert to {target.title}: {where}{loss}", target.id, made)
