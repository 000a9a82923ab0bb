"""Reads a JSON file to the nodes that the reader of YAML makes, which is nearly all that it takes.

Invariants: offsets are those of the text; `//` and `/* */` comments, which many programs allow, are
blanks to the reader, and so are the commas that they allow before a closing bracket.
"""

import re

from agent_lsp.syntax import yaml
from agent_lsp.syntax.nodes import Tree

_TEXT = r'"(?:[^"\\\n]|\\.)*"'
_COMMENT = re.compile(rf"{_TEXT}|//[^\n]*|/\*.*?\*/", re.DOTALL)
_COMMA = re.compile(rf"{_TEXT}|,(?=\s*[\]}}])")
_SIGN = re.compile(r"[^\n]")


def parse(text: str, start: int = 0) -> Tree:
    """The tree of `text`, which begins at offset `start` of its file."""
    return yaml.parse(_COMMA.sub(_blank, _COMMENT.sub(_blank, text)), start)


def _blank(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith('"') else _SIGN.sub(" ", found[0])
