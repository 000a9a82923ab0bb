"""Decides which tools an agent is offered, what it may do with them, and why.

Invariants: a tool that is offered may still be refused when it is used. What a sub-agent lacks
unless a rule names it is said as that.
Facts: OpenCode 1.18.33, measured 2026-11-28 (`tests/conformance/opencode.jsonl`).
"""

from collections.abc import Iterable, Iterator

from agent_lsp.data_classes import replace
from agent_lsp.dialects.opencode.facts import (
    ALLOW,
    ASK,
    DENY,
    EVERY,
    SECOND,
    TOOLS,
    WITHHELD_FROM_SUBAGENTS,
)
from agent_lsp.dialects.opencode.rules import (
    DEFAULTS,
    Rule,
    deciding,
    is_offered,
    matches,
    names_of,
    permission_of,
    rules,
)
from agent_lsp.dialects.opencode.rules import covers as is_wider
from agent_lsp.model.discovery import ServerNames, up_to_underscores
from agent_lsp.model.runtime import Toolset, Verdict
from agent_lsp.model.template import Reading, Value
from agent_lsp.patterns import regex

_CONDITIONS = {tool.name: tool.condition for tool in TOOLS}
_UNLIKE_NAMES = regex(r"[^A-Za-z0-9_-]")
# A name that no rule is likely to be about.
_ANY_SERVER = "\uffff_\uffff"
# The rules of the project, and those of a built-in agent, which `catalog` adds to the settings.
OF_PROJECT, OF_BUILTIN = "rules of the project", "rules of the built-in agent"
_ADDED = (OF_BUILTIN, OF_PROJECT)
_MOST_PATTERNS = 3
# The second generation calls these tools otherwise: opencode.ai/docs/permissions, read 2026-11-28.
_OF_SECOND = {"shell": "bash", "subagent": "task"}


def is_pattern(entry: str) -> bool:
    """Whether a name of a permission stands for several tools."""
    return "*" in entry or "?" in entry


def cannot_tell(entry: str) -> bool:
    """Whether an entry may be about the tools of a server, which nobody knows here."""
    return "_" in entry and entry not in _CONDITIONS


def covers(entry: str, tool: str) -> bool:
    """Whether a name of a permission is about a tool."""
    return matches(entry, permission_of(tool))


def prefix(server: str) -> str | None:
    """The prefix of the names of a server's tools."""
    return f"{tool_part(server)}_" if server else None


def tool_part(name: str) -> str:
    """The name of a server, or of a tool of one, as it stands in the name that a rule has."""
    return _UNLIKE_NAMES.sub("_", name)


# A tool of the project or of a plugin may have any name.
SERVERS = ServerNames(in_entry=up_to_underscores(""), may_be_other=True)


def rules_of(reading: Reading) -> tuple[Rule, ...]:
    """The rules of an agent in the order of the program, its own defaults first."""
    settings = reading.effective.settings
    more = (rules({"permission": settings[one]}) for one in _ADDED if one in settings)
    found = (*(rule for each in more for rule in each), *rules(settings))
    # The second generation has no rules of its own.
    return found if reading.generation == SECOND else (*DEFAULTS, *found)


def own_rules(reading: Reading) -> tuple[Rule, ...]:
    """The rules of an agent that a file gives it."""
    found = rules_of(reading)
    return found if reading.generation == SECOND else found[len(DEFAULTS) :]


def named(reading: Reading) -> tuple[Value, ...]:
    """The names of the rules of a file, each where it stands in the text; patterns have none."""
    return tuple(names_of(reading.declared.settings))


def is_gpt(model: str) -> bool:
    """Whether a model gets `apply_patch` in the place of `edit` and `write`."""
    name = model.partition("/")[2]
    return "gpt-" in name and "oss" not in name and "gpt-4" not in name


def toolset(reading: Reading, tools: tuple[str, ...], depth: int) -> Toolset:
    """The verdict on each of `tools` for an agent; at a depth above 0 it is a sub-agent."""
    found, own = rules_of(reading), own_rules(reading)
    if reading.generation == SECOND:
        found = own = tuple(
            replace(rule, permission=_OF_SECOND.get(rule.permission, rule.permission))
            for rule in own
        )
    model = reading.effective.settings.get("model")
    verdicts = tuple(
        _verdict(tool, found, own, model.text if model is not None else "", depth) for tool in tools
    )
    is_open = is_offered(found, _ANY_SERVER)
    return Toolset(verdicts, bool(own), (EVERY,) if is_open else ())


def _verdict(
    tool: str, found: tuple[Rule, ...], own: tuple[Rule, ...], model: str, depth: int
) -> Verdict:
    last = deciding(found, permission_of(tool))
    span = last.span if last is not None else None
    path = last.path if last is not None else None
    if not is_offered(found, tool):
        reason = f"denied by {_named(last)}" if last is not None and last in own else ""
        return Verdict(tool, False, reason or "denied unless a rule allows it", span, path=path)
    names = {rule.permission for rule in own}
    if depth > 0 and tool in WITHHELD_FROM_SUBAGENTS and tool not in names:
        reason = f"a sub-agent has it only if a rule has the name `{tool}` itself"
        return Verdict(tool, False, reason)
    if model and tool in ("edit", "write", "apply_patch"):
        if is_gpt(model) is not (tool == "apply_patch"):
            other = "`apply_patch`" if is_gpt(model) else "`edit` and `write`"
            return Verdict(tool, False, f"its model has {other} instead")
        condition = ""
    else:
        condition = _CONDITIONS.get(tool, "")
    return Verdict(tool, True, at_use(own, tool), span, condition=condition, path=path)


def denied(reading: Reading, tool: str, use: str) -> Verdict | None:
    """The verdict on a tool for one use of it that the rules deny, or None."""
    rule = deciding(rules_of(reading), permission_of(tool), use)
    if rule is None or rule.action != DENY:
        return None
    return Verdict(tool, False, f"denied by {_named(rule)}", rule.span, path=rule.path)


def at_use(own: Iterable[Rule], tool: str) -> str:
    """What the rules say of the uses of a tool that is offered."""
    about = [rule for rule in own if matches(rule.permission, permission_of(tool))]
    if not about:
        return "no rule matches it"
    at = max((n for n, rule in enumerate(about) if rule.pattern == EVERY), default=-1)
    general = about[at] if at >= 0 else None
    after = about[at + 1 :]
    special = [
        one
        for place, one in enumerate(after, 1)
        if not any(is_wider(later, one) for later in after[place:])
    ]
    words = {ALLOW: "allowed", ASK: "asks first", DENY: "refused at use"}
    said = f"{words[general.action]} by {_named(general)}" if general is not None else "allowed"
    return f"{said}{_but(special, words)}"


def _named(rule: Rule) -> str:
    where = f" of `{rule.path.name}`" if rule.path is not None else ""
    if rule.span is None:
        where = " of the built-in agent"
    return f"`{rule.text}`{where}"


def _but(special: list[Rule], words: dict[str, str]) -> str:
    parts = list(_groups(special, words))
    return f", but {' and '.join(parts)}" if parts else ""


def _groups(special: list[Rule], words: dict[str, str]) -> Iterator[str]:
    for action, word in words.items():
        patterns = [f"`{rule.pattern}`" for rule in special if rule.action == action]
        if patterns:
            more = len(patterns) - _MOST_PATTERNS
            listed = ", ".join(patterns[:_MOST_PATTERNS]) + (
                f" and {more} more" if more > 0 else ""
            )
            yield f"{word} for {listed}"
