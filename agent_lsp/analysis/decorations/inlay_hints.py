"""Shows inlay hints for what a template omits: inherited values, patterns, empty lists.

Invariants: a hint states a fact that is not visible in the file. A file that the runtime does not
use as written has no hints.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from agent_lsp.analysis.decorations.tool_lists import ToolEntry, agents, tool_lists
from agent_lsp.analysis.preview import as_written
from agent_lsp.analysis.suggest import known_tools
from agent_lsp.model.runtime import ResolvedSetting
from agent_lsp.model.schema import KeyRole
from agent_lsp.model.template import Persona
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

_INHERITED = (KeyRole.MODEL, KeyRole.EFFORT)
_MOST_PERSONAS = 50


@dataclass(frozen=True, slots=True)
class InlayHint:
    """A text at a place, and the reason for it."""

    offset: int
    label: str
    tooltip: str = ""


def inlay_hints(file: TemplateFile, within: Span) -> tuple[InlayHint, ...]:
    """The hints whose places are `within` the visible part of the file."""
    sound = file.document.frontmatter.fence is FenceKind.CLOSED and not file.reading.errors
    if file.name is None or file.foreign is not None or not sound:
        return ()
    found = (*_top(file, within), *_personas(file, within), *_lists(file))
    return tuple(hint for hint in found if within.covers(hint.offset))


def _top(file: TemplateFile, within: Span) -> Iterator[InlayHint]:
    for agent in agents(file):
        end = _beginning(agent)
        if within.covers(end) and agent.name != file.dialect.names.default_name:
            yield from _unset(agent, end, None)


def _beginning(file: TemplateFile) -> int:
    """The end of the line on which the agent's settings begin."""
    named = file.names[0].span if file.dialect.schema.is_tables and file.names else None
    if named is None:
        return file.document.frontmatter.open.end
    headers = (section.header for section in file.document.tree.sections)
    return next(
        (one.span.end for one in headers if one and one.span.covers(named.start)), named.end
    )


def _personas(file: TemplateFile, within: Span) -> Iterator[InlayHint]:
    for persona in file.reading.declared.personas[:_MOST_PERSONAS]:
        if persona.name and within.covers(persona.name_span.end):
            yield from _unset(file, persona.name_span.end, persona)


def _unset(file: TemplateFile, offset: int, persona: Persona | None) -> Iterator[InlayHint]:
    """The model and the effort that are set somewhere else, in one hint."""
    settings = persona.settings if persona is not None else file.reading.declared.settings
    keys = [key for holds in _INHERITED if (key := file.dialect.key_with_role(holds))]
    absent = [key for key in keys if key.name not in settings]
    if not absent:
        return
    answer, refusal = as_written.resolved(file, persona.name if persona is not None else None)
    if answer is None or refusal is not None:
        return
    found = [(key, as_written.setting(answer, key)) for key in absent]
    said = [(key.name, setting) for key, setting in found if setting is not None]
    # The hint of the role already shows what a persona inherits.
    told = [(name, s) for name, s in said if persona is None or s.value is not None]
    if told:
        label = ", ".join(f"{name}: {_value(setting)}" for name, setting in told)
        where = "; ".join(f"`{name}` comes from {setting.origin.label}" for name, setting in told)
        yield InlayHint(offset, label, where)


def _value(setting: ResolvedSetting) -> str:
    return setting.value if setting.value is not None else "inherited"


def _lists(file: TemplateFile) -> Iterator[InlayHint]:
    for written in tool_lists(file):
        end = written.span.end
        if written.is_empty and written.key.role is KeyRole.ALLOW:
            kept = as_written.toolset(written.file).kept
            label = "no tools" if not kept else "as without it: every tool"
            yield InlayHint(end, label, f"what an empty `{written.key.name}` means to the runtime")
        elif written.is_empty:
            yield InlayHint(end, "nothing is removed")
        for entry in written.entries:
            void, holds = file.dialect.tools.void, written.key.role
            why = void(holds, entry.name) if void is not None and holds is not None else ""
            if why:
                yield InlayHint(entry.span.end, "no effect", why)
            elif file.dialect.tools.is_pattern(entry.name):
                yield _pattern(file, entry)


def _pattern(file: TemplateFile, entry: ToolEntry) -> InlayHint:
    pattern = entry.name
    names = [
        name
        for name in known_tools(file.dialect, file.options)
        if file.dialect.tools.matches(pattern, name)
    ]
    open_ = file.dialect.tools.cannot_tell(pattern)
    counted = f"{len(names)} tool{'' if len(names) == 1 else 's'}"
    label = f"{counted}, MCP tools" if open_ and names else "MCP tools" if open_ else counted
    return InlayHint(entry.span.end, label, ", ".join(names))
