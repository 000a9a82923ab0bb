"""What YAML takes out of an unquoted value before the runtime sees it.

Invariant: what an author puts there on purpose is not taken for lost: a comment that begins with
a blank or with a word such as `TODO`, a tag of YAML's own, an anchor in front of a value.
"""

import re

from agent_lsp.analysis.rules.wording import code
from agent_lsp.syntax.nodes import Node, Scalar, Style
from agent_lsp.text import Span
from agent_lsp.workspace.index import TemplateFile

_COMMENT = re.compile(r"[ \t]+(#(?!(?:todo|fixme|xxx|hack|note|noqa)\b)\w[^\r\n]*)", re.IGNORECASE)
_WORD = re.compile(r"!(?!<)\S*|&\S*")
_OF_YAML = "tag:yaml.org,"


def comment(file: TemplateFile, node: Node | None) -> Span | None:
    """Where a comment begins right behind an unquoted text that may well be part of it."""
    if not isinstance(node, Scalar) or node.style is not Style.PLAIN:
        return None
    found = _COMMENT.match(file.document.text, node.span.end)
    if found is None or found.end(1) > file.document.frontmatter.inner.end:
        return None
    return Span(found.start(1), found.start(1) + len(found[1].rstrip()))


def tag(file: TemplateFile, node: Node | None) -> Span | None:
    """A word with `!` at the start of an unquoted text, which makes it a tag."""
    if not isinstance(node, Scalar) or node.tag is None or node.tag.startswith(_OF_YAML):
        return None
    return _word(file, node, "!") if node.style is Style.PLAIN else None


def anchor(file: TemplateFile, node: Node | None) -> Span | None:
    """A word with `&` in place of a value, which makes it an anchor of nothing."""
    if not isinstance(node, Scalar) or node.style is not Style.PLAIN or node.value:
        return None
    return _word(file, node, "&")


def blank(file: TemplateFile, node: Node | None) -> str:
    """That the value `node` is blank, with the reason if what is written there is taken away."""
    for words, what in ((comment(file, node), "a comment"), (tag(file, node), "a tag")):
        if words is not None:
            return f"blank, for {code(words.of(file.document.text))} is {what} unless it is quoted"
    return "blank"


def _word(file: TemplateFile, node: Scalar, sign: str) -> Span | None:
    found = _WORD.match(file.document.text, node.span.start, node.span.end)
    return Span(*found.span()) if found and found[0].startswith(sign) else None
