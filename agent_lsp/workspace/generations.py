"""Which generation of a runtime is in use, where somebody has said it."""

from agent_lsp.dialects.model import Dialect
from agent_lsp.options import Options


def in_use(known: Dialect, options: Options) -> Dialect:
    """The dialect `known` in the generation that the settings name, if they name one."""
    first = known.forms()[0] if known.forms is not None else known
    told = options.extra(first.id).generation
    return known.told(told) if told is not None and known.told is not None else known
