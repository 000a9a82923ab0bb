"""What can be written after `agent-template-lsp`, with its help texts.

Invariant: nothing of the core is imported here, so that `--version` and `--help` answer at
once.
"""

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable
from functools import partial
from typing import NoReturn

from agent_lsp import __version__
from agent_lsp.cli.check_arguments import add_check
from agent_lsp.cli.convert_arguments import add_convert
from agent_lsp.cli.examples import NAME, examples
from agent_lsp.cli.failure import Failure

_Add = Callable[..., ArgumentParser]


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
    _preview(add)
    _status(add)
    _explain(add)
    _new(add)
    add_convert(add)
    _seed(add)
    _schema(add)
    _graph(add)
    _serve(add)
    return top


class _Parser(ArgumentParser):
    """A parser that reports a wrong call as every other error is reported."""

    def error(self, message: str) -> NoReturn:
        raise Failure(f"{message}\n  see `{self.prog} --help`")


def _list(add: _Add) -> None:
    command = add(
        "list",
        help="show the agents that a session would find",
        description="Shows the agents that a session started here would find, and which file\n"
        "defines each of them.",
        epilog=examples("list", "list --agent-type reviewer --expanded", "list --json"),
    )
    _session(command)
    command.add_argument("--agent-type", metavar="NAME", help="only this agent")
    command.add_argument("--expanded", action="store_true", help="with models, efforts and prompts")


def _preview(add: _Add) -> None:
    command = add(
        "preview",
        help="show what a spawn call would start",
        description="Shows what a spawn call would start: model, sandbox, tools and prompt, and\n"
        "where each value comes from.",
        epilog=examples(
            "preview reviewer",
            "preview reviewer --persona security --effort high",
            "preview worker --parent-model gpt-5.2-codex --parent-depth 1 --json",
            "preview reviewer --dialect kodacode --task 'Find it.' --context 'Since Monday.'",
            "preview reviewer --dialect kodacode --argument 'source_handoff_ids=[\"h1\"]'",
            "preview planner --argument mode=IMPLEMENTATION --artifacts prompt",
        ),
    )
    command.add_argument(
        "agent", metavar="AGENT", nargs="?", help="the agent to spawn (default: as the call has it)"
    )
    command.add_argument("--persona", metavar="NAME", help="the persona of the agent")
    _session(command)
    call = command.add_argument_group("arguments of the spawn call")
    call.add_argument("--task", metavar="TEXT", help="what the agent shall do")
    call.add_argument("--context", metavar="TEXT", help="what it should know besides")
    call.add_argument("--model", metavar="M", help="instead of the template's model")
    call.add_argument("--effort", metavar="E", help="instead of the template's reasoning effort")
    call.add_argument("--thread-note", metavar="TEXT", help="the note by which the thread is known")
    call.add_argument("--working-directory", metavar="DIR", help="another folder to work in")
    call.add_argument(
        "--background", action="store_const", const=True, help="run it in the background"
    )
    call.add_argument(
        "--env", metavar="NAME=VALUE", action="append", help="a variable that the session has"
    )
    call.add_argument(
        "--argument",
        metavar="NAME=VALUE",
        action="append",
        help="any argument by the name that the call has for it; lists and objects are JSON",
    )
    command.add_argument(
        "--artifacts",
        metavar="DIR",
        help="write the prompt, its blocks and their hashes into this folder, as the runtime logs"
        " them",
    )
    parent = command.add_argument_group("the agent that spawns")
    parent.add_argument("--parent-model", metavar="M", help="its model")
    parent.add_argument("--parent-effort", metavar="E", help="its reasoning effort")
    parent.add_argument("--parent-sandbox", metavar="S", help="its sandbox")
    parent.add_argument(
        "--parent-tools", metavar="NAMES", help="what its session offers, separated by commas"
    )
    parent.add_argument(
        "--parent-depth", metavar="N", type=int, help="how deep it was spawned itself (default: 0)"
    )


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


def _session(command: ArgumentParser) -> None:
    command.add_argument("--dialect", metavar="D", help="the agent system, as in codex-templates")
    command.add_argument(
        "--root", metavar="DIR", help="where the session starts (default: this folder)"
    )
    command.add_argument("--json", action="store_true", help="the answer as JSON")
