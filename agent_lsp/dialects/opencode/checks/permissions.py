"""Checks for rules: names that are no tools, rules that never decide, and what they leave.

Facts: OpenCode 1.18.33, measured 2026-11-28: the last rule that matches decides, and a name is
taken whatever it is.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from heapq import merge
from itertools import chain, islice
from pathlib import Path

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, shown, some
from agent_lsp.analysis.suggest import nearest
from agent_lsp.data_classes import replace
from agent_lsp.dialects.opencode import AGENTS, policy
from agent_lsp.dialects.opencode.checks.agents import of_each, of_each_written
from agent_lsp.dialects.opencode.facts import (
    ALLOW,
    DENY,
    EDITING,
    EVERY,
    PERMISSIONS,
    RETIRED,
    SUBAGENT,
    TOOLS,
)
from agent_lsp.dialects.opencode.rules import Rule, covers, matches, rules
from agent_lsp.dialects.opencode.runtime import depth_of, mode
from agent_lsp.model.check import Finding, Related
from agent_lsp.model.schema import Severity
from agent_lsp.syntax.nodes import Mapping
from agent_lsp.text import Span
from agent_lsp.workspace.mcp_servers import mcp_servers_of
from agent_lsp.workspace.snapshot import TemplateFile, catalog_of, definition, merged

_RULES = ("permission", "tools")
# In the order in which the program reads them.
_OF_FILE = ("tools", "permission")
_LAST = "the last rule that matches decides"
# A message names at most this many rules.
_MOST_NAMED = 4
_MOST_COMPARED = 200
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
    settings = file.reading.effective.settings
    if settings.keys().isdisjoint(_RULES):
        return
    for key in _OF_FILE:
        if key in settings:
            yield from _names(file, key, rules({key: settings[key]}))
    yield from _overridden(file)


def _names(file: TemplateFile, key: str, found: tuple[Rule, ...]) -> Iterator[Finding]:
    seen = set()
    kept = {one.tool for one in policy.toolset(merged(file), _NAMES, 0).kept}
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


def _overridden(file: TemplateFile) -> Iterator[Finding]:
    """The rules of a file that never apply, because of others of the file or of another one."""
    settings = file.reading.effective.settings
    older, newer = (rules({key: settings[key]}) if key in settings else () for key in _OF_FILE)
    yield from _replaced(file, older, newer)
    found = _of_session(file)
    yield from _dead(file, found)
    yield from _denied_in_vain(file, rules(settings), found)


def _of_session(file: TemplateFile) -> tuple[Rule, ...]:
    """The rules of an agent in all files of its name; those of other files have a path."""
    merged_rules, found = rules(merged(file).effective.settings), definition(file)
    first = found.parts[0].path if found is not None and found.parts else file.path
    if first == file.path:
        return merged_rules
    paths = (one.path or first for one in merged_rules)
    return tuple(
        replace(one, path=None if path == file.path else path)
        for one, path in zip(merged_rules, paths, strict=True)
    )


def _replaced(
    file: TemplateFile, older: tuple[Rule, ...], newer: tuple[Rule, ...]
) -> Iterator[Finding]:
    """The rules of `permission` that take the place of one of `tools`, which says otherwise."""
    for rule in older:
        own = [one for one in newer if one.permission == rule.permission]
        if not own or own[0].span is None or [one.action for one in own] == [rule.action]:
            continue
        thing = f"{code(rule.text)} of `tools` never applies: `permission` has"
        message = f"{thing} {code(rule.permission)}, too, which takes its place"
        yield Finding(own[0].span, message, related=_related(file, [rule]), code="overridden-rule")


def _dead(file: TemplateFile, found: tuple[Rule, ...]) -> Iterator[Finding]:
    """The rules of the file that override others above them, and those that other files override.

    A rule with a path stands in another file.
    """
    overridden: dict[Rule, list[Rule]] = {}
    home = file.workspace.host_paths.home
    for rule, later in _covered(found, home):
        if rule.path is not None or rule.span is None or later.span is None:
            continue
        if later.path is None:
            overridden.setdefault(later, []).append(rule)
        elif later.action != rule.action:
            where = code(shown(file, later.path))
            thing = f"{code(rule.text)} never applies: {code(later.text)} of {where} comes later"
            decides = Related(later.path, later.span, "this rule decides")
            message = f"{thing}, and {_LAST}"
            yield Finding(rule.span, message, related=(decides,), code="overridden-rule")
    for later, rules_ in overridden.items():
        lost = [one for one in rules_ if one.action != later.action]
        weight = Severity.WARNING if lost else Severity.HINT
        texts = some([one.text for one in lost or rules_], _MOST_NAMED, "and")
        if not later.is_older and all(one.is_older for one in lost or rules_):
            texts += " of `tools`"
        never = "never applies" if len(lost or rules_) == 1 else "never apply"
        message = f"{texts} {never}: {code(later.text)} comes later, and {_LAST}"
        related = _related(file, lost or rules_)
        if later.span is not None:
            yield Finding(later.span, message, weight, related=related, code="overridden-rule")


def _covered(found: tuple[Rule, ...], home: Path | None) -> Iterator[tuple[Rule, Rule]]:
    """Each rule that a later one covers, with the first of these.

    Of hundreds of later rules for one permission, only those for every use are looked at.
    """
    wide, by_permission = list[int](), dict[str, list[int]]()
    for at, rule in enumerate(found):
        is_wide = "*" in rule.permission or "?" in rule.permission
        (wide if is_wide else by_permission.setdefault(rule.permission, [])).append(at)
    for at, rule in enumerate(found):
        own = by_permission.get(rule.permission, [])
        later = merge(own[bisect_right(own, at) :], wide[bisect_right(wide, at) :])
        near = islice(later, _MOST_COMPARED)
        rest = (one for one in later if found[one].pattern == EVERY)
        covering = (found[one] for one in chain(near, rest) if covers(found[one], rule, home))
        yield from ((rule, one) for one in islice(covering, 1))


def _denied_in_vain(
    file: TemplateFile, own: tuple[Rule, ...], found: tuple[Rule, ...]
) -> Iterator[Finding]:
    """The denials of the file for names of which the rules of another file take their place."""
    there = {(one.permission, one.pattern) for one in found if one.path is None}
    for rule in own:
        if rule.action != DENY or (rule.permission, rule.pattern) in there or rule.span is None:
            continue
        instead = next((one for one in found if one.permission == rule.permission), None)
        if instead is None or instead.path is None or instead.action == DENY:
            continue
        thing = f"{code(rule.text)} has no effect: {code(instead.text)} of"
        message = f"{thing} {code(shown(file, instead.path))} replaces it"
        related = (Related(instead.path, instead.span or Span(0, 0), "this rule is used"),)
        yield Finding(
            rule.span, message, Severity.INFORMATION, related=related, code="overridden-rule"
        )


def _related(file: TemplateFile, found: Iterable[Rule]) -> tuple[Related, ...]:
    return tuple(
        Related(file.path, one.span, "this rule never applies")
        for one in islice(found, _MOST_NAMED)
        if one.span is not None
    )


@of_each_written
def no_tools(file: TemplateFile, top: Mapping) -> Iterator[Finding]:
    """Yields a finding if the rules leave the agent no tool."""
    if header.as_settled(file, _RULES, top.span) is None:
        return
    own = header.reading_held(file).effective.settings
    keys = (own[key].key for key in _RULES if key in own)
    place = next((key for key in keys if key is not None), None)
    found = definition(file)
    is_merged = found is not None and len(found.parts) > 1
    if place is None or (is_merged and file.reading.errors):
        return
    reading = header.reading_held(file) if file.reading.errors else merged(file)
    left = policy.toolset(reading, tuple(tool.name for tool in TOOLS), 1)
    if left.kept or left.open_patterns:
        return
    all_rules = rules(own) if file.reading.errors else _of_session(file)
    last = next((one for one in reversed(all_rules) if one.permission == EVERY), None)
    # The file that denies everything has the finding.
    if last is not None and last.path is not None:
        return
    is_below = (
        last is not None and all_rules[0] != last and any(one.action != DENY for one in all_rules)
    )
    message = "the agent has no tool"
    if is_below:
        message += ": `*` comes after the other rules, and the last one that matches decides"
    yield Finding(place, message, Severity.WARNING if is_below else Severity.INFORMATION)


@of_each
def futile_delegation(file: TemplateFile, _top: Mapping) -> Iterator[Finding]:
    """Yields a finding on a sub-agent that is offered `task`, where each of its calls fails."""
    if not _is_of_models(file):
        return
    found = merged(file)
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
    return mode(merged(file).effective) == SUBAGENT
