"""Defines skills, which are texts that the header of an agent names and the agent starts with."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from agent_lsp.model.discovery import ScopeRule
from agent_lsp.text import Span


@dataclass(frozen=True, slots=True)
class SkillHeader:
    """What the file of a skill says.

    `name` and `description` are empty if there are none. `body` is the span of the text below the
    header. `off` says why the runtime keeps the skill from agents, or is empty; `off_in_bundle` is
    the same for a skill of a bundle, such as a plugin.
    """

    name: str
    description: str
    body: Span
    off: str = ""
    off_in_bundle: str = ""


_NO_HEADER = SkillHeader("", "", Span(0, 0))


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill of a session.

    A header finds it as `name`, or as `alias`, which is the name in its own header. `source` says
    where it is from, and `prefix` is that of its bundle. `path` is its file, or None if it is the
    runtime's own. `text` is the text below its header. A command is a file that counts as a skill
    without a folder of its own.
    """

    name: str
    source: str
    path: Path | None = None
    header: SkillHeader = _NO_HEADER
    alias: str = ""
    text: str = ""
    is_command: bool = False
    prefix: str = ""

    @property
    def off(self) -> str:
        """Why the runtime keeps the skill from agents, or an empty text."""
        return self.header.off or (self.header.off_in_bundle if self.prefix else "")


@dataclass(frozen=True, slots=True, eq=False)
class SkillPlaces:
    """The folders in which a runtime finds skills, the highest precedence first.

    In a folder of `rules`, each skill has a folder with a file called `document`. In a folder of
    `commands`, each Markdown file counts as a skill, at any depth.
    """

    document: str
    rules: tuple[ScopeRule, ...]
    commands: tuple[ScopeRule, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillNames:
    """The key of a header that names skills, and how the runtime finds them.

    `read` reads the file of a skill. `find` returns the skill that a name means among some, or
    None. `own` are the skills of the runtime itself.
    """

    key: str
    read: Callable[[str], SkillHeader]
    find: Callable[[Iterable[Skill], str], Skill | None]
    own: tuple[Skill, ...] = ()
