"""Checks for a skill that an agent names and that its session does not have."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.suggest import fold, nearest
from agent_lsp.model.check import Check, Field, Finding, Related
from agent_lsp.model.schema import Severity
from agent_lsp.model.skills import Skill
from agent_lsp.model.template import Value
from agent_lsp.text import Span
from agent_lsp.workspace.skills import (
    entries,
    may_be_elsewhere,
    meant_by,
    name_in,
    skills_of,
    use_of,
)
from agent_lsp.workspace.snapshot import TemplateFile

_PROJECT = "project"
_BETWEEN = ":"


def unknown_skill(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each entry for which the agent gets no skill."""
    names = file.dialect.references.skill_names
    if names is None or not header.loads(file):
        return
    # A file of tables may have thousands of entries, most of them alike.
    meant: dict[str, Skill | None] = {}
    for entry in entries(file):
        name = name_in(entry)
        if name not in meant:
            meant[name] = meant_by(file, entry)
        skill = meant[name]
        if skill is None and name not in names.groups:
            yield _missing(file, entry)
        elif skill is not None and skill.off:
            yield _kept_back(file, entry, skill)


def _kept_back(file: TemplateFile, entry: Value, skill: Skill) -> Finding:
    there = (Related(skill.path, Span(0, 0), "this skill"),) if skill.path is not None else ()
    message = f"{use_of(file, entry).kept_back} {code(name_in(entry))}: {skill.off}"
    return Finding(entry.span, message, related=there)


def _missing(file: TemplateFile, entry: Value) -> Finding:
    name, use = name_in(entry), use_of(file, entry)
    there = [one for one in skills_of(file) if not one.off]
    names = tuple(dict.fromkeys(each for one in there for each in (one.name, one.alias) if each))
    ends = tuple(each.rpartition(_BETWEEN)[2] for each in names)
    same = (one for one in (*names, *ends) if fold(one) == fold(name))
    near = next(same, None) or nearest(name, names) or nearest(name, ends)
    thing = f"no skill is called {code(name)}, {use.missing}"
    if near is not None:
        message = f"{thing}; did you mean {code(near)}?"
        return Finding(entry.span, message, Severity.WARNING, meant=(near,))
    names_of = file.dialect.references.skill_names
    if names_of is not None and names_of.others:
        message = f"{thing}, unless {names_of.others} has it"
        return Finding(entry.span, message, Severity.INFORMATION)
    # A plugin may be anywhere, and an agent of a person or a plugin may run in any project.
    if _BETWEEN in name or may_be_elsewhere(file):
        message = f"{thing}, unless a plugin that is not on this machine has it"
        return Finding(entry.span, message, Severity.INFORMATION)
    if file.scope.kind != _PROJECT or file.scope.prefix:
        message = f"{thing}, except in a project that has such a skill"
        return Finding(entry.span, message, Severity.INFORMATION)
    return Finding(entry.span, f"{thing}; {use.fix}")


CHECK = Check(("unknown-skill",), unknown_skill, changes=frozenset({Field.KEY}))
