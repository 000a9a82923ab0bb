"""What libyaml's scanner, which reads ahead of the parser, complains about in a text.

Invariants: every text gets an answer, at most one complaint; the messages are libyaml's.
"""

import yaml
from yaml.reader import ReaderError

from agent_lsp.syntax.nodes import Problem
from agent_lsp.syntax.yaml_source import readable
from agent_lsp.text import Span

_BOM = "\ufeff"


def complaint(text: str, start: int, offset: int, count: int) -> Problem | None:
    """The complaint up to the end of `count` tokens from `offset` on, or None.

    `text` begins at the offset `start`. The ends of blocks, which have no place of their own,
    are no tokens here, and a text with characters that libyaml does not read has no complaint.
    """
    # libyaml does not count a byte-order mark at the very start.
    first = start + text.startswith(_BOM)
    loader = yaml.CSafeLoader(readable(text))
    try:
        while count and (token := loader.get_token()) is not None:
            is_end = isinstance(token, yaml.BlockEndToken)
            count -= token.start_mark.index + first >= offset and not is_end
    except ReaderError:
        return None
    except yaml.MarkedYAMLError as error:
        at, begun = error.problem_mark, error.context_mark
        return Problem(
            error.problem or "",
            _place(first + (at.index if at else 0)),
            error.context,
            _place(first + begun.index) if begun else None,
        )
    finally:
        loader.dispose()
    return None


def _place(offset: int) -> Span:
    return Span(offset, offset)
