"""Finds the template that an `agent_type` argument means.

Facts: `resolve_stem` in codex-rs/core/src/agent/role_templates.rs at 9f82deac0f1b,
read 2026-11-27.
"""

import re
from collections.abc import Iterator
from itertools import product

from agent_lsp.dialects import rust
from agent_lsp.dialects.answers import Candidate, Catalog, RuntimeRefusal
from agent_lsp.dialects.codex_templates.reading import is_valid, normalise


def resolve(catalog: Catalog, agent_type: str) -> str | RuntimeRefusal:
    """The name in `catalog` that `agent_type` means: exactly, else with `-` and `_` alike."""
    name = normalise(agent_type)
    if not is_valid(name):
        return RuntimeRefusal(
            f"invalid agent_type {rust.debug(name)}; expected snake_case or kebab-case like "
            '"worker", "my_custom_role", or "my-custom-role"'
        )
    if catalog.winner(name) is not None:
        return name
    alike = [
        other
        for other in catalog.names
        if _canonical(other) == _canonical(name) and catalog.winner(other)
    ]
    if len(alike) == 1:
        return alike[0]
    if alike:
        return RuntimeRefusal(
            f"ambiguous agent_type {rust.debug(name)}; matched multiple templates: "
            f"{', '.join(alike)}. Use exact agent_type."
        )
    return RuntimeRefusal(f"missing agent template: {name}")


def unread(winner: Candidate) -> RuntimeRefusal:
    """Why nothing is answered about a template that the runtime may well accept."""
    return RuntimeRefusal(
        f"{winner.path.name} is not looked into here: it is {winner.unread}", ours=True
    )


def spellings(name: str) -> Iterator[str]:
    """Every name that a call may use for `name`, itself included: `-` and `_` exchanged."""
    words = re.split("[-_]", name)
    for separators in product("-_", repeat=len(words) - 1):
        pairs = zip(words, (*separators, ""), strict=True)
        yield "".join(word + separator for word, separator in pairs)


def _canonical(name: str) -> str:
    return name.replace("-", "_")
