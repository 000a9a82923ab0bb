"""Explains an entry of a header that names a skill."""

from collections.abc import Iterator

from agent_lsp.analysis.render.markup import code, link, words
from agent_lsp.model.template import Value
from agent_lsp.text import Span
from agent_lsp.workspace.skills import meant_by, name_in
from agent_lsp.workspace.snapshot import TemplateFile


def entry(file: TemplateFile, named: Value) -> Iterator[str]:
    """The hover of one entry: whether the agent starts with the skill, and what it is."""
    name, skill = code(name_in(named)), meant_by(file, named)
    if skill is None:
        yield f"The agent starts **without** {name}: this session has no skill of this name"
        return
    if skill.off:
        yield f"The agent starts **without** the skill {name}: {words(skill.off)}"
    elif skill.name != name_in(named):
        yield f"The agent starts with the skill {code(skill.name)}, which {name} means here"
    else:
        yield f"The agent starts with the skill {name}"
    if skill.header.description:
        yield words(skill.header.description)
    if skill.path is None:
        yield "The skill is built into the runtime"
    else:
        place = link(file.workspace, skill.path, Span(0, 0))
        yield f"From the {skill.source} folder ({place})"
