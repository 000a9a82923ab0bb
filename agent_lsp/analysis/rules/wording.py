"""The phrases that messages share.

Invariant: a message is lower case without a full stop; what is quoted from a file stands in
backticks, on one line and cut to a readable length.
"""

from collections.abc import Iterable
from pathlib import Path

from agent_lsp.workspace.index import Subject

_LONGEST = 48


def code(text: str) -> str:
    """`text` as a message quotes it."""
    line = " ".join(text.split())
    if len(line) > _LONGEST:
        line = f"{line[: _LONGEST - 1]}…"
    return f"`` {line} ``" if "`" in line else f"`{line}`"


def listed(words: Iterable[str], last: str = "or") -> str:
    """The words, at least one, in backticks, with `last` before the last one."""
    *others, final = map(code, words)
    return f"{', '.join(others)} {last} {final}" if others else final


def refused(of: Subject, thing: str, fix: str = "") -> str:
    """What is wrong with the header, what to do, and what the runtime does otherwise."""
    loss = of.dialect.consequence.header_refused
    return f"{thing}: {fix}, or {loss}" if fix else f"{thing}: {loss}"


def absent(of: Subject, thing: str, fix: str) -> str:
    """As `refused`, for a header that the runtime does not see."""
    return f"{thing}: {fix}, or {of.dialect.consequence.header_absent}"


def shown(of: Subject, path: Path) -> str:
    """`path` as people of this workspace write it."""
    home = of.workspace.places.home
    for root in sorted(of.workspace.roots, key=lambda root: -len(root.parts)):
        if path == root:
            return root.name
        if root in path.parents:
            return path.relative_to(root).as_posix()
    if home is not None and home in path.parents:
        return f"~/{path.relative_to(home).as_posix()}"
    return path.as_posix()
