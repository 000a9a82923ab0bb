"""Whether yaml.v3, which always scans two tokens more than it parses, trips over one of them.

Invariant: every text gets an answer; what the scanner takes is nobody's fault here.
Facts: scannerc.go of gopkg.in/yaml.v3 3.0.1, read 2026-11-27.
"""

import yaml
from yaml.reader import ReaderError

from agent_lsp.syntax.nodes import Problem, Tree
from agent_lsp.text import Span

_BOM = "\ufeff"
# The token in question and two more; an explicit end of a document is already behind.
_TOKENS, _AFTER_END = 3, 2


def trouble_ahead(tree: Tree, header: str, start: int) -> Problem | None:
    """The scanner's complaint that comes before the parser's, or after the first document."""
    if tree.problem is not None:
        return _scanned(header, start, tree.problem.span.start, _TOKENS)
    if tree.rest is None:
        return None
    is_start = header.startswith("---", tree.rest.start - start)
    return _scanned(header, start, tree.rest.start, _TOKENS if is_start else _AFTER_END)


def _scanned(header: str, start: int, offset: int, count: int) -> Problem | None:
    """The complaint about one of `count` tokens from `offset` on."""
    # libyaml does not count a byte-order mark at the very start.
    first = start + header.startswith(_BOM)
    loader = yaml.CSafeLoader(header)
    try:
        while count and (token := loader.get_token()) is not None:
            # The ends of blocks have no place of their own.
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
