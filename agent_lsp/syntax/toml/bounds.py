"""Decides whether a text is safe for the TOML parser of the standard library, which has no limits.

Invariant: the decision needs no parse, or memory proportional to the length of the text.
"""

from agent_lsp.syntax.toml.read import read
from agent_lsp.syntax.toml.scan import MOST_LEVELS, TOO_DEEP
from agent_lsp.text import Span

# tomllib stores each prefix of each key below each prefix of its header: a key of 40,000 parts
# takes gigabytes (Lib/tomllib/_parser.py of Python 3.11 to 3.13, read and measured 2026-11-28).
_MOST_NOTED = 2_000_000


def excess(text: str) -> str | None:
    """The message about a key in `text` that exceeds a limit; None if the text can be parsed."""
    if _is_small(text):
        return None
    found, damage = read(text, 0, tolerant=True)
    for problem in damage:
        if problem.message == TOO_DEEP:
            what = f"a key of more than {MOST_LEVELS} parts, or brackets in as many, is not read"
            return f"{_line(text, problem.span)}: {what}; use fewer"
    noted = 0
    for section in found.sections:
        above = len(section.header.keys) if section.header is not None else 0
        for statement in (section.header, *section.pairs):
            if statement is None:
                continue
            noted += (above + len(statement.keys)) ** 2
            if noted > _MOST_NOTED:
                where = _line(text, statement.span)
                return f"{where}: so many parts of keys are not read; use fewer"
    return None


def _line(text: str, span: Span) -> str:
    line = text.count("\n", 0, span.start) + 1
    return f"line {line}"


def _is_small(text: str) -> bool:
    """Whether `text` has so few dots that no key in it can exceed a limit."""
    lines = text.splitlines()
    parts = max((line.count(".") + 1 for line in lines), default=0)
    return parts <= MOST_LEVELS and len(lines) * (2 * parts) ** 2 <= _MOST_NOTED
