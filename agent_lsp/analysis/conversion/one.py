"""The agent that is meant, of a file in which several may stand."""

from bisect import bisect_right
from dataclasses import replace

from agent_lsp.analysis.rules.wording import code, some
from agent_lsp.dialects.answers import RuntimeRefusal
from agent_lsp.syntax import toml
from agent_lsp.workspace import definitions
from agent_lsp.workspace.index import TemplateFile

# As many names as one reads.
_MOST = 8
_WHICH = "nobody says which of its agents is meant"


def one_of(file: TemplateFile, name: str | None) -> TemplateFile | RuntimeRefusal:
    """The subject for the agent called `name`, or for the only one of the file."""
    if file.dialect.lines is None:
        said = f"{file.dialect.title} have a file for each agent: no name chooses one"
        return file if name is None else RuntimeRefusal(said)
    found = [one for one in file.names if name in (None, one.name)]
    if len(found) != 1:
        names = [one.name for one in file.names]
        there = f"there are {some(names, _MOST, 'and')}" if names else "no agent stands in it"
        unknown = f"there is no {code(name)}; " if name is not None else ""
        return RuntimeRefusal(f"{unknown}{there}" if unknown or not names else f"{_WHICH}: {there}")
    reading = definitions.read(file.dialect, file.document, file.scope, found[0].name)
    written = file.dialect.lines(file.document, found[0].name)
    nodes = (node for _, entry in written for node in (entry.key, entry.value) if node is not None)
    if any(toml.is_open(node, file.document.text) for node in nodes):
        return RuntimeRefusal("nobody can tell what the variables in it come to")
    taken = file.dialect.conversion.taken if file.dialect.conversion is not None else None
    return replace(file, names=tuple(found), reading=taken(reading) if taken else reading)


def name_at(file: TemplateFile, offset: int) -> str | None:
    """The agent in whose table `offset` is, where a file has several."""
    sections = file.document.tree.sections
    at = bisect_right(sections, offset, key=lambda section: section.span.start) - 1
    find = file.dialect.template_at
    return find(sections[at].path) if find is not None and at >= 0 else None
