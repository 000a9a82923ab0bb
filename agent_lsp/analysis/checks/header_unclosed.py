"""A header has no closing line."""

import re
from collections.abc import Iterator

from agent_lsp.analysis.checks import header, unquoted_text
from agent_lsp.analysis.checks.fence_heuristics import Late, too_late
from agent_lsp.analysis.checks.messages import code, lone_cr, refused, unclosed
from agent_lsp.model.check import Check, Finding, Related
from agent_lsp.model.schema import KeyRole, Severity
from agent_lsp.syntax import frontmatter
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

_LOOKS_LIKE_A_FENCE = re.compile(r"[ \t]*(?:[-–—]+|\.\.\.|[+*=_~]{3,}|---.*)[ \t]*")


def header_unclosed(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding where the line is missing: on the opening one, or on the prompt below it."""
    cut = file.document.frontmatter
    late = too_late(file)
    if late is not None and not unquoted_text.is_said(file):
        yield _late(file, late)
    elif header.is_seen(file) and cut.fence is FenceKind.UNCLOSED:
        if header.ends_lines_in_cr(file):
            yield Finding(cut.open, lone_cr(file))
            return
        if _is_empty(file):
            thing = "the header is empty, and the runtime takes the line below it for no end"
            yield Finding(cut.open, unclosed(file, thing, "remove both lines, or set a key"))
            return
        fix = "write a line `---` below the last setting"
        message = unclosed(file, "the header is not closed", fix)
        yield Finding(cut.open, message, related=tuple(_end(file)))


def _is_empty(file: TemplateFile) -> bool:
    """Whether the line right below the opening one is the same again."""
    text, cut = file.document.text, file.document.frontmatter
    row = next(frontmatter.lines(text, cut.inner.start), None)
    return row is not None and row.of(text).strip() == cut.open.of(text).strip()


def _late(file: TemplateFile, late: Late) -> Finding:
    """The finding on a prompt in a header that only a rule in that prompt closes."""
    thing = f"{code(late.start.of(file.document.text))} is in the header, which goes on to the next"
    thing += f" {code(late.close.of(file.document.text))}"
    key = file.dialect.key_with_role(KeyRole.DESCRIPTION)
    settings = f"{code(f'{key.name}: …')} and " if key and late.bare else ""
    fix = f"write {settings}a line `---` above it"
    if late.attached:
        fix += " if the prompt begins there, else indent it"
    related = (Related(file.path, late.close, "this line closes the header"),)
    if not header.parses(file):
        return Finding(late.start, refused(file, thing, fix), related=related)
    loss = "the runtime ignores the text down to there, and the prompt is only what follows"
    return Finding(late.start, f"{thing}: {fix}, or {loss}", Severity.WARNING, related=related)


def _end(file: TemplateFile) -> Iterator[Related]:
    text, cut = file.document.text, file.document.frontmatter
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


CHECK = Check(("header-unclosed",), header_unclosed)
