"""Parses the command line. Each command's module defines the arguments of that command.

Invariant: only the module of the command that is called is loaded, so that `--version` and `--help`
answer at once.
"""

import sys
from argparse import Action, ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Collection, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any, NoReturn

from agent_lsp import __version__

NAME = "agent-template-lsp"
# Each command with its line in the help text.
COMMANDS = {
    "check": "report what a program ignores, refuses or loses in your agent files",
    "list": "show the agents that a session would find",
    "preview": "show the model, the tools and the prompt that an agent would get",
    "try": "show the findings and the agents of one file, without its project",
    "status": "show which files and settings apply, and what is skipped",
    "explain": "explain a rule, and how to fix what it reports",
    "new": "write a new agent file from a starter",
    "convert": "convert a template to another agent system, and report what is lost",
    "diff": "show what a change does to the agents, between two revisions",
    "seed": "show which templates a program copies into your home folder",
    "schema": "print a JSON Schema of the header for other programs",
    "graph": "draw the agents of a session as a flowchart",
    "completion": "print a script that completes this command line in a shell",
    "serve": "start the language server for an editor",
}
# Those whose modules cannot have their names.
_MODULES = {"try": "try_file"}
_NOTHING = 2
# The arguments of all commands that name a path or a system.
_NAMING = (
    "paths",
    "file",
    "files",
    "dialect",
    "root",
    "stdin_filename",
    "baseline",
    "since",
    "revision",
    "other",
    "write_baseline",
    "output",
    "output_file",
    "config",
    "artifacts",
)
# How the help text calls those of them that are no options.
_PLACES = {"paths": "PATH", "files": "PATH", "file": "FILE", "revision": "REV", "other": "REV"}


class CommandError(Exception):  # an exit, not an internal error
    """Ends a command with exit code `code`; its text says what, where and what to do."""

    def __init__(self, text: str, code: int = 2) -> None:
        super().__init__(text)
        self.code = code


def parsed(argv: Sequence[str]) -> Namespace:
    """Parses `argv`; raises `CommandError` if the name of a path or a system is empty.

    A script with an empty variable would otherwise check the current folder.
    """
    # No option comes before the command, so the first word that is a command's name is the command.
    named = next((word for word in argv if word in COMMANDS), None)
    first = next((word for word in argv if not word.startswith("-")), None)
    if first is not None and first not in COMMANDS:
        raise _invalid(f"there is no command `{first}`{_meant(first, COMMANDS)}", NAME)
    # To make the parsers of all commands takes as long as a short command does, and only a call
    # that does not begin with a command may need them.
    is_first = bool(argv) and argv[0] == named
    top = parser(() if named is None else (named,), (argv[0],) if is_first else COMMANDS)
    if not argv:
        # As an error, so that a script whose variable is empty does not go on.
        top.print_help(sys.stderr)
        raise SystemExit(_NOTHING)
    command = top if named is None else commands(top)[named]
    _know_options(command, argv)
    arguments, rest = top.parse_known_args(argv)
    if rest:
        raise _invalid(f"unexpected argument `{rest[0]}`", command.prog)
    for name in _NAMING:
        value = getattr(arguments, name, None)
        if value == "" or (isinstance(value, list) and "" in value):
            option = _PLACES.get(name) or f"--{name.replace('_', '-')}"
            raise CommandError(f"{option}: the name is empty")
    return arguments


def _know_options(command: ArgumentParser, argv: Sequence[str]) -> None:
    """Raises `CommandError` for the first word that looks like an option and is none.

    argparse would complain about something else first, such as an argument that is missing.
    """
    offered = options(command)
    for word in argv[: argv.index("--")] if "--" in argv else argv:
        name = word.partition("=")[0]
        # With a space in it, argparse takes the word for a value.
        if name.startswith("--") and " " not in word and name not in offered:
            said = f"there is no option `{name}`{_meant(name, offered)}"
            raise _invalid(said, command.prog)


def _meant(word: str, offered: Collection[str]) -> str:
    from agent_lsp.analysis.suggest import nearest  # noqa: PLC0415 - only for a wrong call

    near = nearest(word, offered)
    return f"; did you mean `{near}`?" if near else ""


def _invalid(said: str, program: str) -> CommandError:
    """The error of an invalid call; what it quotes of the call begins no line of its own."""
    from agent_lsp.cli.terminal import visible  # noqa: PLC0415 - only for a wrong call

    return CommandError(f"{visible(said)}\n  see `{program} --help`")


def options(command: ArgumentParser) -> tuple[str, ...]:
    """The options of `command`, in the order of its help text."""
    return tuple(name for one in actions(command) for name in one.option_strings)


def actions(command: ArgumentParser) -> tuple[Action, ...]:
    """The arguments of `command`, in the order of its help text."""
    return tuple(command._actions)  # noqa: SLF001 - argparse has no public way to list them


def commands(top: ArgumentParser) -> Mapping[str, ArgumentParser]:
    """The parser of each command of `top`."""
    [every] = (one.choices for one in actions(top) if one.dest == "command")
    return dict(every or {})


def parser(
    commands: Collection[str] = COMMANDS, listed: Collection[str] = COMMANDS
) -> ArgumentParser:
    """The parser of the command line with the commands `listed` and the arguments of `commands`."""
    top = _Parser(
        NAME,
        description="Shows what Claude Code, Copilot, OpenCode and others do with agent files.",
        epilog=f"`{NAME} COMMAND --help` explains a command, with examples.",
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"{NAME} {__version__}")
    add = top.add_subparsers(dest="command", metavar="COMMAND", required=True).add_parser
    for name in listed:
        command = add(name, help=COMMANDS[name], allow_abbrev=False, formatter_class=_Help)
        if name in commands:
            module(name).add_arguments(command)
    return top


def module(command: str) -> ModuleType:
    """The module of `command`, with its functions `add_arguments` and `run`."""
    return import_module(f"agent_lsp.cli.commands.{_MODULES.get(command, command)}")


class _Help(RawDescriptionHelpFormatter):
    """A help text that breaks no name such as `codex-templates` into two."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        from textwrap import wrap  # noqa: PLC0415 - only for a help text

        return wrap(" ".join(text.split()), width, break_on_hyphens=False)


class _Parser(ArgumentParser):
    """A parser that reports invalid arguments in the same way as every other error."""

    def error(self, message: str) -> NoReturn:
        raise _invalid(message, self.prog)

    def _print_message(self, message: str, file: Any = None) -> None:  # noqa: ANN401 - any stream
        # Python's own method, which all help texts and the version go through, hides a failure.
        (file or sys.stderr).write(message)


def examples(*lines: str) -> str:
    """The end of a help text: `lines` are commands without the name of the program."""
    return "\n".join(("examples:", *(f"  {NAME} {line}" for line in lines)))


def add_for(command: ArgumentParser) -> None:
    """Adds the option that says which programs count."""
    command.add_argument(
        "--for",
        metavar="PROGRAMS",
        help="the programs to check for, separated by commas, such as claude,copilot-cli,cursor "
        "(default: the setting `for`, or the programs that the project uses)",
    )


def dialects() -> str:
    """The values of `--dialect`, for a help text."""
    from agent_lsp.environment import BY_USE  # noqa: PLC0415 - `--version` needs no systems

    return ", ".join(system.id for system in BY_USE)


class _Dialects:
    """The values of `--dialect`, which are loaded when a help text is printed."""

    def __str__(self) -> str:
        return dialects()


def add_dialect(command: ArgumentParser, what: str = "the agent system") -> None:
    """Adds the option that names the agent system; its help text lists them all."""
    text = f"{what}; D is one of %(dialects)s"
    option = command.add_argument("--dialect", metavar="D", help=text)
    # argparse asks for the text of each attribute that a help text names.
    vars(option)["dialects"] = _Dialects()


def add_session(command: ArgumentParser) -> None:
    """Adds the options that select the session of a command."""
    add_dialect(command)
    command.add_argument(
        "--root", metavar="DIR", help="the folder where the session starts (default: this folder)"
    )
    add_for(command)
    command.add_argument("--json", action="store_true", help="print JSON")
