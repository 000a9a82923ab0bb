"""Finds the variables of a prompt, each as `${name}`, that the runtime replaces with a value."""

import re
from collections.abc import Iterator

from agent_lsp.model.schema import Choice
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

_VARIABLE = re.compile(r"\$\{(\w+)\}", re.ASCII)
_BEGUN = re.compile(r"\$\{(\w*)\Z", re.ASCII)
_REST = re.compile(r"\w*(\}?)", re.ASCII)
# Nobody types a longer word.
_LONGEST = 80


def variables(file: TemplateFile) -> Iterator[tuple[Choice, Span]]:
    """The known variables in the prompt, in the order of the text."""
    known = {one.name: one for one in file.dialect.format.variables}
    body = file.document.frontmatter.body.start
    for found in _VARIABLE.finditer(file.document.text, body) if known else ():
        if found[1] in known:
            yield known[found[1]], Span(*found.span())


def variable_at(file: TemplateFile, offset: int) -> tuple[Choice, Span] | None:
    """The known variable at `offset`, with the span of the text that is replaced, or None."""
    return next(((one, span) for one, span in variables(file) if span.covers(offset)), None)


def begun_at(file: TemplateFile, offset: int) -> tuple[Span, bool] | None:
    """The word of a variable that is being typed at `offset`, and whether its brace is closed."""
    text, body = file.document.text, file.document.frontmatter.body.start
    if not file.dialect.format.variables or offset < body:
        return None
    start = max(body, offset - _LONGEST)
    found, rest = _BEGUN.search(text[start:offset]), _REST.match(text, offset)
    if found is None or rest is None:
        return None
    return Span(start + found.start(1), rest.start(1)), bool(rest[1])
