"""`status`: shows what is in force: scopes, files, settings and versions.

Invariant: `--json` prints the result of `agentTemplates.status`, and nothing else.
"""

import sys
from argparse import ArgumentParser, Namespace
from time import perf_counter

from agent_lsp.analysis.status_report import report, text
from agent_lsp.cli.arguments import CommandError, add_for, examples
from agent_lsp.cli.resolve import current_folder, programs_named, shown, warn
from agent_lsp.cli.terminal import as_json, visible
from agent_lsp.environment import (
    host_paths_from_environment,
    path_from,
    surroundings,
    workspace_for,
)
from agent_lsp.workspace.files import Files


def add_arguments(command: ArgumentParser) -> None:
    """Adds the arguments and the help text of `status`."""
    command.description = (
        "Shows where the runtime looks for agents and which files win, which settings\n"
        "apply and where they come from, and what is skipped and why."
    )
    command.epilog = examples("status", "status --root packages/app", "status --json")
    command.add_argument(
        "--root", metavar="DIR", help="the workspace folder (default: this folder)"
    )
    add_for(command)
    command.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: Namespace) -> int:
    """Prints the report."""
    here = current_folder()
    root, files = path_from(arguments.root or ".", here), Files()
    if not files.is_folder(root):
        raise CommandError(f"--root: there is no folder {shown(root, here)}")
    begun = perf_counter()
    workspace, messages = workspace_for(
        (root,),
        files,
        host_paths_from_environment(),
        programs=programs_named(getattr(arguments, "for")),
    )
    took = perf_counter() - begun
    found = report(workspace, surroundings(workspace, None, {"search": took}))
    if arguments.json:
        print(as_json(found, sys.stdout))
    else:
        print("\n".join(visible(line) for line in text(found)))
    warn(messages, here)
    return 0
