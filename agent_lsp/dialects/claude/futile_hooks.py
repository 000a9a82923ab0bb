"""Checks for hooks that cannot do their work: a missing script, or a matcher without a tool.

Facts: Claude Code 2.1.332, measured 2026-11-29 (`tests/conformance/claude-hooks.jsonl`): a command
runs in a shell in the folder of the session, with `CLAUDE_PROJECT_DIR`; a matcher is a regular
expression for the whole name of a tool, and its case counts; a script that is missing or not
executable prevents nothing.
"""

import re
from collections.abc import Iterator

from agent_lsp.analysis.checks import header, tool_policy
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.checks.missing_file import futile_scripts
from agent_lsp.analysis.context.hooks import matchers
from agent_lsp.analysis.suggest import fold
from agent_lsp.dialects.claude.facts import GUARDS
from agent_lsp.dialects.claude.tools import ALIASES
from agent_lsp.model.check import Basis, Check, Field, Finding
from agent_lsp.model.runtime import Verdict
from agent_lsp.syntax.nodes import Scalar
from agent_lsp.workspace.snapshot import TemplateFile

# The events whose matchers are names of tools.
_OF_TOOLS = frozenset({*GUARDS, "PostToolUse", "PostToolUseFailure", "PermissionDenied"})
_NAMES = re.compile(r"\w+(?:\|\w+)*")
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


CHECK = Check(("futile-hook",), futile_hook, changes=frozenset({Field.KEY}), basis=Basis.ABSENCE)
