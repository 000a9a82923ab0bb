"""Checks the keys of an agent's MCP servers, which Copilot CLI alone reads.

Facts: Copilot CLI 1.0.102, run 2026-11-29 with servers that write down what they get: it keeps a
key that it does not know, and nothing comes of it. Case counts. `headers` of a program on this
machine and `env` of a server at a URL have no effect either. Which keys there are is said by its
`api.schema.json` (`McpServerConfig`).
"""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, listed, refused
from agent_lsp.analysis.checks.unknown_key import meant
from agent_lsp.analysis.suggest import fold, nearest
from agent_lsp.dialects.copilot import cli_header
from agent_lsp.model.check import Check, Field, Finding
from agent_lsp.model.schema import Severity
from agent_lsp.model.template import LoadErrorKind
from agent_lsp.syntax.nodes import Entry, Mapping
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

KEY = "mcp-servers"
# Keys of a server beside those that files use.
_MORE = frozenset(
    {
        *("auth", "configWarnings", "deferTools", "disableSecretMasking", "disableToolCache"),
        *("displayName", "events", "excludeTools", "filterMapping", "headersRefreshTtlMs"),
        *("isDefaultServer", "notifications", "oauthClientId", "oauthGrantType"),
        *("oauthPublicClient", "oidc", "safeForTelemetry", "source", "sourcePath"),
        *("sourcePlugin", "sourcePluginSpec", "sourcePluginVersion"),
    }
)
# Words of other systems for a key, without case and separators.
_INSTEAD = {
    **dict.fromkeys(("environment", "envs", "envvars", "environmentvariables"), "env"),
    **dict.fromkeys(("httpheaders", "requestheaders"), "headers"),
    **dict.fromkeys(("workdir", "workingdirectory", "directory"), "cwd"),
    **dict.fromkeys(("httpurl", "endpoint", "uri"), "url"),
    **dict.fromkeys(("allowedtools", "enabledtools", "includetools"), "tools"),
    "cmd": "command",
    "arguments": "args",
    "transport": "type",
}
_OF_PROGRAMS, _OF_URLS = frozenset({"command", "args", "env", "cwd"}), frozenset({"url", "headers"})


def missing_key(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on each server without required keys, and on each misspelling of one."""
    servers: dict[Span, list[str]] = {}
    for error in header.errors(file, LoadErrorKind.MISSING):
        if error.key.startswith(f"{KEY}."):
            servers.setdefault(error.span, []).append(error.key)
    tables = {entry.key.span: table for entry, table in _servers(file)} if servers else {}
    for span, keys in servers.items():
        path = keys[0].rpartition(".")[0]
        lacking = {key.rpartition(".")[2]: None for key in keys}
        for entry, name in _misspelt(file, tables.get(span)):
            if name in lacking:
                del lacking[name]
                thing = f"{code(path)} has {code(entry.name or '')} and lacks {code(name)}"
                fix = f"write {code(name)}"
                yield Finding(entry.key.span, refused(file, thing, fix), meant=(name,))
        if lacking:
            thing = f"{code(path)} has no {listed(lacking)}"
            fix = "add it" if len(lacking) == 1 else "add them"
            yield Finding(span, refused(file, thing, fix), meant=tuple(lacking))


def unknown_key(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on each key of a server that is none."""
    if not header.parses(file):
        return
    told = {one.span for one in missing_key(file)}
    for _, table in _servers(file):
        right = {entry.key.span: name for entry, name in _misspelt(file, table)}
        for entry in table.entries:
            name, span = entry.name or "", entry.key.span
            if name in _OF_FILES | _MORE or not name or span in told:
                continue
            thing = f"unknown key {code(name)}: Copilot CLI ignores it"
            if span in right:
                fix = f"did you mean {code(right[span])}?"
                yield Finding(span, f"{thing}; {fix}", meant=(right[span],), word=name)
            else:
                yield Finding(span, thing, Severity.HINT, word=name)


_OF_FILES = frozenset({*_OF_PROGRAMS, *_OF_URLS, "type", "tools", "timeout"})


def no_effect(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on each key that belongs to a server of the other kind."""
    for server, table in _servers(file) if header.loads(file) else ():
        is_remote = cli_header.is_remote(table)
        others, kind = (_OF_PROGRAMS, "at a URL") if is_remote else (_OF_URLS, "on this machine")
        for entry in table.entries:
            if entry.name in others:
                thing = f"{code(entry.name or '')} has no effect"
                message = f"{thing}: {code(server.name or '')} is a server {kind}"
                yield Finding(entry.key.span, message, Severity.INFORMATION)


def _misspelt(file: TemplateFile, table: Mapping | None) -> Iterator[tuple[Entry, str]]:
    """The keys of a server, in its `table`, that are meant to be others."""
    level = header.level_at(file, table.span) if table is not None else None
    for entry in level.mapping.entries if level is not None else ():
        if level is None or entry.name in _OF_FILES | _MORE:
            continue
        key = meant(level, entry)
        word = nearest(fold(entry.name or ""), _INSTEAD) or ""
        name = key.name if key is not None else _INSTEAD.get(word)
        if name is not None and level.mapping.get(name) is None:
            yield entry, name


def _servers(file: TemplateFile) -> Iterator[tuple[Entry, Mapping]]:
    """The servers of the header, each with its keys."""
    top = header.root(file)
    entry = top.get(KEY) if top is not None else None
    node = entry.node if entry is not None else None
    for one in node.entries if isinstance(node, Mapping) else ():
        if isinstance(one.node, Mapping):
            yield one, one.node


CHECKS: tuple[Check, ...] = (
    Check(("unknown-key",), unknown_key, changes=frozenset({Field.KEY})),
    Check(("no-effect",), no_effect, changes=frozenset()),
)
