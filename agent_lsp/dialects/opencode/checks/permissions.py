"""Checks for rules: names that are no tools, rules that never decide, and what they leave.

Facts: OpenCode 1.18.33, measured 2026-11-28: the last rule that matches decides, and a name is
taken whatever it is.
"""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, some
from agent_lsp.analysis.suggest import nearest
from agent_lsp.dialects.opencode import AGENTS, policy
from agent_lsp.dialects.opencode.checks.agents import of_each, of_each_written
from agent_lsp.dialects.opencode.facts import ALLOW, EDITING, EVERY, PERMISSIONS, RETIRED, TOOLS
from agent_lsp.dialects.opencode.rules import Rule, matches, rules
from agent_lsp.dialects.opencode.runtime import depth_of
from agent_lsp.model.check import Finding, Related
from agent_lsp.model.schema import Severity
from agent_lsp.syntax.nodes import Mapping
from agent_lsp.workspace.mcp_servers import mcp_servers_of
from agent_lsp.workspace.snapshot import TemplateFile, catalog_of, definition

_RULES = ("permission", "tools")
# A message names at most this many rules.
_MOST_NAMED = 4
# Folders of scripts beside those of agents, each script a tool: the text of OpenCode 1.18.33.
_SCRIPTS = ("tool", "tools")
_UNLESS = ", unless a tool of a plugin has this name"
_NAMES = tuple(dict.fromkeys((*PERMISSIONS, *(tool.name for tool in TOOLS))))
# Permissions that no tool has, and that rules may be about.
_BESIDE = frozenset({"external_directory", "doom_loop", "plan_enter", "plan_exit"})
# Tools of MCP that have another permission: the text of OpenCode 1.18.33.
_OF_READ = frozenset({"list_mcp_resources", "list_mcp_resource_templates", "read_mcp_resource"})
_OF_CLAUDE = {
    "multiedit": "edit",
    "notebookedit": "edit",
    "agent": "task",
    "websearch": "websearch",
}
_OTHERS = {
    "shell": "bash",
    "terminal": "bash",
    "execute_command": "bash",
    "subagent": "task",
    "web_fetch": "webfetch",
    "web_search": "websearch",
    "search": "grep",
    "todo": "todowrite",
}


@of_each
def entries(file: TemplateFile, _top: Mapping) -> Iterator[Finding]:
    """Yields a finding on each rule that is about no tool, or that another one overrides."""
    for key in ("tools", "permission"):
        value = file.reading.effective.settings.get(key)
        if value is None:
            continue
        found = rules({key: value})
        yield from _names(file, key, found)
        yield from _dead(file, found)


def _names(file: TemplateFile, key: str, found: tuple[Rule, ...]) -> Iterator[Finding]:
    seen = set()
    kept = {one.tool for one in policy.toolset(file.reading, _NAMES, 0).kept}
    for rule in found:
        name = rule.permission
        if name in seen or rule.span is None:
            continue
        seen.add(name)
        said = _nothing(file, key, name)
        if said is not None:
            message, near = said
            meant = (near,) if near and rule.pattern == EVERY else ()
            # What is allowed in vain is no loss, unless it is allowed under another name.
            is_vain = rule.action == ALLOW and (not near or near in kept)
            weight = Severity.HINT if is_vain else None
            if message.endswith(_UNLESS) and not is_vain:
                weight = Severity.INFORMATION
            yield Finding(rule.span, message, weight, meant=meant, code="unknown-tool", word=name)


def _nothing(file: TemplateFile, key: str, name: str) -> tuple[str, str] | None:
    """Why a name is about no tool, and the name that was meant; or None if it is about some."""
    if name == EVERY or name in _BESIDE or name in file.options.extra(file.dialect.id).tools:
        return None
    thing = f"{code(name)} does not name a tool, so the rule does nothing"
    if name in EDITING - {"edit"} and key == "permission":
        return f"{thing}: the permission of that tool is `edit`", "edit"
    if name in ("write", "patch") and key == "tools":
        return None
    if name in _OF_READ:
        return f"{thing}: the permission of that tool is `read`", "read"
    if any(matches(name, one) for one in _NAMES):
        return None if name != "list" else (f"{thing}: OpenCode no longer has a tool `list`", "")
    if name in RETIRED:
        return f"{thing}: that tool no longer exists", ""
    near = _OTHERS.get(name.lower()) or _OF_CLAUDE.get(name.lower()) or nearest(name, _NAMES)
    if near is not None:
        return f"{thing}; did you mean {code(near)}?", near
    if "_" in name or policy.is_pattern(name) or _is_of_server(file, name):
        return None
    return None if _is_of_project(file, name) else (f"{thing}{_UNLESS}", "")


def _is_of_project(file: TemplateFile, name: str) -> bool:
    """Whether a script of the session may define the tool: it, or what it exports, has the name."""
    folders = {
        scope.folder.parent if scope.form == AGENTS else scope.folder
        for scope in catalog_of(file).scopes
    }
    scripts = (
        script.rpartition(".")[0]
        for folder in sorted(folders)
        for place in _SCRIPTS
        for script in file.workspace.files.entries(folder / place)
        if script.endswith((".ts", ".js"))
    )
    return any(name == stem or name.startswith(f"{stem}_") for stem in scripts)


def _is_of_server(file: TemplateFile, name: str) -> bool:
    prefixes = (policy.prefix(server.name) for server in mcp_servers_of(file))
    return any(prefix is not None and name.startswith(prefix) for prefix in prefixes)


def _dead(file: TemplateFile, found: tuple[Rule, ...]) -> Iterator[Finding]:
    """The rules that override others above them, each with those others."""
    overridden: dict[Rule, list[Rule]] = {}
    for at, rule in enumerate(found):
        later = next((one for one in found[at + 1 :] if _covers(one, rule)), None)
        if later is not None and rule.span is not None and later.span is not None:
            overridden.setdefault(later, []).append(rule)
    for later, rules_ in overridden.items():
        lost = [one for one in rules_ if one.action != later.action]
        weight = Severity.WARNING if lost else Severity.HINT
        texts = some([one.text for one in lost or rules_], _MOST_NAMED, "and")
        never = "never applies" if len(lost or rules_) == 1 else "never apply"
        message = (
            f"{texts} {never}: {code(later.text)} comes later, and the last rule that matches "
            "decides"
        )
        related = tuple(
            Related(file.path, one.span, "this rule never applies")
            for one in (lost or rules_)[:_MOST_NAMED]
            if one.span is not None
        )
        if later.span is not None:
            yield Finding(later.span, message, weight, related=related, code="overridden-rule")


def _covers(later: Rule, earlier: Rule) -> bool:
    """Whether a rule is about all that an earlier one is about."""
    return _is_wider(later.permission, earlier.permission) and _is_wider(
        later.pattern, earlier.pattern
    )


def _is_wider(wide: str, narrow: str) -> bool:
    if wide in (EVERY, narrow):
        return True
    return "*" not in narrow and "?" not in narrow and matches(wide, narrow)


@of_each_written
def no_tools(file: TemplateFile, top: Mapping) -> Iterator[Finding]:
    """Yields a finding if the rules leave the agent no tool."""
    if header.as_settled(file, _RULES, top.span) is None:
        return
    reading = header.reading_held(file)
    for key in _RULES:
        value = reading.effective.settings.get(key)
        if value is None or value.key is None:
            continue
        names = tuple(tool.name for tool in TOOLS)
        left = policy.toolset(reading, names, 1)
        if left.kept or left.open_patterns:
            return
        found = rules({key: value})
        last = next((one for one in reversed(found) if one.permission == EVERY), None)
        is_below = last is not None and found[0] != last and any(r.action != "deny" for r in found)
        message = "the agent has no tool"
        if is_below:
            message += ": `*` comes after the other rules, and the last one that matches decides"
        weight = Severity.WARNING if is_below else Severity.INFORMATION
        yield Finding(value.key, message, weight)
        return


@of_each
def futile_delegation(file: TemplateFile, _top: Mapping) -> Iterator[Finding]:
    """Yields a finding on a sub-agent that is offered `task`, where each of its calls fails."""
    if not _is_of_models(file):
        return
    merged = definition(file)
    found = merged.reading if merged is not None else file.reading
    own = rules(file.reading.effective.settings)
    rule = next((one for one in reversed(own) if one.permission == "task"), None)
    kept = policy.toolset(found, ("task",), 1).kept
    # The depth stands in the configuration of the project.
    deep = depth_of(found)
    if rule is None or rule.span is None or not kept or deep > 1:
        return
    message = (
        "as a sub-agent it is offered `task`, and each call fails: `Subagent depth limit reached "
        f"({deep})`; set `subagent_depth` in opencode.json to 2 or more"
    )
    yield Finding(rule.span, message)


def _is_of_models(file: TemplateFile) -> bool:
    """Whether other agents start the agent, and not people alone."""
    value = file.reading.effective.settings.get("mode")
    return value is not None and value.text == "subagent"
