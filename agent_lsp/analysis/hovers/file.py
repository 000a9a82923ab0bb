"""Hover on a fence: which file a name means, for whom, and what becomes of this one."""

from collections.abc import Iterator
from pathlib import Path

from agent_lsp.analysis import listing
from agent_lsp.analysis.hovers import meant
from agent_lsp.analysis.markdown import STAND_IN, count, place, size
from agent_lsp.analysis.markup import code, codes, inline, link, words
from agent_lsp.dialects.answers import Candidate, Refusal
from agent_lsp.dialects.vocabulary import Holds
from agent_lsp.workspace.index import Subject, catalog, deeper, root_for
from agent_lsp.workspace.scopes import repository
from agent_lsp.workspace.seeding import seeding

# More siblings than this are not all read for a hover.
_MOST_SIBLINGS = 100


def file(of: Subject) -> Iterator[str]:
    """Which file wins for this one's name, and what the runtime makes of this one."""
    if of.stray is not None:
        where = code(place(of.workspace, of.stray.belongs))
        yield f"**The runtime does not read this file**: it looks for templates in {where}"
        return
    if of.name is None:
        yield f"**The runtime skips this file**: {code(of.path.name)} gives no name to an agent"
        return
    found = catalog(of.workspace, of.dialect, of.root)
    chain = found.candidates(of.name)
    yield from _failing(of)
    if of.foreign is not None:
        yield "Taken for a file of another system, which keeps its own in such folders, too"
    if of.file.problem is not None:
        does = "The runtime skips this file" if of.file.is_passed_over else "Not looked into here"
        yield f"**{does}**: {inline(of.file.problem)}"
    elif not any(candidate.path == of.path for candidate in chain):
        yield (
            f"So {_named(of, [chain[0]])} is {code(of.name)}"
            if chain
            else (f"So there is no {code(of.name)}")
        )
    elif chain[0].path != of.path:
        yield f"**Another file is {code(of.name)}**, and this one is not used"
    else:
        yield f"**This file is {code(of.name)}** ({words(of.scope.label)})"
    if of.name == of.dialect.default_name:
        yield f"A call for {code(of.name)} uses no template, so it is listed but never spawned"
    yield "\n".join(_facts(of, chain))
    yield from _notes(of)


def _failing(of: Subject) -> Iterator[str]:
    """That another file keeps all agents from loading."""
    failed = meant.failure(of)
    if failed is None or failed.candidate.path == of.path:
        return
    yield (
        f"**No agent loads** in sessions that start in {_folder(of, of.root)}, because of "
        f"{_named(of, [failed.candidate])}: {words(failed.message)}"
    )


def body(of: Subject) -> Iterator[str]:
    """What begins behind the closing fence."""
    default, *blocks = of.reading.written.blocks
    kind = "default prompt" if of.dialect.key_holding(Holds.PERSONAS) else "prompt"
    yield f"The header ends here; the {kind} below has {size(default.text.strip())}"
    if blocks:
        yield f"Behind it: {codes([block.name or '' for block in blocks])}"
    # Only without a default prompt does it matter who asks for one.
    if not default.text.strip() and "prompt" in of.dialect.notes:
        yield words(of.dialect.notes["prompt"])


def _facts(of: Subject, chain: tuple[Candidate, ...]) -> Iterator[str]:
    others = [candidate for candidate in chain if candidate.path != of.path]
    used = bool(chain) and chain[0].path == of.path
    if others and not used and any(candidate.path == of.path for candidate in chain):
        yield f"- shadowed by {_named(of, others[:1])}"
    if others and used:
        yield f"- shadows {_named(of, others)}"
    yield from _sessions(of)
    yield from _standing(of)
    yield from _copied(of)
    if of.scope.builtin:
        yield f"- {STAND_IN}"
    if used and of.file.problem is None:
        yield from _spawned(of)
        yield from _listed(of)


def _sessions(of: Subject) -> Iterator[str]:
    if of.scope.prefix:
        yield "- found by sessions in which the plugin is enabled"
    elif of.scope.kind == "project":
        folder = max((r for r in of.workspace.roots if r in of.path.parents), default=None)
        inside = folder is not None and of.root != folder and folder in of.root.parents
        only = "" if of.scope.reaches_down and not inside else "only "
        below = " or below" if of.scope.reaches_down else ""
        yield f"- found {only}by sessions that start in {_folder(of, of.root)}{below}"
    else:
        yield f"- found by sessions in every folder ({words(of.scope.label)})"
    for other in deeper(of):
        root = _folder(of, root_for(of.workspace, of.dialect, other.path))
        yield f"- in sessions that start in {root} or below, {_named(of, [other])} wins"


def _standing(of: Subject) -> Iterator[str]:
    """For whom the agent is there, as far as that depends on the file."""
    for way in meant.standing(of):
        yield f"- {way.word}: {'yes' if way.is_open else 'no'}, {words(way.reason)}"


def _copied(of: Subject) -> Iterator[str]:
    """What the runtime copies into the folder of this file, if it is one that it copies into."""
    copied = seeding(of.dialect, of.workspace.places, of.workspace.files)
    if copied is None or copied.target != of.path.parent:
        return
    if copied.kept_by:
        yield f"- the runtime copies nothing to here, because of {codes(copied.kept_by)}"
    else:
        yield f"- when it starts, the runtime copies {codes(copied.files)} to here"


def _spawned(of: Subject) -> Iterator[str]:
    answer = meant.preview(of, of.reading)
    if isinstance(answer, Refusal):
        yield f"- {code(of.dialect.spawn_call)} refuses it: {words(answer.message)}"
    elif answer is not None:
        values = [s for s in answer.settings if s.value is not None and s.origin.path == of.path]
        named = "".join(f"{code(s.name)} {code(s.value or '')}, " for s in values)
        yield f"- {code(of.dialect.spawn_call)}: {named}{count(answer.toolset)}"


def _listed(of: Subject) -> Iterator[str]:
    call = code(of.dialect.list_call)
    if of.dialect.failure is not None:
        # That the catalog fails is said first, for it is all or nothing.
        return
    refusal = listing.refusal(of.dialect, meant.alone(of, of.reading), of.name or "")
    if refusal is not None:
        yield f"- {call} refuses it, and fails as a whole: {words(refusal.message)}"
        return
    found = catalog(of.workspace, of.dialect, of.root)
    cause = listing.culprit(of.dialect, found) if len(found.names) <= _MOST_SIBLINGS else None
    if cause is None:
        yield f"- {call} accepts it"
        return
    other = listing.refusal(of.dialect, found, cause.name)
    yield (
        f"- {call} accepts it, but fails as a whole for {_named(of, [cause])}: "
        f"{words(other.message if other else '')}"
    )


def _notes(of: Subject) -> Iterator[str]:
    # Inside a repository document and code search the same folders.
    outside = repository(of.root, of.workspace.files) is None
    notes = of.dialect.notes
    place = of.scope.label if of.scope.label in notes else of.scope.kind
    for name in (*(("file",) if outside else ()), place):
        if name in of.dialect.notes:
            yield words(of.dialect.notes[name])


def _named(of: Subject, candidates: list[Candidate]) -> str:
    return ", then ".join(
        f"{link(of.workspace, candidate.path)} ({words(candidate.scope.label)})"
        for candidate in candidates
    )


def _folder(of: Subject, folder: Path) -> str:
    return code(place(of.workspace, folder))
