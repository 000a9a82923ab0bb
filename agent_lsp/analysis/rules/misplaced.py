"""A template lies where the runtime does not look."""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header, naming
from agent_lsp.analysis.rules.model import Finding, Related, Rule
from agent_lsp.analysis.rules.wording import code, shown
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject
from agent_lsp.workspace.strays import Reason, Stray


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding on the first line of a template in a wrong place."""
    if of.stray is None:
        return
    thing, verb = _words(of, of.stray)
    name = naming.proposal(of, "md")
    target = of.stray.belongs if name is None else of.stray.belongs / name
    place = code(shown(of, target))
    if name is None or of.workspace.files.read(target) is None:
        yield Finding(header.opening(of), f"{thing}: {verb} {place}")
        return
    related = (Related(target, Span(0, 0), "this is the file that the runtime reads"),)
    yield Finding(header.opening(of), f"{thing}; {place} is there already", related=related)


def _words(of: Subject, at: Stray) -> tuple[str, str]:
    """What is wrong with the place of the file, and what to do with it."""
    thing, folder = "the runtime does not read this file", code(shown(of, of.path.parent))
    if at.reason is Reason.EXTENSION:
        return f"{thing}, since it takes only `*.md`", "rename it to"
    if at.reason is Reason.BELOW:
        above = code(shown(of, at.belongs))
        return f"{thing}, since it takes none from folders below {above}", "move it to"
    thing += ", which is a template by its header"
    return f"{thing}, since it does not look into {folder}", "move it to"


RULE = Rule("misplaced", check)
