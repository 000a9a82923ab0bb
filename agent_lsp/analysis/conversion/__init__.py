"""Converts a template to another agent system, and reports what that system cannot express.

Invariants: nothing is written to the disk here. The result loads in the other system with the
prompt and the description of the template, or the conversion is refused with a reason. The new
agent can do nothing that the old one cannot, unless a loss of weight `WIDER` reports it. What an
editor offers would overwrite no file, and is not refused.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from agent_lsp.analysis.checks.messages import code, shown
from agent_lsp.analysis.conversion.agent import agent
from agent_lsp.analysis.conversion.pair import (
    ConversionPair,
    Converted,
    Loss,
    LossSeverity,
    forbidding,
    has_sandbox,
    one_of,
    ordered,
    variants,
)
from agent_lsp.data_classes import dataclass
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import RuntimeRefusal
from agent_lsp.model.system import System
from agent_lsp.model.template import LoadErrorKind
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.workspace.scopes import fixed_folder, proper_folder
from agent_lsp.workspace.search import leads_out
from agent_lsp.workspace.snapshot import TemplateFile, as_programs_read

__all__ = [
    "SCOPES",
    "Converted",
    "Loss",
    "LossSeverity",
    "convert",
    "is_written",
    "merged",
    "offers",
    "targets",
]

SCOPES = ("project", "user")


def targets(systems: Iterable[System], dialect: Dialect) -> tuple[Dialect, ...]:
    """The systems to which a template of `dialect` can be converted."""
    others = (one.dialect for one in systems if one.id != dialect.id and is_written(one.dialect))
    return tuple(others) if dialect.conversion is not None else ()


def convert(
    file: TemplateFile,
    target: Dialect,
    scope: str | None = None,
    persona: str | None = None,
    agent_name: str | None = None,
) -> tuple[Converted, ...] | RuntimeRefusal:
    """The files of `target` for the template `file`, one for each persona, or for one `persona`.

    They go into the project or the user's folder, by default the one of the template. In a file
    with several agents, `agent_name` selects one.
    """
    found = one_of(file, agent_name)
    if isinstance(found, RuntimeRefusal):
        return found
    file = found
    again = _renewed(file, target, scope)
    if again is not None:
        return again
    refusal, way = _refused(file, target), _pair(file, target)
    if refusal is not None or way is None:
        return refusal or _unknown(file.dialect, target)
    folder, chosen = _folder(file, target, scope), variants(file, persona)
    if isinstance(folder, RuntimeRefusal):
        return folder
    if isinstance(chosen, RuntimeRefusal):
        return chosen
    files = []
    for variant in chosen:
        converted = agent(way, file, variant, folder)
        if isinstance(converted, RuntimeRefusal):
            return converted
        files.append(converted)
    return tuple(files)


def is_older(file: TemplateFile) -> bool:
    """Whether the file is of an older kind, for which its own system has another one today."""
    conversion = file.dialect.conversion
    renew = conversion.renewed if conversion is not None else None
    return renew is not None and renew(file.document, file.path.name) is not None


def _renewed(
    file: TemplateFile, target: Dialect, scope: str | None
) -> tuple[Converted, ...] | RuntimeRefusal | None:
    """The file of today for one of an older kind of `target`; None for any other file."""
    renew = target.conversion.renewed if target.conversion is not None else None
    if renew is None or target.id != file.dialect.id:
        return None
    found = renew(file.document, file.path.name)
    if found is None:
        return None
    own = file.misplaced.belongs if file.misplaced is not None else file.path.parent
    # A file of a project stays in it, wherever the command was called.
    is_own = file.misplaced is not None or file.scope.kind == "project"
    is_kept = scope is None or (scope == "project" and is_own)
    folder = own if is_kept else _folder(file, target, scope)
    if isinstance(folder, RuntimeRefusal):
        return folder
    wider = (Loss(LossSeverity.WIDER, *one) for one in found.wider)
    lost = (Loss(LossSeverity.LOST, *one) for one in found.losses)
    notes = (Loss(LossSeverity.NOTE, *one) for one in found.notes)
    name = target.names.name_of(found.file_name) or file.path.stem
    held = file.names[0].name if file.names else name
    path = folder / found.file_name
    return (Converted(path, held, found.text, ordered((*wider, *lost, *notes))),)


def merged(files: Iterable[Converted]) -> tuple[Loss, ...]:
    """The losses of all `files`, without repetitions."""
    return ordered(loss for file in files for loss in file.losses)


def _refused(file: TemplateFile, target: Dialect) -> RuntimeRefusal | None:
    dialect = file.dialect
    if target.id == dialect.id:
        return RuntimeRefusal(f"it is a template of {code(dialect.id)} already")
    if dialect.conversion is None or not is_written(target):
        return _unknown(dialect, target)
    if file.foreign is not None:
        return RuntimeRefusal("it seems to belong to another system, so its content is unknown")
    if file.source.problem is not None:
        return RuntimeRefusal(f"the file cannot be read: {file.source.problem}")
    # A runtime that reads a header may ignore some of its values.
    is_lost = file.reading.declared.settings and not file.reading.effective.settings
    if file.reading.errors or is_lost or file.document.frontmatter.fence is FenceKind.UNCLOSED:
        said = f": {file.reading.errors[0].message}" if file.reading.errors else ""
        return RuntimeRefusal(f"{dialect.runtime} does not read its header; fix that first{said}")
    problem = file.document.tree.problem
    syntax = [one for one in file.reading.possible_errors if one.kind is LoadErrorKind.SYNTAX]
    # Nothing is known of what the runtime reads.
    if problem is not None and syntax and file.reading.effective is file.reading.declared:
        said = f"its header is not valid YAML ({problem.message})"
        return RuntimeRefusal(f"{said}, and {syntax[0].message}: fix that first")
    unfit = dialect.conversion.unfit
    why = unfit(file.reading) if unfit is not None else None
    return RuntimeRefusal(f"there is nothing to convert: {why}") if why else None


def is_written(target: Dialect) -> bool:
    """Whether templates can be converted to the system `target`."""
    return target.conversion is not None and target.conversion.writes


def _unknown(dialect: Dialect, target: Dialect) -> RuntimeRefusal:
    return RuntimeRefusal(f"it is not known how {code(dialect.id)} and {code(target.id)} compare")


def _folder(file: TemplateFile, target: Dialect, scope: str | None) -> Path | RuntimeRefusal:
    places, files = file.workspace.host_paths, file.workspace.files
    if (scope or file.scope.kind) == "user":
        folder = fixed_folder(target.system, places, builtin=False)
        return folder or RuntimeRefusal(f"{target.title} have no folder of your own here")
    return proper_folder(target.system, file.root, places, files)


def _pair(file: TemplateFile, target: Dialect) -> ConversionPair | None:
    before, after = file.dialect.conversion, target.conversion
    if before is None or after is None:
        return None
    is_forbidden, has_one = forbidding(file, before) is not None, has_sandbox(target)
    is_kept = is_forbidden and has_one
    can_change = not is_forbidden or has_one
    program = file.dialect.runtime if as_programs_read(file) else file.program
    return ConversionPair(file.dialect, before, target, after, can_change, program, is_kept)


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
        files = file.workspace.files
        # An editor would write a new file through a link without a word.
        if any(files.read(one.path) or leads_out(one.path, file.root, files) for one in made):
            continue
        counts = Counter(one.weight for one in merged(made))
        first, *rest = made
        where = code(shown(file, first.path)) + (f" and {len(rest)} more" if rest else "")
        said = [
            f"{counts[w]} {w.value}" for w in (LossSeverity.WIDER, LossSeverity.LOST) if counts[w]
        ]
        loss = f" ({', '.join(said)})" if said else ""
        yield Offer(f"Convert to {target.title}: {where}{loss}", target.id, made)
