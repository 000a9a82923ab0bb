"""Checks for headers that are missing, unclosed, cut short, or behind a byte-order mark."""

from collections.abc import Iterator
from itertools import islice

from agent_lsp.analysis.checks import fence_heuristics, header, unquoted_text
from agent_lsp.analysis.checks.fence_heuristics import Early, Late, lacking, too_early, too_late
from agent_lsp.analysis.checks.messages import absent, code, listed, lone_cr, refused, unclosed
from agent_lsp.model.check import ANY_FIELD, Basis, Check, Finding, Related, Trait
from agent_lsp.model.schema import KeyRole, RefusedFile, Severity
from agent_lsp.model.template import LoadErrorKind
from agent_lsp.patterns import regex
from agent_lsp.syntax import characters, frontmatter
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

_LIKE_A_FENCE = regex(r"[-–—+=~*_.]{2,}")
_CODE_FENCE = regex(r"(?:`{3,}|~{3,})[\w-]*")
# The word that tells an editor how to colour a header, a comment, and the like.
_FENCE_AND_MORE = regex(r"(?:[-–—]{2,}|\+{3})\W*[\w-]*\W*")
_TITLE = regex(r"#|<!--")


def header_missing(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for a file that has only a prompt."""
    if not header.is_seen(file) or file.document.frontmatter.fence is not FenceKind.ABSENT:
        return
    if file.scope.is_header_optional:
        return
    row = _opening_below(file)
    if file.dialect.format.is_header_optional and row is None and not _is_near_miss(file):
        if header.is_note(file):
            yield Finding(header.first_line(file), _noted(file), Severity.INFORMATION)
        return
    related = (Related(file.path, row, "the header begins here"),) if row else ()
    yield Finding(header.first_line(file), _message(file, row), related=related)


def _opening_below(file: TemplateFile) -> Span | None:
    """The line `---` of a header that is below other text."""
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
        f"to the runtime this file is the agent {code(file.name or '')}, and the whole file is "
        "its prompt"
    )
    return f"{thing}; move it to another folder if it is a note"


def _is_near_miss(file: TemplateFile) -> bool:
    """Whether a file without a required header begins like one, and was meant to have it."""
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
        if file.consequence.file is RefusedFile.SKIPPED:
            return absent(file, "empty file", "write a header and a prompt")
        listing, spawning = code(file.dialect.calls.list_call), code(file.dialect.calls.spawn_call)
        return f"empty file: {listing} finds no description in it and {spawning} no prompt"
    if header.ends_lines_in_cr(file):
        return lone_cr(file)
    hidden = header.hidden_above(file)
    if hidden is not None:
        signs = dict.fromkeys(hidden.of(text))
        thing = f"{code(header.first_line(file).of(text).strip())} does not open a header"
        return absent(file, thing, f"remove {', '.join(map(characters.name, islice(signs, 3)))}")
    first = header.first_line(file).of(text).strip()
    below = len(text.partition("\n")[0]) + 1
    if not first and file.dialect.format.split(text.lstrip(), False).fence is not FenceKind.ABSENT:
        return absent(file, "the header is not on the first line", "remove everything above `---`")
    if _CODE_FENCE.fullmatch(first) and (row is not None or fence_heuristics.begins(file, below)):
        return _in_code(file, first, row)
    if first == "---":
        where = "before it" if text[:1].isspace() else "after it"
        return absent(
            file, f"with a space {where}, `---` does not open a header", "remove the space"
        )
    is_odd = _LIKE_A_FENCE.fullmatch(first)
    if row is not None:
        fix = f"remove {code(first)}" if is_odd else "move the text above `---` into the prompt"
        return absent(file, "the header is not on the first line", fix)
    if is_odd or (_FENCE_AND_MORE.fullmatch(first) and fence_heuristics.begins(file, below)):
        return absent(file, f"{code(first)} does not open a header", "write `---`")
    return _without_opening(file, first)


def _in_code(file: TemplateFile, first: str, row: Span | None) -> str:
    """The message for a file that begins with a code block in which there is a header."""
    if row is not None:
        fix = f"remove {code(first)} and the line that closes it"
        return absent(file, "the header is in a code block", fix)
    fix = "write `---` instead, and instead of the line that closes it"
    return absent(file, f"{code(first)} does not open a header", fix)


def _without_opening(file: TemplateFile, first: str) -> str:
    word = first.partition(":")[0]
    if ":" in first and file.dialect.key(word) is not None:
        return absent(file, f"no `---` above {code(word)}", "write it on its own line")
    found = _below_titles(file)
    if found is not None:
        fix = "write it on the first line, and move the text there into the prompt"
        return absent(file, f"no `---` above {code(found.names[0])}", fix)
    if header.is_note(file):
        thing = f"no header: to the runtime this file is the agent {code(file.name or '')}"
        return absent(file, thing, "move it to another folder")
    key = file.dialect.schema.by_role.get(KeyRole.DESCRIPTION)
    key = key or next(
        (key for key in file.dialect.schema.keys if key.required_by), file.dialect.schema.keys[0]
    )
    agent = (
        file.dialect.schema.by_role.get(KeyRole.AGENT)
        if file.dialect.names.names_in is not None
        else None
    )
    # The name may be the only key that has to be there.
    lines = dict.fromkeys(f"`{one.name}: …`" for one in (agent, key) if one is not None)
    return absent(file, "no header", f"start the file with `---`, {', '.join(lines)} and `---`")


def _below_titles(file: TemplateFile) -> fence_heuristics.HeaderLike | None:
    """Settings with only titles and one-line comments above them."""
    for row in frontmatter.lines(file.document.text):
        line = row.of(file.document.text).strip()
        if line and not _TITLE.match(line):
            return fence_heuristics.header_like(file, row.start)
    return None


HEADER_MISSING = Check(
    ("header-missing",),
    header_missing,
    changes=ANY_FIELD,
    basis=Basis.FILE,
    needs=(FenceKind.ABSENT,),
)


_LOOKS_LIKE_A_FENCE = regex(r"[ \t]*(?:[-–—]+|\.\.\.|[+*=_~]{3,}|---.*)[ \t]*")


def header_unclosed(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding where the closing line is missing: on the opening one, or on the prompt."""
    cut = file.document.frontmatter
    late = too_late(file)
    if late is not None and not unquoted_text.is_said(file):
        yield _late(file, late)
    elif header.is_seen(file) and cut.fence is FenceKind.UNCLOSED:
        if file.scope.is_header_optional:
            return
        if header.ends_lines_in_cr(file):
            yield Finding(cut.open, lone_cr(file))
            return
        if _is_empty(file):
            thing = (
                "the header is empty, and the runtime does not read the line below it as its end"
            )
            yield Finding(cut.open, unclosed(file, thing, "remove both lines, or set a key"))
            return
        fix = "write a line `---` below the last setting"
        message = unclosed(file, "the header is not closed", fix)
        yield Finding(cut.open, message, related=tuple(seeming_end(file, cut)))


def _is_empty(file: TemplateFile) -> bool:
    """Whether the line right below the opening one is another `---`."""
    text, cut = file.document.text, file.document.frontmatter
    row = next(frontmatter.lines(text, cut.inner.start), None)
    return row is not None and row.of(text).strip() == cut.open.of(text).strip()


def _late(file: TemplateFile, late: Late) -> Finding:
    """The finding on a prompt in a header that only a rule (`---`) in that prompt closes."""
    thing = (
        f"{code(late.start.of(file.document.text))} is in the header, which continues to the next"
    )
    thing += f" {code(late.close.of(file.document.text))}"
    key = file.dialect.schema.by_role.get(KeyRole.DESCRIPTION)
    settings = f"{code(f'{key.name}: …')} and " if key and late.bare else ""
    fix = f"write {settings}a line `---` above it"
    if late.attached:
        fix += " if the prompt begins there, else indent it"
    related = (Related(file.path, late.close, "this line closes the header"),)
    if not header.parses(file):
        return Finding(late.start, refused(file, thing, fix), related=related)
    loss = "the runtime ignores the text up to this line, and only the text after it is the prompt"
    return Finding(late.start, f"{thing}: {fix}, or {loss}", Severity.WARNING, related=related)


def seeming_end(file: TemplateFile, cut: frontmatter.Frontmatter) -> Iterator[Related]:
    """Yields the line with which the header in `cut`, which nothing closes, seems to end."""
    text = file.document.text
    rows = list(frontmatter.lines(text, cut.inner.start))
    alike = next((row for row in rows if _LOOKS_LIKE_A_FENCE.fullmatch(row.of(text))), None)
    if alike is not None:
        yield Related(
            file.path, alike, f"{code(alike.of(text))} does not close it, only `---` does"
        )
    elif cut.inner.of(text).strip():
        last = [row for row in rows if row.start < cut.inner.end][-1]
        yield Related(
            file.path, Span(last.start, last.end), "the header seems to end with this line"
        )


HEADER_UNCLOSED = Check(
    ("header-unclosed",),
    header_unclosed,
    changes=ANY_FIELD,
    basis=Basis.FILE,
    needs=(FenceKind.UNCLOSED, LoadErrorKind.SYNTAX, Trait.GAPS),
)


_ELSE = "write something else on the line"


def header_cut_short(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on the line that closes the header above a part of it."""
    early = too_early(file)
    if early is None:
        return
    line = early.close.of(file.document.text)
    start = early.close.start + len(line) - len(line.lstrip())
    place = Span(start, start + len(line.strip()))
    related = (Related(file.path, early.below, "this is below the header"),) if early.below else ()
    thing, fix = _words(early, line.strip())
    if _is_cause(file, early):
        thing = f"{_closes(early, line.strip())}, and more of the header follows"
        yield Finding(place, refused(file, thing, fix), Severity.ERROR, related=related)
        return
    is_lost = early.closed and lacking(file, early.names)
    severity = None if is_lost else Severity.WARNING
    yield Finding(place, f"{thing}; {fix}", severity, related=related)


def _is_cause(file: TemplateFile, early: Early) -> bool:
    """Whether the runtime refuses the header because of the part that the line cuts off."""
    lacks = (error.key in early.names for error in header.errors(file, LoadErrorKind.MISSING))
    return any(lacks) or (early.within is not None and not header.loads(file))


def _words(early: Early, line: str) -> tuple[str, str]:
    """The effect of the line, the loss, and what to do."""
    names = listed(early.names, "and") if early.names else ""
    are = "is" if len(early.names) == 1 else "are"
    lost = f"{are} part of the prompt and {'has' if are == 'is' else 'have'} no effect"
    closes = _closes(early, line)
    if early.within is not None:
        if not names:
            return f"{closes}: the rest of it is part of the prompt", _ELSE
        rest = "the rest of it and" if len(early.names) == 1 else "the rest of it,"
        return f"{closes}: {rest} {names} are part of the prompt and have no effect", _ELSE
    if early.second:
        thing = f"a second header follows this {code(line)}, and only the first is used"
        return f"{thing}: {names} in the second {lost}", "make one of the two"
    fix = "remove the line" if early.closed else "move the line below the last setting"
    return f"{closes}: {names} below it {lost}", fix


def _closes(early: Early, line: str) -> str:
    within = f", even inside {code(early.within)}" if early.within is not None else ""
    return f"this {code(line)} closes the header{within}"


HEADER_CUT_SHORT = Check(
    ("header-cut-short",),
    header_cut_short,
    changes=ANY_FIELD,
    basis=Basis.FILE,
    needs=(Trait.BROKEN, Trait.MORE_BELOW),
)


def header_bom(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on an opening fence behind a byte-order mark."""
    if not header.is_seen(file) or file.document.frontmatter.fence is not FenceKind.HIDDEN:
        return
    thing = "a byte-order mark before `---` hides the header"
    yield Finding(
        file.document.frontmatter.open, absent(file, thing, "save the file as UTF-8 without it")
    )


HEADER_BOM = Check(
    ("header-bom",),
    header_bom,
    changes=ANY_FIELD,
    basis=Basis.FILE,
    needs=(FenceKind.HIDDEN,),
)
