"""Checks for comments that suppress nothing."""

from collections.abc import Callable, Iterable, Iterator

from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.suggest import nearest
from agent_lsp.analysis.suppression import FILE, LINE, Suppression, comments
from agent_lsp.model.check import Basis, Check, Field, Finding, Tag
from agent_lsp.model.schema import Severity
from agent_lsp.workspace.snapshot import TemplateFile


def unused_suppression(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for each suppression comment that is not valid.

    `unused` reports valid comments that hide nothing, because it needs the findings of the checks.
    """
    forms = f"{code(f'{LINE}[CODE]')} or {code(f'{FILE}[CODE]')}"
    said = comments(file)
    for span in said.odd:
        message = f"this comment is not valid: write {forms} after the colon"
        yield Finding(span, message)
    for span in said.behind:
        yield Finding(
            span, "the comment works only on its own line, above the line that it is about"
        )


def unused(left: Iterable[Suppression], codes: Callable[[], tuple[str, ...]]) -> Iterator[Finding]:
    """A finding for each suppression that is `left` over; `codes` returns those of all checks."""
    for one in left:
        known = codes()
        name = code(one.code)
        if one.code in known:
            where = "in this file" if one.line is None else "on the next line"
            message = f"{name} is not found {where}: this comment suppresses nothing"
            yield Finding(one.span, message, tags=(Tag.UNNECESSARY,))
            continue
        meant = nearest(one.code, known)
        guess = f"; did you mean {code(meant)}?" if meant else ": this comment suppresses nothing"
        words = (meant,) if meant else ()
        tags = () if meant else (Tag.UNNECESSARY,)
        yield Finding(one.span, f"no rule is called {name}{guess}", tags=tags, meant=words)


UNUSED = "unused-suppression"
CHECK = Check(
    (UNUSED,),
    unused_suppression,
    severity=Severity.HINT,
    changes=frozenset({Field.PROMPT}),
    basis=Basis.FILE,
)
