"""Defines skills, which are texts that the header of an agent names and the agent starts with."""

from collections.abc import Callable, Iterable
from pathlib import Path

from agent_lsp.data_classes import dataclass
from agent_lsp.model.discovery import ScopeRule
from agent_lsp.model.template import Value
from agent_lsp.syntax.document import Document
from agent_lsp.text import Span


@dataclass(frozen=True, slots=True)
class SkillHeader:
    """What the file of a skill says.

    `name` and `description` are empty if there are none. `body` is the span of the text below the
    header. `off` says why the runtime keeps the skill from agents, or is empty; `off_in_bundle` is
    the same for a skill of a bundle, such as a plugin, and `off_in_folder` for one that is no
    command.
    """

    name: str
    description: str
    body: Span
    off: str = ""
    off_in_bundle: str = ""
    off_in_folder: str = ""


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
        in_bundle = self.header.off_in_bundle if self.prefix else ""
        in_folder = "" if self.is_command else self.header.off_in_folder
        return self.header.off or in_bundle or in_folder


@dataclass(frozen=True, slots=True, eq=False)
class SkillPlaces:
    """The folders in which a runtime finds skills, the highest precedence first.

    In a folder of `rules`, each skill has a folder with a file called `document`, at any depth if
    `is_deep`; if `has_direct`, the file may also lie directly in it. In a folder of `commands`,
    each Markdown file counts as a skill, at any depth if `are_commands_deep`.
    """

    document: str
    rules: tuple[ScopeRule, ...]
    commands: tuple[ScopeRule, ...] = ()
    is_deep: bool = False
    has_direct: bool = False
    are_commands_deep: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillUse:
    """What naming a skill does, in the words of messages.

    `there` begins the sentence about a skill that exists, and `kept_back` the one about a skill
    that the runtime does not give to agents. `missing` is what follows from a name that no skill
    has, and `fix` what to do about it.
    """

    there: str
    kept_back: str
    missing: str
    fix: str


STARTS = SkillUse(
    there="The agent starts with the skill",
    kept_back="the agent starts without the skill",
    missing="so the agent starts without it",
    fix="write the skill, or remove the name",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillNames:
    """The key of a header that names skills, and how the runtime finds them.

    `read` reads the file of a skill. `find` returns the skill that a name means among some, or
    None. `entries` returns the entries of a header, if a program does not read the key that another
    program of the system reads, or if there are several keys. `own` are the skills of the runtime
    itself. `paths` returns the paths of skills in a header, from the folder of its file on. If
    `is_in_header`, the name in the header of a skill replaces that of its folder.
    `others` says where skills may be that are not looked up here, or is empty. `groups` are names
    of several skills of the runtime at once. `use` says what an entry does.
    """

    key: str
    read: Callable[[str], SkillHeader]
    find: Callable[[Iterable[Skill], str], Skill | None]
    own: tuple[Skill, ...] = ()
    entries: Callable[[Document], tuple[Value, ...]] | None = None
    is_in_header: bool = False
    others: str = ""
    groups: frozenset[str] = frozenset()
    paths: Callable[[Document], tuple[Value, ...]] = lambda _: ()
    use: Callable[[Document, Value], SkillUse] = lambda _, __: STARTS
