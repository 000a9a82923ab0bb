"""Finds what the prompt of an agent refers to in VS Code, tools and files, and checks it.

Facts: VS Code 1.139.1, `PromptBody` in promptSyntax/promptFileParser, run 2026-11-28. In code, in a
fence or in backticks, nothing is a reference; a name of a tool may contain a full stop, and takes
the one at the end of a sentence with it. A link is relative to the file of the agent. The model
gets it as it is written, and an agent loads whatever its links are. Copilot CLI reads none of them.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, listed
from agent_lsp.analysis.checks.missing_file import similar
from agent_lsp.analysis.checks.unknown_names import is_slip
from agent_lsp.analysis.context.contexts import line_at
from agent_lsp.analysis.suggest import nearest
from agent_lsp.data_classes import dataclass
from agent_lsp.dialects.copilot import vs_tools
from agent_lsp.dialects.copilot.facts import ALLOW
from agent_lsp.dialects.copilot.vs_tools import TOOLS, in_prompt
from agent_lsp.model.check import Check, Field, Finding
from agent_lsp.model.schema import Choice, Severity, WordAt, WordKind
from agent_lsp.patterns import regex
from agent_lsp.syntax.document import Document
from agent_lsp.text import Span
from agent_lsp.workspace.mcp_servers import configured_for
from agent_lsp.workspace.named_servers import own_servers
from agent_lsp.workspace.snapshot import TemplateFile

_LINE = regex(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_FENCE = regex(r"\s*(?P<fence>`{3,}|~{3,})(?P<rest>[^\r\n]*)")
_CODE = regex(r"`[^`\r\n]+`")
_REFERENCE = regex(r"#file:(?P<path>[^\s#]+)|#tool:(?P<tool>[A-Za-z0-9_\-./]+)", re.IGNORECASE)

_VARIABLE = regex(r"(?<![^\s(\"'])#(?P<name>[A-Za-z]\w*)(?![\w:/-])|\$\{[A-Za-z][\w:.-]{0,100}\}")


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference to a tool or a file, and where its name stands."""

    name: str
    span: Span
    is_tool: bool = False


def tool_at(document: Document, offset: int, _agents: object) -> WordAt | None:
    """The `#tool:` whose name stands at `offset` of the prompt, also if none is typed yet, or None.

    The offers are the whole names of VS Code's tools; older names and members are only text.
    """
    text, body = document.text, document.frontmatter.body
    line = line_at(text, offset)
    begun = _BEGUN.search(text, max(body.start, line.start), offset)
    if begun is None or not body.start <= offset <= body.end:
        return None
    rest = _REST.match(text, offset)
    span = Span(begun.start("tool"), rest.end() if rest is not None else offset)
    rows = (row for row in _lines(text, body.start) if row[1] == max(body.start, line.start))
    row, at = next(rows, ("", 0))
    code = [one.span() for one in _CODE.finditer(row)]
    if not row or _is_inside(begun.start() - at, code, [start for start, _ in code]):
        return None
    word = span.of(text)
    sent = in_prompt(word)
    notes = (f"In the prompt, VS Code writes `{sent}` in its place",) if sent is not None else ()
    return WordAt(WordKind.TOOL, "tool of VS Code", span, word, _OFFERS, notes)


_BEGUN = regex(r"#tool:(?P<tool>[A-Za-z0-9_\-./]*)\Z", re.IGNORECASE)
_REST = regex(r"[A-Za-z0-9_\-./]*")
_OFFERS = tuple(Choice(tool.name, tool.meaning) for tool in TOOLS)


@lru_cache(maxsize=4)
def references(text: str, start: int) -> tuple[Reference, ...]:
    """The references in a prompt that begins at the offset `start` of a file, in its order."""
    found = [one for line, at in _lines(text, start) for one in _in_line(line, at)]
    return tuple(sorted(found, key=lambda one: one.span))


def variables(text: str, start: int) -> Iterator[Reference]:
    """The variables of old chat modes and of prompt files in a prompt, which are text in an agent.

    The name of `#name` is that of a tool or of a piece of context, and is without the sign.
    """
    for line, at in _lines(text, start):
        code = [one.span() for one in _CODE.finditer(line)]
        starts = [begin for begin, _ in code]
        for one in _VARIABLE.finditer(line):
            # A line of nothing else may be a heading.
            if one[0] == line.strip() or _is_inside(one.start(), code, starts):
                continue
            span = Span(at + one.start(), at + one.end())
            yield Reference(one["name"] or one[0], span, is_tool=bool(one["name"]))


def _lines(text: str, start: int) -> Iterator[tuple[str, int]]:
    """The lines of a prompt outside of fences, each with its offset."""
    fence = ""
    for row in _LINE.finditer(text, start):
        line = row[0]
        opened = _FENCE.match(line)
        if opened is not None and not fence:
            fence = opened["fence"]
        elif not fence:
            yield line, row.start()
        elif opened is not None and not opened["rest"].strip():
            fence = "" if opened["fence"].startswith(fence) else fence


def _in_line(line: str, at: int) -> list[Reference]:
    if "#" not in line and "](" not in line:
        return []
    code = [one.span() for one in _CODE.finditer(line)]
    starts = [begin for begin, _ in code]
    links = [one for one in _links(line) if not _is_inside(one[0], code, starts)]
    found = [Reference(line[path:end], Span(at + path, at + end)) for _, path, end in links]
    taken = [(begin, end + 1) for begin, _, end in links]
    begins = [begin for begin, _ in taken]
    for one in _REFERENCE.finditer(line):
        start = one.start()
        # A reference that only touches a link does not count either.
        before = bisect_right(begins, one.end()) - 1
        is_at_link = before >= 0 and start <= taken[before][1]
        if is_at_link or _is_inside(start, code, starts):
            continue
        group = "tool" if one["tool"] else "path"
        span = Span(at + one.start(group), at + one.end(group))
        found.append(Reference(one[group], span, is_tool=group == "tool"))
    return found


def _links(line: str) -> Iterator[tuple[int, int, int]]:
    """Where the links of a line begin, and where their paths begin and end.

    The first `[` begins a link, whatever is between it and the next `](`; an image is none, and
    what is in it is not looked at again.
    """
    at = 0
    while (begin := line.find("[", at)) >= 0:
        middle = line.find("](", begin + 1)
        # A path has at least one character.
        end = line.find(")", middle + 3) if middle >= 0 else -1
        if end < 0:
            return
        if line[begin - 1 : begin] != "!":
            yield begin, middle + 2, end
        at = end + 1


def _is_inside(at: int, ranges: list[tuple[int, int]], starts: list[int]) -> bool:
    """Whether one of `ranges`, which are in order and begin at `starts`, holds the offset."""
    before = bisect_right(starts, at) - 1
    return before >= 0 and at < ranges[before][1]


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

    What a server or an extension may have is left alone, unless the name of the server is similar
    to that of a configured one.
    """
    if not header.parses(file):
        return
    said: set[str] = set()
    for one in references(file.document.text, file.document.frontmatter.body.start):
        name = one.name
        if not one.is_tool or vs_tools.is_whole(name) or name in said:
            continue
        said.add(name)
        if not vs_tools.may_be_written(name):
            yield _of_text(one)
        else:
            yield from _of_server(file, one)


def _of_server(file: TemplateFile, one: Reference) -> Iterator[Finding]:
    """Yields the finding on a tool of a server whose name is a misspelling of a configured one."""
    found = vs_tools.server_of(one.name)
    # The configurations are read only for a prompt that names a server.
    names = {server.name.lower() for server in configured_for(file)} if found is not None else set()
    if found is None or found[0] in names or found[0] in own_servers(file):
        return
    meant = nearest(found[0], names)
    if meant is not None and is_slip(found[0], meant):
        thing = f"{code(f'#tool:{one.name}')} is only text: no configuration has an MCP server"
        message = f"{thing} {code(found[0])}; did you mean {code(meant)}?"
        word = f"{meant}/{found[1]}"
        yield Finding(one.span, message, _HINT, meant=(word,), code="unknown-tool", word=one.name)


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
