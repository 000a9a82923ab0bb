"""What the commands answer: the runtime's calls, previewed.

Invariants: nothing raises; a call that the runtime would refuse is answered with the runtime's
text; editor and command line ask here and nowhere else.
"""

from collections.abc import Mapping
from pathlib import Path

from agent_lsp.analysis import listing, markdown, render, request
from agent_lsp.dialects.answers import CatalogFailure, RuntimeRefusal
from agent_lsp.dialects.model import Dialect
from agent_lsp.dialects.vocabulary import Parameter
from agent_lsp.workspace.index import Workspace, catalog

Answer = dict[str, object]


def list_agents(
    workspace: Workspace, argument: Mapping[str, object], start: Path | None = None
) -> Answer:
    """What the runtime's listing returns to a session that starts at `start`."""
    asked = request.read(workspace, argument, start, _listing)
    if isinstance(asked, request.BadArguments):
        return _wrong(workspace, argument, "listAgents", asked)
    dialect, found = asked.dialect, catalog(workspace, asked.dialect, asked.root)
    result = dialect.list_agents(found, asked.call)
    as_markdown = argument.get("format") == "markdown"
    call, filtered = listing.call_of(dialect, asked.call), listing.is_filtered(dialect, asked.call)
    if isinstance(result, RuntimeRefusal):
        failed = dialect.failure(found) if dialect.failure is not None else None
        if not as_markdown:
            return _failed(result, failed)
        cause = failed.candidate if failed is not None else None
        cause = cause if filtered or failed else listing.culprit(dialect, found)
        return {"markdown": markdown.refused(workspace, call, result, cause)}
    beside = markdown.ListNotes(
        () if filtered else listing.unread(dialect, found),
        found.skipped(),
    )
    if as_markdown:
        return {"markdown": markdown.listed(workspace, dialect, found, call, result, beside)}
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
    if isinstance(asked, request.BadArguments):
        return _wrong(workspace, argument, "previewSpawn", asked)
    found = catalog(workspace, asked.dialect, asked.root)
    result = asked.dialect.spawn(found, asked.call)
    as_markdown = argument.get("format") == "markdown"
    if isinstance(result, RuntimeRefusal):
        failed = asked.dialect.failure(found) if asked.dialect.failure is not None else None
        if as_markdown:
            cause = failed.candidate if failed is not None else None
            call = asked.dialect.spawn_call
            return {"markdown": markdown.refused(workspace, call, result, cause)}
        return _failed(result, failed)
    if as_markdown:
        return {"markdown": markdown.spawned(workspace, asked.dialect, found, result)}
    return {"result": render.spawn(workspace, result), "error": None}


def _failed(refusal: RuntimeRefusal, failed: CatalogFailure | None) -> Answer:
    """A refusal, with the file for which no agent loads if that is the cause."""
    answer: Answer = {"result": None, "error": refusal.message}
    if failed is not None and failed.message == refusal.message:
        answer["file"] = str(failed.candidate.path)
    return answer


def _listing(dialect: Dialect) -> tuple[str, tuple[Parameter, ...]]:
    return dialect.list_call, dialect.list_parameters


def _spawning(dialect: Dialect) -> tuple[str, tuple[Parameter, ...]]:
    return dialect.spawn_call, dialect.spawn_parameters


def _wrong(
    workspace: Workspace, argument: Mapping[str, object], name: str, wrong: request.BadArguments
) -> Answer:
    if argument.get("format") == "markdown":
        return {"markdown": markdown.refused(workspace, name, RuntimeRefusal(wrong.message))}
    return {"result": None, "error": wrong.message}
