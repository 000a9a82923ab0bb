"""Finds what loads and does nothing: keys, entries of tool lists, and hooks."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby, islice, takewhile

from agent_lsp.analysis.checks import header, tool_entries, tool_policy
from agent_lsp.analysis.checks import unknown_key as shared
from agent_lsp.analysis.checks.header import Level
from agent_lsp.analysis.checks.messages import code, listed, some
from agent_lsp.analysis.checks.missing_file import futile_scripts
from agent_lsp.analysis.context.hooks import matchers
from agent_lsp.analysis.suggest import fold, nearest
from agent_lsp.dialects.claude import policy
from agent_lsp.dialects.claude.facts import ALLOW, DENY, GUARDS, KNOWN, MEASURED
from agent_lsp.dialects.claude.tools import (
    ALIASES,
    BORROWED,
    BUILT_ON,
    CONDITIONS,
    OTHERS,
    RETIRED,
)
from agent_lsp.model.check import Basis, Check, Field, Finding, Related, Trait
from agent_lsp.model.runtime import Verdict
from agent_lsp.model.schema import KeyRole, Severity
from agent_lsp.patterns import regex
from agent_lsp.syntax.document import memoised
from agent_lsp.syntax.nodes import Entry, Mapping, Scalar
from agent_lsp.text import Span
from agent_lsp.workspace.mcp_servers import matching, mcp_servers_of
from agent_lsp.workspace.snapshot import TemplateFile

_SKILLS, _OPENCODE, _VSCODE = "skills and commands", "OpenCode", "VS Code"
# By the key without case and separators: its owner, and the key or the words to use here.
_BORROWED: dict[str, tuple[str, str, str]] = {
    "modeloverride": ("other systems", "model", ""),
    "preferredmodel": ("other systems", "model", ""),
    "modelname": ("other systems", "model", ""),
    "mode": (_OPENCODE, "", "any agent can be called, and can be the session with `--agent`"),
    "disabled": ("other systems", "", "to switch an agent off, deny `Agent(…)` in the settings"),
    "disable": (_OPENCODE, "", "to switch an agent off, deny `Agent(…)` in the settings"),
    "enabled": ("other systems", "", "to switch an agent off, deny `Agent(…)` in the settings"),
    "hidden": (_OPENCODE, "", "every agent is listed"),
    "context": (_SKILLS, "", "an agent always has its own context"),
    "agent": (_SKILLS, "", "the file is the agent"),
    "argumenthint": (_SKILLS, "", "an agent takes its task from the call"),
    "userinvocable": (_SKILLS, "", "any agent can be called"),
    "disablemodelinvocation": (_SKILLS, "", "any agent can be called"),
    "whentouse": (_SKILLS, "description", ""),
    "when": ("other systems", "description", ""),
    "triggers": ("other systems", "", "`description` decides"),
    "globs": ("rules of Cursor", "", "`description` decides"),
    "alwaysapply": ("rules of Cursor", "", "`description` decides"),
    "applyto": (_VSCODE, "", "`description` decides"),
    "handoffs": (_VSCODE, "", "an agent calls others with `Agent`"),
    "agents": (_VSCODE, "", "`Agent` in `tools` lets an agent call others"),
    "target": (_VSCODE, "", ""),
    "temperature": (_OPENCODE, "", "`effort` sets how long the model thinks"),
    "topp": (_OPENCODE, "", "`effort` sets how long the model thinks"),
    "steps": (_OPENCODE, "maxTurns", ""),
    "maxsteps": (_OPENCODE, "maxTurns", ""),
    "reasoning": ("other systems", "effort", ""),
    "reasoningeffort": ("other systems", "effort", ""),
    "modelreasoningeffort": ("Codex CLI", "effort", ""),
    "thinking": ("other systems", "effort", ""),
    "thinkinglevel": ("other systems", "effort", ""),
    "prompt": ("other systems", "", "the text below the header is the prompt"),
    "systemprompt": ("other systems", "", "the text below the header is the prompt"),
    "developerinstructions": ("Codex CLI", "", "the text below the header is the prompt"),
    "instructions": ("other systems", "", "the text below the header is the prompt"),
}
# Words that begin the lines of an example; real files have it in the description.
_SPEAKERS = frozenset({"user", "assistant", "human", "commentary"})
_SHARED, _MOST_KEYS = 3, 4
# A header is at the start of a file, so the rest is not read, and neither are hundreds of files.
_LOOKED_AT, _MOST_SIBLINGS = 4_000, 60
_KEY = regex(r"^([^\s:][^\n:]*):", re.MULTILINE)


def unknown_key(file: TemplateFile) -> Iterator[Finding]:
    """Yields the findings on keys without effect; the author's own keys are one hint."""
    found = []
    for one in shared.unknown_key(file):
        found.append(one)
        yield one
    top = header.root(file)
    if top is None or not header.parses(file) or header.is_note(file):
        return
    spoken = _spoken(top)
    if spoken:
        yield _lost(file, spoken)
    said, own = {one.span for one in (*found, *(entry.key for entry in spoken))}, []
    level = Level(top, file.dialect.schema.keys)
    for entry in shared.unknown(file, level):
        name = entry.name or ""
        if entry.key.span in said or _is_said_elsewhere(file, level, entry):
            continue
        if fold(name) in _BORROWED:
            yield _borrowed(entry, level)
        elif _sharing(file, name) < _SHARED:
            own.append(entry)
    if own:
        yield _own(file, own)


def _is_said_elsewhere(file: TemplateFile, level: Level, entry: Entry) -> bool:
    """Whether the key has an effect, or another check reports it."""
    name, key = entry.name or "", shared.meant(level, entry)
    if key is not None and shared.is_reported_as_missing(file, level, entry, key):
        return True
    if name in KNOWN or name == "<<" or _is_private(name):
        return True
    return name in file.dialect.schema.renamed or shared.holds_anchor(file, entry)


def _spoken(top: Mapping) -> tuple[Entry, ...]:
    """The entries right below the description whose keys are words of an example in it."""
    names = [entry.name or "" for entry in top.entries]
    at = names.index("description") + 1 if "description" in names else len(names)
    below = takewhile(lambda entry: entry.name not in KNOWN, top.entries[at:])
    found = tuple(below)
    is_dialogue = any((entry.name or "").lower() in _SPEAKERS for entry in found)
    return found if is_dialogue else ()


def _lost(file: TemplateFile, entries: tuple[Entry, ...]) -> Finding:
    """The finding on the lines of a description that are keys to the runtime."""
    related = tuple(Related(file.path, one.key.span, "this line too") for one in entries[1:])
    names = some(list(dict.fromkeys(one.name or "" for one in entries)), _MOST_KEYS, "and")
    message = (
        f"{code('description')} ends above this line: the runtime reads {names} as keys, and "
        "ignores them; write `|` after the colon, and all of the text below it, indented"
    )
    return Finding(entries[0].key.span, message, Severity.WARNING, related=related)


def _is_private(name: str) -> bool:
    return name.startswith(("x-", "x_"))


def _borrowed(entry: Entry, level: Level) -> Finding:
    whose, key, instead = _BORROWED[fold(entry.name or "")]
    thing = f"{code(entry.name or '')} is a key of {whose} and has no effect here"
    if not key:
        fix = instead or "remove it"
        return Finding(entry.key.span, f"{thing}: {fix}", Severity.WARNING)
    if level.mapping.get(key) is not None:
        return Finding(entry.key.span, f"{thing}: only {code(key)} is used", Severity.WARNING)
    message = f"{thing}: use {code(key)}"
    return Finding(entry.key.span, message, Severity.WARNING, meant=(key,))


def _own(file: TemplateFile, entries: list[Entry]) -> Finding:
    related = tuple(Related(file.path, one.key.span, "also here") for one in entries[1:])
    different = list(dict.fromkeys(one.name or "" for one in entries))
    names = some(different, _MOST_KEYS, "and")
    message = f"the runtime ignores {names}: it does not know this key"
    if len(different) > 1:
        message = f"the runtime ignores {names}: it does not know these keys"
    return Finding(entries[0].key.span, message, Severity.HINT, related=related)


def _sharing(file: TemplateFile, name: str) -> int:
    """The number of files in the folder with the key, this one included, up to `_SHARED`."""
    return 1 + sum(1 for _ in islice((keys for keys in _beside(file) if name in keys), _SHARED - 1))


@memoised
def _beside(file: TemplateFile) -> tuple[frozenset[str], ...]:
    """The keys in the headers of the other files in the folder."""
    files = file.workspace.files
    names = (one for one in files.entries(file.path.parent) if one.endswith(".md"))
    paths = (file.path.parent / name for name in islice(names, _MOST_SIBLINGS))
    sources = (files.read(path) for path in paths if path != file.path)
    return tuple(_keys_in(one.text[:_LOOKED_AT]) for one in sources if one is not None)


# The other files are the same at each keystroke.
@lru_cache(maxsize=2 * _MOST_SIBLINGS)
def _keys_in(text: str) -> frozenset[str]:
    return frozenset(key.rstrip(" \t") for key in _KEY.findall(text))


OF_KEYS: tuple[Check, ...] = (
    Check(
        ("unknown-key",),
        unknown_key,
        changes=frozenset({Field.LOADS, Field.KEY}),
        needs=(Trait.MORE_KEYS,),
    ),
)


_MOST, _MOST_SYSTEMS = 5, 3
_SERVERS = "mcpServers"
_DOES = {KeyRole.ALLOW: "allow", KeyRole.DENY: "deny"}
_IT_DOES = {KeyRole.ALLOW: "allows", KeyRole.DENY: "denies"}


def unknown_tool(file: TemplateFile) -> Iterator[Finding]:
    """Yields the findings on entries that cover nothing, those of one kind in a list together."""
    found = tuple(tool_entries.unknown_tool(file))
    if not found:
        return
    entries = tool_policy.policy(file).entries
    for role, listed_ in entries.items():
        spans = {entry.span: entry.text for entry in listed_}
        own = [_weighed(file, role, one, spans) for one in found if one.span in spans]
        for _, group in groupby(sorted(own, key=_kind), key=_kind):
            alike = sorted(group, key=lambda one: one.span)
            yield _together(file, role, alike) if len(alike) > 1 else alike[0]
    every = {entry.span for listed_ in entries.values() for entry in listed_}
    yield from (one for one in found if one.span not in every)


def _kind(one: Finding) -> tuple[int, bool, bool]:
    return (one.severity or Severity.WARNING, len(one.meant) == 1, bool(one.tags))


def _weighed(file: TemplateFile, role: KeyRole, one: Finding, texts: dict[Span, str]) -> Finding:
    """A finding with its severity: a warning if the entry has no effect and that matters."""
    text = texts[one.span]
    if text in RETIRED:
        others = {entry.text for entry in tool_policy.policy(file).entries[role]}
        is_lost = role is KeyRole.ALLOW and RETIRED[text] not in others and "*" not in others
        severity = Severity.WARNING if is_lost else Severity.HINT
        return Finding(one.span, one.message, severity, one.tags, meant=one.meant)
    if one.severity is Severity.INFORMATION:
        thing = f"unknown tool {code(text)}: {file.dialect.runtime} {MEASURED} has no such tool"
        is_fatal = role is KeyRole.ALLOW and tool_policy.allows_nothing(file)
        if is_fatal and tool_policy.policy(file).denier is None:
            message = f"{thing}, so {policy.REFUSED}"
            return Finding(one.span, message, Severity.ERROR)
        return Finding(one.span, f"{thing}, so it {_IT_DOES[role]} nothing", Severity.WARNING)
    return one


def _together(file: TemplateFile, role: KeyRole, alike: list[Finding]) -> Finding:
    """One finding on several entries, at the first; the others are related places."""
    text, first = file.document.text, alike[0]
    words = [one.span.of(text) for one in alike]
    related = tuple(Related(file.path, one.span, "also here") for one in alike[1:])
    meant = tuple(one.meant[0] for one in alike) if len(first.meant) == 1 else ()
    named = some(words, _MOST, "and")
    if first.tags:
        message = f"{named} no longer exist: use {listed(dict.fromkeys(meant), 'and')}"
        return Finding(first.span, message, first.severity, first.tags, related, meant)
    effect = f"they {_DOES[role]} nothing"
    if first.severity is Severity.ERROR:
        effect += f", so {policy.REFUSED}"
    fix = f"; did you mean {some(tuple(dict.fromkeys(meant)), _MOST, 'and')}?" if meant else ""
    message = f"unknown tools {named}{_of_systems(words)}: {effect}{fix}"
    return Finding(first.span, message, first.severity, (), related, meant)


def _of_systems(words: list[str]) -> str:
    """The systems that have tools of these names, each once; no more than a person reads."""
    named = (BORROWED[word][0].split(" and ") for word in words if word in BORROWED)
    systems = tuple(dict.fromkeys(system for each in named for system in each))
    if not systems:
        return ""
    is_short = len(systems) <= _MOST_SYSTEMS and OTHERS not in systems
    *most, last = systems if is_short else (OTHERS,)
    return f" (names of {', '.join(most)} and {last})" if most else f" (names of {last})"


def allowed_and_denied(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each allowed tool that is built on a denied one."""
    if not header.parses(file):
        return
    allowed, denied = tool_policy.policy(file).entries.values()
    by = {entry.text: entry for entry in reversed(denied)}
    for entry in allowed:
        ground = by.get(BUILT_ON.get(entry.text, ""))
        if ground is None or entry.text in by:
            continue
        message = f"{code(entry.text)} is built on {code(ground.text)}: `{DENY}` removes both"
        names = tuple(one.text for one in allowed)
        if not file.dialect.tools.toolset(file.reading, names, 1).kept:
            message += f", and `{ALLOW}` has nothing else: the agent has no tools"
        related = (Related(file.path, ground.span, "denied here"),)
        yield Finding(entry.span, message, Severity.WARNING, related=related)


def no_tools(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on a list of tools all of which only some sessions have."""
    own = tool_policy.policy(file)
    allowed = own.entries[KeyRole.ALLOW] if header.loads(file) else ()
    lost, settings = own.denied, file.reading.effective.settings
    if not allowed or _SERVERS in settings or tool_policy.allows_nothing(file):
        return
    everywhere = policy.everywhere(own.names, {entry.text for entry in allowed})
    if policy.toolset(file.reading, everywhere, 1).kept:
        return
    there = [
        one
        for one in allowed
        if not (one.text in lost or tool_policy.is_unknown(file, one))
        and not policy.void(KeyRole.ALLOW, one.text)
    ]
    of_servers = [one for one in there if policy.cannot_tell(one.text)]
    if any(matching(mcp_servers_of(file), one.text) for one in of_servers):
        return
    conditions = dict.fromkeys(CONDITIONS[one.text] for one in there if one.text in CONDITIONS)
    if of_servers:
        names = some([one.text for one in of_servers], _MOST, "and")
        conditions[f"a server that no configuration names gives it {names}"] = None
    if conditions:
        needed = ", or ".join(conditions)
        thing = f"every entry of {code(ALLOW)} depends on the session: unless {needed}"
        severity = Severity.INFORMATION if of_servers else Severity.WARNING
        yield Finding(settings[ALLOW].key or there[0].span, f"{thing}, {policy.REFUSED}", severity)


OF_TOOLS: tuple[Check, ...] = (
    Check(
        ("unknown-tool",),
        unknown_tool,
        changes=frozenset({Field.TOOLS}),
        needs=(KeyRole.ALLOW, KeyRole.DENY),
    ),
    Check(
        ("allowed-and-denied",),
        allowed_and_denied,
        changes=frozenset(),
        needs=(KeyRole.DENY,),
    ),
    Check(
        ("no-tools",),
        no_tools,
        changes=frozenset({Field.TOOLS}),
        basis=Basis.ABSENCE,
        needs=(KeyRole.ALLOW,),
    ),
)


# The events whose matchers are names of tools.
_OF_TOOLS = frozenset({*GUARDS, "PostToolUse", "PostToolUseFailure", "PermissionDenied"})
_NAMES = regex(r"\w+(?:\|\w+)*")
# What runs and for which tools.
_DECIDING = ("hooks", "tools", "disallowedTools")


def futile_hook(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each script that is not there, and each matcher without a tool."""
    settled = header.as_settled(file, _DECIDING)
    if settled is None or file.scope.prefix:
        return
    for one in matchers(settled):
        if one.event in _OF_TOOLS:
            yield from _unmatched(settled, one.pattern)
    yield from futile_scripts(settled, GUARDS)


def _unmatched(file: TemplateFile, node: Scalar | None) -> Iterator[Finding]:
    """A finding on a matcher of plain names none of which is a tool of the agent."""
    if node is None or not _NAMES.fullmatch(node.value):
        return
    words = node.value.split("|")
    there = tool_policy.policy(file).names
    names = tuple(dict.fromkeys((*there, *words)))
    toolset = file.dialect.tools.toolset(file.reading, names, 1)
    listed = frozenset(there)
    kept = [one.tool for one in toolset.verdicts if one.tool in listed and _is_had(one)]
    if any(_may_be(word, kept, listed) for word in words):
        return
    thing = f"the matcher {code(node.value)} is not a tool of this agent, so its hooks never run"
    near = nearest(words[0], kept) if len(words) == 1 else None
    if near is not None:
        case = " case matters;" if fold(near) == fold(words[0]) else ""
        message = f"{thing};{case} did you mean {code(near)}?"
        yield Finding(node.span, message, meant=(near,))
    else:
        yield Finding(node.span, thing)


def _is_had(verdict: Verdict) -> bool:
    return verdict.kept or not verdict.certain


def _may_be(word: str, kept: list[str], listed: frozenset[str]) -> bool:
    """Whether an agent may have a tool of this name: one of a server, or a newer one, too."""
    if ALIASES.get(word, word) in kept or word in kept or word.startswith("mcp__"):
        return True
    is_slip = nearest(word, listed) is not None
    return word not in listed and not is_slip


CHECK = Check(
    ("futile-hook",),
    futile_hook,
    changes=frozenset({Field.KEY}),
    basis=Basis.ABSENCE,
    needs=("hooks",),
)
