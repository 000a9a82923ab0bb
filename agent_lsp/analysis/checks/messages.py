"""Builds the phrases that messages share, and findings that suggest a word.

Invariant: a message is lower case without a full stop. A quotation from a file is in backticks, on
one line, and cut to a readable length.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from agent_lsp.analysis.suggest import nearest
from agent_lsp.model.check import Finding, Tag
from agent_lsp.model.schema import IfWrong, Key, RefusedFile, Severity
from agent_lsp.patterns import regex
from agent_lsp.syntax import characters
from agent_lsp.syntax.document import memoised
from agent_lsp.text import Span
from agent_lsp.workspace.catalogs import candidates
from agent_lsp.workspace.snapshot import TemplateFile, catalog_of

_LONGEST = 48
# Joins letters of some scripts and the parts of an emoji.
_JOINERS = "\u200c\u200d"
_LETTER = regex(r"[A-Za-z]")
_WORD = regex(r"[^ ]+")
# The agent is no use.
_FAILING = (IfWrong.CALL_FAILS, IfWrong.LIST_FAILS)
_QUOTES = "\"'`\u201c\u201d\u201e\u201f\u2018\u2019\u201a\u201b\u00ab\u00bb"


def code(text: str) -> str:
    """`text` as a message quotes it, with names for invisible characters."""
    return _SHORT(text) if len(text) <= _LONGEST else _quoted(text)


def _quoted(text: str) -> str:
    line = _WORD.sub(_seen, re.sub(r"[ \t\r\n]+", " ", text).strip(" "))
    if len(line) > _LONGEST:
        line = f"{line[: _LONGEST - 1]}…"
    return f"`` {line} ``" if "`" in line else f"`{line}`"


# A list of tools has the same few words in many messages.
_SHORT = lru_cache(maxsize=16_384)(_quoted)


def unquoted(text: str) -> str:
    """`text` without quotes around it, typographic ones included."""
    return text.strip(_QUOTES)


def listed(words: Iterable[str], last: str = "or") -> str:
    """The words, at least one, in backticks, with `last` before the last one."""
    return joined(map(code, words), last)


def joined(words: Iterable[str], last: str = "and") -> str:
    """The words, at least one, with `last` before the last one."""
    *others, final = words
    return f"{', '.join(others)} {last} {final}" if others else final


def guess(meant: str | None) -> str:
    """The question whether `meant` was meant, behind what is wrong and before what to write."""
    return f" (did you mean {code(meant)}?)" if meant else ""


def some(words: Sequence[str], most: int, last: str = "or") -> str:
    """As `listed`, but words after the first `most` are only counted."""
    if len(words) <= most:
        return listed(words, last)
    return f"{', '.join(map(code, words[:most]))} and {len(words) - most} more"


def refused(file: TemplateFile, thing: str, fix: str = "", key: Key | None = None) -> str:
    """The message for a value that is refused: the reason, what to do, and the consequence.

    The consequence is that of `key`, or that of the whole header if there is none.
    """
    if key is not None and not file.dialect.schema.consequence(key).is_severe:
        loss = file.dialect.loss(key, file.scope)
    else:
        loss = file.consequence.header_refused + in_force(file)
    return f"{thing}: {fix}, or {loss}" if fix else f"{thing}: {loss}"


def severity(file: TemplateFile, key: Key) -> Severity | None:
    """The severity of a value that `key` does not take; None if it is that of the whole header."""
    found = file.dialect.schema.consequence(key)
    if found.is_severe:
        return None
    return Severity.ERROR if found in _FAILING else Severity.WARNING


def absent(file: TemplateFile, thing: str, fix: str) -> str:
    """As `refused`, for a header that the runtime does not see."""
    return f"{thing}: {fix}, or {file.consequence.header_absent}{in_force(file)}"


def unclosed(file: TemplateFile, thing: str, fix: str) -> str:
    """As `absent`, for a header without an end."""
    loss = file.consequence.unclosed or file.consequence.header_absent
    return f"{thing}: {fix}, or {loss}{in_force(file)}"


@memoised
def in_force(file: TemplateFile) -> str:
    """The definition that is still used if the runtime skips the file; empty if there is none."""
    if file.consequence.file is not RefusedFile.SKIPPED or file.name is None:
        return ""
    if file.dialect.names.names_in is not None and file.names[0].span is None:
        # The agent has no known name.
        return ""
    chain = candidates(file.workspace, file.dialect, file.root, file.name)
    other = next((other for other in chain if other.path != file.path), None)
    if other is not None and not other.scope.builtin:
        return f" and {code(shown(file, other.path))} is still used"
    built_in = {choice.name for choice in file.dialect.references.built_in(catalog_of(file))}
    if other is not None or file.name in built_in:
        return f" and the built-in {code(file.name)} is still used"
    return f" and there is no {code(file.name)}"


def lone_cr(file: TemplateFile) -> str:
    """The message for a header whose lines end in CR."""
    thing = "the lines end in CR, and the runtime ends them at LF only"
    return absent(file, thing, "save the file with line ends LF or CRLF")


def shown(file: TemplateFile, path: Path) -> str:
    """`path` as this workspace shows it."""
    home = file.workspace.host_paths.home
    for root in sorted(file.workspace.roots, key=lambda root: -len(root.parts)):
        if path == root:
            return root.name
        if root in path.parents:
            return path.relative_to(root).as_posix()
    if home is not None and home in path.parents:
        return f"~/{path.relative_to(home).as_posix()}"
    return path.as_posix()


def _seen(word: re.Match[str]) -> str:
    """A word in which each character is visible for what it is."""
    named = characters.confusables(word[0]) if characters.skeleton(word[0]) is not None else ""
    if _LETTER.search(word[0]):
        named += _JOINERS
    return "".join(_visible(sign) if sign not in named else _point(sign) for sign in word[0])


def _visible(sign: str) -> str:
    return sign if sign.isprintable() or sign in _JOINERS else _point(sign)


def _point(sign: str) -> str:
    return f"<U+{ord(sign):04X}>"


def finding(
    rule: str,
    span: Span,
    message: str,
    severity: Severity | None = None,
    word: str = "",
    candidates: Iterable[str] = (),
    *,
    unnecessary: bool = False,
    deprecated: bool = False,
    instead: str = "",
) -> Finding:
    """The finding of `rule` at `span`, with the nearest of the `candidates` as a suggestion.

    `instead` is the word to write there, if it is certain.
    """
    close = nearest(word, tuple(candidates)) if word else None
    meant = instead or close
    return Finding(
        span,
        f"{message}; did you mean {code(close)}?" if close else message,
        severity,
        (*[Tag.UNNECESSARY] * unnecessary, *[Tag.DEPRECATED] * deprecated),
        meant=(meant,) if meant else (),
        code=rule,
        word=word,
    )
