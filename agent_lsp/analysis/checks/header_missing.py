"""A template does not start with a header."""

import re
from collections.abc import Iterator
from itertools import islice

from agent_lsp.analysis.checks import fence_heuristics, header
from agent_lsp.analysis.checks.messages import absent, code, lone_cr
from agent_lsp.model.check import Check, Finding, Related
from agent_lsp.model.schema import KeyRole, RefusedFile, Severity
from agent_lsp.syntax import frontmatter, invisible
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

_LIKE_A_FENCE = re.compile(r"[-–—+=~*_.]{2,}")
_CODE_FENCE = re.compile(r"(?:`{3,}|~{3,})[\w-]*")
# The word that tells an editor how to colour a header, a comment, and the like.
_FENCE_AND_MORE = re.compile(r"(?:[-–—]{2,}|\+{3})\W*[\w-]*\W*")
_TITLE = re.compile(r"#|<!--")


def header_missing(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for a file that is nothing but a prompt."""
    if not header.is_seen(file) or file.document.frontmatter.fence is not FenceKind.ABSENT:
        return
    row = _opening_below(file)
    if file.dialect.is_header_optional and row is None and not _is_near_miss(file):
        if header.is_note(file):
            yield Finding(header.first_line(file), _noted(file), Severity.INFORMATION)
        return
    related = (Related(file.path, row, "the header begins here"),) if row else ()
    yield Finding(header.first_line(file), _message(file, row), related=related)


def _opening_below(file: TemplateFile) -> Span | None:
    """The line `---` of a header that stands below something else."""
    text = file.document.text
    blocks: tuple[Span, ...] | None = None
    for row in frontmatter.lines(text):
        line = row.of(text)
        if "---" not in line or not fence_heuristics.opens(file, line):
            continue
        if fence_heuristics.header_like(file, row.end + 1, described=True) is not None:
            blocks = frontmatter.code_blocks(text) if blocks is None else blocks
            if not any(block.covers(row.start) for block in blocks if block.start):
                return row
    return None


def _noted(file: TemplateFile) -> str:
    thing = (
        f"to the runtime this file is the agent {code(file.name or '')}, and all of it the prompt"
    )
    return f"{thing}; move it to another folder if it is a note"


def _is_near_miss(file: TemplateFile) -> bool:
    """Whether a file that may do without a header was meant to have one: one begins like it."""
    if header.ends_lines_in_cr(file) or header.hidden_above(file) is not None:
        return True
    text = file.document.text
    lead = len(text) - len(text.lstrip())
    first, _, _ = text[lead:].partition("\n")
    below = lead + len(first) + 1
    start = below if _FENCE_AND_MORE.fullmatch(first.strip()) else lead
    return fence_heuristics.header_like(file, start, described=start == below) is not None


def _message(file: TemplateFile, row: Span | None) -> str:
    text = file.document.text
    if not text.strip("\ufeff \t\r\n"):
        if file.dialect.consequence.file is RefusedFile.SKIPPED:
            return absent(file, "empty file", "write a header and a prompt")
        listing, spawning = code(file.dialect.list_call), code(file.dialect.spawn_call)
        return f"empty file: {listing} finds no description in it and {spawning} no prompt"
    if header.ends_lines_in_cr(file):
        return lone_cr(file)
    hidden = header.hidden_above(file)
    if hidden is not None:
        signs = dict.fromkeys(hidden.of(text))
        thing = f"{code(header.first_line(file).of(text).strip())} opens no header"
        return absent(file, thing, f"remove {', '.join(map(invisible.name, islice(signs, 3)))}")
    first = header.first_line(file).of(text).strip()
    below = len(text.partition("\n")[0]) + 1
    if not first and file.dialect.split(text.lstrip(), False).fence is not FenceKind.ABSENT:
        return absent(file, "the header is not on the first line", "remove what stands above `---`")
    if _CODE_FENCE.fullmatch(first) and (row is not None or fence_heuristics.begins(file, below)):
        return _in_code(file, first, row)
    if first == "---":
        where = "in front of it" if text[:1].isspace() else "behind it"
        return absent(file, f"with a blank {where}, `---` opens no header", "remove the blank")
    is_odd = _LIKE_A_FENCE.fullmatch(first)
    if row is not None:
        fix = f"remove {code(first)}" if is_odd else "move what stands above `---` into the prompt"
        return absent(file, "the header is not on the first line", fix)
    if is_odd or (_FENCE_AND_MORE.fullmatch(first) and fence_heuristics.begins(file, below)):
        return absent(file, f"{code(first)} opens no header", "write `---`")
    return _without_opening(file, first)


def _in_code(file: TemplateFile, first: str, row: Span | None) -> str:
    """The message for a file that begins with a code block in which there is a header."""
    if row is not None:
        fix = f"remove {code(first)} and the line that closes it"
        return absent(file, "the header stands in a code block", fix)
    fix = "write `---` instead, and instead of the line that closes it"
    return absent(file, f"{code(first)} opens no header", fix)


def _without_opening(file: TemplateFile, first: str) -> str:
    word = first.partition(":")[0]
    if ":" in first and file.dialect.key(word) is not None:
        return absent(file, f"no `---` above {code(word)}", "write it on a line of its own")
    found = _below_titles(file)
    if found is not None:
        fix = "write it on the first line, and what stands there into the prompt"
        return absent(file, f"no `---` above {code(found.names[0])}", fix)
    if header.is_note(file):
        thing = f"no header: to the runtime this file is the agent {code(file.name or '')}"
        return absent(file, thing, "move it to another folder")
    key = file.dialect.key_with_role(KeyRole.DESCRIPTION)
    key = key or next((key for key in file.dialect.keys if key.required_by), file.dialect.keys[0])
    return absent(file, "no header", f"start the file with `---`, `{key.name}: …` and `---`")


def _below_titles(file: TemplateFile) -> fence_heuristics.HeaderLike | None:
    """Settings with nothing but titles and comments of one line above them."""
    for row in frontmatter.lines(file.document.text):
        line = row.of(file.document.text).strip()
        if line and not _TITLE.match(line):
            return fence_heuristics.header_like(file, row.start)
    return None


CHECK = Check(("header-missing",), header_missing)
