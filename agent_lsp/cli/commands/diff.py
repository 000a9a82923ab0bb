"""`diff`: shows what a change does to the agents, between two revisions or since one.

Invariants: nothing of the repository is run, and nothing is written. The agents are those that
`list` and `preview` show, in both states.
"""

import sys
from argparse import ArgumentParser, Namespace
from functools import partial
from pathlib import Path

from agent_lsp.analysis.agents_diff import agents_diff
from agent_lsp.cli.arguments import CommandError, add_for, examples
from agent_lsp.cli.comparing import report as reports
from agent_lsp.cli.comparing.revision import Compared, compared
from agent_lsp.cli.resolve import (
    current_folder,
    named_from,
    programs_named,
    repository_of,
    session_place,
    shown,
    warn,
)
from agent_lsp.cli.terminal import as_json, for_programs, harmless, look, visible
from agent_lsp.environment import path_from
from agent_lsp.workspace.files import Files


def add_arguments(command: ArgumentParser) -> None:
    """Adds the arguments and the help text of `diff`."""
    command.description = (
        "Shows what a change does to the agents of this folder and the folders below:\n"
        "which agents appear, disappear or are shadowed, and which tools, models,\n"
        "permissions and prompts change. Git reads the revisions. Nothing in the\n"
        "repository runs."
    )
    command.epilog = examples(
        "diff HEAD",
        "diff main...",
        "diff v1.0 v1.1",
        "diff HEAD~1 --format markdown",
        "diff main --root packages/app --format json",
    )
    command.add_argument(
        "revision", metavar="REV", help="the revision before the change, or A..B or A...B as in Git"
    )
    command.add_argument(
        "other",
        metavar="REV",
        nargs="?",
        help="the revision after it (default: the files as they are now)",
    )
    command.add_argument(
        "--root", metavar="DIR", help="the folder to search for agents (default: this folder)"
    )
    add_for(command)
    command.add_argument(
        "--format",
        choices=("text", "json", "markdown"),
        default="text",
        help="text (default), JSON, or Markdown for a pull request",
    )


def run(arguments: Namespace) -> int:
    """Prints the changes. Raises `CommandError` if Git cannot tell what the files were."""
    here = current_folder()
    root = path_from(arguments.root or ".", here)
    if not Files().is_folder(root):
        raise CommandError(f"--root: there is no folder {shown(root, here)}")
    programs = programs_named(getattr(arguments, "for"))
    with compared(here, root, (arguments.revision, arguments.other), programs) as states:
        warn(states.messages, here)
        report = reports.Report(
            agents_diff(states.before, states.after),
            _between(arguments, states),
            states.start,
            states.end,
            partial(shown, here=here),
            partial(session_place, here=here),
        )
    if arguments.format == "json":
        near = repository_of(here)
        print(as_json(reports.data(report, partial(_name, near=near)), sys.stdout))
    elif arguments.format == "markdown":
        for_programs(sys.stdout)
        print(harmless("\n\n".join(reports.markdown(report)), is_coloured=False))
    else:
        print("\n".join(reports.text(report, look(sys.stdout))))
    return 0


def _name(path: Path, near: Path) -> str:
    return named_from(near, path)


def _between(arguments: Namespace, states: Compared) -> str:
    """The two states in words."""
    written, other = visible(arguments.revision), arguments.other
    if states.end is None:
        return f"from {written} to the files as they are now"
    return f"from {written} to {visible(other)}" if other else f"in {written}"
