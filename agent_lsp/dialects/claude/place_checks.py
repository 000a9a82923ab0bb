"""Finds agents that their place loses or changes, and files that it makes agents by mistake.

Facts: measured with Claude Code 2.1.332, 2026-11-28: a plugin loads every `*.md` of its folder. If
its header is missing or not closed, the agent has the name of the file and every tool, and all of
the text is the prompt; without a description the session sees `Agent from <plugin> plugin`.
"""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, some
from agent_lsp.dialects.claude import lost_header, reading
from agent_lsp.dialects.claude.facts import KEYS
from agent_lsp.dialects.claude.policy import cannot_tell
from agent_lsp.dialects.claude.runtime import plugin_text
from agent_lsp.dialects.claude.tools import RETIRED, TASK, TOOLS
from agent_lsp.model.check import Basis, Check, Finding
from agent_lsp.model.runtime import Scope
from agent_lsp.model.schema import Severity
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.syntax.nodes import Mapping, Scalar, Sequence, resolve
from agent_lsp.workspace.snapshot import TemplateFile

# Names of files that people put beside agents to explain them.
_NOTES = frozenset({"readme", "changelog", "contributing", "license", "index", "notes", "todo"})
# Keys of custom agents of GitHub Copilot that Claude Code does not have: docs.github.com, custom
# agents configuration, and code.visualstudio.com, custom agents; both read 2026-11-28.
_COPILOT = frozenset({"target", "handoffs", "mcp-servers", "argument-hint", "user-invocable"})
_MOST = 3
_COPILOT_FILE, _TOOLS = ".agent.md", "tools"
_NAMES = frozenset(tool.name for tool in TOOLS) | frozenset(RETIRED) | {TASK, "*"}


def plugin_agent(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on a file if a plugin makes no agent of it, or a different one."""
    if not file.scope.prefix or file.misplaced is not None or file.source.problem is not None:
        return
    if not file.scope.counts(file.path.name):
        message = f"the runtime does not load this agent: {file.scope.lost}"
        yield Finding(header.opening(file), message, Severity.ERROR)
        return
    yield from _missing(file)
    fence = file.document.frontmatter.fence
    if fence is not FenceKind.CLOSED:
        yield _without_header(file)
    elif header.loads(file) and not _is_described(file):
        seen = f"the session sees only `{plugin_text(file.scope)}`"
        message = f"the agent {code(file.name or '')} has no `description`: {seen}; write one"
        yield Finding(header.opening(file), message)


def _missing(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding, on the first agent of a folder, for files that a manifest names there."""
    files, folder = file.workspace.files, file.scope.folder
    there = [name for name in sorted(file.scope.only) if files.exists(folder / name)]
    if there[:1] != [file.path.name] or len(there) == len(file.scope.only):
        return
    names = some([name for name in sorted(file.scope.only) if name not in there], _MOST, "and")
    thing = f"the plugin's manifest also names {names} in this folder"
    message = f"{thing}, where there is no such file: the runtime ignores it"
    yield Finding(header.opening(file), message, Severity.WARNING)


def _is_described(file: TemplateFile) -> bool:
    value = file.reading.effective.settings.get("description")
    top = header.root(file)
    entry = top.get("description") if top is not None else None
    # A list or a mapping is reported for its type.
    is_other = entry is not None and isinstance(resolve(entry.value), Mapping | Sequence)
    return is_other or (value is not None and bool(value.text.strip()))


def _without_header(file: TemplateFile) -> Finding:
    """The finding on a file whose whole text is the prompt of an agent."""
    place = header.opening(file)
    agent = f"the plugin loads this file as the agent {code(file.name or '')}"
    if file.document.frontmatter.fence is FenceKind.UNCLOSED:
        thing = f"the header is not closed, so it is part of the prompt: {agent} with every tool"
        return Finding(place, f"{thing}; write `---` below the last setting", Severity.WARNING)
    if lost_header.below(file.document) is not None:
        thing = f"the header does not start in the first line, so it is part of the prompt: {agent}"
        fix = "remove everything above it, and start it with `---`"
        return Finding(place, f"{thing} with every tool; {fix}", Severity.WARNING)
    if file.path.stem.lower() in _NOTES:
        fix = "move it to another folder if it is a note"
        return Finding(place, f"{agent} with every tool; {fix}", Severity.WARNING)
    seen = f"and the session sees only `{plugin_text(file.scope)}` as its description"
    return Finding(place, f"no header: {agent}, {seen}; write a header with a `description`")


def foreign_keys(document: Document, scope: Scope, file_name: str) -> tuple[str, ...]:
    """The keys that show that a plugin's file is a custom agent of GitHub Copilot.

    Some Copilot plugins have a manifest of Claude Code beside files called `*.agent.md`.
    """
    top = resolve(document.tree.root)
    if not scope.prefix or not file_name.endswith(_COPILOT_FILE) or not isinstance(top, Mapping):
        return ()
    own = {key.name for key in KEYS}
    others = [e.name for e in top.entries if e.name in _COPILOT and e.name not in own]
    entry = top.get(_TOOLS)
    node = resolve(entry.value) if entry is not None else None
    items = node.items if isinstance(node, Sequence) else (node,)
    texts = (item.value for item in map(resolve, items) if isinstance(item, Scalar))
    words = [word.strip() for text in texts for word in text.split(",") if word.strip()]
    is_other = any(word.partition("(")[0] not in _NAMES and not cannot_tell(word) for word in words)
    return tuple(name for name in (*((_TOOLS,) if is_other else ()), *others) if name)


def placed(file: TemplateFile) -> Iterator[Finding]:
    """Yields the findings on the place of an agent, and on the extension of its file."""
    yield from plugin_agent(file)
    if file.misplaced is None and not reading.is_looked_at(file.path, file.scope):
        thing = "the runtime does not read this file, because it reads only `*.md`"
        message = f"{thing}: rename it to {code(f'{file.path.stem}.md')}"
        yield Finding(header.opening(file), message, code="misplaced")


PLACE_CHECKS = (Check(("plugin-agent", "misplaced"), placed, basis=Basis.FILE),)
