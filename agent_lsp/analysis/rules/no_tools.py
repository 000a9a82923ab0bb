"""The tool policy leaves the agent no tool at all."""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header, policy, remainder, taken
from agent_lsp.analysis.rules.model import Finding, Related, Rule
from agent_lsp.analysis.rules.wording import code
from agent_lsp.dialects.template import Value
from agent_lsp.dialects.vocabulary import Holds, Key, Severity
from agent_lsp.workspace.index import Subject

_NONE = "the agent has no tools"


def check(of: Subject) -> Iterator[Finding]:
    """Yields one finding where no tool is left, unless a misspelt entry is the cause."""
    key = of.dialect.key_holding(Holds.ALLOW)
    if key is None or not header.parses(of):
        return
    if _is_all_blank(of, key):
        thing = f"{code(key.name)} has blank entries only, which are dropped"
        span = of.reading.held.settings[key.name].key or header.opening(of)
        yield Finding(span, f"{thing}: {_NONE}; write `[]` if that is meant")
        return
    if not remainder.is_reported(of):
        return
    denier = remainder.denier(of)
    yield _nothing_allowed(of, key) if denier is None else _all_denied(of, key, denier)


def _is_all_blank(of: Subject, key: Key) -> bool:
    """Whether an allow list that is written with entries is one without any to the runtime."""
    value = of.reading.held.settings.get(key.name)
    items = policy.items(of, Holds.ALLOW)
    # What is blank for the sake of a tag is a finding of its own.
    if value is None or value.items or not items or any(taken.tag(of, item) for item in items):
        return False
    return not of.dialect.toolset(of.reading, policy.names(of), 1).kept


def _all_denied(of: Subject, key: Key, denier: Value) -> Finding:
    thing = f"{code(denier.text)} denies every tool"
    if not policy.entries(of, Holds.ALLOW):
        return Finding(denier.span, f"{thing}: {_NONE}", Severity.INFORMATION)
    allow = code(key.name)
    fix = f"remove it, for what is not in {allow} is denied anyway"
    return Finding(denier.span, f"{thing}, whatever {allow} says: {_NONE}; {fix}")


def _nothing_allowed(of: Subject, key: Key) -> Finding:
    allowed = policy.entries(of, Holds.ALLOW)
    span = of.reading.written.settings[key.name].key or allowed[0].span
    lost = remainder.denied(of)
    denied = [lost[entry.text] for entry in allowed if entry.text in lost]
    places = dict.fromkeys(by.span for by in denied)
    related = tuple(Related(of.path, place, "denied here") for place in places)
    if len(denied) == len(allowed):
        thing = f"each entry of {code(key.name)} is denied, and deny wins"
        return Finding(span, f"{thing}: {_NONE}", related=related)
    thing = f"no entry of {code(key.name)} covers a known tool"
    if denied:
        thing += " that is not denied"
    elif of.dialect.nothing_left:
        return Finding(span, f"{thing}: {of.dialect.nothing_left}", Severity.ERROR)
    unless = "unless the runtime has more than are known here"
    return Finding(span, f"{thing}: {_NONE}, {unless}", related=related)


RULE = Rule("no-tools", check)
