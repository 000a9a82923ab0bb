"""Explains names: a persona, the skill of an entry, and the file that a path leads to."""

from collections.abc import Iterator
from pathlib import Path

from agent_lsp.analysis.checks import messages
from agent_lsp.analysis.context.hooks import HookScript
from agent_lsp.analysis.context.prompts import NamedFile, left
from agent_lsp.analysis.preview import as_written
from agent_lsp.analysis.render import chain, code, inline, link, shown, size, words
from agent_lsp.model.discovery import STARTS
from agent_lsp.model.runtime import ResolvedSetting
from agent_lsp.model.schema import KeyRole
from agent_lsp.model.template import Block, Persona, Value
from agent_lsp.text import Span
from agent_lsp.workspace.skills import meant_by, name_in, skills_of, use_of
from agent_lsp.workspace.snapshot import TemplateFile


def named(file: TemplateFile, one: NamedFile) -> Iterator[str]:
    """The blocks of the hover on the path of a file."""
    target = one.target or one.targets[0]
    outside = left(file, target)
    if one.target is None and not all(left(file, each) for each in one.targets):
        yield f"{code(one.written)}: there is no such file"
    elif outside:
        gone = "" if one.target is not None else ", where there is no such file"
        real = file.workspace.files.real(target)
        yield f"{code(one.written)} points outside {outside}, to {code(str(real))}{gone}"
    else:
        yield f"{code(one.written)} is {code(messages.shown(file, target))}"


def script(file: TemplateFile, one: HookScript) -> Iterator[str]:
    """The blocks of the hover on the script of a hook."""
    files = file.workspace.files
    if not files.exists(one.path):
        yield f"{code(one.written)}: there is no such script, so the hook cannot do its work"
        return
    is_run = bool(one.interpreter) or files.is_executable(one.path)
    fails = "" if is_run else "; it is not executable, so the hook does nothing"
    yield f"{code(one.written)} is {code(messages.shown(file, one.path))}{fails}"


def entry(file: TemplateFile, named: Value) -> Iterator[str]:
    """The hover of one entry: what it does, and what the skill is."""
    name, skill, use = code(name_in(named)), meant_by(file, named), use_of(file, named)
    if skill is None:
        yield _unknown(file, named)
        return
    if skill.off:
        said = "The agent starts **without** the skill" if use is STARTS else use.kept_back
        yield f"{said} {name}: {words(skill.off)}"
    elif skill.name != name_in(named):
        yield f"{use.there} {code(skill.name)}, which {name} means here"
    else:
        yield f"{use.there} {name}"
    if skill.header.description:
        yield words(skill.header.description)
    if skill.path is None:
        yield "The skill is built into the runtime"
    else:
        place = link(file.workspace, skill.path, Span(0, 0))
        yield f"From the {skill.source} folder ({place})"


def path(file: TemplateFile, named: Value, place: Path) -> Iterator[str]:
    """The hover of a path of a skill: what naming it does, and what the skill is."""
    use = use_of(file, named)
    skill = next((one for one in skills_of(file) if one.path == place), None)
    if skill is not None:
        yield f"{use.there} {code(skill.name)}"
        yield words(skill.header.description)
    elif file.workspace.files.is_folder(place):
        yield f"{code(named.text)} is a folder, {use.missing}"
    elif file.workspace.files.exists(place):
        yield f"{use.there} in {code(shown(file.workspace, place))}"
    else:
        yield f"{code(named.text)} does not exist, {use.missing}"


def _unknown(file: TemplateFile, named: Value) -> str:
    names, use = file.dialect.references.skill_names, use_of(file, named)
    name = code(name_in(named))
    if names is not None and name_in(named) in names.groups:
        return f"{use.there}s of the group {name}"
    if use is STARTS:
        return f"The agent starts **without** {name}: this session has no skill of this name"
    return f"This session has **no** skill {name}, {use.missing}"


_SHOWN = (KeyRole.MODEL, KeyRole.EFFORT, KeyRole.SANDBOX)


def persona(file: TemplateFile, declared: Persona) -> Iterator[str]:
    """The configuration that a declared persona resolves to."""
    block = file.reading.declared.block(declared.name)
    yield from _resolved(file, declared.name)
    if "description" in declared.settings:
        yield inline(declared.settings["description"].text)
    if block is None:
        opener = file.dialect.format.marker(declared.name) if file.dialect.format.marker else ""
        yield f"It has no block: no line {code(opener)} in the body"
    else:
        start = link(file.workspace, file.path, block.markers[0])
        yield f"Its prompt: {size(block.text)} ({start})"
    first = file.reading.declared.persona(declared.name)
    if first is not None and first.span != declared.span:
        where = link(file.workspace, file.path, first.name_span)
        yield f"The name is declared above ({where}), and that declaration is used"


def marker(file: TemplateFile, name: Span) -> Iterator[str]:
    """The hover of the block that a marker begins, or a note that the line is no marker."""
    block = next((b for b in file.reading.declared.blocks[1:] if name in b.markers), None)
    if block is None or block.name is None:
        yield "Not a marker for the runtime: the line stays part of the prompt"
        return
    yield from _resolved(file, block.name)
    yield from _described(file, block)
    yield f"Its prompt: {size(block.text)}"
    if block.markers[0] != name:
        first = link(file.workspace, file.path, block.markers[0])
        yield f"Continues the block that begins above ({first})"


def summaries(file: TemplateFile) -> Iterator[str]:
    """One line for each persona."""
    rows = []
    for declared in file.reading.declared.personas:
        block = file.reading.declared.block(declared.name)
        prompt = "no block" if block is None else size(block.text)
        rows.append(f"- {code(declared.name)}: {_headline(file, declared.name)}; prompt: {prompt}")
    yield "\n".join(rows) if rows else "No persona is declared"


def _described(file: TemplateFile, block: Block) -> Iterator[str]:
    declared = file.reading.declared.persona(block.name or "")
    if declared is not None and "description" in declared.settings:
        yield inline(declared.settings["description"].text)
    elif declared is None:
        key = file.dialect.schema.by_role.get(KeyRole.PERSONAS)
        yield f"The header does not declare it under {code(key.name if key else '')}"


def _resolved(file: TemplateFile, name: str) -> Iterator[str]:
    yield f"**Persona {code(name)}**: {_headline(file, name)}"
    found = _settings(file, name)
    if found:
        yield "\n".join(row for setting in found for row in chain(file.workspace, setting))
        yield from (words(setting.note) for setting in found if setting.note)


def _headline(file: TemplateFile, name: str) -> str:
    """The values of a spawn under `name`, or the reason for having none."""
    refusal = as_written.resolved(file, name)[1]
    if refusal is not None:
        return f"the runtime refuses the call: {words(refusal.message)}"
    values = [
        f"{code(s.name)} {code(s.value)}" for s in _settings(file, name) if s.value is not None
    ]
    return ", ".join(values) or "everything is inherited"


def _settings(file: TemplateFile, name: str) -> list[ResolvedSetting]:
    answer, refusal = as_written.resolved(file, name)
    if answer is None or refusal is not None:
        return []
    keys = [key for holds in _SHOWN if (key := file.dialect.schema.by_role.get(holds))]
    return [setting for key in keys if (setting := as_written.setting(answer, key))]
