"""Checks what the prompt of an agent refers to in VS Code: tools, and files.

Facts: VS Code 1.139.1, run 2026-11-28. A link is relative to the file of the agent. The model gets
it as it is written, and an agent loads whatever its links are. Copilot CLI reads none of them.
"""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, listed
from agent_lsp.analysis.checks.missing_file import similar
from agent_lsp.analysis.suggest import nearest
from agent_lsp.dialects.copilot import vs_tools
from agent_lsp.dialects.copilot.body import Reference, references
from agent_lsp.dialects.copilot.facts import ALLOW
from agent_lsp.model.check import Check, Field, Finding
from agent_lsp.model.schema import Severity
from agent_lsp.patterns import regex
from agent_lsp.workspace.snapshot import TemplateFile

# Each costs a look at the disk.
_MOST_LINKS = 200
# A path below or beside the agent's folder, as people write one that is meant; `url`, `path/to/x`,
# `<name>.md` and `{date}.md` stand for others in an example.
_PATH = regex(r"(?!/|~|[A-Za-z][\w+.-]*:|(?:\.{1,2}/)*path/)(?P<path>[\w./@ -]*\.\w+)(?:#.*)?")


def unavailable_tool(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on each `#tool:` of the prompt that the agent does not have."""
    value = file.reading.effective.settings.get(ALLOW)
    if not header.parses(file) or value is None:
        return
    body = file.document.frontmatter.body
    given = {tool for item in value.items for tool in vs_tools.covered(item.text)}
    said: set[str] = set()
    for one in references(file.document.text, body.start):
        known = vs_tools.covered(one.name) if vs_tools.is_whole(one.name) else ()
        if one.is_tool and known and one.name not in said and given.isdisjoint(known):
            said.add(one.name)
            thing = f"{code(ALLOW)} has no {code(one.name)}, so the agent cannot use it"
            yield Finding(one.span, f"{thing}; add it")


def text_only(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on each `#tool:` that stays text, because it has not a tool's whole name.

    What a server or an extension may have is left alone.
    """
    if not header.parses(file):
        return
    said: set[str] = set()
    for one in references(file.document.text, file.document.frontmatter.body.start):
        name = one.name
        is_known = vs_tools.is_whole(name) or vs_tools.may_be_written(name)
        if one.is_tool and not is_known and name not in said:
            said.add(name)
            yield _of_text(one)


def _of_text(one: Reference) -> Finding:
    name, thing = one.name, f"{code(f'#tool:{one.name}')} is only text"
    bare = name.rstrip(".")
    if bare != name and vs_tools.is_whole(bare):
        message = f"{thing}, because the full stop belongs to the name; put a space before it"
        return Finding(one.span, message, meant=(f"{bare} .",), severity=_HINT, code="unknown-tool")
    right = vs_tools.today(bare) or vs_tools.covered(bare)
    if right:
        message = (
            f"{thing}, because the name is incomplete; the complete name is {listed(right, 'and')}"
        )
        # The full stop would belong to the name.
        end = " ." if bare != name else ""
        meant = (f"{right[0]}{end}",) if len(right) == 1 else ()
        return Finding(one.span, message, meant=meant, severity=_HINT, code="renamed-tool")
    meant_word = nearest(name, _WORDS)
    fix = (
        f"did you mean {code(meant_word)}?" if meant_word else "unless an extension has such a tool"
    )
    words = (meant_word,) if meant_word else ()
    message = f"{thing}, because no tool has this name{';' if words else ','} {fix}"
    return Finding(one.span, message, _HINT, meant=words, code="unknown-tool", word=name)


_HINT = Severity.HINT
_WORDS = (*vs_tools.SETS, *vs_tools.NAMES)


def missing_file(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on each link of the prompt that leads to no file of the project."""
    body, root = file.document.frontmatter.body, file.root
    if not header.parses(file) or file.misplaced is not None or file.scope.builtin or root is None:
        return
    every = (one for one in references(file.document.text, body.start) if not one.is_tool)
    for one in islice(every, _MOST_LINKS):
        found = _PATH.fullmatch(one.name)
        target = _below(file.path.parent, found["path"], root) if found is not None else None
        if target is not None and not file.workspace.files.exists(target):
            thing = f"{code(one.name)} does not exist in the folder of the agent"
            near = similar(file, one.name, (target,), is_link=True)
            fix = "correct the path, or create the file"
            fix = f"did you mean {code(near)}?" if near is not None else fix
            meant = (near,) if near is not None else ()
            yield Finding(one.span, f"{thing}; {fix}", meant=meant)


def _below(folder: Path, path: str, root: Path) -> Path | None:
    """Where a relative path leads to in the project, or None outside it."""
    at = folder
    for part in path.split("/"):
        at = at.parent if part == ".." else at / part
    return at if at.is_relative_to(root) else None


CHECKS: tuple[Check, ...] = (
    Check(("unavailable-tool",), unavailable_tool, changes=frozenset()),
    Check(("unknown-tool", "renamed-tool"), text_only, changes=frozenset({Field.PROMPT})),
    Check(("missing-file",), missing_file, changes=frozenset({Field.PROMPT})),
)
