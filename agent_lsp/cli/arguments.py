"""Defines the arguments of each command, with their help texts.

Invariant: nothing of the core is imported here, so that `--version` and `--help` answer at
once.
"""

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from functools import partial
from typing import NoReturn

from agent_lsp import __version__
from agent_lsp.cli.command_error import CommandError

NAME = "agent-template-lsp"


def examples(*lines: str) -> str:
    """The end of a help text: `lines` as somebody would type them, without the command's name."""
    return "\n".join(("examples:", *(f"  {NAME} {line}" for line in lines)))


def add_check(add: Callable[..., ArgumentParser]) -> None:
    """Adds the command to those that `add` makes."""
    command = add(
        "check",
        help="report what a runtime ignores, refuses or loses",
        description="Reports what a runtime ignores, refuses or loses in agent templates.\n"
        "Without PATH, those below the current folder are checked.",
        epilog=examples(
            "check .codex/.agents/reviewer.md",
            "check --dialect codex-templates prompts/",
            "check --select unknown-tool,header --severity warning",
            "check --diff",
            "check --fix .codex/.agents",
            "check --isolated",
            "check --format github",
            "check --baseline agents-baseline.json",
            "check --stdin-filename .codex/.agents/reviewer.md - < draft.md",
        )
        + "\n\nexit codes: 0 clean, or hints and information only; 1 errors or warnings;\n"
        "2 invalid arguments, a path that does not exist, or no template found",
    )
    command.add_argument(
        "paths", metavar="PATH", nargs="*", help="a folder to search, a template, or `-` for stdin"
    )
    command.add_argument(
        "--dialect",
        metavar="D",
        help="treat the named files, and the `*.md` files in each named folder, as templates of D",
    )
    command.add_argument(
        "--stdin-filename", metavar="PATH", help="the path of the template that `-` reads"
    )
    command.add_argument(
        "--no-gitignore",
        action="store_true",
        help="also check files that `.gitignore` ignores",
    )
    command.add_argument(
        "--isolated",
        action="store_true",
        help="for a repository that you do not trust: ignore its settings files, and comments that "
        "hide `hidden-text`",
    )
    command.add_argument(
        "--if-any",
        action="store_true",
        help="no error if there is no template among PATH, for hooks that pass file names",
    )
    _fixing(command)
    _choice(command)
    _output(command)


def _fixing(command: ArgumentParser) -> None:
    fixing = command.add_argument_group("fixes")
    how = fixing.add_mutually_exclusive_group()
    how.add_argument("--fix", action="store_true", help="apply safe fixes; report the rest")
    how.add_argument(
        "--diff",
        action="store_true",
        help="show what --fix would change; exit code 1 if it would change anything",
    )
    fixing.add_argument(
        "--unsafe-fixes",
        action="store_true",
        help="with one of these, also apply fixes that the author may not have intended",
    )


def _choice(command: ArgumentParser) -> None:
    which = command.add_argument_group("selection of findings")
    codes = "codes, or their first words (`header` for all `header-…`), separated by commas"
    for option, only in (("--select", "only these"), ("--ignore", "none of these")):
        which.add_argument(
            option, metavar="CODES", action="append", default=[], help=f"{only} {codes}"
        )
    which.add_argument(
        "--severity",
        choices=("error", "warning", "information", "hint"),
        help="only findings at least as severe as this, each of which gives exit code 1",
    )
    known = which.add_mutually_exclusive_group()
    known.add_argument("--baseline", metavar="FILE", help="none that FILE lists")
    known.add_argument("--write-baseline", metavar="FILE", help="write them all to FILE instead")


def _output(command: ArgumentParser) -> None:
    output = command.add_argument_group("output")
    output.add_argument(
        "--format",
        choices=("text", "json", "sarif", "github"),
        default="text",
        help="for people (default), for scripts, for code scanning, or as GitHub annotations",
    )


def add_convert(add: Callable[..., ArgumentParser]) -> None:
    """Adds the command `convert`."""
    command = add(
        "convert",
        help="convert a template to another agent system, and report what is lost",
        description="Prints a template as a file of another agent system, and reports on standard\n"
        "error what that system cannot express. A tool that would let the agent do more is left\n"
        "out or, if the system cannot exclude it, reported first.\n\n"
        "exit codes: 0 the new agent may do no more than the old one; 1 it may do more, as the\n"
        "report says; 2 not convertible, invalid arguments, or the file exists already",
        epilog=examples(
            "convert .claude/agents/reviewer.md --to codex-templates",
            "convert .codex/.agents/reviewer.md --to claude --persona strict --scope project",
            "convert .claude/agents/reviewer.md --to kodacode --format json",
            "convert moltis.toml --preset reviewer --to claude",
        ),
    )
    command.add_argument("file", metavar="FILE", help="the template")
    command.add_argument("--to", metavar="DIALECT", required=True, help="the other agent system")
    command.add_argument(
        "--from", metavar="DIALECT", help="the system of FILE, if its folder does not tell"
    )
    command.add_argument(
        "--scope",
        choices=("project", "user"),
        help="write it where the system looks: in the project, or among your own templates",
    )
    command.add_argument("--persona", metavar="NAME", help="only this persona of the template")
    command.add_argument(
        "--preset", metavar="NAME", help="this preset of a file with several, such as `moltis.toml`"
    )
    command.add_argument(
        "--output", metavar="FILE", help="write it to FILE; `-` is standard output (default)"
    )
    command.add_argument("--force", action="store_true", help="overwrite an existing file")
    command.add_argument(
        "--format", choices=("text", "json"), default="text", help="text (default) or JSON"
    )


def add_preview(add: Callable[..., ArgumentParser]) -> None:
    """Adds the command to those that `add` makes."""
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
        "agent",
        metavar="AGENT",
        nargs="?",
        help="the agent to spawn (default: that of the runtime)",
    )
    command.add_argument("--persona", metavar="NAME", help="the persona of the agent")
    add_session(command)
    call = command.add_argument_group("arguments of the spawn call")
    call.add_argument("--task", metavar="TEXT", help="the task of the agent")
    call.add_argument("--context", metavar="TEXT", help="additional context for it")
    call.add_argument("--model", metavar="M", help="instead of the template's model")
    call.add_argument("--effort", metavar="E", help="instead of the template's reasoning effort")
    call.add_argument("--thread-note", metavar="TEXT", help="the note on the thread")
    call.add_argument("--working-directory", metavar="DIR", help="another folder to work in")
    call.add_argument(
        "--background", action="store_const", const=True, help="run it in the background"
    )
    call.add_argument(
        "--as",
        metavar="WAY",
        help="`session`: run the agent as the session itself, not as a sub-agent",
    )
    call.add_argument(
        "--env",
        metavar="NAME=VALUE",
        action="append",
        help="an environment variable of the session",
    )
    call.add_argument(
        "--argument",
        metavar="NAME=VALUE",
        action="append",
        help="any argument by its name in the call; lists and objects are JSON",
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
        "--parent-tools", metavar="NAMES", help="the tools of its session, separated by commas"
    )
    parent.add_argument(
        "--parent-depth", metavar="N", type=int, help="its own nesting depth (default: 0)"
    )


def add_session(command: ArgumentParser) -> None:
    """Adds the options that select the session of a command."""
    command.add_argument("--dialect", metavar="D", help="the agent system, such as codex-templates")
    command.add_argument(
        "--root", metavar="DIR", help="the folder where the session starts (default: this folder)"
    )
    command.add_argument("--json", action="store_true", help="print JSON")


_Add = Callable[..., ArgumentParser]
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


def parser() -> ArgumentParser:
    """The parser of the whole command line; `command` is the name of the command's module."""
    top = _Parser(
        NAME,
        description="Shows what an agent runtime will do with an agent template.",
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
    """Parses `argv`, and fails if the name of a path or a system is empty.

    A script with an empty variable would otherwise check the folder where it runs.
    """
    arguments = parser().parse_args(argv)
    for name in _NAMING:
        value = getattr(arguments, name, None)
        if value == "" or (isinstance(value, list) and "" in value):
            option = {"paths": "PATH", "file": "FILE"}.get(name) or f"--{name.replace('_', '-')}"
            raise CommandError(f"{option}: the name is empty")
    return arguments


class _Parser(ArgumentParser):
    """A parser that reports invalid arguments as every other error is reported."""

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
        description="Shows what is in force: where the runtime looks for agents and which files\n"
        "win, which settings count and where they come from, and what is skipped and why.",
        epilog=examples("status", "status --root packages/app", "status --json"),
    )
    command.add_argument(
        "--root", metavar="DIR", help="the workspace folder (default: this folder)"
    )
    command.add_argument("--json", action="store_true", help="print JSON")


def _explain(add: _Add) -> None:
    command = add(
        "explain",
        help="print the page of a diagnostic",
        description="Prints what a diagnostic means and how to fix it.\n"
        "Without CODE, all codes are listed.",
        epilog=examples("explain", "explain unknown-tool"),
    )
    command.add_argument("code", metavar="CODE", nargs="?", help="as in `warning[CODE]`")


def _seed(add: _Add) -> None:
    command = add(
        "seed",
        help="show what a runtime copies into the folder of your own templates",
        description="Shows what a runtime copies into the folder of your own templates when it\n"
        "starts, and what prevents it. Nothing is written without --write.",
        epilog=examples("seed", "seed --write"),
    )
    command.add_argument("--dialect", metavar="D", help="the agent system, such as codex-templates")
    whether = command.add_mutually_exclusive_group()
    whether.add_argument("--dry-run", action="store_true", help="only show it (default)")
    whether.add_argument(
        "--write", action="store_true", help="copy our stand-ins there; never overwrite a file"
    )


def _new(add: _Add) -> None:
    command = add(
        "new",
        help="write a new template from a starter",
        description="Writes a new template into the folder where the runtime looks.\n"
        "Without NAME, the starters are listed.",
        epilog=examples(
            "new reviewer",
            "new reviewer --starter role-with-personas --scope user",
            "new checker --dialect codex-subagents",
            "new scout --dialect moltis",
        ),
    )
    command.add_argument("name", metavar="NAME", nargs="?", help="the agent's name")
    command.add_argument("--dialect", metavar="D", help="the agent system, such as codex-templates")
    command.add_argument("--starter", metavar="S", help="the starter to copy")
    command.add_argument(
        "--scope",
        choices=("project", "user"),
        default="project",
        help="for the project (default), or for all your projects",
    )
    command.add_argument(
        "--root", metavar="DIR", help="the folder where the session starts (default: this folder)"
    )


def _schema(add: _Add) -> None:
    command = add(
        "schema",
        help="print a JSON Schema of the header",
        description="Prints a JSON Schema (draft 7) of the header of an agent system, for other\n"
        "programs. It accepts what the runtime loads, including keys that it ignores.",
        epilog=examples("schema codex-templates"),
    )
    command.add_argument("dialect", metavar="DIALECT", help="the agent system")


def _graph(add: _Add) -> None:
    command = add(
        "graph",
        help="draw the agents of a session",
        description="Prints a Mermaid flowchart of the agents that a session started here finds:\n"
        "which file overrides which, and which agents a prompt mentions as code or in quotes.",
        epilog=examples("graph", "graph --root services/billing > agents.mmd"),
    )
    command.add_argument("--dialect", metavar="D", help="the agent system, such as codex-templates")
    command.add_argument(
        "--root", metavar="DIR", help="the folder where the session starts (default: this folder)"
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
