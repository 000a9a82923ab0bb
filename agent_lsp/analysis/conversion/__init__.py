"""Converts a template to another agent system, and says what that system cannot express.

Invariants: nothing is written here; what comes out loads in the other system with the prompt and
the description of the template, or is refused with a reason; the new agent may do nothing that
the old one may not, unless a loss of weight `WIDER` says so.
"""

from collections.abc import Iterable
from pathlib import Path

from agent_lsp.analysis.conversion.agent import agent
from agent_lsp.analysis.conversion.model import Converted, Loss, Weight, ordered
from agent_lsp.analysis.conversion.one import one_of
from agent_lsp.analysis.conversion.variants import variants
from agent_lsp.analysis.conversion.way import Way, forbidding, has_sandbox
from agent_lsp.analysis.rules.wording import code
from agent_lsp.dialects.answers import Refusal
from agent_lsp.dialects.known import DIALECTS
from agent_lsp.dialects.model import Dialect
from agent_lsp.syntax.markdown import Fence
from agent_lsp.workspace.index import Subject
from agent_lsp.workspace.scopes import fixed_folder, proper_folder

__all__ = ["SCOPES", "Converted", "Loss", "Weight", "convert", "is_written", "merged", "targets"]

SCOPES = ("project", "user")


def targets(known: Dialect) -> tuple[Dialect, ...]:
    """The systems to which a template of `known` can be converted."""
    others = (one for one in DIALECTS if one.id != known.id and is_written(one))
    return tuple(others) if known.conversion is not None else ()


def convert(
    of: Subject,
    target: Dialect,
    scope: str | None = None,
    persona: str | None = None,
    agent_name: str | None = None,
) -> tuple[Converted, ...] | Refusal:
    """The files of `target` for the template `of`, one for each persona, or for one `persona`.

    They go into the project or to the user's own ones, by default where the template is. Of a
    file in which several agents stand, `agent_name` is the one that is meant.
    """
    found = one_of(of, agent_name)
    if isinstance(found, Refusal):
        return found
    of = found
    refusal, way = _refused(of, target), _way(of, target)
    if refusal is not None or way is None:
        return refusal or _unknown(of.dialect, target)
    folder, chosen = _folder(of, target, scope), variants(of, persona)
    if isinstance(folder, Refusal):
        return folder
    if isinstance(chosen, Refusal):
        return chosen
    files = []
    for variant in chosen:
        file = agent(way, of, variant, folder)
        if isinstance(file, Refusal):
            return file
        files.append(file)
    return tuple(files)


def merged(files: Iterable[Converted]) -> tuple[Loss, ...]:
    """All that is lost in `files`, which share most of it, each thing once."""
    return ordered(loss for file in files for loss in file.losses)


def _refused(of: Subject, target: Dialect) -> Refusal | None:
    known = of.dialect
    if target.id == known.id:
        return Refusal(f"it is a template of {code(known.id)} already")
    if known.conversion is None or not is_written(target):
        return _unknown(known, target)
    if of.foreign is not None:
        return Refusal("it seems to be another system's, so nobody can tell what it says")
    if of.file.problem is not None:
        return Refusal(f"the file cannot be read: {of.file.problem}")
    is_lost = of.reading.held.settings.keys() != of.reading.written.settings.keys()
    if of.reading.faults or is_lost or of.document.cut.fence is Fence.UNCLOSED:
        said = f": {of.reading.faults[0].message}" if of.reading.faults else ""
        return Refusal(f"{known.runtime} does not read its header; put that right first{said}")
    return None


def is_written(target: Dialect) -> bool:
    """Whether templates can be converted to the system `target`."""
    return target.conversion is not None and target.conversion.writes


def _unknown(known: Dialect, target: Dialect) -> Refusal:
    return Refusal(f"nothing is known of how {code(known.id)} and {code(target.id)} compare")


def _folder(of: Subject, target: Dialect, scope: str | None) -> Path | Refusal:
    places, files = of.workspace.places, of.workspace.files
    if (scope or of.scope.kind) == "user":
        folder = fixed_folder(target, places, builtin=False)
        return folder or Refusal(f"{target.title} have no folder of your own here")
    return proper_folder(target, of.root, places, files)


def _way(of: Subject, target: Dialect) -> Way | None:
    before, after = of.dialect.conversion, target.conversion
    if before is None or after is None:
        return None
    forbidden = forbidding(of, before)
    return Way(of.dialect, before, target, after, forbidden is None or has_sandbox(target))
