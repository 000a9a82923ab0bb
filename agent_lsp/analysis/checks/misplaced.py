"""A template lies where the runtime does not look."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import file_names, header
from agent_lsp.analysis.checks.messages import code, shown
from agent_lsp.model.check import Check, Finding, Related
from agent_lsp.text import Span
from agent_lsp.workspace.misplaced import Misplaced, MisplacedReason
from agent_lsp.workspace.snapshot import TemplateFile


def misplaced_file(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on the first line of a template in a wrong place."""
    if file.misplaced is None:
        return
    thing, verb = _words(file, file.misplaced)
    name = file_names.proposal(file, "md")
    target = file.misplaced.belongs if name is None else file.misplaced.belongs / name
    place = code(shown(file, target))
    if name is None or file.workspace.files.read(target) is None:
        yield Finding(header.opening(file), f"{thing}: {verb} {place}")
        return
    related = (Related(target, Span(0, 0), "this is the file that the runtime reads"),)
    yield Finding(header.opening(file), f"{thing}; {place} is there already", related=related)


def _words(file: TemplateFile, at: Misplaced) -> tuple[str, str]:
    """The reason why the file is misplaced, and what to do."""
    thing, folder = "the runtime does not read this file", code(shown(file, file.path.parent))
    if at.reason is MisplacedReason.EXTENSION:
        return f"{thing}, because it takes only `*.md`", "rename it to"
    if at.reason is MisplacedReason.BELOW:
        above = code(shown(file, at.belongs))
        return f"{thing}, because it takes none from folders below {above}", "move it to"
    thing += ", which is a template by its header"
    return f"{thing}, because it does not look into {folder}", "move it to"


CHECK = Check(("misplaced",), misplaced_file)
