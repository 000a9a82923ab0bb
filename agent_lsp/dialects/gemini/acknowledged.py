"""Reads the record of the agents that a person has confirmed.

Facts: Gemini CLI 0.61.0, measured 2026-11-28. An agent of a project is registered only if
`acknowledgments/agents.json` has, under the path of the project and the name of the agent, the
SHA-256 of the file's text; for a remote agent it is the address of its card. An interactive session
asks, and another one goes on without the agent and says nothing.
"""

import json
from collections.abc import Mapping
from hashlib import sha256

from agent_lsp.dialects.gemini import js_yaml, reading
from agent_lsp.model.availability import Availability, Confirmation
from agent_lsp.model.runtime import Candidate
from agent_lsp.syntax import document

_FILE = ".gemini/acknowledgments/agents.json"
_WORD = "confirmed"


def standing(
    record: str | None, folders: tuple[str, ...], candidate: Candidate, text: str
) -> Availability | None:
    """Whether a person has confirmed the agent with this text; None for agents of other places."""
    if candidate.scope.label != "project":
        return None
    kept = next((own for folder in folders if (own := _of(record, folder)) is not None), {})
    hashed = kept.get(candidate.name)
    if hashed == _mark(candidate.name, text):
        return Availability(_WORD, True, "a person has confirmed this very text")
    loss = "an interactive session asks, and one without a terminal has no such agent"
    if hashed is None:
        return Availability(_WORD, False, f"nobody has confirmed it on this machine: {loss}")
    return Availability(_WORD, False, f"another text was confirmed: {loss}")


def _of(record: str | None, folder: str) -> Mapping[str, object] | None:
    """What the record has of the agents of one project."""
    try:
        own = json.loads(record).get(folder) if record else None
    except (ValueError, AttributeError, RecursionError):
        return None
    return own if isinstance(own, dict) else None


def _mark(name: str, text: str) -> str:
    """What the runtime notes of an agent: the hash of its file, or the address of its card."""
    parsed = document.parse(text, reading.split, read=js_yaml.parse)
    card = reading.read(parsed, name).effective.settings.get("agent_card_url")
    return card.text if card is not None else sha256(text.encode("utf-8", "replace")).hexdigest()


CONFIRMATION = Confirmation((f"$GEMINI_CLI_HOME/{_FILE}", f"~/{_FILE}"), standing)
