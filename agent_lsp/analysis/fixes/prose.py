"""Tells whether a header that a fix makes would hold lines of the prompt.

Invariant: what may be a setting, with any slip that has a fix of its own, is none of these; behind
a blank line only keys of the dialect are.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import wraps

from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.diagnostics import Diagnostic
from agent_lsp.analysis.suggest import fold, nearest
from agent_lsp.model.fix import Fixer, Proposal
from agent_lsp.text import apply
from agent_lsp.workspace.snapshot import TemplateFile

_KEY = re.compile(r"[\"']?(?P<key>[A-Za-z_][\w.-]*)[\"']?[ \t]*(?P<colon>:(?P<value>.*))?")
_ITEM = re.compile(r"-(?:\s|\S+\s*$)")
_HEADING = re.compile(r"#{1,6}[ \t]+\S")
# Of more words nobody writes a value of a key of his own.
_WORDS = 8


def with_no_prose(fixer: Fixer) -> Fixer:
    """`fixer`, whose proposals are not safe if a line of the prompt would be in the header."""

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
    """The first line of prose in the header that there is after `proposal`."""
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
    """The lines of `header` that begin in its first column and are none of a header."""
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
