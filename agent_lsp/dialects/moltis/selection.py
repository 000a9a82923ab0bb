"""Which preset a call of `spawn_agent` uses: its own, the default, a built-in one, or none.

Facts: crates/tools/src/spawn_agent.rs of moltis-org/moltis at 33737298547866 and 6bd2d118, read
2026-11-27.
"""

from dataclasses import dataclass, field, replace

from agent_lsp.dialects.answers import Call, Candidate, Catalog, RuntimeRefusal
from agent_lsp.dialects.moltis import facts
from agent_lsp.dialects.moltis.catalog import (
    configuration,
    generation_of,
    is_definition,
    preset_of,
)
from agent_lsp.dialects.moltis.facts import BUILT_IN, BuiltIn
from agent_lsp.dialects.moltis.generation import Generation
from agent_lsp.dialects.moltis.reading import DEFAULT, ROUNDS
from agent_lsp.dialects.template import Reading, Template, Value

_NOTHING = Template({}, (), ())


@dataclass(frozen=True, slots=True)
class Selection:
    """The preset of a call; without `winner` and `built_in` the runtime uses none.

    `asked` is the name that the call or the default gives; `default` where the default stands, and
    `rounds` the limit for all agents that have none of their own.
    """

    generation: Generation | None
    asked: str | None
    winner: Candidate | None = None
    reading: Reading = field(default_factory=lambda: Reading(_NOTHING, _NOTHING))
    built_in: BuiltIn | None = None
    default: tuple[Candidate, Value] | None = None
    rounds: tuple[Candidate, Value] | None = None
    dropped: str = ""


def select(
    catalog: Catalog, call: Call, told: Generation | None = None
) -> Selection | RuntimeRefusal:
    """The preset, or today's refusal of a name that it does not know."""
    first, reading = configuration(catalog)
    generation = generation_of(catalog, reading, told)
    asked, default = call.text("preset"), None
    if asked is None and first is not None and DEFAULT in reading.effective.settings:
        default = (first, reading.effective.settings[DEFAULT])
        asked = default[1].text
    said = reading.effective.settings.get(ROUNDS)
    rounds = (first, said) if first is not None and said is not None else None
    found = _chosen(catalog, generation, asked, reading)
    if isinstance(found, RuntimeRefusal):
        return found
    return replace(found, default=default, rounds=rounds)


def _chosen(
    catalog: Catalog, generation: Generation | None, asked: str | None, configured: Reading
) -> Selection | RuntimeRefusal:
    """The preset that is asked for, by the call or by the default of what is `configured`."""
    dropped = configured.errors[0].message if configured.errors else ""
    if asked is None and generation is Generation.TODAY:
        asked = facts.DEFAULT_PRESET
    winner = catalog.winner(asked) if asked is not None else None
    if winner is not None and (not dropped or is_definition(winner)):
        if winner.unread:
            return RuntimeRefusal(
                f"{winner.path.name} is not looked into here: it is {winner.unread}", ours=True
            )
        return Selection(generation, asked, winner, preset_of(catalog, winner), dropped=dropped)
    over = catalog.passed_over
    if over is not None and asked is not None:
        return RuntimeRefusal(
            f"{over.name} is the configuration, and is not looked into here", ours=True
        )
    built_in = next((preset for preset in BUILT_IN if preset.name == asked), None)
    if generation is Generation.TODAY and built_in is None:
        return RuntimeRefusal(f"spawn preset '{asked}' not found in config.agents.presets")
    if generation is not Generation.TODAY:
        built_in = None
    nothing = Reading(_NOTHING, _NOTHING, (), generation.name if generation else "")
    return Selection(generation, asked, None, nothing, built_in=built_in, dropped=dropped)
