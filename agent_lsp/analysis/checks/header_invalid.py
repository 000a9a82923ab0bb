"""Checks whether a header is valid YAML, and says why not in the author's terms.

Invariant: the explanation is for the first of several broken pieces. Its span is the place to
change, which often is not the place where the parser stopped.
"""

import re
from collections.abc import Callable, Iterator, Mapping

from agent_lsp.analysis.checks import header, unquoted_text, yaml_mistakes
from agent_lsp.analysis.checks import yaml_mistakes as values
from agent_lsp.analysis.checks.fence_heuristics import too_early, too_late
from agent_lsp.analysis.checks.messages import code, refused
from agent_lsp.analysis.checks.unknown_key import begun
from agent_lsp.analysis.checks.yaml_mistakes import BLOCK_MARK, LINE_ENDS, BrokenPiece, YamlMistake
from agent_lsp.analysis.suggest import nearest
from agent_lsp.data_classes import replace
from agent_lsp.model.check import Basis, Check, Field, Finding
from agent_lsp.model.schema import Key, KeyRole, Severity
from agent_lsp.model.template import LoadErrorKind
from agent_lsp.patterns import regex
from agent_lsp.syntax.nodes import Tree
from agent_lsp.syntax.yaml import javascript
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile

_KEY_ABOVE = "write the key that it belongs to above it, or remove it"


def explain(text: str, header: Span, tree: Tree, keys: Mapping[str, Key]) -> YamlMistake:
    """The mistake that keeps `tree`, the header of `text` with these `keys`, from loading."""
    problem = next(iter(tree.damage), tree.problem)
    if problem is None:
        return yaml_mistakes.alone(text, tree) or _second_document(
            text, header, tree.rest or header
        )
    opened = yaml_mistakes.opened(text, header)
    if opened is not None:
        return opened
    piece = BrokenPiece(text, header, problem, keys)
    words = f"{problem.message} {problem.context or ''}"
    explained = (explanation(piece) for pattern, explanation in _MISTAKES if pattern in words)
    return next((mistake for mistake in explained if mistake), None) or _unexplained(piece)


_MARK = "\ufeff"


def _second_document(text: str, header: Span, rest: Span) -> YamlMistake:
    """Explains text after the first document, which `...`, `---` or a smaller indentation ends."""
    if rest == header and text.startswith(_MARK, header.start):
        mark = Span(header.start, header.start + len(_MARK))
        return YamlMistake(mark, "a byte-order mark indents the first key", "remove it")
    before = text[header.start : rest.start].rstrip()
    line = before[before.rfind("\n") + 1 :]
    start = header.start + len(before) - len(line)
    if not line.startswith("..."):
        line = rest.of(text).partition("\n")[0].rstrip()
        start = rest.start
    span = Span(start, start + len(line))
    if line.startswith("%"):
        return YamlMistake(span, "a line may not start with `%`", "remove it")
    if not line.startswith(("...", "---")):
        fix = "give all keys the same indentation"
        return YamlMistake(span, f"{code(line)} is indented less than the first key", fix)
    return YamlMistake(
        span, f"{code(line)} ends the YAML of the header, and more follows", "remove it"
    )


# A plain value, or the rest of one, and the comment that ends it.
ENDED_BY_COMMENT = regex(r"^(?:[\w-]+:[ \t]+)?[^\s\"'\[{|>&*#!-][^\"']*?[ \t](#.*)$")


def _no_document(piece: BrokenPiece) -> YamlMistake:
    """Explains a directive, after which the parser expects `---`."""
    return YamlMistake(piece.row(piece.header.start), "a line may not start with `%`", "remove it")


def _colon(piece: BrokenPiece) -> YamlMistake:
    above = piece.above(piece.row(piece.at))
    if above is not None and piece.text.startswith("%", above.start):
        return YamlMistake(above, "a line may not start with `%`", "remove it")
    inside = values.colon_inside(piece)
    if inside is not None:
        return inside
    row = piece.row(piece.at)
    key = piece.text[row.start : piece.at]
    thing = f"{code(key)} is indented deeper than the line above, which already has a value"
    if key.startswith("-"):
        return YamlMistake(row, thing, _KEY_ABOVE)
    return YamlMistake(row, thing, "indent it like the keys that it belongs to")


def _no_colon(piece: BrokenPiece) -> YamlMistake:
    row = piece.row(piece.since)
    line = row.of(piece.text)
    broken = piece.text[row.start - 1 : row.start]
    if broken and broken in LINE_ENDS[2:]:
        thing = f"U+{ord(broken):04X} ends a line in YAML"
        return YamlMistake(Span(row.start - 1, row.end), thing, "replace it with a space")
    if re.match(r"-[^\s-]", line):
        return _glued_dash(row, line)
    glued = re.match(r"([\w-]+):(?=[^ \t/])", line)
    if glued:
        follows = line[glued.end() :][:1]
        odd = f"U+{ord(follows):04X} instead of a" if follows.isspace() else "no"
        thing = f"{odd} space after the colon of {code(glued[1])}"
        return YamlMistake(row, thing, f"write `{glued[0]} …`")
    above = piece.above(row)
    if above is not None and BLOCK_MARK.search(above.of(piece.text)):
        thing = f"{code(line)} belongs to the text that the line above opens, and is not indented"
        return YamlMistake(row, thing, "indent all lines of the text")
    if re.fullmatch(r"[\w-]+", line):
        key = nearest(line, piece.keys) or line
        return YamlMistake(row, f"{code(line)} has no colon", f"write {code(f'{key}: …')}")
    return YamlMistake(row, f"{code(line)} is not `key: value`", _without_colon(piece, row))


def _without_colon(piece: BrokenPiece, row: Span) -> str:
    """Proposes a fix for a line of words."""
    said = row.of(piece.text)
    word, _ = begun(said, piece.keys) or (next(iter(said.split()), ""), "")
    if word in piece.keys:
        return f"write `{word}: …`"
    above = piece.above(row)
    line = above.of(piece.text) if above else "#"
    named = re.match(r"[\"']?([\w-]+)[\"']?[ \t]*:(?:\s|$)", line)
    key = piece.keys.get(named[1]) if named else None
    goes_on = key is None or key.role is KeyRole.DESCRIPTION
    # The parser ends lines at more characters than we do, so that one of its lines may be empty.
    is_open = bool(line) and line[-1] not in "]}\"'"
    if goes_on and is_open and not re.match(r"#|-[ \t]", line):
        return "indent it if it belongs to the line above, else remove it"
    return "remove it"


def _forbidden_start(piece: BrokenPiece) -> YamlMistake | None:
    return _tab(piece) if piece.text.startswith("\t", piece.at) else values.forbidden_start(piece)


def _tab(piece: BrokenPiece) -> YamlMistake:
    end = piece.at
    while piece.text[end : end + 1] == "\t":
        end += 1
    thing, above = "a tab where YAML accepts only spaces", piece.above(piece.row(piece.at))
    line = piece.text[above.start - 1 : above.end] if above else "\n"
    # Only more of the value can be indented below a key that has a value.
    is_beside = line[0] == "\n" and not re.match(r".*:[ \t]*$|\n-", line, re.DOTALL)
    return YamlMistake(Span(piece.at, end), thing, "remove it" if is_beside else "use spaces")


def _no_key(piece: BrokenPiece) -> YamlMistake:
    row = piece.row(piece.at)
    before = piece.text[row.start : piece.at].rstrip()
    if before:
        return values.after_value(piece, row, before)
    if re.match(r"-(?:\s|$)", row.of(piece.text)):
        above = piece.above(row)
        is_below = above is not None and above.of(piece.text).startswith("-")
        fix = "give all items of a list the same indentation" if is_below else _KEY_ABOVE
        return YamlMistake(row, f"{code(row.of(piece.text))} does not belong to a list", fix)
    if piece.text[row.start] == ":":
        thing = "there is no key before this colon"
        return YamlMistake(row, thing, "write one, or remove the line")
    above = piece.above(row)
    ended = ENDED_BY_COMMENT.search(above.of(piece.text)) if above is not None else None
    if ended is not None:
        said, cut = code(ended[1]), code(row.of(piece.text))
        thing = f"{cut} is cut off from its value, because {said} above is a comment"
        return YamlMistake(row, thing, "put the whole value in quotes or remove the comment")
    thing = f"{code(row.of(piece.text))} is not aligned with any key above"
    return YamlMistake(row, thing, "give it the indentation of the keys that it belongs to")


def _no_item(piece: BrokenPiece) -> YamlMistake:
    row = piece.row(piece.at)
    line = row.of(piece.text)
    if re.match(r"-[^\s-]", line):
        return _glued_dash(row, line)
    before = piece.text[row.start : piece.at].rstrip()
    if before:
        return values.after_value(piece, row, before)
    thing = f"{code(line)} is between list items"
    return YamlMistake(row, thing, "indent it into the item above, or like the key of the list")


def _glued_dash(row: Span, line: str) -> YamlMistake:
    return YamlMistake(
        row, f"no space after the dash of {code(line)}", f"write {code(f'- {line[1:]}')}"
    )


def _control(piece: BrokenPiece) -> YamlMistake:
    character = piece.text[piece.at : piece.at + 1]
    name = f"U+{ord(character):04X}" if character else "a control character"
    return YamlMistake(piece.problem.span, f"{name} is not allowed in YAML", "remove it")


def _directive(piece: BrokenPiece) -> YamlMistake:
    return YamlMistake(piece.row(piece.since), "a line may not start with `%`", "remove it")


def _version(piece: BrokenPiece) -> YamlMistake:
    row = piece.row(piece.at)
    thing = f"{code(row.of(piece.text))} requires a version of YAML that the runtime does not read"
    return YamlMistake(row, thing, "remove it")


def _not_indented(piece: BrokenPiece) -> YamlMistake:
    """Explains a line of a quoted text or of a bracketed list that begins too far to the left."""
    row = piece.row(piece.at)
    thing = f"{code(row.of(piece.text))} continues the value above, and is not indented"
    return YamlMistake(row, thing, "indent the lines of the value")


def _unexplained(piece: BrokenPiece) -> YamlMistake:
    context = f" {piece.problem.context}" if piece.problem.context else ""
    span = piece.rest(piece.at)
    if not span.of(piece.text).strip():
        span = piece.row(
            piece.header.start + len(piece.text[piece.header.start : piece.at].rstrip())
        )
    return YamlMistake(span, f"not YAML: {piece.problem.message}{context}")


# The parser's messages, in the order in which they are tried.
_MISTAKES: tuple[tuple[str, Callable[[BrokenPiece], YamlMistake | None]], ...] = (
    (javascript.PROBLEM, _not_indented),
    ("unknown anchor", values.unknown_alias),
    ("control characters", _control),
    ("mapping values are not allowed", _colon),
    ("could not find expected ':'", _no_colon),
    ("cannot start any token", _forbidden_start),
    ("found a tab character", _tab),
    ("scanning an alias", values.alias),
    ("scanning an anchor", values.anchor),
    ("unexpected end of stream", values.open_quote),
    ("unknown escape character", values.escape),
    ("expected hexdecimal number while parsing a quoted scalar", values.escape),
    ("invalid Unicode character escape code", values.escape),
    ("did not find expected ','", values.brackets),
    ("did not find expected key", _no_key),
    ("did not find expected '-'", _no_item),
    ("block sequence entries", values.item_in_line),
    ("comment or line break", values.block_header),
    ("did not find expected node content", _forbidden_start),
    ("mapping keys are not allowed", values.question),
    ("scanning a directive", _directive),
    ("incompatible YAML document", _version),
    ("<document start>", _no_document),
    ("parsing a tag", values.tag),
    ("scanning a tag", values.tag),
    ("undefined tag handle", values.tag),
)


def header_invalid(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on each mistake that makes the header invalid YAML."""
    possible = next(header.possible_errors(file, LoadErrorKind.SYNTAX), None)
    if possible is None and not any(header.errors(file, LoadErrorKind.SYNTAX)):
        return
    if unquoted_text.is_said(file) or too_early(file) or too_late(file):
        return
    document = file.document
    known = file.dialect.schema.by_name()
    text, tree = document.text, document.tree
    if unquoted_text.CODE in file.dialect.findings.severities:
        # A mistake that the runtime repairs itself is not reported.
        text = unquoted_text.without_colons(file)
        inner_text, start = document.frontmatter.inner.of(text), document.frontmatter.inner.start
        tree = file.dialect.format.syntax(inner_text, start)
    for mistake in _mistakes(text, document.frontmatter.inner, tree, known):
        if possible is None:
            yield Finding(mistake.span, refused(file, mistake.thing, mistake.fix))
            continue
        loss = f"{mistake.fix}, or {possible.message}" if mistake.fix else possible.message
        message = f"{mistake.thing}: {loss}"
        yield Finding(mistake.span, message, None if possible.certain else Severity.WARNING)


# Further ones are hardly mistakes of their own.
_MOST = 20


def _mistakes(
    text: str, header: Span, tree: Tree, keys: Mapping[str, Key]
) -> Iterator[YamlMistake]:
    """The mistakes in the broken parts of a header, of those on one line the first."""
    lines: set[int] = set()
    for damage in tree.damage[:_MOST] or (None,):
        one = tree if damage is None else replace(tree, damage=(damage,))
        mistake = explain(text, header, one, keys)
        line = text.rfind("\n", 0, mistake.span.start)
        if line not in lines:
            yield mistake
        lines.add(line)


CHECK = Check(
    ("header-invalid",),
    header_invalid,
    changes=frozenset({Field.LOADS, Field.KEY}),
    basis=Basis.FILE,
    needs=(LoadErrorKind.SYNTAX,),
)
