"""A template does not start with a header."""

import re
from collections.abc import Iterator
from itertools import islice

from agent_lsp.analysis.rules import header, parts
from agent_lsp.analysis.rules.model import Finding, Related, Rule
from agent_lsp.analysis.rules.wording import absent, code, lone_cr
from agent_lsp.dialects.vocabulary import Holds, Refused, Severity
from agent_lsp.syntax import markdown, unseen
from agent_lsp.syntax.markdown import Fence
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject

_LIKE_A_FENCE = re.compile(r"[-–—+=~*_.]{2,}")
_CODE_FENCE = re.compile(r"(?:`{3,}|~{3,})[\w-]*")
# The word that tells an editor how to colour a header, a comment, and the like.
_FENCE_AND_MORE = re.compile(r"(?:[-–—]{2,}|\+{3})\W*[\w-]*\W*")
_TITLE = re.compile(r"#|<!--")


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding for a file that is nothing but a prompt."""
    if not header.is_seen(of) or of.document.cut.fence is not Fence.ABSENT:
        return
    row = _opening_below(of)
    if of.dialect.is_header_optional and row is None and not _is_near_miss(of):
        if header.is_note(of):
            yield Finding(header.first_line(of), _noted(of), Severity.INFORMATION)
        return
    related = (Related(of.path, row, "the header begins here"),) if row else ()
    yield Finding(header.first_line(of), _message(of, row), related=related)


def _opening_below(of: Subject) -> Span | None:
    """The line `---` of a header that stands below something else."""
    text = of.document.text
    blocks: tuple[Span, ...] | None = None
    for row in markdown.lines(text):
        line = row.of(text)
        if "---" not in line or not parts.opens(of, line):
            continue
        if parts.part(of, row.end + 1, described=True) is not None:
            blocks = markdown.code_blocks(text) if blocks is None else blocks
            if not any(block.covers(row.start) for block in blocks if block.start):
                return row
    return None


def _noted(of: Subject) -> str:
    thing = f"to the runtime this file is the agent {code(of.name or '')}, and all of it the prompt"
    return f"{thing}; move it to another folder if it is a note"


def _is_near_miss(of: Subject) -> bool:
    """Whether a file that may do without a header was meant to have one: one begins like it."""
    if header.ends_lines_in_cr(of) or header.hidden_above(of) is not None:
        return True
    text = of.document.text
    lead = len(text) - len(text.lstrip())
    first, _, _ = text[lead:].partition("\n")
    below = lead + len(first) + 1
    start = below if _FENCE_AND_MORE.fullmatch(first.strip()) else lead
    return parts.part(of, start, described=start == below) is not None


def _message(of: Subject, row: Span | None) -> str:
    text = of.document.text
    if not text.strip("\ufeff \t\r\n"):
        if of.dialect.consequence.file is Refused.SKIPPED:
            return absent(of, "empty file", "write a header and a prompt")
        listing, spawning = code(of.dialect.list_call), code(of.dialect.spawn_call)
        return f"empty file: {listing} finds no description in it and {spawning} no prompt"
    if header.ends_lines_in_cr(of):
        return lone_cr(of)
    hidden = header.hidden_above(of)
    if hidden is not None:
        signs = dict.fromkeys(hidden.of(text))
        thing = f"{code(header.first_line(of).of(text).strip())} opens no header"
        return absent(of, thing, f"remove {', '.join(map(unseen.name, islice(signs, 3)))}")
    first = header.first_line(of).of(text).strip()
    below = len(text.partition("\n")[0]) + 1
    if not first and of.dialect.cut(text.lstrip(), False).fence is not Fence.ABSENT:
        return absent(of, "the header is not on the first line", "remove what stands above `---`")
    if _CODE_FENCE.fullmatch(first) and (row is not None or parts.begins(of, below)):
        return _in_code(of, first, row)
    if first == "---":
        where = "in front of it" if text[:1].isspace() else "behind it"
        return absent(of, f"with a blank {where}, `---` opens no header", "remove the blank")
    is_odd = _LIKE_A_FENCE.fullmatch(first)
    if row is not None:
        fix = f"remove {code(first)}" if is_odd else "move what stands above `---` into the prompt"
        return absent(of, "the header is not on the first line", fix)
    if is_odd or (_FENCE_AND_MORE.fullmatch(first) and parts.begins(of, below)):
        return absent(of, f"{code(first)} opens no header", "write `---`")
    return _without_opening(of, first)


def _in_code(of: Subject, first: str, row: Span | None) -> str:
    """The message for a file that begins with a code block in which there is a header."""
    if row is not None:
        fix = f"remove {code(first)} and the line that closes it"
        return absent(of, "the header stands in a code block", fix)
    fix = "write `---` instead, and instead of the line that closes it"
    return absent(of, f"{code(first)} opens no header", fix)


def _without_opening(of: Subject, first: str) -> str:
    word = first.partition(":")[0]
    if ":" in first and of.dialect.key(word) is not None:
        return absent(of, f"no `---` above {code(word)}", "write it on a line of its own")
    found = _below_titles(of)
    if found is not None:
        fix = "write it on the first line, and what stands there into the prompt"
        return absent(of, f"no `---` above {code(found.names[0])}", fix)
    if header.is_note(of):
        thing = f"no header: to the runtime this file is the agent {code(of.name or '')}"
        return absent(of, thing, "move it to another folder")
    key = of.dialect.key_holding(Holds.DESCRIPTION)
    key = key or next((key for key in of.dialect.keys if key.required_by), of.dialect.keys[0])
    return absent(of, "no header", f"start the file with `---`, `{key.name}: …` and `---`")


def _below_titles(of: Subject) -> parts.Part | None:
    """Settings with nothing but titles and comments of one line above them."""
    for row in markdown.lines(of.document.text):
        line = row.of(of.document.text).strip()
        if line and not _TITLE.match(line):
            return parts.part(of, row.start)
    return None


RULE = Rule("header-missing", check)
