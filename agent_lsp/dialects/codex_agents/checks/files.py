"""Checks for the place and the name of a file: who wins, what a link is, and the default agent."""

from collections.abc import Iterator

from agent_lsp.analysis.checks.messages import code, shown
from agent_lsp.dialects.codex_agents import facts
from agent_lsp.dialects.codex_agents.checks.refusals import is_read
from agent_lsp.dialects.codex_agents.layers import layer_of
from agent_lsp.model.check import Finding, Related
from agent_lsp.model.schema import Severity
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile, catalog_of


def shadowed(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on a file that does not count, or of which only a part does."""
    if not is_read(file) or file.reading.errors or file.misplaced is not None:
        return
    chain = catalog_of(file).candidates(file.name or "")
    own = next((one for one in chain if one.path == file.path), None)
    if own is None or chain[0].path == file.path:
        return
    winner = next(one for one in chain if layer_of(one) == layer_of(own))
    name, span = code(file.name or ""), file.names[0].span or Span(0, 0)
    if winner.path != file.path:
        where = code(shown(file, winner.path))
        message = (
            f"never used: {where} of the same layer defines {name}, too; Codex warns `duplicate "
            f"agent role name`"
        )
        related = (Related(winner.path, winner.span or Span(0, 0), "this one is used"),)
        yield Finding(span, message, Severity.WARNING, related=related)
        return
    winner = chain[0]
    where = code(shown(file, winner.path))
    message = (
        f"not used in sessions started in {code(shown(file, file.root))}: {where} defines {name}, "
        "too, and comes first; a description or nicknames that it lacks come from this file"
    )
    related = (Related(winner.path, winner.span or Span(0, 0), "this one is used"),)
    yield Finding(span, message, related=related)


def never_spawned(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on a file that is a link: it is listed, and no spawn takes it."""
    files = file.workspace.files
    if not is_read(file) or file.reading.errors or file.misplaced is not None:
        return
    if files.real(file.path) == files.real(file.path.parent) / file.path.name:
        return
    message = (
        f"the file is a link: Codex lists {code(file.name or '')}, and answers each spawn with "
        f"{code(facts.UNAVAILABLE)}; put the file itself here, or link its folder"
    )
    yield Finding(file.names[0].span or Span(0, 0), message)


def hides_builtin(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on an agent that also takes the calls that name none."""
    if is_read(file) and not file.reading.errors and file.name == facts.DEFAULT:
        message = (
            "this agent replaces the built-in `default`, and is used for each call "
            "without `agent_type`"
        )
        yield Finding(file.names[0].span or Span(0, 0), message)
