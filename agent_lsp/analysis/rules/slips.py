"""What an entry of a tool policy was certainly meant to be, where it covers no known tool.

Invariant: what is unknown but may well exist is no slip.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent_lsp.analysis.latest import memo_latest
from agent_lsp.analysis.nearest import nearest
from agent_lsp.analysis.rules import policy
from agent_lsp.analysis.rules.wording import code, listed, unquoted
from agent_lsp.dialects.template import Value
from agent_lsp.workspace.index import TemplateFile

_REGEX = re.compile(r"\.[*+]|^\^|\$$|\+$|[\\|()\[\]{}]")
_ANY = re.compile(r"(?:\.|\\[wdS]|\[[^\]]*\])[*+]")
_PLAIN = re.compile(r"[\w*?.:-]+")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What to do about an entry; `meant` are the entries that the author had in mind."""

    fix: str
    meant: tuple[str, ...] = ()


@memo_latest
def suggestion(file: TemplateFile, entry: Value) -> Suggestion | None:
    """The mistake in `entry`, or None where it is none or none for sure."""
    text = entry.text
    if policy.is_known(file, text):
        return None
    several = _several(file, entry)
    if several is not None:
        return several
    server = policy.misnamed(file, text)
    if server is not None:
        return Suggestion(server.fix, server.meant)
    return _quoted(text) or _syntax(file, text) or _spelling(file, text)


def _several(file: TemplateFile, entry: Value) -> Suggestion | None:
    """More than one tool in an entry."""
    names = re.split(r"[\s,]+", entry.text.strip(", \t"))
    if names in ([entry.text], [""]) or "(" in entry.text:
        return None
    if len(names) == 1:
        return Suggestion(f"did you mean {code(names[0])}?", (names[0],))
    meant = tuple(name for name in map(unquoted, names) if name != "-")
    deeper = tuple(_after_dashes(names))
    if not deeper or "\n" not in entry.span.of(file.document.text):
        return Suggestion("write each tool as an item of its own", meant)
    where = f"the `-` before {listed(deeper, 'and')} is indented deeper"
    return Suggestion(f"{where}, so this is one item; put the items in line", meant)


def _after_dashes(names: list[str]) -> Iterator[str]:
    for dash, name in zip(names, [*names[1:], ""], strict=True):
        if dash == "-" and name not in ("", "-"):
            yield name


def _quoted(entry: str) -> Suggestion | None:
    """Quotes that YAML does not take for quotes."""
    bare = unquoted(entry)
    if bare in ("", entry):
        return None
    return Suggestion(f"the quotes are part of the name, write {code(bare)}", (bare,))


def _syntax(file: TemplateFile, entry: str) -> Suggestion | None:
    """Signs that have no meaning in an entry."""
    if entry.startswith("!"):
        return Suggestion("a leading `!` negates nothing")
    called = re.match(r"([\w.:-]+)\(", entry)
    if called:
        return Suggestion("an entry takes no arguments, a tool is covered as a whole", (called[1],))
    if "*" in entry and not file.dialect.is_pattern(entry):
        patterns = [pattern.name for pattern in file.dialect.globs]
        only = f", only {listed(patterns)} is" if patterns else ""
        return Suggestion(f"`*` is no wildcard here{only}; name each tool")
    if not _REGEX.search(entry):
        return None
    glob = re.sub(r"\\(\W)", r"\1", _ANY.sub("*", entry.removeprefix("^").removesuffix("$")))
    read = "regular expressions are not understood"
    if glob == "*" and "." not in entry:
        # A class of characters stands for some names, and nobody is talked into allowing all.
        return Suggestion(read)
    if _PLAIN.fullmatch(glob) and (policy.is_known(file, glob) or policy.cannot_tell(file, glob)):
        return Suggestion(f"{read}, did you mean {code(glob)}?", (glob,))
    return Suggestion(read)


def _spelling(file: TemplateFile, entry: str) -> Suggestion | None:
    """A misspelling of a known tool or pattern."""
    if policy.speaks_of_servers(file, entry):
        return None
    lowered = entry.lower()
    if lowered != entry and (
        policy.is_known(file, lowered) or policy.speaks_of_servers(file, lowered)
    ):
        return Suggestion(f"case matters, did you mean {code(lowered)}?", (lowered,))
    meant = None if file.dialect.is_pattern(entry) else nearest(entry, policy.names(file))
    return Suggestion(f"did you mean {code(meant)}?", (meant,)) if meant else None
