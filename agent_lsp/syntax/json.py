"""Reads a JSON file to the nodes that the reader of YAML makes, which takes nearly all of JSON.

Invariants: `parse` never raises; offsets are those of the text; whether a text is sound is what
JSON says, with the `//` and `/* */` comments and the commas before a closing bracket that many
programs allow. The two halves of a sign that is written as two escapes are replaced by U+FFFD each.
`parse_open` also takes `{env:…}` and `{file:…}` outside of a text, as the value that stands there.
"""

import json
import re

from agent_lsp.data_classes import replace
from agent_lsp.patterns import regex
from agent_lsp.syntax import yaml
from agent_lsp.syntax.nodes import Problem, Scalar, Tree
from agent_lsp.syntax.yaml.stand_ins import rebuilt
from agent_lsp.text import Span

_TEXT = r'"(?:[^"\\\n]|\\.)*"'
_MARK = "\ufeff"
_COMMENT = regex(rf"{_TEXT}|//[^\n]*|/\*.*?\*/", re.DOTALL)
_COMMA = regex(rf"{_TEXT}|,(?=\s*[\]}}])")
_SIGN = regex(r"[^\n]")
# What Python takes for a number, and JSON does not.
_NO_NUMBER = regex(rf"{_TEXT}|-?Infinity|NaN")
# Half of a sign outside of the first 65,536: libyaml takes none.
_HALF = regex(r"\\(u[dD][89a-fA-F][\da-fA-F]{2}|.)")
# What a program fills in before it reads the text; the name of a file may have the other in it.
_OPEN = regex(rf"{_TEXT}|\{{(?:env|file):(?:[^{{}}\n]|\{{[^{{}}\n]*\}})+\}}")
_UNLIKE_TEXT = regex(r'["\\]')


def parse(text: str, start: int = 0) -> Tree:
    """The tree of `text`, which begins at offset `start` of its file."""
    plain = _COMMA.sub(_blank, _COMMENT.sub(_blank, text))
    tree = yaml.parse(plain, start)
    refused = _refused(plain, start)
    if refused is None:
        return replace(tree, problem=None, damage=(), rest=None)
    return replace(tree, problem=tree.problem or refused)


def parse_open(text: str, start: int = 0) -> Tree:
    """As `parse`; what is filled in outside of a text is a scalar with the text that stands for it.

    Such a scalar has quotes in the tree, so only its text tells it from others. A byte-order mark
    does not count.
    """
    if text.startswith(_MARK):
        text = f" {text[len(_MARK) :]}"
    closed = _OPEN.sub(_as_text, _COMMENT.sub(_blank, text))
    if closed == _COMMENT.sub(_blank, text):
        return parse(text, start)
    tree = parse(closed, start)

    def restored(node: Scalar) -> Scalar:
        own = text[node.span.start - start : node.span.end - start]
        return replace(node, value=own) if own.startswith("{") else node

    root = None if tree.root is None else rebuilt(tree.root, lambda at: at, restored, {})
    return replace(tree, root=root)


def _as_text(found: re.Match[str]) -> str:
    if found[0].startswith('"'):
        return found[0]
    return f'"{_UNLIKE_TEXT.sub("_", found[0][1:-1])}"'


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
    found = _NO_NUMBER.finditer(text) if "NaN" in text or "Infinity" in text else ()
    word = next((one for one in found if not one[0].startswith('"')), None)
    return None if word is None else Problem("expecting value", _moved(word, start))


def _moved(found: re.Match[str], start: int) -> Span:
    return Span(start + found.start(), start + found.end())
