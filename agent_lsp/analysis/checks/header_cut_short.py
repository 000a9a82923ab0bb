"""A line closes the header above a part of it."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.fence_heuristics import Early, lacking, too_early
from agent_lsp.analysis.checks.messages import code, listed, refused
from agent_lsp.model.check import Check, Finding, Related
from agent_lsp.model.schema import Severity
from agent_lsp.model.template import LoadErrorKind
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

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
    """Whether the runtime refuses the header for what the line cuts off."""
    lacks = (fault.key in early.names for fault in header.faults(file, LoadErrorKind.MISSING))
    return any(lacks) or (early.within is not None and not header.loads(file))


def _words(early: Early, line: str) -> tuple[str, str]:
    """What the line does, with what is lost, and what to do."""
    names = listed(early.names, "and") if early.names else ""
    are = "is" if len(early.names) == 1 else "are"
    lost = f"{are} text of the prompt and {'has' if are == 'is' else 'have'} no effect"
    closes = _closes(early, line)
    if early.within is not None:
        if not names:
            return f"{closes}: the rest of it is text of the prompt", _ELSE
        rest = "the rest of it and" if len(early.names) == 1 else "the rest of it,"
        return f"{closes}: {rest} {names} are text of the prompt and have no effect", _ELSE
    if early.second:
        thing = f"a second header follows this {code(line)}, and only the first counts"
        return f"{thing}: {names} in the second {lost}", "make one of the two"
    fix = "remove the line" if early.closed else "move the line below the last setting"
    return f"{closes}: {names} below it {lost}", fix


def _closes(early: Early, line: str) -> str:
    within = f", also inside of {code(early.within)}" if early.within is not None else ""
    return f"this {code(line)} closes the header{within}"


CHECK = Check(("header-cut-short",), header_cut_short)
