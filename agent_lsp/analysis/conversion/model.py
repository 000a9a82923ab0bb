"""The result of a conversion: a file, and what of the template it cannot say.

Invariant: whatever lets the new agent do more than the old one is a loss of weight `WIDER`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from agent_lsp.text import Span


class LossSeverity(Enum):
    """What a loss does to the agent; the gravest first."""

    WIDER = "may do more"
    LOST = "lost"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Loss:
    """Something of the template that the new file cannot say, and where it stands."""

    weight: LossSeverity
    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Converted:
    """A file that `path` should hold, whose agent is called `name`."""

    path: Path
    name: str
    text: str
    losses: tuple[Loss, ...]


def ordered(losses: Iterable[Loss]) -> tuple[Loss, ...]:
    """Each loss once, the gravest first, and then in the order of the text."""
    weights = list(LossSeverity)
    found = dict.fromkeys(losses)
    return tuple(sorted(found, key=lambda one: (weights.index(one.weight), one.span)))
