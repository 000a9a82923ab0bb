"""Explains a file: its fences, its agents, and words that only the dialect knows."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from agent_lsp.analysis.checks.messages import joined
from agent_lsp.analysis.completion.prompt import word_at
from agent_lsp.analysis.context.contexts import line_at
from agent_lsp.analysis.hover import policy
from agent_lsp.analysis.navigation.references import called
from agent_lsp.analysis.preview import as_written, programs
from agent_lsp.analysis.preview.programs import confirmation_of, taken
from agent_lsp.analysis.render import (
    STAND_IN,
    code,
    codes,
    count,
    fence,
    inline,
    link,
    place,
    size,
    words,
)
from agent_lsp.analysis.suggest import nearest
from agent_lsp.model import runtime
from agent_lsp.model.runtime import Call, Candidate, RuntimeRefusal, Spawn
from agent_lsp.model.schema import Key, KeyRole, WordAt, WordKind
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.text import Span
from agent_lsp.workspace.catalogs import candidates
from agent_lsp.workspace.misplaced import Misplaced
from agent_lsp.workspace.scaffold import seeding
from agent_lsp.workspace.scopes import repository
from agent_lsp.workspace.snapshot import (
    TemplateFile,
    as_template,
    catalog_of,
    deeper,
    hidden_by,
    hiding_config,
    root_for,
    template_file,
)

# The most sibling files that are read for a hover.
_MOST_SIBLINGS = 100


def summary(file: TemplateFile) -> Iterator[str]:
    """What becomes of the file in each program, then in detail in the first one."""
    found = programs.programs(file)
    if found:
        names = [one.name for one in found]
        yield f"**Read by {joined(names)}{' alone' if len(names) == 1 else ''}**"
        yield "\n".join(f"- {words(line)}" for line in programs.lines(found))
        yield f"In {names[0]}:" if len(names) > 1 else ""
    yield from _in_program(file)


def _elsewhere(file: TemplateFile, at: Misplaced) -> str:
    """Where the runtime looks, and not here, as far as anybody knows."""
    where = code(place(file.workspace, at.belongs))
    if at.is_sure:
        return f"**The runtime does not read this file**: it looks for templates in {where}"
    looks = f"**{file.dialect.runtime} looks for templates in {where}**"
    return f"{looks}, and whether it reads folders below is not documented"


def _in_program(file: TemplateFile) -> Iterator[str]:
    """The file that wins for this name, and how the runtime treats this file."""
    if file.misplaced is not None:
        yield _elsewhere(file, file.misplaced)
        return
    if file.name is None and not file.scope.counts(file.path.name):
        yield f"**The runtime does not load this agent**: {words(file.scope.lost)}"
        return
    if file.name is None:
        name = code(file.path.name)
        yield f"**The runtime skips this file**: {name} cannot be the name of an agent"
        return
    found = catalog_of(file)
    chain = found.candidates(file.name)
    yield from _failing(file)
    if file.foreign is not None:
        yield "Treated as a file of another system, which also uses such folders"
    if file.source.problem is not None:
        does = "The runtime skips this file" if file.source.is_passed_over else "Not read here"
        yield f"**{does}**: {inline(file.source.problem)}"
    elif not any(candidate.path == file.path for candidate in chain):
        yield (
            f"So {_named(file, [chain[0]])} is {code(file.name)}"
            if chain
            else (f"So there is no {code(file.name)}")
        )
    elif len(parts := _parts(file)) > 1 and any(one.path == file.path for one in parts):
        yield f"**This file is a part of {code(file.name)}**, with the others below"
        others = [one for one in parts if one.path != file.path]
        yield f"It is merged with {_named(file, others)}"
    elif chain[0].path != file.path:
        yield f"**Another file is {code(file.name)}**, and this one is not used"
    else:
        yield f"**This file is {code(file.name)}** ({words(file.scope.label)})"
    if file.name == file.dialect.names.default_name:
        yield f"A call for {code(file.name)} uses no template, so it is listed but never spawned"
    yield "\n".join(_facts(file, chain))
    yield from _notes(file)


def _failing(file: TemplateFile) -> Iterator[str]:
    """Reports that another file prevents all agents from loading."""
    failed = as_written.failure(file)
    if failed is None or failed.candidate.path == file.path:
        return
    yield (
        f"**No agent loads** in sessions that start in {_folder(file, file.root)}, because of "
        f"{_named(file, [failed.candidate])}: {words(failed.message)}"
    )


def body(file: TemplateFile) -> Iterator[str]:
    """The hover of the closing fence: it describes the body that begins there."""
    default, *blocks = file.reading.declared.blocks
    kind = "default prompt" if file.dialect.schema.by_role.get(KeyRole.PERSONAS) else "prompt"
    yield f"The header ends here; the {kind} below has {size(default.text.strip())}"
    if blocks:
        yield f"After it: {codes([block.name or '' for block in blocks])}"
    # Who asks for a prompt matters only if there is no default one.
    if not default.text.strip() and "prompt" in file.dialect.findings.notes:
        yield words(file.dialect.findings.notes["prompt"])


def _parts(file: TemplateFile) -> tuple[Candidate, ...]:
    """The files that count for the name of the file."""
    return catalog_of(file).parts(file.name or "")


def _facts(file: TemplateFile, chain: tuple[Candidate, ...]) -> Iterator[str]:
    parts = {one.path for one in _parts(file)}
    is_part = file.path in parts
    others = [one for one in chain if one.path != file.path and not (is_part and one.path in parts)]
    used = bool(chain) and chain[0].path == file.path
    if others and not used and any(candidate.path == file.path for candidate in chain):
        yield f"- shadowed by {_named(file, others[:1])}"
    if others and used:
        yield f"- shadows {_named(file, others)}"
    said = taken(file.dialect, catalog_of(file), _candidate(file))
    if said:
        yield f"- {words(said)}"
    yield from _sessions(file)
    yield from _availability(file)
    yield from _copied(file)
    if file.scope.builtin:
        yield f"- {STAND_IN}"
    if used and file.source.problem is None:
        yield from _spawned(file)
        yield from _listed(file)


def _candidate(file: TemplateFile) -> Candidate:
    return Candidate(file.name or "", file.path, file.scope)


def _sessions(file: TemplateFile) -> Iterator[str]:
    if file.scope.prefix:
        yield "- found by sessions in which the plugin is enabled"
    elif file.scope.kind == "project":
        folder = max((r for r in file.workspace.roots if r in file.path.parents), default=None)
        inside = folder is not None and file.root != folder and folder in file.root.parents
        only = "" if file.scope.reaches_down and not inside else "only "
        below = " or below" if file.scope.reaches_down else ""
        yield f"- found {only}by sessions that start in {_folder(file, file.root)}{below}"
    else:
        yield f"- found by sessions in every folder ({words(file.scope.label)})"
    for other in deeper(file):
        root = _folder(file, root_for(file.workspace, file.dialect.system, other.path))
        yield f"- in sessions that start in {root} or below, {_named(file, [other])} wins"


def _availability(file: TemplateFile) -> Iterator[str]:
    """Who can use the agent, as far as that depends on the file."""
    standing = confirmation_of(file)
    for way in (*as_written.availability(file), *((standing,) if standing is not None else ())):
        yield f"- {way.word}: {'yes' if way.is_open else 'no'}, {words(way.reason)}"


def _copied(file: TemplateFile) -> Iterator[str]:
    """The files that the runtime copies into the folder of this file, if it copies any."""
    copied = seeding(file.dialect, file.workspace.host_paths, file.workspace.files)
    if copied is None or copied.target != file.path.parent:
        return
    if copied.kept_by:
        yield f"- the runtime copies nothing into this folder, because of {codes(copied.kept_by)}"
    else:
        yield f"- when it starts, the runtime copies {codes(copied.files)} into this folder"


def _spawned(file: TemplateFile) -> Iterator[str]:
    answer = as_written.preview(file, file.reading)
    if isinstance(answer, RuntimeRefusal):
        yield f"- {code(file.dialect.calls.spawn_call)} refuses it: {words(answer.message)}"
    elif answer is not None:
        values = [s for s in answer.settings if s.value is not None and s.origin.path == file.path]
        named = "".join(f"{code(s.name)} {code(s.value or '')}, " for s in values)
        yield f"- {code(file.dialect.calls.spawn_call)}: {named}{count(answer.toolset)}"


def _listed(file: TemplateFile) -> Iterator[str]:
    call = code(file.dialect.calls.list_call)
    if file.dialect.names.failure is not None:
        # The failure of the catalog comes first, because it affects all agents.
        return
    refusal = runtime.refusal(file.dialect, as_written.alone(file, file.reading), file.name or "")
    if refusal is not None:
        yield f"- {call} refuses it, and fails as a whole: {words(refusal.message)}"
        return
    found = catalog_of(file)
    cause = runtime.culprit(file.dialect, found) if len(found.names) <= _MOST_SIBLINGS else None
    if cause is None:
        yield f"- {call} accepts it"
        return
    other = runtime.refusal(file.dialect, found, cause.name)
    yield (
        f"- {call} accepts it, but fails as a whole because of {_named(file, [cause])}: "
        f"{words(other.message if other else '')}"
    )


def _notes(file: TemplateFile) -> Iterator[str]:
    # Inside a repository document and code search the same folders.
    outside = repository(file.root, file.workspace.files) is None
    notes = file.dialect.findings.notes
    place = file.scope.label if file.scope.label in notes else file.scope.kind
    for name in (*(("file",) if outside else ()), place):
        if name in file.dialect.findings.notes:
            yield words(file.dialect.findings.notes[name])


def _named(file: TemplateFile, candidates: list[Candidate]) -> str:
    return ", then ".join(
        f"{link(file.workspace, candidate.path)} ({words(candidate.scope.label)})"
        for candidate in candidates
    )


def _folder(file: TemplateFile, folder: Path) -> str:
    return code(place(file.workspace, folder))


def explained(file: TemplateFile, offset: int) -> tuple[Span, Iterator[str]] | None:
    """The span to explain, and the blocks of the explanation."""
    frontmatter = file.document.frontmatter
    top = (
        line_at(file.document.text, 0)
        if frontmatter.fence is FenceKind.ABSENT
        else frontmatter.open
    )
    at = word_at(file, offset)
    if at is not None and at.word:
        return at.span, word(file, at)
    return (top, summary(file)) if top.covers(offset) else None


def word(file: TemplateFile, at: WordAt) -> Iterator[str]:
    """The hover of a word that the dialect knows: what it means, or the file that it names."""
    if at.sort is WordKind.AGENT:
        yield from _agent(file, at)
        return
    if at.meaning:
        yield f"**{code(at.word)}**, {at.title}: {words(at.meaning)}"
    else:
        names = [one.name for one in at.offers]
        close = nearest(at.word, names)
        hint = f"; did you mean {code(close)}?" if close else ""
        yield f"**{code(at.word)}** is not a known {at.title}{hint}"
    yield from (words(note) for note in at.notes)


def _agent(file: TemplateFile, at: WordAt) -> Iterator[str]:
    """The file that a name refers to in this session."""
    chain = called(file, at.word)
    if not chain:
        known = codes([one.name for one in at.offers])
        yield f"**{code(at.word)}** does not name a {at.title}; there are {known}"
        return
    yield f"**{code(at.word)}** is {link(file.workspace, chain[0].path)} ({chain[0].scope.label})"
    for other in chain[1:]:
        yield f"It shadows {link(file.workspace, other.path)} ({other.scope.label})"


def agent_summary(file: TemplateFile) -> Iterator[str]:
    """A short summary of a template: its identity, its origins, and what it gets."""
    answer = as_written.spawned(file)
    if answer is None:
        yield "No template of this file has this name"
        return
    loss = as_written.lost(file) if file.reading.errors else None
    if loss is not None:
        yield f"**{_sentence(loss)}**"
        yield code(file.reading.errors[0].message)
        yield "As written:"
    yield f"**{code(file.name or '')}**"
    if answer.prompt:
        yield fence(answer.prompt[0].text.strip())
    rows = [
        f"- {code(one.name)}: {code(one.value) if one.value is not None else 'inherited'}, "
        f"from {words(one.origin.label)}"
        for one in answer.settings
    ]
    yield "\n".join(rows)
    yield from policy.toolset(file)


def of_file(file: TemplateFile, key: Key) -> Iterator[str]:
    """The role of the file in the sessions that read it."""
    used = hiding_config(file)
    if used is not None and used != file.path:
        yield f"**Not used**: sessions in this folder read {link(file.workspace, used)} instead"
    names = [one.name for one in file.names]
    many = "1 template" if len(names) == 1 else f"{len(names)} templates"
    yield f"{many}: {codes(names)}" if names else "No templates"
    for path, lost in hidden_by(file):
        beside = f", with {codes(list(lost))}" if lost else ""
        yield f"The runtime reads nothing from {link(file.workspace, path)}{beside}"
    yield words(key.meaning)


def called_agent(file: TemplateFile, name: str) -> Iterator[str]:
    """The template called `name`, in any file, or how the runtime does without one."""
    own = tuple(one for one in file.names if one.name == name)
    if own:
        return agent_summary(as_template(file, own))
    winner = next(iter(candidates(file.workspace, file.dialect, file.root, name)), None)
    other = template_file(file.workspace, winner.path) if winner is not None else None
    if other is not None:
        return chain(
            (f"It is defined in {link(file.workspace, other.path)}",), agent_summary(other)
        )
    return _nobody(file, name)


def _nobody(file: TemplateFile, name: str) -> Iterator[str]:
    call = Call(as_written.arguments(file.dialect, name, None, None))
    answer = file.dialect.calls.spawn(catalog_of(file), call)
    notes = answer.notes if isinstance(answer, Spawn) else ()
    said = next((note for note in notes if code(name) in note), "")
    yield words(said) if said else "No template has this name"


def _sentence(said: str) -> str:
    return f"{said[:1].upper()}{words(said[1:])}"
