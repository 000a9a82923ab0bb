"""Adds comments that suppress findings, and corrects or removes those without effect.

Invariants: a comment is offered only if the runtime ignores it and a trial shows that it works. It
does not count as a fix, because the mistake remains.
"""

from collections.abc import Iterator

from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.checks.suppressions import FILE, LINE, NAME, Suppression
from agent_lsp.analysis.checks.suppressions import comments as comments_of
from agent_lsp.analysis.diagnostics import Diagnostic, Examined, examined_file, examining
from agent_lsp.analysis.fixes import verify
from agent_lsp.analysis.fixes.node_path import line_end, line_start, whole_line
from agent_lsp.model.check import Proposal
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.text import LineIndex, Span, TextEdit
from agent_lsp.workspace.snapshot import TemplateFile


def unneeded(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal]:
    """Corrects the code in a comment, or removes the code or the whole comment."""
    text = file.document.text
    if diagnostic.meant:
        edits = (TextEdit(diagnostic.span, diagnostic.meant[0]),)
        yield Proposal(f"Write {code(diagnostic.meant[0])}", edits, safe=True)
        return
    if diagnostic.span in comments_of(file).behind:
        yield from _alone(file, diagnostic.span)
        return
    said = comments_of(file).suppressions
    own = next((one for one in said if one.span == diagnostic.span), None)
    if own is None:
        yield Proposal(
            "Remove the comment", (TextEdit(whole_line(text, diagnostic.span.start), ""),)
        )
        return
    codes = [one for one in said if one.comment == own.comment]
    if len(codes) == 1:
        line = whole_line(text, diagnostic.span.start)
        yield Proposal("Remove the comment", (TextEdit(line, ""),), safe=True)
        return
    at = codes.index(own)
    start, end = (own.span.start, codes[1].span.start) if at == 0 else (0, own.span.end)
    start = start or codes[at - 1].span.end
    yield Proposal(f"Remove {code(own.code)}", (TextEdit(Span(start, end), ""),), safe=True)


def _alone(file: TemplateFile, comment: Span) -> Iterator[Proposal]:
    """Moves a comment after other text to a line of its own, or removes it."""
    text = file.document.text
    start = line_start(text, comment.start)
    line = text[start : comment.start]
    removed = TextEdit(Span(start + len(line.rstrip()), comment.end), "")
    indent = line[: len(line) - len(line.lstrip(" "))]
    above = TextEdit(Span(start, start), f"{indent}{comment.of(text)}{line_end(text)}")
    yield Proposal("Write it on the line above", (above, removed), safe=True)
    yield Proposal("Remove the comment", (removed,))


def suppressed(file: TemplateFile, diagnostic: Diagnostic) -> Iterator[Proposal | None]:
    """Comments that suppress a diagnostic: at its place, and in the whole file.

    Each is tried, and None comes after each part of the check of its text.
    """
    frontmatter, prompt = file.document.frontmatter, file.reading.effective.default.span
    is_sent = prompt.start <= frontmatter.open.start and frontmatter.inner.end <= prompt.end
    if diagnostic.code == "unused-suppression" or frontmatter.fence is FenceKind.ABSENT or is_sent:
        return
    here = (f"Ignore {code(diagnostic.code)} here", _above(file, diagnostic))
    everywhere = (f"Ignore {code(diagnostic.code)} in this file", _on_top(file, diagnostic))
    for title, edits in (here, everywhere):
        after = verify.outcome(file, edits)
        yield None
        if after is not None:
            yield from examining(after)
            if _works(examined_file(file), examined_file(after), diagnostic):
                yield Proposal(title, edits)


def _above(file: TemplateFile, diagnostic: Diagnostic) -> tuple[TextEdit, ...]:
    """A comment on the line above, or another code in an existing one."""
    text, inner = file.document.text, file.document.frontmatter.inner
    start = line_start(text, diagnostic.span.start)
    if not inner.start <= start < inner.end:
        return ()
    line = LineIndex(text).line_of(diagnostic.span.start)
    added = _added(comments_of(file).suppressions, line, diagnostic.code)
    if added:
        return added
    indent = text[start:][: len(text[start:]) - len(text[start:].lstrip(" "))]
    return _comment(file, start, indent, LINE, diagnostic.code)


def _on_top(file: TemplateFile, diagnostic: Diagnostic) -> tuple[TextEdit, ...]:
    """A comment on the first line of the header, or another code in one for the file."""
    added = _added(comments_of(file).suppressions, None, diagnostic.code)
    text, start = file.document.text, file.document.frontmatter.inner.start
    # The text that a runtime reads may begin on the line that opens the header.
    is_begun = start > 0 and text[start - 1] not in "\r\n"
    start = whole_line(text, start).end if is_begun else start
    return added or _comment(file, start, "", FILE, diagnostic.code)


def _added(
    suppressions: tuple[Suppression, ...], line: int | None, name: str
) -> tuple[TextEdit, ...]:
    last = next((one for one in reversed(suppressions) if one.line == line), None)
    return (TextEdit(Span(last.span.end, last.span.end), f", {name}"),) if last else ()


def _comment(
    file: TemplateFile, at: int, indent: str, verb: str, name: str
) -> tuple[TextEdit, ...]:
    line = f"{indent}# {NAME}: {verb}[{name}]{line_end(file.document.text)}"
    return (TextEdit(Span(at, at), line),)


def _works(before: Examined, after: Examined, diagnostic: Diagnostic) -> bool:
    """Whether the diagnostic is suppressed after an edit, and all others are as they were."""
    is_hidden = any(
        one.code == diagnostic.code and one.message == diagnostic.message
        for one in after.suppressed
    )
    left = [(one.code, one.message) for one in before.shown if one.code != diagnostic.code]
    same = [(one.code, one.message) for one in after.shown if one.code != diagnostic.code]
    fewer = len(after.shown) < len(before.shown)
    return is_hidden and fewer and sorted(left) == sorted(same)
