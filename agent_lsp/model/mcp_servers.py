"""Defines how the files of a system name MCP servers, and which servers cannot be known here."""

from collections.abc import Callable
from re import Pattern

from agent_lsp.data_classes import dataclass
from agent_lsp.model.template import Value
from agent_lsp.syntax.document import Document
from agent_lsp.text import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerNames:
    """How the header of an agent names MCP servers.

    `in_entry` returns the spans of an entry of a tool list that may be the name of a server, the
    most likely one first; none if the entry is not about one server. `own_key` is the key that
    gives the agent servers of its own. `keys` are those whose items are names of servers; one of
    them may be the `own_key`. `listed` returns the names of servers at other places of a file.
    `elsewhere` matches the names of servers that come from somewhere
    else, such as the runtime itself. `may_be_other` says that an entry of this form need not be
    about a server, or that servers may be configured in files that are not read here.
    """

    in_entry: Callable[[str], tuple[Span, ...]]
    own_key: str = ""
    keys: frozenset[str] = frozenset()
    elsewhere: Pattern[str] | None = None
    may_be_other: bool = False
    listed: Callable[[Document], tuple[Value, ...]] = lambda _: ()

    def is_elsewhere(self, name: str) -> bool:
        """Whether the server of this name may exist without a configuration."""
        return self.elsewhere is not None and self.elsewhere.fullmatch(name) is not None


def in_group(pattern: Pattern[str]) -> Callable[[str], tuple[Span, ...]]:
    """An `in_entry` for entries that match `pattern`, whose first group is the server."""

    def found(entry: str) -> tuple[Span, ...]:
        match = pattern.fullmatch(entry)
        return (Span(*match.span(1)),) if match is not None else ()

    return found


def up_to_underscores(before: str) -> Callable[[str], tuple[Span, ...]]:
    """An `in_entry` for `<server>_<tool>` behind `before`, where both may have underscores."""

    def found(entry: str) -> tuple[Span, ...]:
        if not entry.startswith(before):
            return ()
        start = len(before)
        ends = (at for at in range(start + 1, len(entry) - 1) if entry[at] == "_")
        return tuple(Span(start, end) for end in ends if "*" not in entry[start:end])

    return found
