"""What a shell may offer: the commands, their options, and the values of these.

Invariant: everything comes from the parser, so that a new option is completed without a change.
"""

from argparse import Action
from collections.abc import Callable, Mapping

from agent_lsp.analysis.checks import codes
from agent_lsp.cli.arguments import COMMANDS, actions, commands, parser
from agent_lsp.data_classes import dataclass
from agent_lsp.environment import BY_USE, SYSTEMS
from agent_lsp.model.system import program_names


def _ids() -> tuple[str, ...]:
    return tuple(system.id for system in BY_USE)


# What a value names, by its name in the help text.
_NAMED: Mapping[str, Callable[[], tuple[str, ...]]] = {
    "D": _ids,
    "DIALECT": _ids,
    "TARGETS": _ids,
    "PROGRAMS": lambda: tuple(program_names(BY_USE)),
    "CODE": lambda: tuple(codes(SYSTEMS)),
    "CODES": lambda: tuple(codes(SYSTEMS)),
}
_FILES, _FOLDERS = ("FILE", "PATH", "AGENT"), ("DIR",)


@dataclass(frozen=True, slots=True)
class Argument:
    """An option with its `names`, or without names an argument by its place.

    `values` are the words that it takes. `takes` is `file`, `folder` or `text` if it takes any
    other, `word` if it takes only these, and empty for a flag.
    """

    names: tuple[str, ...]
    values: tuple[str, ...]
    takes: str
    about: str
    is_repeated: bool


@dataclass(frozen=True, slots=True)
class Command:
    """A command with its line in the help text, its options, and its other arguments."""

    name: str
    about: str
    options: tuple[Argument, ...]
    places: tuple[Argument, ...]


def every_command() -> tuple[Command, ...]:
    """The commands in the order of the help text."""
    found = []
    for name, command in commands(parser()).items():
        arguments = [_argument(one) for one in actions(command)]
        options = tuple(one for one in arguments if one.names)
        places = tuple(one for one in arguments if not one.names)
        found.append(Command(name, COMMANDS[name], options, places))
    return tuple(found)


def _argument(action: Action) -> Argument:
    named = str(action.metavar or "")
    offered = _NAMED.get(named)
    values = tuple(map(str, action.choices or ())) or (offered() if offered is not None else ())
    if action.nargs == 0:
        takes = ""
    elif values:
        takes = "word"
    else:
        takes = "file" if named in _FILES else "folder" if named in _FOLDERS else "text"
    about = " ".join((action.help or "").replace("%%", "%").split())
    # The words are offered, so that the text need not list them.
    is_repeated = type(action).__name__ == "_AppendAction" or action.nargs == "*"
    return Argument(tuple(action.option_strings), values, takes, _brief(about), is_repeated)


def _brief(about: str) -> str:
    """The first clause of a help text, which fits beside a word."""
    return about.partition(";")[0].partition(" (default")[0]
