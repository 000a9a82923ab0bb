"""Takes from an agent the tools that its session does not have: `tools.exclude` and `tools.core`.

Facts: Gemini CLI 0.61.0, run 2026-11-30. The lists `exclude` of a person and a project add up. An
entry is the name of a tool, its older name, the name of its class, `*`, `mcp_*`, or all tools of a
server; parentheses behind a name make it none. Of the lists `core` that of the project counts. A
session then has the tools with these names only, also behind parentheses, and no older names; `*`
gives all tools but those that are built in. Both lists also hold for the agent's own servers, and
for `complete_task`, without which no agent can end its work.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from agent_lsp.data_classes import replace
from agent_lsp.decoders.gemini_settings import at
from agent_lsp.dialects.gemini import policy
from agent_lsp.dialects.gemini.facts import COMPLETE, SEARCH_ALIAS
from agent_lsp.model.runtime import Toolset, Verdict

# A file of settings: its path, what it holds, and what people call it.
SettingsFile = tuple[Path, Mapping[str, object], str]

_EVERY, _SERVERS = "*", "mcp_*"
# The tools that a session does not take from the list of built-in ones.
_ADDED = frozenset({"activate_skill", COMPLETE})
_CLASSES = {
    "ActivateSkillTool": "activate_skill",
    "AskUserTool": "ask_user",
    "CompleteTaskTool": COMPLETE,
    "DiscoveredMCPTool": _SERVERS,
    "EditTool": "replace",
    "EnterPlanModeTool": "enter_plan_mode",
    "ExitPlanModeTool": "exit_plan_mode",
    "GlobTool": "glob",
    "GrepTool": "grep_search",
    "LSTool": "list_directory",
    "ListBackgroundProcessesTool": "list_background_processes",
    "ReadBackgroundOutputTool": "read_background_output",
    "ReadFileTool": "read_file",
    "ShellTool": "run_shell_command",
    "WebFetchTool": "web_fetch",
    "WebSearchTool": "google_web_search",
    "WriteFileTool": "write_file",
    "WriteTodosTool": "write_todos",
}


def limited(files: tuple[SettingsFile, ...], toolset: Toolset) -> Toolset:
    """`toolset` without the tools that the settings of the project or the user take away.

    `files` are those settings, the project's first.
    """
    excluded = {
        _CLASSES.get(name, SEARCH_ALIAS.get(name, name)): path
        for path, values, _ in reversed(files)
        for name in _words(values, "exclude") or ()
    }
    lists = ((path, _words(values, "core")) for path, values, _ in files)
    core = next(((path, frozenset(own)) for path, own in lists if own is not None), None)
    kept = tuple(one for one in toolset.open_patterns if _covering(one, excluded) is None)
    if core is not None:
        kept = tuple(dict.fromkeys(left for one in kept for left in _left(one, core[1])))
    verdicts = tuple(_verdict(one, excluded, core) for one in toolset.verdicts)
    return replace(toolset, verdicts=verdicts, open_patterns=kept)


def _words(values: Mapping[str, object], key: str) -> tuple[str, ...] | None:
    """The texts in a list of `tools`, or None if there is no list."""
    found = at(values, "tools", key)
    if not isinstance(found, list):
        return None
    return tuple(one for one in found if isinstance(one, str))


def _verdict(
    one: Verdict, excluded: Mapping[str, Path], core: tuple[Path, frozenset[str]] | None
) -> Verdict:
    by = _covering(one.tool, excluded) if one.kept else None
    if by is not None:
        return Verdict(one.tool, False, f"`tools.exclude` in {excluded[by]}")
    if one.kept and core is not None and not _is_in_core(one.tool, core[1]):
        return Verdict(one.tool, False, f"not in `tools.core` of {core[0]}")
    return one


def _covering(name: str, entries: Mapping[str, Path]) -> str | None:
    """The entry of `entries` that covers a tool, or all tools of a pattern."""
    return next((one for one in _alike(name) if one in entries), None)


def _alike(name: str) -> Iterator[str]:
    """The entries that cover a tool or a pattern: itself, and what is wider."""
    yield SEARCH_ALIAS.get(name, name)
    found = policy.server_of(name)
    if found is not None:
        yield from (f"mcp_{found[0]}_*", _SERVERS)
    yield _EVERY


def _is_in_core(tool: str, core: frozenset[str]) -> bool:
    if tool.startswith("mcp_") or tool in _ADDED:
        return any(one in core for one in _alike(tool))
    return any(entry.partition("(")[0] == tool for entry in core)


def _left(pattern: str, core: frozenset[str]) -> Iterator[str]:
    """What a list `core` leaves of a pattern for tools that are not known here."""
    if any(one in core for one in _alike(pattern)):
        yield pattern
    else:
        narrower = sorted(entry for entry in core if entry.startswith("mcp_"))
        yield from (entry for entry in narrower if policy.matches(pattern, entry))
