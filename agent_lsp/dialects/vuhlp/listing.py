"""What vuhlp lists as role templates.

Facts: packages/daemon/src/api/server.ts of Volpestyle/vuhlp-code at d6c289510, read 2026-11-27.
"""

import re
from collections.abc import Sequence

from agent_lsp.dialects.answers import Call, Candidate, Catalog, RuntimeRefusal

_NAME = re.compile(r"[a-zA-Z0-9_-]+")


def list_agents(catalog: Catalog, call: Call) -> object | RuntimeRefusal:
    """All roles in alphabetical order, or the one that the call names.

    One of the repository hides a shipped one of its name. `overrides` is not the runtime's: it is
    the path of the shipped file that is hidden.
    """
    name = call.text("name")
    if name is None:
        # A link is no plain file: it is found by its name and not listed.
        listed = (
            _entry(name, [one for one in catalog.candidates(name) if one.listed])
            for name in sorted(catalog.names, key=_order)
        )
        return {"templates": [entry for entry in listed if entry is not None]}
    asked = name.strip()
    entry = _entry(asked, catalog.candidates(asked))
    # What can be listed is described here, whether or not the runtime takes its name in a request.
    if entry is not None:
        return entry
    if not asked:
        return RuntimeRefusal("template name is required")
    is_name = _NAME.fullmatch(asked) is not None
    return RuntimeRefusal(f"template not found: {asked}" if is_name else "invalid template name")


def source(candidate: Candidate) -> str:
    """Whose file it is, in the runtime's words."""
    return "system" if candidate.scope.builtin else "repo"


def _entry(name: str, candidates: Sequence[Candidate]) -> dict[str, object] | None:
    winner = next(iter(candidates), None)
    if winner is None:
        return None
    entry: dict[str, object] = {"name": name, "source": source(winner), "path": str(winner.path)}
    hidden = next((one for one in candidates if one.scope.builtin), None)
    if hidden is not None and hidden is not winner and not winner.scope.builtin:
        entry["overrides"] = str(hidden.path)
    return entry


def _order(name: str) -> tuple[str, str]:
    """Letters as in a dictionary: the same ones side by side, small ones first."""
    return name.casefold(), name.swapcase()
