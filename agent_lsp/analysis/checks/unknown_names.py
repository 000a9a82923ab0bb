"""Checks for names in a header that mean nothing here: models, skills and MCP servers.

Invariants: no server is reported where none is configured, because the servers of the session may
then be anywhere. A file has at most one finding on servers without a similar name.
"""

import re
from collections.abc import Iterator, Mapping

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, listed, some, unquoted
from agent_lsp.analysis.suggest import fold, is_vouched, known_models, near_miss, nearest
from agent_lsp.model.check import Check, Field, Finding, Related, Trait
from agent_lsp.model.discovery import ServerNames, Skill
from agent_lsp.model.schema import Key, KeyRole, Severity
from agent_lsp.model.template import Value
from agent_lsp.patterns import regex
from agent_lsp.text import Span
from agent_lsp.workspace.mcp_servers import McpServer, configured_for
from agent_lsp.workspace.named_servers import NamedServer, named_servers, own_servers, server_of
from agent_lsp.workspace.skills import (
    entries,
    may_be_elsewhere,
    meant_by,
    name_in,
    skills_of,
    use_of,
)
from agent_lsp.workspace.snapshot import TemplateFile

_NULLS = ("null", "Null", "NULL", "~")
_DASHES = regex("[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")


def unknown_model(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each model whose name is certainly or probably a mistake."""
    key = file.dialect.schema.by_role.get(KeyRole.MODEL)
    if key is None or not header.parses(file):
        return
    yield from _model(file, key, file.reading.declared.settings.get(key.name), "the agent")
    for persona in file.reading.declared.personas:
        yield from _model(
            file, key, persona.settings.get(key.name), f"persona {code(persona.name)}"
        )


def _model(file: TemplateFile, key: Key, value: Value | None, whom: str) -> Iterator[Finding]:
    models = known_models(file.dialect, file.options)
    if value is None or value.text in models:
        return
    refuses = (
        file.dialect.models.if_unknown or f"{code(file.dialect.calls.spawn_call)} refuses {whom}"
    )
    thing = f"unknown {key.name} {code(value.text)}"
    mistake, word = _model_mistake(file, value)
    if mistake:
        message = f"{thing}: {refuses}; {mistake}"
        yield Finding(value.span, message, Severity.WARNING, meant=(word,) if word else ())
        return
    meant = near_miss(value.text, models)
    if meant is not None:
        message = f"{thing}: unless the provider has it, {refuses}; did you mean {code(meant)}?"
        yield Finding(value.span, message, meant=(meant,))


def _model_mistake(file: TemplateFile, value: Value) -> tuple[str, str]:
    """Why the value cannot be the name of a model, and the word to write if there is one."""
    name = value.text
    if name in _NULLS:
        return "in quotes it is a name; write it without them", ""
    bare = unquoted(name)
    if bare != name:
        return f"the quotes are part of the name; write {code(bare)}", bare
    if "\n" in value.span.of(file.document.text).strip() and re.search(r"\s", name):
        return "its lines are one name; write one model on one line", ""
    dash = _DASHES.search(name)
    if dash is not None:
        plain = _DASHES.sub("-", name)
        return f"U+{ord(dash[0]):04X} only looks like `-`; write {code(plain)}", plain
    hidden = next((sign for sign in name if not sign.isprintable()), None)
    if hidden is not None:
        return f"U+{ord(hidden):04X} is part of the name; remove it", name.replace(hidden, "")
    return "", ""


UNKNOWN_MODEL = Check(
    ("unknown-model",),
    unknown_model,
    changes=frozenset({Field.KEY, Field.EFFORT}),
    needs=(KeyRole.MODEL,),
)


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
            yield _missing_skill(file, entry)
        elif skill is not None and skill.off:
            yield _kept_back_skill(file, entry, skill)


def _kept_back_skill(file: TemplateFile, entry: Value, skill: Skill) -> Finding:
    there = (Related(skill.path, Span(0, 0), "this skill"),) if skill.path is not None else ()
    message = f"{use_of(file, entry).kept_back} {code(name_in(entry))}: {skill.off}"
    return Finding(entry.span, message, related=there)


def _missing_skill(file: TemplateFile, entry: Value) -> Finding:
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


UNKNOWN_SKILL = Check(
    ("unknown-skill",),
    unknown_skill,
    changes=frozenset({Field.KEY}),
    needs=(KeyRole.SKILL,),
)


_MOST = 5
# A shorter name is another one rather than a misspelt one.
_SHORTEST_SERVER = 4
_DIGITS = regex(r"\d+")


def unknown_server(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each server that was meant to be another one, and one for the rest."""
    names = file.dialect.tools.servers
    if names is None or not header.loads(file):
        return
    named = named_servers(file)
    # The configurations are read only for a file that names a server.
    servers = configured_for(file) if named else ()
    missing = [one for one in named if servers and not _is_there(file, names, one)]
    there = {_as_written(names, one) or one.name: _parts(file, names, one) for one in servers}
    rest: dict[str, list[NamedServer]] = {}
    near: dict[tuple[str, str], list[NamedServer]] = {}
    for one in missing:
        meant = next(filter(None, (_near(name, there) for name in (one.name, *one.others))), None)
        if meant is not None:
            near.setdefault(meant, []).append(one)
        elif not (
            names.may_be_other or names.is_elsewhere(one.name) or _server_may_be_elsewhere(file)
        ):
            rest.setdefault(one.name, []).append(one)
    for (wrong, right), alike in near.items():
        yield _misspelt_server(file, wrong, right, alike)
    if rest:
        yield _unconfigured(file, tuple(rest), [one for alike in rest.values() for one in alike])


def _server_may_be_elsewhere(file: TemplateFile) -> bool:
    """Whether sessions in other projects, with other servers, find the agent."""
    return file.scope.kind != _PROJECT or bool(file.scope.prefix)


def _is_there(file: TemplateFile, names: ServerNames, one: NamedServer) -> bool:
    """Whether a server has the name, or the user vouches for it."""
    entry = one.entry.text
    if server_of(file, one) is not None or entry in file.dialect.tools.names:
        return True
    if not own_servers(file).isdisjoint((one.name, *one.others)):
        return True
    vouched = file.options.extra(file.dialect.id).tools
    tools = (span.of(tool) for tool in vouched for span in names.in_entry(tool))
    return is_vouched(file.dialect, file.options, entry) or one.name in tools


def _as_written(names: ServerNames, server: McpServer) -> str:
    """The name of a server as it stands in an entry."""
    return _in_prefix(names, server.prefix, server.name)


def _in_prefix(names: ServerNames, prefix: str, name: str) -> str:
    entry = f"{prefix}x"
    spans = names.in_entry(entry)
    ends = (span.of(entry) for span in reversed(spans))
    return next((one for one in ends if fold(one) == fold(name)), "")


def _parts(file: TemplateFile, names: ServerNames, server: McpServer) -> tuple[str, ...]:
    """The parts of the name as it stands in an entry: of the bundle and of its server, if any."""
    prefix_of = file.dialect.tools.mcp_prefix
    if not server.bundle or prefix_of is None:
        return ()
    parts = (server.bundle, server.written)
    return tuple(_in_prefix(names, prefix_of(part) or "", part) or part for part in parts)


def _near(name: str, there: Mapping[str, tuple[str, ...]]) -> tuple[str, str] | None:
    """`name` with the configured name that it is a misspelling of, or None.

    `there` has the configured names, each with its parts if it has any. Then one of the parts is
    misspelt, because the rest is the same in many names.
    """
    found = nearest(name, there)
    if found is None or found == name:
        return None
    if not there[found]:
        return (name, found) if is_slip(name, found) else None
    for part in there[found]:
        before, _, after = found.rpartition(part)
        wrong = name[len(before) : len(name) - len(after)]
        if f"{before}{wrong}{after}" == name and nearest(wrong, (part,)) and is_slip(wrong, part):
            return name, found
    return None


def is_slip(name: str, meant: str) -> bool:
    """Whether a name that is near `meant` is no other name."""
    is_spelling = fold(meant) == fold(name)
    is_numbered = _DIGITS.sub("", meant) == _DIGITS.sub("", name)
    return is_spelling or (len(name) >= _SHORTEST_SERVER and not is_numbered)


def _misspelt_server(
    file: TemplateFile, wrong: str, right: str, alike: list[NamedServer]
) -> Finding:
    """The finding on all entries with one misspelt name, at the first one."""
    spans = [_server_span(one, wrong) for one in alike]
    related = tuple(Related(file.path, span, "also here") for span in spans[1:])
    is_case = wrong.lower() == right.lower()
    why = "case matters, " if is_case else ""
    message = (
        f"no configuration has an MCP server {code(wrong)}, so {_loss(alike)}; "
        f"{why}did you mean {code(right)}?"
    )
    can_fix = all(one.span is not None for one in alike)
    meant = (right,) * len(alike) if can_fix else ()
    return Finding(spans[0], message, Severity.WARNING, related=related, meant=meant)


def _unconfigured(file: TemplateFile, names: tuple[str, ...], alike: list[NamedServer]) -> Finding:
    spans = [one.span or one.entry.span for one in alike]
    related = tuple(Related(file.path, span, "also here") for span in spans[1:])
    servers = "servers" if len(names) > 1 else "server"
    message = (
        f"no configuration has the MCP {servers} {some(names, _MOST, 'and')}: {_loss(alike)}, "
        f"unless the session gets {'them' if len(names) > 1 else 'it'} in another way"
    )
    return Finding(spans[0], message, Severity.INFORMATION, related=related)


def _server_span(one: NamedServer, wrong: str) -> Span:
    """The misspelt name, which may be longer than the first of the names that may be meant."""
    if one.span is None:
        return one.entry.span
    return Span(one.span.start, one.span.start + len(wrong))


def _loss(alike: list[NamedServer]) -> str:
    texts = tuple(dict.fromkeys(one.entry.text for one in alike))
    if len(texts) > _MOST:
        return f"{len(texts)} entries have no effect"
    return f"{listed(texts, 'and')} {'has' if len(texts) == 1 else 'have'} no effect"


UNKNOWN_SERVER = Check(
    ("unknown-server",),
    unknown_server,
    changes=frozenset({Field.TOOLS, Field.KEY}),
    needs=(Trait.SERVERS, Trait.NOTATION),
)
