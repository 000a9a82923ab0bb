"""The tools that an agent of one runtime may have, as far as they can be known."""

from agent_lsp.dialects.model import Dialect
from agent_lsp.options import Extras, Options


def known_tools(dialect: Dialect, options: Options) -> tuple[str, ...]:
    """The runtime's tools and those that the user vouches for, each once; patterns name none.

    Those that no agent has are among them, so that everybody can see that they are removed.
    """
    names = (tool for tool in _vouched(dialect, options) if not dialect.is_pattern(tool))
    shipped = (tool.name for tool in (*dialect.tools, *dialect.withheld))
    return tuple(dict.fromkeys((*shipped, *names)))


def is_vouched(dialect: Dialect, options: Options, tool: str) -> bool:
    """Whether the user says that there is such a tool, by its name or by a pattern."""
    return any(dialect.matches(name, tool) for name in _vouched(dialect, options))


def _vouched(dialect: Dialect, options: Options) -> tuple[str, ...]:
    return options.extras.get(dialect.id, Extras()).tools
