"""Parses the command line. Each command's module defines the arguments of that command.

Invariant: only the module of the command that is called is loaded, so that `--version` and `--help`
answer at once.
"""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Collection, Sequence
from importlib import import_module
from types import ModuleType
from typing import NoReturn

from agent_lsp import __version__

NAME = "agent-template-lsp"
# Each command with its line in the help text. Its module has the same name.
COMMANDS = {
    "check": "report what a runtime ignores, refuses or loses",
    "list": "show the agents that a session would find",
    "preview": "show what a spawn call would start",
    "status": "show what is in force: scopes, files, settings, and what is skipped",
    "explain": "print the page of a diagnostic",
    "new": "write a new template from a starter",
    "convert": "convert a template to another agent system, and report what is lost",
    "seed": "show what a runtime copies into the folder of your own templates",
    "schema": "print a JSON Schema of the header",
    "graph": "draw the agents of a session",
    "serve": "start the language server for an editor",
}
# The arguments of all commands that name a path or a system.
_NAMING = (
    "paths",
    "file",
    "dialect",
    "root",
    "stdin_filename",
    "baseline",
    "write_baseline",
    "output",
    "artifacts",
)


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
    arguments = parser(() if named is None else (named,)).parse_args(argv)
    for name in _NAMING:
        value = getattr(arguments, name, None)
        if value == "" or (isinstance(value, list) and "" in value):
            option = {"paths": "PATH", "file": "FILE"}.get(name) or f"--{name.replace('_', '-')}"
            raise CommandError(f"{option}: the name is empty")
    return arguments


def parser(commands: Collection[str] = COMMANDS) -> ArgumentParser:
    """The parser of the command line, which knows all commands, and the arguments of `commands`."""
    top = _Parser(
        NAME,
        description="Shows what an agent runtime will do with an agent template.",
        epilog=f"`{NAME} COMMAND --help` explains a command, with examples.",
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"{NAME} {__version__}")
    add = top.add_subparsers(dest="command", metavar="COMMAND", required=True).add_parser
    for name, line in COMMANDS.items():
        command = add(
            name, help=line, allow_abbrev=False, formatter_class=RawDescriptionHelpFormatter
        )
        if name in commands:
            module(name).add_arguments(command)
    return top


def module(command: str) -> ModuleType:
    """The module of `command`, with its functions `add_arguments` and `run`."""
    return import_module(f"agent_lsp.cli.commands.{command}")


class _Parser(ArgumentParser):
    """A parser that reports invalid arguments in the same way as every other error."""

    def error(self, message: str) -> NoReturn:
        raise CommandError(f"{message}\n  see `{self.prog} --help`")


def examples(*lines: str) -> str:
    """The end of a help text: `lines` are commands without the name of the program."""
    return "\n".join(("examples:", *(f"  {NAME} {line}" for line in lines)))


def add_for(command: ArgumentParser) -> None:
    """Adds the option that says which programs count."""
    command.add_argument(
        "--for",
        metavar="PROGRAMS",
        help="the programs that count, separated by commas, such as claude,copilot-cli,cursor "
        "(default: the setting `for`, or those that the project uses)",
    )


def add_session(command: ArgumentParser) -> None:
    """Adds the options that select the session of a command."""
    command.add_argument("--dialect", metavar="D", help="the agent system, such as codex-templates")
    command.add_argument(
        "--root", metavar="DIR", help="the folder where the session starts (default: this folder)"
    )
    add_for(command)
    command.add_argument("--json", action="store_true", help="print JSON")
