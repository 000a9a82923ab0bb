"""What an entry of a tool policy was certainly meant to be, where it covers no known tool.

Invariant: what is unknown but may well exist is no slip.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent_lsp.analysis.latest import of_latest
from agent_lsp.analysis.nearest import nearest
from agent_lsp.analysis.rules import policy
from agent_lsp.analysis.rules.wording import code, listed, unquoted
from agent_lsp.dialects.template import Value
from agent_lsp.workspace.index import Subject

_REGEX = re.compile(r"\.[*+]|^\^|\$$|\+$|[\\|()\[\]{}]")
_ANY = re.compile(r"(?:\.|\\[wdS]|\[[^\]]*\])[*+]")
_PLAIN = re.compile(r"[\w*?.:-]+")


@dataclass(frozen=True, slots=True)
class Slip:
    """What to do about an entry; `meant` are the entries that the author had in mind."""

    fix: str
    meant: tuple[str, ...] = ()


@of_latest
def slip(of: Subject, entry: Value) -> Slip | None:
    """The mistake in `entry`, or None where it is none or none for sure."""
    text = entry.text
    if policy.is_known(of, text):
        return None
    several = _several(of, entry)
    if several is not None:
        return several
    server = policy.misnamed(of, text)
    if server is not None:
        return Slip(server.fix, server.meant)
    return _quoted(text) or _syntax(of, text) or _spelling(of, text)


def _several(of: Subject, entry: Value) -> Slip | None:
    """More than one tool in an entry."""
    names = re.split(r"[\s,]+", entry.text.strip(", \t"))
    if names in ([entry.text], [""]) or "(" in entry.text:
        return None
    if len(names) == 1:
        return Slip(f"did you mean {code(names[0])}?", (names[0],))
    meant = tuple(name for name in map(unquoted, names) if name != "-")
    deeper = tuple(_after_dashes(names))
    if not deeper or "\n" not in entry.span.of(of.document.text):
        return Slip("write each tool as an item of its own", meant)
    where = f"the `-` before {listed(deeper, 'and')} is indented deeper"
    return Slip(f"{where}, so this is one item; put the items in line", meant)


def _after_dashes(names: list[str]) -> Iterator[str]:
    for dash, name in zip(names, [*names[1:], ""], strict=True):
        if dash == "-" and name not in ("", "-"):
            yield name


def _quoted(entry: str) -> Slip | None:
    """Quotes that YAML does not take for quotes."""
    bare = unquoted(entry)
    if bare in ("", entry):
        return None
    return Slip(f"the quotes are part of the name, write {code(bare)}", (bare,))


def _syntax(of: Subject, entry: str) -> Slip | None:
    """Signs that have no meaning in an entry."""
    if entry.startswith("!"):
        return Slip("a leading `!` negates nothing")
    called = re.match(r"([\w.:-]+)\(", entry)
    if called:
        return Slip("an entry takes no arguments, a tool is covered as a whole", (called[1],))
    if "*" in entry and not of.dialect.is_pattern(entry):
        patterns = [pattern.name for pattern in of.dialect.globs]
        only = f", only {listed(patterns)} is" if patterns else ""
        return Slip(f"`*` is no wildcard here{only}; name each tool")
    if not _REGEX.search(entry):
        return None
    glob = re.sub(r"\\(\W)", r"\1", _ANY.sub("*", entry.removeprefix("^").removesuffix("$")))
    read = "regular expressions are not understood"
    if glob == "*" and "." not in entry:
        # A class of characters stands for some names, and nobody is talked into allowing all.
        return Slip(read)
    if _PLAIN.fullmatch(glob) and (policy.is_known(of, glob) or policy.cannot_tell(of, glob)):
        return Slip(f"{read}, did you mean {code(glob)}?", (glob,))
    return Slip(read)


def _spelling(of: Subject, entry: str) -> Slip | None:
    """A misspelling of a known tool or pattern."""
    if policy.speaks_of_servers(of, entry):
        return None
    lowered = entry.lower()
    if lowered != entry and (policy.is_known(of, lowered) or policy.speaks_of_servers(of, lowered)):
        return Slip(f"case matters, did you mean {code(lowered)}?", (lowered,))
    meant = None if of.dialect.is_pattern(entry) else nearest(entry, policy.names(of))
    return Slip(f"did you mean {code(meant)}?", (meant,)) if meant else None
