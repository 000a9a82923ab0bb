"""What the commands answer: the runtime's calls, previewed.

Invariants: nothing raises; a call that the runtime would refuse is answered with the runtime's
text; editor and command line ask here and nowhere else.
"""

from collections.abc import Mapping
from pathlib import Path

from agent_lsp.analysis import listing, markdown, render, request
from agent_lsp.dialects.answers import Failure, Refusal
from agent_lsp.dialects.model import Dialect
from agent_lsp.dialects.vocabulary import Parameter
from agent_lsp.workspace.index import Workspace, catalog

Answer = dict[str, object]


def list_agents(
    workspace: Workspace, argument: Mapping[str, object], start: Path | None = None
) -> Answer:
    """What the runtime's listing returns to a session that starts at `start`."""
    asked = request.read(workspace, argument, start, _listing)
    if isinstance(asked, request.Wrong):
        return _wrong(workspace, argument, "listAgents", asked)
    known, found = asked.known, catalog(workspace, asked.known, asked.root)
    result = known.list_agents(found, asked.call)
    as_markdown = argument.get("format") == "markdown"
    call, filtered = listing.call_of(known, asked.call), listing.is_filtered(known, asked.call)
    if isinstance(result, Refusal):
        failed = known.failure(found) if known.failure is not None else None
        if not as_markdown:
            return _failed(result, failed)
        cause = failed.candidate if failed is not None else None
        cause = cause if filtered or failed else listing.culprit(known, found)
        return {"markdown": markdown.refused(workspace, call, result, cause)}
    beside = markdown.Beside(
        () if filtered else listing.unread(known, found),
        found.skipped(),
    )
    if as_markdown:
        return {"markdown": markdown.listed(workspace, known, found, call, result, beside)}
    answer: Answer = {"result": result, "error": None}
    if beside.unread:
        answer["notes"] = [why for _, why in beside.unread]
    if beside.skipped:
        answer["skipped"] = [{"file": str(of.path), "message": why} for of, why in beside.skipped]
    return answer


def preview_spawn(
    workspace: Workspace, argument: Mapping[str, object], start: Path | None = None
) -> Answer:
    """Everything that the runtime resolves for a spawn call in a session that starts at `start`."""
    asked = request.read(workspace, argument, start, _spawning)
    if isinstance(asked, request.Wrong):
        return _wrong(workspace, argument, "previewSpawn", asked)
    found = catalog(workspace, asked.known, asked.root)
    result = asked.known.spawn(found, asked.call)
    as_markdown = argument.get("format") == "markdown"
    if isinstance(result, Refusal):
        failed = asked.known.failure(found) if asked.known.failure is not None else None
        if as_markdown:
            cause = failed.candidate if failed is not None else None
            call = asked.known.spawn_call
            return {"markdown": markdown.refused(workspace, call, result, cause)}
        return _failed(result, failed)
    if as_markdown:
        return {"markdown": markdown.spawned(workspace, asked.known, found, result)}
    return {"result": render.spawn(workspace, result), "error": None}


def _failed(refusal: Refusal, failed: Failure | None) -> Answer:
    """A refusal, with the file for which no agent loads if that is the cause."""
    answer: Answer = {"result": None, "error": refusal.message}
    if failed is not None and failed.message == refusal.message:
        answer["file"] = str(failed.candidate.path)
    return answer


def _listing(known: Dialect) -> tuple[str, tuple[Parameter, ...]]:
    return known.list_call, known.list_parameters


def _spawning(known: Dialect) -> tuple[str, tuple[Parameter, ...]]:
    return known.spawn_call, known.spawn_parameters


def _wrong(
    workspace: Workspace, argument: Mapping[str, object], name: str, wrong: request.Wrong
) -> Answer:
    if argument.get("format") == "markdown":
        return {"markdown": markdown.refused(workspace, name, Refusal(wrong.message))}
    return {"result": None, "error": wrong.message}
