"""Checks for agents that a prompt calls and no session has.

Invariants: a name counts as called only in the syntax of a call: as the argument that names an
agent, or behind `@agent-`. The runtime's own answer to the call decides. In prose, a name in quotes
is at most a slip of another one.
"""

import re
from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.context.mentions import may_be_elsewhere, mentioned
from agent_lsp.analysis.suggest import known_tools, nearest
from agent_lsp.model.check import Check, Field, Finding, Related
from agent_lsp.model.mentions import Mention
from agent_lsp.model.runtime import Call, RuntimeRefusal
from agent_lsp.model.schema import KeyRole, Severity
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile, candidates, catalog_of

_AT, _VERB = "@agent-", "elegat"
_QUOTES = "\"'`"
# The text before a name in prose.
_ORDER = re.compile(
    r"\bdelegat(?:e|es|ed|ing)\b(?:[ ][\w'-]+){0,4}?[ ]to[ ](?:the[ ])?[`\"']\Z", re.IGNORECASE
)
_FAR = 120
# The words of a name that stands for another one.
_EXAMPLE = re.compile(
    r"(?:^|[-_. ])(?:agent|any|example|foo|bar|my|name|string|some|type|x+|your)(?:$|[-_. ])",
    re.IGNORECASE,
)
# A shorter name is another one rather than a misspelt one.
_SHORTEST = 4


def unknown_agent(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each name that the prompt calls and no agent has."""
    if file.scope.builtin or file.misplaced is not None or not header.loads(file):
        return
    body = file.body
    if not _may_call(file):
        return
    alike: dict[tuple[str, str | None, bool], list[Mention]] = {}
    for one in mentioned(file):
        if body.start <= one.span.start < body.end:
            is_call = one.is_call or _is_at(file, one)
            if is_call or _is_order(file, one):
                alike.setdefault((one.name, one.agent, is_call), []).append(one)
    for (name, agent, is_call), mentions in alike.items():
        if agent is not None:
            yield from _persona(file, agent, mentions)
        elif not _is_defined(file, name):
            yield from _undefined(file, name, mentions, is_call=is_call)


def _may_call(file: TemplateFile) -> bool:
    """Whether the text has a word of a call at all, which most texts have not."""
    words = (_AT, _VERB, file.dialect.spawn_argument(KeyRole.AGENT) or _AT)
    return any(word in file.document.text for word in words)


def _is_at(file: TemplateFile, mention: Mention) -> bool:
    return file.document.text.endswith(_AT, 0, mention.span.start)


def _is_order(file: TemplateFile, mention: Mention) -> bool:
    before = file.document.text[max(0, mention.span.start - _FAR) : mention.span.start]
    return _ORDER.search(before) is not None


def _is_defined(file: TemplateFile, name: str) -> bool:
    """Whether a call of `name` may reach an agent."""
    dialect, argument = file.dialect, file.dialect.spawn_argument(KeyRole.AGENT)
    if argument is None or name == dialect.names.default_name:
        return True
    found = catalog_of(file)
    answer = dialect.calls.spawn(found, Call({argument: name}))
    is_refused = isinstance(answer, RuntimeRefusal) and not answer.ours
    # Other things may be wrong with an agent.
    return not is_refused or bool(candidates(file.workspace, dialect, file.root, name))


def _persona(file: TemplateFile, agent: str, mentions: list[Mention]) -> Iterator[Finding]:
    """A finding on a persona that the called agent has not."""
    first, *others = mentions
    found = catalog_of(file)
    winner = found.winner(agent)
    personas = found.read(winner).declared.personas if winner is not None else ()
    names = tuple(one.name for one in personas if one.name)
    wanted = first.name.casefold()
    if winner is None or wanted in (one.casefold() for one in names):
        return
    near = nearest(first.name, names)
    advice = f"did you mean {code(near)}?" if near is not None else "correct the name"
    related = (
        *(Related(file.path, one.span, "this one too") for one in others),
        *(() if near is not None else (Related(winner.path, Span(0, 0), "this agent"),)),
    )
    severity = Severity.WARNING if near is not None else Severity.INFORMATION
    message = f"{code(agent)} has no persona {code(first.name)}, so the call fails; {advice}"
    meant = (near,) * len(mentions) if near is not None else ()
    yield Finding(first.span, message, severity, related=related, meant=meant)


def _undefined(
    file: TemplateFile, name: str, mentions: list[Mention], *, is_call: bool
) -> Iterator[Finding]:
    first, *others = mentions
    related = tuple(Related(file.path, one.span, "this one too") for one in others)
    thing = f"no agent is called {code(name)}"
    near = nearest(name, catalog_of(file).names) if len(name) >= _SHORTEST else None
    if near is not None and name not in known_tools(file.dialect, file.options):
        message = f"{thing}; did you mean {code(near)}?"
        severity = Severity.WARNING if is_call else Severity.HINT
        yield Finding(first.span, message, severity, related=related, meant=(near,) * len(mentions))
    elif is_call and _is_surely_missing(file, first):
        unless = "unless the session has one from elsewhere"
        message = f"{thing}, so the call fails {unless}; correct the name, or write the agent"
        yield Finding(first.span, message, Severity.INFORMATION, related=related)


def _is_surely_missing(file: TemplateFile, mention: Mention) -> bool:
    """Whether the name is no example, and all agents of the session are known."""
    has_builtin = any(rule.builtin for rule in file.dialect.system.scopes)
    is_quoted = file.document.text[mention.span.start - 1] in _QUOTES or _is_at(file, mention)
    is_name = _EXAMPLE.search(mention.name) is None and ":" not in mention.name
    return has_builtin and is_quoted and is_name and not may_be_elsewhere(file)


CHECK = Check(("unknown-agent",), unknown_agent, changes=frozenset({Field.PROMPT}))
