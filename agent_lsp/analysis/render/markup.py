"""Escapes foreign text for Markdown, so that nothing in a template is read as markup.

Invariants: the output has no HTML, and no links except to files. Foreign text is escaped, or stands
between backticks or fences that are longer than any inside of it.
"""

import re
from pathlib import Path

from agent_lsp.patterns import regex
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import Workspace

_LINE_END = regex(r"\s*[\r\n]+\s*")
# Editors make links of bare addresses, too: after `://`, after `www.`, and around an `@`.
_SPECIAL = regex(
    r"[\\`*<>\[\]|&$]|~(?=~)|(?<!\w)_|_(?!\w)|:(?=//)|(?<=[wW]{3})\.|(?<=[\w.+-])@(?=\w)"
)
# The beginnings of a line that make it a list item, a heading, a quote or a rule.
_LEADING = regex(r"(?:[#+=>-]|\d+(?=[.)]))")
_TICKS = regex(r"`+")
# The markup that this package writes: blocks, code, escaped characters, emphasis and links. What
# stands in a block or in code is text.
_MARKUP = regex(
    r"(?m)^(?P<fence>`{3,})[^\n`]*\n(?P<block>(?:.*\n)*?)(?P=fence)$\n?"
    r"|(?P<ticks>`+(?!`))(?P<code>[^\n]*?[^`\n])(?P=ticks)(?!`)"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|\*\*"
    r"|\[(?P<label>(?:\\.|[^\]\\\n])*)\]\([^)\n]*\)"
)


def inline(text: str) -> str:
    """`text` on one line, with Markdown's special characters escaped."""
    escaped = _SPECIAL.sub(r"\\\g<0>", _one_line(text))
    leading = _LEADING.match(escaped)
    if leading is None:
        return escaped
    at = leading.end() if leading[0].isdigit() else leading.start()
    return f"{escaped[:at]}\\{escaped[at:]}"


def code(text: str) -> str:
    """`text` as code on one line."""
    row = _one_line(text)
    if not row:
        return "(empty)"
    ticks = "`" * (_longest_run(row) + 1)
    pad = " " if row.startswith("`") or row.endswith("`") else ""
    return f"{ticks}{pad}{row}{pad}{ticks}"


def codes(texts: tuple[str, ...] | list[str]) -> str:
    """Each text as code, separated by commas."""
    return ", ".join(code(text) for text in texts)


def words(text: str) -> str:
    """Text of this product, in which pairs of backticks mark code; quoted text is escaped."""
    pieces = text.split("`")
    if len(pieces) % 2 == 0:
        pieces[-2:] = ["`".join(pieces[-2:])]
    return "".join(
        code(piece) if at % 2 else _SPECIAL.sub(r"\\\g<0>", piece)
        for at, piece in enumerate(pieces)
        if piece
    )


def fence(text: str, language: str = "text") -> str:
    """`text` as a block, line for line."""
    ticks = "`" * max(3, _longest_run(text) + 1)
    end = "" if not text or text.endswith("\n") else "\n"
    return f"{ticks}{language}\n{text}{end}{ticks}"


def plain(markdown: str) -> str:
    """The text that `markdown` of this package shows, without its syntax.

    Foreign text in it is as its author wrote it.
    """
    return _MARKUP.sub(_unmarked, markdown)


def _unmarked(found: re.Match[str]) -> str:
    if found["fence"] is not None:
        return found["block"]
    if found["code"] is not None:
        row = found["code"]
        return row[1:-1] if row.startswith(" ") and row.endswith(" ") else row
    if found["label"] is not None:
        return plain(found["label"])
    return found["escaped"] or ""


def line_of(workspace: Workspace, path: Path, span: Span) -> int:
    """The line, counted from 1, on which `span` begins in the file at `path`."""
    return workspace.files.lines(path).line_of(span.start) + 1


def link(workspace: Workspace, path: Path, span: Span | None = None) -> str:
    """A link to `path`, at the line of `span` if there is one."""
    line = None if span is None else line_of(workspace, path, span)
    label = inline(shown(workspace, path) + ("" if line is None else f":{line}"))
    if not path.is_absolute():
        return label
    return f"[{label}]({path.as_uri()}{'' if line is None else f'#L{line}'})"


def shown(workspace: Workspace, path: Path) -> str:
    """`path` as a person would write it: from the workspace folder, from the home, or in full."""
    holding = [root for root in workspace.roots if root in path.parents]
    if holding:
        return path.relative_to(max(holding, key=lambda root: len(root.parts))).as_posix()
    home, templates = workspace.host_paths.home, workspace.host_paths.templates
    if templates in path.parents:
        return path.relative_to(templates.parent).as_posix()
    if home is not None and home in path.parents:
        return f"~/{path.relative_to(home).as_posix()}"
    return str(path)


def _one_line(text: str) -> str:
    return _LINE_END.sub(" ", text).strip()


def _longest_run(text: str) -> int:
    return max((len(run) for run in _TICKS.findall(text)), default=0)
