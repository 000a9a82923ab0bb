"""What can be written after `agent-template-lsp`, with its help texts.

Invariant: nothing of the core is imported here, so that `--version` and `--help` answer at
once.
"""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from functools import partial
from typing import NoReturn

from agent_lsp import __version__
from agent_lsp.cli.check_arguments import add_check
from agent_lsp.cli.convert_arguments import add_convert
from agent_lsp.cli.examples import NAME, examples
from agent_lsp.cli.failure import CommandError
from agent_lsp.cli.preview_arguments import add_preview, add_session

_Add = Callable[..., ArgumentParser]
# What names a path or a system, in any command.
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


def parser() -> ArgumentParser:
    """The parser of the whole command line; `command` is the name of the command's module."""
    top = _Parser(
        NAME,
        description="Tells what an agent runtime will do with an agent template.",
        epilog=f"`{NAME} COMMAND --help` explains a command, with examples.",
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"{NAME} {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    add = partial(
        commands.add_parser, allow_abbrev=False, formatter_class=RawDescriptionHelpFormatter
    )
    add_check(add)
    _list(add)
    add_preview(add)
    _status(add)
    _explain(add)
    _new(add)
    add_convert(add)
    _seed(add)
    _schema(add)
    _graph(add)
    _serve(add)
    return top


def parsed(argv: Sequence[str] | None) -> Namespace:
    """What `argv` says, or a failure if it says nothing where something is named.

    A script whose variable is empty would otherwise be about the folder where it runs.
    """
    arguments = parser().parse_args(argv)
    for name in _NAMING:
        value = getattr(arguments, name, None)
        if value == "" or (isinstance(value, list) and "" in value):
            option = {"paths": "PATH", "file": "FILE"}.get(name) or f"--{name.replace('_', '-')}"
            raise CommandError(f"{option}: a name is missing, for the text is empty")
    return arguments


class _Parser(ArgumentParser):
    """A parser that reports a wrong call as every other error is reported."""

    def error(self, message: str) -> NoReturn:
        raise CommandError(f"{message}\n  see `{self.prog} --help`")


def _list(add: _Add) -> None:
    command = add(
        "list",
        help="show the agents that a session would find",
        description="Shows the agents that a session started here would find, and which file\n"
        "defines each of them.",
        epilog=examples("list", "list --agent-type reviewer --expanded", "list --json"),
    )
    add_session(command)
    command.add_argument("--agent-type", metavar="NAME", help="only this agent")
    command.add_argument("--expanded", action="store_true", help="with models, efforts and prompts")


def _status(add: _Add) -> None:
    command = add(
        "status",
        help="show what is in force: scopes, files, settings, and what is skipped",
        description="Shows what is in force: where agents are looked for and which files win,\n"
        "which settings count and where they come from, and what is skipped and why.",
        epilog=examples("status", "status --root packages/app", "status --json"),
    )
    command.add_argument(
        "--root", metavar="DIR", help="the workspace folder (default: this folder)"
    )
    command.add_argument("--json", action="store_true", help="the answer as JSON")


def _explain(add: _Add) -> None:
    command = add(
        "explain",
        help="print the page of a diagnostic",
        description="Prints what a diagnostic means and how to put it right.\n"
        "Without CODE, all diagnostics are listed.",
        epilog=examples("explain", "explain unknown-tool"),
    )
    command.add_argument("code", metavar="CODE", nargs="?", help="as in `warning[CODE]`")


def _seed(add: _Add) -> None:
    command = add(
        "seed",
        help="show what a runtime copies into the folder of your own templates",
        description="Shows what a runtime copies into the folder of your own templates when it\n"
        "starts, and what keeps it from that. Nothing is written without --write.",
        epilog=examples("seed", "seed --write"),
    )
    command.add_argument("--dialect", metavar="D", help="the agent system, as in codex-templates")
    whether = command.add_mutually_exclusive_group()
    whether.add_argument("--dry-run", action="store_true", help="only show it (default)")
    whether.add_argument(
        "--write", action="store_true", help="copy our stand-ins there, over nothing that exists"
    )


def _new(add: _Add) -> None:
    command = add(
        "new",
        help="begin a template from a starter",
        description="Writes a template to begin with, in the folder where the runtime looks.\n"
        "Without NAME, the starters are listed.",
        epilog=examples(
            "new reviewer",
            "new reviewer --starter role-with-personas --scope user",
            "new checker --dialect codex-subagents",
            "new scout --dialect moltis",
        ),
    )
    command.add_argument("name", metavar="NAME", nargs="?", help="the agent's name")
    command.add_argument("--dialect", metavar="D", help="the agent system, as in codex-templates")
    command.add_argument("--starter", metavar="S", help="what to begin with")
    command.add_argument(
        "--scope",
        choices=("project", "user"),
        default="project",
        help="for the project (default), or for all of yours",
    )
    command.add_argument(
        "--root", metavar="DIR", help="where the session starts (default: this folder)"
    )


def _schema(add: _Add) -> None:
    command = add(
        "schema",
        help="print a JSON Schema of the header",
        description="Prints a JSON Schema (draft 7) of the header of an agent system, for other\n"
        "programs. It allows what the runtime loads, so it allows keys that it ignores.",
        epilog=examples("schema codex-templates"),
    )
    command.add_argument("dialect", metavar="DIALECT", help="the agent system")


def _graph(add: _Add) -> None:
    command = add(
        "graph",
        help="draw the agents of a session",
        description="Prints a Mermaid flowchart of the agents that a session started here finds:\n"
        "whose place each of them takes, and whom its prompt mentions as code or in quotes.",
        epilog=examples("graph", "graph --root services/billing > agents.mmd"),
    )
    command.add_argument("--dialect", metavar="D", help="the agent system, as in codex-templates")
    command.add_argument(
        "--root", metavar="DIR", help="where the session starts (default: this folder)"
    )


def _serve(add: _Add) -> None:
    command = add(
        "serve",
        help="start the language server for an editor",
        description="Starts the language server. Editors do this for you.",
        epilog=examples("serve --stdio", "serve --tcp localhost:9257"),
    )
    channel = command.add_mutually_exclusive_group()
    channel.add_argument(
        "--stdio", action="store_true", help="talk over standard input and output (default)"
    )
    channel.add_argument("--tcp", metavar="HOST:PORT", help="wait for one editor on this address")
