"""Reads a JSON file to the nodes that the reader of YAML makes, which takes nearly all of JSON.

Invariants: `parse` never raises; offsets are those of the text; whether a text is sound is what
JSON says, with the `//` and `/* */` comments and the commas before a closing bracket that many
programs allow. The two halves of a sign that is written as two escapes are replaced by U+FFFD each.
"""

import json
import re
from dataclasses import replace

from agent_lsp.syntax import yaml
from agent_lsp.syntax.nodes import Problem, Tree
from agent_lsp.text import Span

_TEXT = r'"(?:[^"\\\n]|\\.)*"'
_COMMENT = re.compile(rf"{_TEXT}|//[^\n]*|/\*.*?\*/", re.DOTALL)
_COMMA = re.compile(rf"{_TEXT}|,(?=\s*[\]}}])")
_SIGN = re.compile(r"[^\n]")
# Half of a sign outside of the first 65,536: libyaml takes none.
_HALF = re.compile(r"\\(u[dD][89a-fA-F][\da-fA-F]{2}|.)")


def parse(text: str, start: int = 0) -> Tree:
    """The tree of `text`, which begins at offset `start` of its file."""
    plain = _COMMA.sub(_blank, _COMMENT.sub(_blank, text))
    tree = yaml.parse(plain, start)
    refused = _refused(plain, start)
    if refused is None:
        return replace(tree, problem=None, damage=(), rest=None)
    return replace(tree, problem=tree.problem or refused)


def _blank(found: re.Match[str]) -> str:
    if found[0].startswith('"'):
        return _HALF.sub(lambda one: r"\ufffd" if len(one[1]) > 1 else one[0], found[0])
    return _SIGN.sub(" ", found[0])


def _refused(text: str, start: int) -> Problem | None:
    """Why `text` is no JSON; None where it is, or is nested so deeply that nobody can tell."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        at = start + error.pos
        return Problem(error.msg[:1].lower() + error.msg[1:], Span(at, at))
    except RecursionError:
        return None
    return None
