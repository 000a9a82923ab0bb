"""Checks for MCP servers that an agent names and no configuration has.

Invariants: nothing is reported where no server is configured, because the servers of the session
may then be anywhere. A file has at most one finding on servers without a similar name.
"""

import re
from collections.abc import Iterable, Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, listed, some
from agent_lsp.analysis.suggest import fold, is_vouched, nearest
from agent_lsp.model.check import Check, Field, Finding, Related
from agent_lsp.model.mcp_servers import ServerNames
from agent_lsp.model.schema import Severity
from agent_lsp.text import Span
from agent_lsp.workspace.mcp_servers import McpServer, configured_for
from agent_lsp.workspace.server_names import NamedServer, named_servers, own_servers, server_of
from agent_lsp.workspace.snapshot import TemplateFile

_MOST = 5
# A shorter name is another one rather than a misspelt one.
_SHORTEST = 4
_DIGITS = re.compile(r"\d+")
_PROJECT = "project"


def unknown_server(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each server that was meant to be another one, and one for the rest."""
    names = file.dialect.tools.servers
    if names is None or not header.loads(file):
        return
    named = named_servers(file)
    # The configurations are read only for a file that names a server.
    servers = configured_for(file) if named else ()
    missing = [one for one in named if servers and not _is_there(file, names, one)]
    there = tuple(_as_written(names, one) or one.name for one in servers)
    rest: dict[str, list[NamedServer]] = {}
    near: dict[tuple[str, str], list[NamedServer]] = {}
    for one in missing:
        meant = next(filter(None, (_near(name, there) for name in (one.name, *one.others))), None)
        if meant is not None:
            near.setdefault(meant, []).append(one)
        elif not (names.may_be_other or names.is_elsewhere(one.name) or _may_be_elsewhere(file)):
            rest.setdefault(one.name, []).append(one)
    for (wrong, right), alike in near.items():
        yield _misspelt(file, wrong, right, alike)
    if rest:
        yield _unconfigured(file, tuple(rest), [one for alike in rest.values() for one in alike])


def _may_be_elsewhere(file: TemplateFile) -> bool:
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
    entry = f"{server.prefix}x"
    spans = names.in_entry(entry)
    ends = (span.of(entry) for span in reversed(spans))
    return next((one for one in ends if fold(one) == fold(server.name)), "")


def _near(name: str, there: Iterable[str]) -> tuple[str, str] | None:
    """`name` with the configured name that it is a misspelling of, or None."""
    found = nearest(name, there)
    if found is None or found == name:
        return None
    is_spelling = fold(found) == fold(name)
    is_numbered = _DIGITS.sub("", found) == _DIGITS.sub("", name)
    if not is_spelling and (len(name) < _SHORTEST or is_numbered):
        return None
    return name, found


def _misspelt(file: TemplateFile, wrong: str, right: str, alike: list[NamedServer]) -> Finding:
    """The finding on all entries with one misspelt name, at the first one."""
    spans = [_place(one, wrong) for one in alike]
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


def _place(one: NamedServer, wrong: str) -> Span:
    """The misspelt name, which may be longer than the first of the names that may be meant."""
    if one.span is None:
        return one.entry.span
    return Span(one.span.start, one.span.start + len(wrong))


def _loss(alike: list[NamedServer]) -> str:
    texts = tuple(dict.fromkeys(one.entry.text for one in alike))
    if len(texts) > _MOST:
        return f"{len(texts)} entries have no effect"
    return f"{listed(texts, 'and')} {'has' if len(texts) == 1 else 'have'} no effect"


CHECK = Check(("unknown-server",), unknown_server, changes=frozenset({Field.TOOLS, Field.KEY}))
