"""Maps the tools of `opencode` to abilities, by which systems are compared.

The mapping is our judgement, from the meanings in `facts`, which have their source there.
"""

import re
from collections.abc import Iterator

from agent_lsp.dialects.opencode import config, reading
from agent_lsp.dialects.opencode.facts import ALLOW, DENY, SUBAGENT, TOOLS
from agent_lsp.dialects.opencode.rules import EVERY, Rule, matches, permission_of
from agent_lsp.dialects.opencode.rules import rules as rules_in
from agent_lsp.model.conversion import Ability, Conversion, Hold, effect
from agent_lsp.model.schema import KeyRole
from agent_lsp.model.template import Value
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Mapping, resolve

_TOOLS = {
    "read": effect(Ability.READ),
    "glob": effect(Ability.FIND),
    "grep": effect(Ability.SEARCH),
    "edit": effect(Ability.EDIT),
    "write": effect(Ability.WRITE),
    "apply_patch": effect(Ability.EDIT, Ability.WRITE),
    "bash": effect(Ability.RUN),
    "webfetch": effect(Ability.FETCH),
    "websearch": effect(Ability.SEARCH_WEB),
    "todowrite": effect(Ability.PLAN),
    "question": effect(Ability.ASK),
    "skill": effect(Ability.SKILL),
    "task": effect(Ability.SPAWN),
    "lsp": effect(Ability.CODE),
}


def _limited(document: Document) -> tuple[Value, ...]:
    """The tools of which the rules allow only some uses, each where such a rule stands."""
    found = []
    for rules in _rules(document):
        for tool in TOOLS:
            about = [one for one in rules if matches(one.permission, permission_of(tool.name))]
            last = max((at for at, one in enumerate(about) if one.pattern == EVERY), default=-1)
            general = about[last].action if last >= 0 else ALLOW
            special = (one for one in about[last + 1 :] if DENY in (one.action, general))
            rule = next((one for one in special if one.action != general), None)
            if rule is not None and rule.span is not None:
                found.append(Value(tool.name, rule.span))
    return tuple(found)


def _rules(document: Document) -> Iterator[tuple[Rule, ...]]:
    """The rules of each agent of a file."""
    top = resolve(document.tree.root)
    if document.frontmatter.open or not isinstance(top, Mapping):
        yield rules_in(reading.read(document).declared.settings)
        return
    for name in config.tables(document):
        yield rules_in(config.read(document, name).declared.settings)


def _server(_entry: str) -> tuple[str, str] | None:
    """The server of a name: nobody can tell where it ends and the tool begins."""
    return None


def _entry(_server_name: str, _tool: str, _list: KeyRole) -> str | None:
    """There is no list into which an entry could go."""
    return None


CONVERSION = Conversion(
    _TOOLS,
    re.compile(r"[A-Za-z0-9_][\w./-]*"),
    _server,
    _entry,
    nothing=None,
    limited=_limited,
    said=frozenset({"permission", "tools"}),
    always={"mode": SUBAGENT},
    holds={
        "steps": Hold("nothing there tells the agent to end after this number of requests"),
    },
    unset={"mode": frozenset({SUBAGENT, "all"}), "hidden": frozenset({"false"})},
)
