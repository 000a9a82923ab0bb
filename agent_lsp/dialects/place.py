"""What stands at a place of a file whose dialect itself knows what its words are."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from agent_lsp.dialects.vocabulary import Choice
from agent_lsp.text import Span


class WordKind(Enum):
    """What a word is about."""

    KEY = "key"
    VALUE = "value"
    TOOL = "tool"
    AGENT = "agent"


@dataclass(frozen=True, slots=True)
class WordAt:
    """A word at `span` without its quotes, and the words that may stand there.

    `title` says what such a word is; `notes` are for who asks about it; `shapes` are the snippets
    that write more than the word, by the words that they begin with.
    """

    sort: WordKind
    title: str
    span: Span
    word: str
    offers: tuple[Choice, ...]
    notes: tuple[str, ...] = ()
    shapes: Mapping[str, str] = field(default_factory=dict)

    @property
    def meaning(self) -> str:
        """What the word means, or nothing if it is not among the offers."""
        return next((one.meaning for one in self.offers if one.name == self.word), "")
