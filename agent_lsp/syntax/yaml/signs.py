"""Reads a question mark and a dash between brackets as the parsers of JavaScript do.

Invariant: a changed text keeps its length, and `restored` takes the stand-ins back.
Facts: js-yaml 3.15.2 and 4.1.0 and the npm package `yaml` in Qwen Code 0.24.4, run 2026-11-30
(`js-yaml-odd`, `qwen-odd`). To libyaml, each question mark that begins a word between brackets is
the sign of a key; to them, it is a letter unless a blank follows. A dash or a question mark is no
value alone; the npm package takes such a question mark for the sign of a key.
"""

from collections.abc import Iterator

from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Node, Scalar, Style, leaves
from agent_lsp.syntax.yaml.stand_ins import stand_in
from agent_lsp.text import Span

_QUESTION = regex(r"(?<=[\[{,:])\s*\?(?=\S)")
_QUESTION_NPM = regex(r"(?<=[\[{,:])\s*\?(?=[^\s,\[\]{}])")
_SIGNS = frozenset("-?")
_ENDS = frozenset(",[]{}")
_SIGN_AT_END = regex(r"[-?][,\]}]")
# What js-yaml says of them.
LONE_SIGN = "missed comma between flow collection entries"
_LETTER = stand_in("?")


def with_question_marks(text: str, *, npm: bool = False) -> str:
    """`text` with a letter for each question mark between brackets that these parsers take as one.

    Elsewhere the letter means the same to libyaml. `npm` tells whether the parser is the npm
    package `yaml`.
    """
    # Most headers have none, and every header is searched.
    if "?" not in text:
        return text
    found = _QUESTION_NPM if npm else _QUESTION
    return found.sub(lambda match: f"{match[0][:-1]}{_LETTER}", text)


def lone_signs(root: Node | None, text: str, start: int) -> Iterator[Span]:
    """The dashes and question marks that are a value alone, which these parsers do not take.

    `text` begins at `start`, and is sound to libyaml.
    """
    if _SIGN_AT_END.search(text) is None:
        return
    for node in leaves(root):
        if isinstance(node, Scalar) and _is_lone(node, text, node.span.end - start):
            yield node.span


def _is_lone(node: Scalar, text: str, end: int) -> bool:
    is_sign = node.style is Style.PLAIN and node.value in _SIGNS
    return is_sign and text[end : end + 1] in _ENDS
