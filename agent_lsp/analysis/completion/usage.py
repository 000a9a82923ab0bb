"""Orders what is offered by how often authors write it.

The keys of a dialect are in that order already. Tools have other names in each system, so their
order is that of their abilities: counted in 2,098 public files of Claude Code and Qwen Code on
2026-11-29, of which 604 list tools.
"""

from agent_lsp.model.conversion import Ability
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.schema import Tool

_ABILITIES = (
    *(Ability.READ, Ability.SEARCH, Ability.FIND, Ability.WRITE, Ability.RUN, Ability.EDIT),
    *(Ability.SEARCH_WEB, Ability.FETCH, Ability.SPAWN, Ability.PLAN),
)
_LOOKING = frozenset({Ability.READ, Ability.SEARCH, Ability.FIND})
_MOST = 3


def by_use(dialect: Dialect) -> tuple[Tool, ...]:
    """The tools of `dialect` that a list may name, those that authors write most first."""
    return tuple(sorted(dialect.tools.listed, key=lambda tool: _rank(dialect, tool.name)))


def to_begin_with(dialect: Dialect) -> tuple[str, ...]:
    """A few tools that every session has and that only look at files; none if too few are known."""
    found: dict[Ability, str] = {}
    for tool in by_use(dialect):
        gives = _gives(dialect, tool.name)
        if len(gives) == 1 and gives <= _LOOKING and not tool.condition:
            found.setdefault(next(iter(gives)), tool.name)
    return tuple(found.values())[:_MOST]


def _rank(dialect: Dialect, tool: str) -> int:
    places = (_ABILITIES.index(one) for one in _gives(dialect, tool) if one in _ABILITIES)
    return min(places, default=len(_ABILITIES))


def _gives(dialect: Dialect, tool: str) -> frozenset[Ability]:
    effect = dialect.conversion.tools.get(tool) if dialect.conversion is not None else None
    return effect.gives if effect is not None else frozenset()
