"""Explains an entry of a header that names a skill."""

from collections.abc import Iterator
from pathlib import Path

from agent_lsp.analysis.render.markup import code, link, shown, words
from agent_lsp.model.skills import STARTS
from agent_lsp.model.template import Value
from agent_lsp.text import Span
from agent_lsp.workspace.skills import meant_by, name_in, skills_of, use_of
from agent_lsp.workspace.snapshot import TemplateFile


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
