"""Finds the template, and the block in it, that a `spawn_agent` call selects.

It also tells which built-in templates the runtime copies when it starts.
Facts: `resolve_stem` in codex-rs/core/src/agent/role_templates.rs, and
core/src/tools/handlers/collab/spawn.rs and collab.rs at 9f82deac0f1b, read 2026-11-27. Before the
first read the folder of the templates is created; if none of the names is in it, all files are
written: role_templates.rs.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from agent_lsp.decoders import rust
from agent_lsp.dialects.codex_templates.facts import BUILTIN_ROLES
from agent_lsp.dialects.codex_templates.reading import is_valid, normalise
from agent_lsp.dialects.codex_templates.tools import MAX_DEPTH
from agent_lsp.model.runtime import Call, Candidate, Catalog, RuntimeRefusal
from agent_lsp.model.template import Block, Persona, Reading, Template


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
    return RuntimeRefusal(f"{winner.path.name} is not read here: it is {winner.unread}", ours=True)


def spellings(name: str) -> Iterator[str]:
    """Every name that a call may use for `name`, itself included: `-` and `_` exchanged."""
    words = re.split("[-_]", name)
    for separators in product("-_", repeat=len(words) - 1):
        pairs = zip(words, (*separators, ""), strict=True)
        yield "".join(word + separator for word, separator in pairs)


def _canonical(name: str) -> str:
    return name.replace("-", "_")


def kept_by(builtin: Iterable[str], exists: Callable[[str], bool]) -> tuple[str, ...]:
    """The `builtin` file names that prevent the runtime from copying any; none: it copies."""
    return tuple(name for name in builtin if exists(name))


_NOTHING = Template({}, (), ())


@dataclass(frozen=True, slots=True)
class Selection:
    """The template and block of a call; `winner` and `block` are None if it uses none.

    `agent_type` is the argument as the runtime compares it, which may spell the winner's name
    with `-` for `_`.
    """

    agent_type: str
    winner: Candidate | None
    reading: Reading
    block: Block | None

    @property
    def persona(self) -> Persona | None:
        """The declaration that belongs to the block."""
        return (
            self.reading.effective.persona(self.block.name)
            if self.block and self.block.name
            else None
        )


def select(catalog: Catalog, call: Call) -> Selection | RuntimeRefusal:
    """The template and block for `call`, or the runtime's refusal, checks in its order."""
    given = call.text("agent_type")
    agent_type = "default" if given is None else normalise(given)
    persona = normalise(call.text("agent_name") or "")
    if agent_type == "default" and persona:
        return RuntimeRefusal("agent_name requires a non-default agent_type")
    refusal = _content(call)
    if refusal is not None:
        return refusal
    if call.parent.depth + 1 > MAX_DEPTH:
        return RuntimeRefusal("Agent depth limit reached. Solve the task yourself.")
    winner = _template(catalog, agent_type, persona)
    if isinstance(winner, RuntimeRefusal):
        return winner
    if winner is None:
        return Selection(agent_type, None, Reading(_NOTHING, _NOTHING), None)
    if winner.unread:
        return unread(winner)
    reading = catalog.read(winner)
    block = _block(reading.effective, persona, agent_type)
    return (
        block
        if isinstance(block, RuntimeRefusal)
        else Selection(agent_type, winner, reading, block)
    )


def _content(call: Call) -> RuntimeRefusal | None:
    """Why the runtime does not take the task; a call without one is fine here, only."""
    message, items = call.text("message"), call.arguments.get("items")
    if message is not None and items is not None:
        return RuntimeRefusal("Provide either message or items, but not both")
    if message is not None and not rust.trim(message):
        return RuntimeRefusal("Empty message can't be sent to an agent")
    return RuntimeRefusal("Items can't be empty") if items == [] else None


def _template(catalog: Catalog, agent_type: str, persona: str) -> Candidate | RuntimeRefusal | None:
    if agent_type == "default":
        return None
    name = resolve(catalog, agent_type)
    if isinstance(name, RuntimeRefusal):
        # A built-in role goes on without a template; no other role can.
        return None if agent_type in BUILTIN_ROLES and not persona else name
    return catalog.winner(name)


def _block(effective: Template, persona: str, agent_type: str) -> Block | RuntimeRefusal:
    quoted = rust.debug(agent_type)
    if persona:
        unknown = f"unknown agent_name {rust.debug(persona)} for agent_type {quoted}"
        return effective.block(persona) or RuntimeRefusal(unknown)
    if rust.trim(effective.default.text):
        return effective.default
    if len(effective.blocks) == 2:  # noqa: PLR2004 - the blank default block and one more
        return effective.blocks[1]
    return RuntimeRefusal(f"agent_type {quoted} requires agent_name selection")
