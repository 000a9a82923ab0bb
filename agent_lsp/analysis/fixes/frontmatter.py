"""Fixes for files that the runtime skips or cuts: their name, their folder and their fences."""

import re
from collections.abc import Callable, Iterator
from functools import wraps

from agent_lsp.analysis.checks import fence_heuristics, files, header
from agent_lsp.analysis.checks.fence_heuristics import Early, too_early, too_late
from agent_lsp.analysis.checks.messages import code, shown
from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.fixes.node_path import line_end, node_path, placeholder, whole_line
from agent_lsp.analysis.suggest import fold, nearest
from agent_lsp.data_classes import replace
from agent_lsp.model.check import Fixer, Proposal
from agent_lsp.model.schema import KeyRole
from agent_lsp.patterns import regex
from agent_lsp.syntax import frontmatter
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.syntax.nodes import Scalar
from agent_lsp.syntax.yaml.edit import quote
from agent_lsp.text import Span, TextEdit, apply
from agent_lsp.workspace.misplaced import MisplacedReason
from agent_lsp.workspace.paths import may_be_called
from agent_lsp.workspace.snapshot import TemplateFile

_KEY = regex(r"[\"']?(?P<key>[A-Za-z_][\w.-]*)[\"']?[ \t]*(?P<colon>:(?P<value>.*))?")
_ITEM = regex(r"-(?:\s|\S+\s*$)")
_HEADING = regex(r"#{1,6}[ \t]+\S")
# The most words in a value of a key that the author invented.
_WORDS = 8


def with_no_prose(fixer: Fixer) -> Fixer:
    """`fixer`, with its proposals unsafe if they put a line of the prompt into the header."""

    @wraps(fixer)
    def judged(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
        for proposal in fixer(file, diagnostic):
            line = _taken_in(file, proposal) if proposal.safe else None
            if line is None:
                yield proposal
            else:
                title = f"{proposal.title}: {code(line)} becomes a part of the header"
                yield replace(proposal, title=title, safe=False)

    return judged


def _taken_in(file: TemplateFile, proposal: Proposal) -> str | None:
    """The first line of prose that is in the header after `proposal`."""
    text = apply(file.document.text, proposal.edits)
    inner = file.dialect.format.split(text, file.document.bom).inner
    return next(_prose(inner.of(text), _meaning(file)), None)


def _meaning(file: TemplateFile) -> Callable[[str], bool]:
    names = [key.name for key in file.dialect.schema.keys]
    known = {
        *map(fold, names),
        *map(fold, file.dialect.schema.renamed),
        *map(fold, file.dialect.schema.ignored),
    }
    return lambda word: fold(word) in known or nearest(word, names) is not None


def _prose(header: str, is_known: Callable[[str], bool]) -> Iterator[str]:
    """The unindented lines of `header` that do not belong in a header."""
    is_apart = is_open = False
    for line in header.lstrip("\r\n").splitlines():
        if not line.strip() or line[0] in " \t#]}":
            is_apart = is_apart or not line.strip() or _HEADING.match(line) is not None
            continue
        found = _KEY.match(line)
        if found is None:
            is_fine = is_open and _ITEM.match(line) is not None
        elif is_known(found["key"]):
            is_fine, is_open = True, not (found["value"] or "").strip()
        else:
            is_own = found["key"][0].islower() and len((found["value"] or "").split()) <= _WORDS
            is_fine = found["colon"] is not None and is_own and not is_apart
            is_open = not (found["value"] or "").strip()
        if not is_fine:
            yield line.strip()


_FENCE = "---"
_CLOSE = "Close the header"
_TOP = Span(0, 0)
_CODE = regex(r"`{3,}|~{3,}")
# A line that opens a header and says no more than that it is YAML.
_YAML = regex(r"-{3,}[ \t]*ya?ml[ \t]*$", re.IGNORECASE)


def mark_removed(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Removes a byte-order mark; an editor that hides it has to be told to save without it."""
    del diagnostic
    if file.document.text.startswith("\ufeff"):
        yield Proposal("Remove the byte-order mark", (TextEdit(Span(0, 1), ""),), safe=True)


@with_no_prose
def closed(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Adds the closing fence."""
    text, frontmatter = file.document.text, file.document.frontmatter
    end, late = line_end(text), too_late(file)
    if late is not None:
        at = Span(late.start.start, late.start.start)
        is_safe = not late.bare and not late.attached
        yield Proposal(f"{_CLOSE} above it", (TextEdit(at, f"{_FENCE}{end}"),), is_safe)
        return
    if diagnostic.meant:
        yield _shortened(text, diagnostic.span, diagnostic.meant[0])
        return
    yield from _line_ends(file)
    last = diagnostic.related[0].span if diagnostic.related else frontmatter.open
    line = last.of(text).strip()
    if diagnostic.related and (line.startswith(_FENCE) or not any(map(str.isalnum, line))):
        yield _shortened(text, last, _FENCE)
        return
    below = text[last.end :].removeprefix("\r").removeprefix("\n")
    is_apart = not below.partition("\n")[0].strip()
    at = Span(last.end, last.end)
    yield Proposal(f"{_CLOSE} below this line", (TextEdit(at, f"{end}{_FENCE}"),), is_apart)


@with_no_prose
def opened(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Makes the file start with a header."""
    text = file.document.text
    if not text.strip():
        return
    yield from _line_ends(file)
    end, first = line_end(text), header.first_line(file)
    stripped = text.lstrip()
    is_below = (
        stripped != text
        and file.dialect.format.split(stripped, False).fence is not FenceKind.ABSENT
    )
    if is_below:
        above = Span(0, len(text) - len(stripped))
        yield Proposal("Remove everything above `---`", (TextEdit(above, ""),), safe=True)
    hidden = header.hidden_above(file)
    if hidden is not None:
        yield Proposal("Remove invisible characters", (TextEdit(hidden, ""),), safe=True)
    if _CODE.match(first.of(text)):
        yield from _code_block(file, first)
    elif diagnostic.related:
        yield from _moved_up(file, diagnostic.related[0].span)
    yield from _as_fence(text, first, is_below=is_below)
    top = TextEdit(_TOP, f"{_FENCE}{end}")
    if fence_heuristics.begins(file, 0):
        yield Proposal("Open the header with `---`", (top,), safe=True)
        meant = file.dialect.format.split(f"{_FENCE}\n{text}", False).inner.end - len(_FENCE) - 1
        close = TextEdit(Span(meant, meant), f"{end}{_FENCE}")
        yield Proposal("Put the settings between lines `---`", (top, close), safe=True)
    key = file.dialect.schema.by_role.get(KeyRole.DESCRIPTION)
    # Settings below a line that was meant as a fence would be lost.
    if key is not None and not fence_heuristics.begins(file, first.end + 1):
        agent = (
            file.dialect.schema.by_role.get(KeyRole.AGENT) if file.dialect.names.names_in else None
        )
        own = (f"{agent.name}: {quote(file.name)}",) if agent is not None and file.name else ()
        lines = (_FENCE, *own, f'{key.name}: "{placeholder(file, key)}"', _FENCE, "")
        yield Proposal("Add a header", (TextEdit(_TOP, end.join(lines)),), last=True)


@with_no_prose
def whole(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Removes a fence that closes the header too early, or moves it below the last setting."""
    early = too_early(file)
    if early is None:
        return
    text = file.document.text
    line = whole_line(text, early.close.start)
    if early.within is not None:
        edits = (TextEdit(diagnostic.span, "***"),)
        yield Proposal("Write the rule as `***`", edits)
        return
    if early.second:
        yield from _joined(file, early, line)
        return
    if early.closed:
        yield Proposal("Remove the line", (TextEdit(line, ""),), safe=True)
    below = fence_heuristics.header_like(file, file.document.frontmatter.body.start)
    if below is not None:
        close = TextEdit(Span(below.span.end, below.span.end), f"{line_end(text)}{_FENCE}")
        yield Proposal("Move it below the last setting", (TextEdit(line, ""), close), last=True)


def _as_fence(text: str, first: Span, *, is_below: bool) -> Iterator[Proposal]:
    """A first line that was meant as one becomes `---`; words on it stay, below it."""
    said = first.of(text)
    is_bare = not any(map(str.isalnum, said)) or _YAML.match(said) is not None
    # Above a line `---` it would make a header of nothing.
    if is_bare and not is_below:
        yield Proposal("Write `---`", (TextEdit(first, _FENCE),), safe=True)
    elif said.startswith(_FENCE):
        yield Proposal("Write `---` on its own line", (_on_next_line(text, first, _FENCE),), True)
    again = next(_alike(text, first), None)
    if again is not None and (is_bare or said.startswith(_FENCE)):
        both = (TextEdit(first, _FENCE), TextEdit(again, _FENCE))
        yield Proposal("Write `---` twice", both, safe=is_bare)


def _shortened(text: str, line: Span, fence: str) -> Proposal:
    """Removes the extra text from a closing fence, and moves words among it below the fence."""
    if any(map(str.isalnum, line.of(text))):
        edit = _on_next_line(text, line, fence)
        return Proposal(f"Move the text after {code(fence)} to the next line", (edit,))
    return Proposal(f"{_CLOSE}: write {code(fence)}", (TextEdit(line, fence),), safe=True)


def _on_next_line(text: str, line: Span, fence: str) -> TextEdit:
    """Leaves `fence` alone on a line that begins with it, and the rest of the line below it."""
    above, _, below = line.of(text).partition(fence)
    rest = line.end - len(below.lstrip())
    return TextEdit(Span(line.start, rest), f"{above.strip()}{fence}{line_end(text)}")


def _alike(text: str, first: Span) -> Iterator[Span]:
    """The lines below the first one that have the same text."""
    said = first.of(text).strip()
    return (row for row in frontmatter.lines(text, first.end + 1) if row.of(text).strip() == said)


def _joined(file: TemplateFile, early: Early, line: Span) -> Iterator[Proposal]:
    """Joins two headers."""
    second = fence_heuristics.opening(file, file.document.frontmatter.body.start)
    if second is not None and early.closed:
        edit = TextEdit(Span(line.start, whole_line(file.document.text, second.start).end), "")
        yield Proposal("Make one of the two headers", (edit,))


def _line_ends(file: TemplateFile) -> Iterator[Proposal]:
    """Replaces a CR alone at the end of a line by LF."""
    if header.ends_lines_in_cr(file):
        alone = re.finditer(r"\r(?!\n)", file.document.text)
        edits = tuple(TextEdit(Span(*found.span()), "\n") for found in alone)
        yield Proposal("End the lines in LF", edits, safe=True)


def _moved_up(file: TemplateFile, row: Span) -> Iterator[Proposal]:
    """Moves the text above the header into the prompt, or removes it if it is only punctuation."""
    text = file.document.text
    above = text[: row.start]
    removed = TextEdit(Span(0, row.start), "")
    if not any(map(str.isalnum, above)):
        yield Proposal("Remove everything above `---`", (removed,), safe=True)
        return
    body = row.start + file.dialect.format.split(text[row.start :], False).body.start
    moved = TextEdit(Span(body, body), above)
    yield Proposal("Move the text above `---` into the prompt", (removed, moved), safe=True)


def _code_block(file: TemplateFile, first: Span) -> Iterator[Proposal]:
    """Takes the header out of a code block."""
    text = file.document.text
    fence = _CODE.match(first.of(text))
    if fence is None:
        return
    last = _end_of_block(file, whole_line(text, first.start).end, fence[0])
    if last is None:
        return
    lines = (whole_line(text, first.start), whole_line(text, last.start))
    away = tuple(TextEdit(line, "") for line in lines)
    yield Proposal("Take the header out of the code block", away, safe=True)
    fences = (TextEdit(first, _FENCE), TextEdit(last, _FENCE))
    yield Proposal("Write `---` instead of the code block", fences, safe=True)


def _end_of_block(file: TemplateFile, start: int, fence: str) -> Span | None:
    """The line that ends the block from `start` on: below the header, or as the last of the file.

    The prompt between them may have blocks of its own.
    """
    text = file.document.text
    ends = [row for row in frontmatter.lines(text, start) if row.of(text).strip() == fence]
    body = start + file.dialect.format.split(text[start:], False).body.start
    is_below = bool(ends) and not text[body : ends[0].start].strip()
    is_last = bool(ends) and not text[ends[-1].end :].strip()
    return ends[-1] if is_last and not is_below else ends[0] if ends else None


def renamed(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Renames the file to a name that an agent can have."""
    del diagnostic
    extension = file.path.name.rpartition(".")[2]
    # Some runtimes take an extension in lower case only.
    name = files.proposal(file, extension) or files.proposal(file, extension.lower())
    if name is not None:
        title = f"Rename the file to {code(name)}"
        yield Proposal(title, safe=True, moved=file.path.with_name(name))


def moved(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Moves the file to a folder in which the runtime looks for it."""
    del diagnostic
    name = files.proposal(file, "md")
    if file.misplaced is None or name is None:
        return
    target = file.misplaced.belongs / name
    is_safe = file.misplaced.reason is MisplacedReason.EXTENSION
    verb = "Rename" if is_safe else "Move"
    yield Proposal(f"{verb} the file to {code(shown(file, target))}", safe=is_safe, moved=target)


def called_as_written(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Renames the file to the name in its header."""
    at = node_path(file, diagnostic.span)
    said = at.node.value if at is not None and isinstance(at.node, Scalar) else ""
    name = f"{said.strip()}{file.dialect.system.extension}"
    is_name = said.isprintable() and "\\" not in name and may_be_called(name, file.path)
    if is_name and file.dialect.names.name_of(name) is not None:
        yield Proposal(f"Rename the file to {code(name)}", moved=file.path.with_name(name))
