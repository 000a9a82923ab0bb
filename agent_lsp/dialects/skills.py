"""Where skills lie, and how a text names one."""

from dataclasses import dataclass
from re import Pattern


@dataclass(frozen=True, slots=True)
class Skills:
    """Skills in `folder` beside each folder of agents, the nearest first.

    `mention` finds a name, in whichever of its groups has one. A skill is a file of that name, or
    `document` in a folder of it.
    """

    folder: str
    document: str
    mention: Pattern[str]
