"""Maps the tools of `opencode` to abilities, by which systems are compared.

The mapping is our judgement, from the meanings in `facts`, which have their source there.
"""

from collections.abc import Iterator

from agent_lsp.dialects.opencode import config, reading
from agent_lsp.dialects.opencode.facts import ALLOW, DENY, EVERY, SUBAGENT, TOOLS
from agent_lsp.dialects.opencode.policy import prefix, tool_part
from agent_lsp.dialects.opencode.rules import Rule, matches, permission_of
from agent_lsp.dialects.opencode.rules import rules as rules_in
from agent_lsp.model.conversion import Ability, Conversion, Effect, Hold, effect, only_with
from agent_lsp.model.schema import KeyRole
from agent_lsp.model.template import Value
from agent_lsp.patterns import regex
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Mapping, resolve

_EDITING = frozenset({Ability.EDIT, Ability.WRITE})
_TOOLS = {
    "read": effect(Ability.READ),
    "glob": effect(Ability.FIND),
    "grep": effect(Ability.SEARCH),
    # One permission decides over all three.
    "edit": Effect(frozenset({Ability.EDIT}), _EDITING),
    "write": Effect(frozenset({Ability.WRITE}), _EDITING),
    "apply_patch": Effect(_EDITING, _EDITING),
    "bash": effect(Ability.RUN),
    "webfetch": effect(Ability.FETCH),
    "websearch": effect(Ability.SEARCH_WEB),
    "todowrite": effect(Ability.PLAN),
    "question": effect(Ability.ASK),
    "skill": effect(Ability.SKILL),
    # A sub-agent that is offered it cannot use it, unless the project lets agents be nested.
    "task": only_with(Ability.SPAWN),
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


def _entry(server: str, tool: str, _list: KeyRole) -> str | None:
    """The name of a rule for a server's tools; none stands for the tools of all servers alone."""
    start = prefix(server) if server != EVERY else None
    return None if start is None else f"{start}{EVERY if tool == EVERY else tool_part(tool)}"


def _as_rules(
    allow: tuple[str, ...] | None, deny: tuple[str, ...] | None
) -> tuple[str, dict[str, str]]:
    """The rules that allow and deny what the lists say: the general one comes first."""
    found = {EVERY: DENY} if allow is not None else {}
    found |= {permission_of(name): ALLOW for name in allow or ()}
    return "permission", found | {permission_of(name): DENY for name in deny or ()}


CONVERSION = Conversion(
    _TOOLS,
    regex(r"[A-Za-z0-9_][\w./-]*"),
    _server,
    _entry,
    is_verbatim=False,
    nothing=(KeyRole.ALLOW, ()),
    limited=_limited,
    said=frozenset({"permission", "tools"}),
    always={"mode": SUBAGENT},
    holds={
        "steps": Hold(
            "nothing in the other system asks the agent to finish after this number of requests"
        ),
    },
    rules=_as_rules,
    unset={"mode": frozenset({SUBAGENT, "all"}), "hidden": frozenset({"false"})},
)
