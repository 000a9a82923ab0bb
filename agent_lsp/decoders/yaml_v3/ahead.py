"""Tells whether yaml.v3, which scans two tokens more than it parses, trips over one of them.

Invariant: every text gets an answer; what the scanner takes is nobody's fault here.
Facts: scannerc.go of gopkg.in/yaml.v3 3.0.1, read 2026-11-27.
"""

from agent_lsp.syntax.nodes import Problem, Tree
from agent_lsp.syntax.yaml.libyaml import complaint

# The token in question and two more; an explicit end of a document is already behind.
_TOKENS, _AFTER_END = 3, 2


def trouble_ahead(tree: Tree, header: str, start: int) -> Problem | None:
    """The scanner's complaint that comes before the parser's, or after the first document."""
    if tree.problem is not None:
        return complaint(header, start, tree.problem.span.start, _TOKENS)
    if tree.rest is None:
        return None
    is_start = header.startswith("---", tree.rest.start - start)
    return complaint(header, start, tree.rest.start, _TOKENS if is_start else _AFTER_END)
