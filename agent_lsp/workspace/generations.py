"""Which generation of a runtime is in use, where somebody has said it."""

from agent_lsp.dialects.model import Dialect
from agent_lsp.options import Options


def in_use(dialect: Dialect, options: Options) -> Dialect:
    """The dialect `known` in the generation that the settings name, if they name one."""
    first = dialect.forms()[0] if dialect.forms is not None else dialect
    told = options.extra(first.id).generation
    return (
        dialect.in_generation(told)
        if told is not None and dialect.in_generation is not None
        else dialect
    )
