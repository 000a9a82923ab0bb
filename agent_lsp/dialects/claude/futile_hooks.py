"""Checks for hooks that cannot do their work: a missing script, or a matcher without a tool.

Invariants: a hook is read and never run. Only the first program of a command is looked at, and only
at a path of the project or the home. A command that handles the absence of a file, or changes the
folder, is left alone.
Facts: Claude Code 2.1.332, measured 2026-11-29 (`tests/conformance/claude-hooks.jsonl`): a command
runs in a shell in the folder of the session, with `CLAUDE_PROJECT_DIR`; a matcher is a regular
expression for the whole name of a tool, and its case counts; a script that is missing or not
executable prevents nothing.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from agent_lsp.analysis.checks import header, tool_policy
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.suggest import fold
from agent_lsp.dialects.claude.facts import GUARDS
from agent_lsp.dialects.claude.tools import ALIASES
from agent_lsp.model.check import Basis, Check, Field, Finding
from agent_lsp.model.runtime import Verdict
from agent_lsp.syntax.nodes import Mapping, Node, Scalar, Sequence, resolve
from agent_lsp.text import Span
from agent_lsp.workspace.named_paths import NamedIn, keep
from agent_lsp.workspace.snapshot import TemplateFile

# The events whose matchers are names of tools.
_OF_TOOLS = frozenset({*GUARDS, "PostToolUse", "PostToolUseFailure", "PermissionDenied"})
_WORD = r"""(?:"[^"\n]*"|'[^'\n]*'|[^\s"'|&;<>()`])+"""
# Variables that are set for the command, an interpreter with options, and the script.
_COMMAND = re.compile(
    rf"""\s*(?:\w+={_WORD}\s+)*
    (?:(?P<runs>(?:\S*/)?(?:(?:ba|z|da)?sh|python[\d.]*|node|bun|deno|ruby|perl)(?:\s+-[a-zA-Z]+)*)\s+)?
    (?P<script>{_WORD})""",
    re.VERBOSE,
)
_ALONE = re.compile(r"\|\||\bcd\s|\[\s|\btest\s|\bif\s|<<")
_ROOT = re.compile(r"\$(?:CLAUDE_PROJECT_DIR\b|\{CLAUDE_PROJECT_DIR\})(?=/)")
_HOME = re.compile(r"(?:~|\$HOME\b|\$\{HOME\})(?=/)")
_PATH = re.compile(r"[\w@%+=:,./ -]+")
_NAMES = re.compile(r"\w+(?:\|\w+)*")
_PROJECT = "project"
# What runs and for which tools.
_DECIDING = ("hooks", "tools", "disallowedTools")


def futile_hook(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each script that is not there, and each matcher without a tool."""
    settled = header.as_settled(file, _DECIDING)
    if settled is None or file.scope.prefix:
        return
    scripts = set[Path]()
    yield from _in_hooks(settled, scripts)
    keep(file.workspace.files, file.path, NamedIn.HOOK, scripts)


def _in_hooks(file: TemplateFile, scripts: set[Path]) -> Iterator[Finding]:
    """The findings on all hooks; their scripts are added to `scripts`."""
    top = header.root(file)
    entry = top.get("hooks") if top is not None else None
    events = entry.node if entry is not None else None
    for event in events.entries if isinstance(events, Mapping) else ():
        for matcher in _mappings(resolve(event.value)):
            name = event.name or ""
            if name in _OF_TOOLS:
                yield from _unmatched(file, matcher)
            hooks = matcher.get("hooks")
            for hook in _mappings(hooks.node if hooks is not None else None):
                yield from _script(file, hook, scripts, is_guard=name in GUARDS)


def _mappings(node: Node | None) -> Iterator[Mapping]:
    for item in node.items if isinstance(node, Sequence) else ():
        found = resolve(item)
        if isinstance(found, Mapping):
            yield found


def _unmatched(file: TemplateFile, matcher: Mapping) -> Iterator[Finding]:
    """A finding on a matcher of plain names none of which is a tool of the agent."""
    entry = matcher.get("matcher")
    node = entry.node if entry is not None else None
    if not isinstance(node, Scalar) or not _NAMES.fullmatch(node.value):
        return
    words = node.value.split("|")
    names = tuple(dict.fromkeys((*tool_policy.names(file), *words)))
    toolset = file.dialect.tools.toolset(file.reading, names, 1)
    listed = frozenset(tool_policy.names(file))
    kept = [one.tool for one in toolset.verdicts if one.tool in listed and _is_had(one)]
    if any(_may_be(word, kept, listed) for word in words):
        return
    thing = f"the matcher {code(node.value)} is not a tool of this agent, so its hooks never run"
    same = [one for one in kept for word in words if fold(one) == fold(word)]
    if same and len(words) == 1:
        message = f"{thing}; case matters, did you mean {code(same[0])}?"
        yield Finding(node.span, message, meant=(same[0],))
    else:
        yield Finding(node.span, thing)


def _is_had(verdict: Verdict) -> bool:
    return verdict.kept or not verdict.certain


def _may_be(word: str, kept: list[str], listed: frozenset[str]) -> bool:
    """Whether an agent may have a tool of this name: one of a server, or a newer one, too."""
    if ALIASES.get(word, word) in kept or word in kept or word.startswith("mcp__"):
        return True
    is_slip = any(fold(word) == fold(one) for one in listed)
    return word not in listed and not is_slip


def _script(
    file: TemplateFile, hook: Mapping, scripts: set[Path], *, is_guard: bool
) -> Iterator[Finding]:
    """A finding on the script of a command, if it is not there or cannot be run."""
    entry, kind = hook.get("command"), hook.get("type")
    node, type_ = (one.node if one is not None else None for one in (entry, kind))
    is_command = isinstance(type_, Scalar) and type_.value == "command"
    if not is_command or not isinstance(node, Scalar) or _ALONE.search(node.value):
        return
    found = _COMMAND.match(node.value)
    path = _path(file, found["script"]) if found is not None else None
    if found is None or path is None:
        return
    scripts.add(path)
    written = found["script"]
    effect = "so nothing is prevented" if is_guard else "so the hook does nothing"
    at = file.document.text.find(written, node.span.start, node.span.end)
    span = Span(at, at + len(written)) if at >= 0 else node.span
    if not file.workspace.files.exists(path):
        yield Finding(span, f"there is no script {code(_shown(written))}, {effect}")
    elif not found["runs"] and not file.workspace.files.is_executable(path):
        fix = f"run `chmod +x {path.name}`, or write `bash` before it"
        yield Finding(span, f"{code(_shown(written))} is not executable, {effect}; {fix}")


def _path(file: TemplateFile, written: str) -> Path | None:
    """The file that a word of a command means; None if it is no path, or of an unknown folder."""
    plain = _shown(written)
    root, home = _ROOT.match(plain), _HOME.match(plain)
    above: Path | None = file.root if file.scope.kind == _PROJECT else None
    if root is not None:
        plain = plain[root.end() + 1 :]
    elif home is not None:
        above, plain = file.workspace.host_paths.home, plain[home.end() + 1 :]
    elif plain.startswith("/") or "/" not in plain:
        return None
    is_path = above is not None and _PATH.fullmatch(plain) is not None and plain[-1:] != "/"
    return above / plain if is_path and above is not None else None


def _shown(written: str) -> str:
    """A word of a command without its quotes."""
    return written.replace('"', "").replace("'", "")


CHECK = Check(("futile-hook",), futile_hook, changes=frozenset({Field.KEY}), basis=Basis.ABSENCE)
