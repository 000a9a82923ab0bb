r"""The complaints that Go's yaml.v3 has and libyaml has not, and those of its scanner.

Its scanner is two tokens ahead of its parser, so that a complaint of the scanner comes before that
of the parser about the token in question. It knows no escape `\/`, and no version but YAML 1.1.
In brackets, an unquoted value ends before a `?`, which nothing can follow.

Invariants: every text gets an answer, and at most one complaint; the spans are empty, or those of
libyaml's own complaint.

Facts: scannerc.go and parserc.go of gopkg.in/yaml.v3 3.0.1, read 2026-11-29; measured with it.
"""

from collections.abc import Iterator

import yaml
from yaml.reader import ReaderError
from yaml.tokens import (
    AliasToken,
    BlockEndToken,
    DirectiveToken,
    DocumentEndToken,
    FlowMappingEndToken,
    FlowMappingStartToken,
    FlowSequenceEndToken,
    FlowSequenceStartToken,
    ScalarToken,
    StreamStartToken,
    Token,
)

from agent_lsp.data_classes import replace
from agent_lsp.syntax.nodes import Problem, Tree
from agent_lsp.syntax.yaml import parse as yaml_tree
from agent_lsp.syntax.yaml.libyaml import readable
from agent_lsp.text import Span

# The token in question, and two more.
_AHEAD = 3
# What can follow a `?` that is the last sign of a value in brackets.
_ENDS = (*" \t\r\n,]}", "")
_BOM = "\ufeff"
# An escape of libyaml alone, and one of neither; outside of double quotes both are just text.
_SLASH, _NO_ESCAPE = "\\/", "\\q"
_VERSION = "found incompatible YAML document"


def parse(header: str, start: int = 0) -> Tree:
    """The tree of a header, as `yaml.parse` reads it, with the complaint of this library.

    What libyaml alone accepts is still a whole tree.
    """
    tree = yaml_tree(header, start)
    problem = trouble(tree, header, start) if tree.problem is None else None
    return tree if problem is None else replace(tree, problem=problem, damage=(problem,))


def trouble(tree: Tree, header: str, start: int) -> Problem | None:
    """The library's complaint about `header`, which begins at the offset `start`, or None."""
    question, count = _question(header, start), _AHEAD
    if question is not None and _is_first(question, tree):
        tree = replace(tree, problem=question)
        # The sign is a token there, and what follows it in the value is another one.
        follows = header[question.span.start - start + 1 :][:1]
        count -= 1 + (follows not in _ENDS)
    version = _version(header, start)
    first = _after_document(tree) if version is None else version.span.start
    if first is None and _SLASH not in header:
        return tree.problem
    stop = len(header) + start if first is None else first
    ahead = _scan(header, start, stop, tree.problem, count)
    return ahead or version or tree.problem


def _after_document(tree: Tree) -> int | None:
    """The offset of the token that ends what the parser reads, or None if it reads everything."""
    if tree.problem is not None:
        return tree.problem.span.start
    return tree.rest.start if tree.rest is not None else None


def _version(header: str, start: int) -> Problem | None:
    """The complaint about a directive before the document that wants another version of YAML."""
    if "%YAML" not in header:
        return None
    for token in _tokens(header):
        if isinstance(token, DirectiveToken):
            if token.name == "YAML" and token.value != (1, 1):
                return Problem(_VERSION, _place(token.start_mark.index, header, start))
        elif not isinstance(token, StreamStartToken):
            break
    return None


def _question(header: str, start: int) -> Problem | None:
    """The complaint about the first `?` inside of an unquoted value in brackets."""
    if "?" not in header or ("[" not in header and "{" not in header):
        return None
    open_: list[tuple[str, str, int]] = []
    for token in _tokens(header):
        at = token.start_mark.index
        if isinstance(token, FlowSequenceStartToken):
            open_.append(("while parsing a flow sequence", "]", at))
        elif isinstance(token, FlowMappingStartToken):
            open_.append(("while parsing a flow mapping", "}", at))
        elif isinstance(token, FlowSequenceEndToken | FlowMappingEndToken):
            open_ = open_[:-1]
        elif open_ and isinstance(token, ScalarToken) and token.plain:
            marks = (at, token.end_mark.index)
            first, end = (_place(one, header, start).start - start for one in marks)
            sign = header.find("?", first + 1, end)
            if sign >= 0:
                context, closing, since = open_[-1]
                message = f"did not find expected ',' or '{closing}'"
                place = Span(start + sign, start + sign)
                return Problem(message, place, context, _place(since, header, start))
    return None


def _is_first(question: Problem, tree: Tree) -> bool:
    """Whether the parser gets to a `?` that it does not take."""
    end = _after_document(tree)
    return end is None or question.span.start < end


def _scan(header: str, start: int, stop: int, found: Problem | None, ahead: int) -> Problem | None:
    """The scanner's complaint up to the end of the `ahead` tokens that are read at `stop`."""
    is_alias = found is not None and found.message == "unknown anchor"
    count, before = ahead, None
    try:
        for token in _tokens(header, raises=True):
            at = _place(token.start_mark.index, header, start).start
            if at >= stop and isinstance(token, AliasToken if is_alias else Token):
                is_alias = False
                # An explicit end of the document is the token in question.
                count -= isinstance(before, DocumentEndToken) and count == ahead
                count -= not isinstance(token, StreamStartToken | BlockEndToken)
            if not count:
                return None
            before = token
    except yaml.MarkedYAMLError as error:
        mark, begun = error.problem_mark, error.context_mark
        return Problem(
            error.problem or "",
            _place(mark.index if mark else 0, header, start),
            error.context,
            _place(begun.index, header, start) if begun else None,
        )
    except ReaderError:
        # What libyaml cannot read has its complaint already.
        return None
    return None


def _tokens(header: str, *, raises: bool = False) -> Iterator[Token]:
    """The tokens of libyaml's scanner, up to its complaint."""
    loader = yaml.CSafeLoader(readable(header).replace(_SLASH, _NO_ESCAPE))
    try:
        while (token := loader.get_token()) is not None:
            yield token
    except (ReaderError, yaml.MarkedYAMLError):
        if raises:
            raise
    finally:
        loader.dispose()


def _place(index: int, header: str, start: int) -> Span:
    """The offset of libyaml's index; it does not count a byte-order mark at the start."""
    at = start + index + header.startswith(_BOM)
    return Span(at, at)
