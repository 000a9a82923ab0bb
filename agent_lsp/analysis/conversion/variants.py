"""Lists the agents that a template describes: one for each name and each persona in it."""

from bisect import bisect_right
from collections.abc import Iterator

from agent_lsp.analysis.checks.messages import code, listed, some
from agent_lsp.data_classes import dataclass, replace
from agent_lsp.model.runtime import RuntimeRefusal
from agent_lsp.model.schema import dotted
from agent_lsp.model.template import Block, Persona, Value
from agent_lsp.syntax import toml
from agent_lsp.syntax.nodes import Entry, path_to
from agent_lsp.workspace import definitions
from agent_lsp.workspace.snapshot import TemplateFile


@dataclass(frozen=True, slots=True)
class Variant:
    """A prompt with its persona; None if the prompt needs no persona."""

    block: Block
    persona: Persona | None

    def setting(self, file: TemplateFile, name: str) -> Value | None:
        """The effective value of a key: the persona's own, else that of the template."""
        own = self.persona.settings.get(name) if self.persona is not None else None
        return own or file.reading.effective.settings.get(name)


def variants(file: TemplateFile, persona: str | None) -> tuple[Variant, ...] | RuntimeRefusal:
    """All agents of the template, or only that of `persona`."""
    held = file.reading.effective
    found = [Variant(block, held.persona(block.name or "")) for block in held.blocks[1:]]
    if persona is not None:
        chosen = [one for one in found if one.block.name == persona.strip().lower()]
        names = [one.block.name or "" for one in found]
        there = f"; there are {listed(names, 'and')}" if names else ""
        return tuple(chosen) or RuntimeRefusal(f"there is no persona {code(persona)}{there}")
    if held.default.text.strip() or not found:
        found.insert(0, Variant(held.default, None))
    return tuple(found)


# The most names in one message.
_MOST = 8
_WHICH = "none of its agents is selected"


def one_of(file: TemplateFile, name: str | None) -> TemplateFile | RuntimeRefusal:
    """The template file as the agent called `name`, or as its only agent."""
    if not file.dialect.schema.is_tables:
        said = f"{file.dialect.title} have a file for each agent: no name chooses one"
        return file if name is None else RuntimeRefusal(said)
    found = [one for one in file.names if name in (None, one.name)]
    if len(found) != 1:
        names = [one.name for one in file.names]
        there = f"there are {some(names, _MOST, 'and')}" if names else "it defines no agent"
        unknown = f"there is no {code(name)}; " if name is not None else ""
        return RuntimeRefusal(f"{unknown}{there}" if unknown or not names else f"{_WHICH}: {there}")
    reading = definitions.read(file.dialect, file.document, file.scope, found[0].name)
    one = replace(file, names=tuple(found))
    nodes = (
        node for _, entry in written(one) for node in (entry.key, entry.value) if node is not None
    )
    if any(toml.is_open(node, file.document.text) for node in nodes):
        return RuntimeRefusal("the values of the variables in it are unknown")
    taken = file.dialect.conversion.taken if file.dialect.conversion is not None else None
    return replace(file, names=tuple(found), reading=taken(reading) if taken else reading)


def written(file: TemplateFile) -> Iterator[tuple[str, Entry]]:
    """The values of a template that is a table in its file, by the names of its settings."""
    schema, document = file.dialect.schema, file.document
    name = file.names[0] if file.names else None
    if not schema.templates or name is None or name.span is None:
        return
    found = path_to(document.tree.root, name.span)
    if found is not None and found.entry is not None:
        keys = schema.at(document, (*schema.templates[0], name.name))
        yield from dotted(keys, found.entry.value)


def name_at(file: TemplateFile, offset: int) -> str | None:
    """The agent in whose table `offset` is, if the file has several."""
    sections = file.document.tree.sections
    at = bisect_right(sections, offset, key=lambda section: section.span.start) - 1
    return file.dialect.schema.template_at(sections[at].path) if at >= 0 else None
