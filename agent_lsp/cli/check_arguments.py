"""What can be written after `check`, the command with most options.

Invariant: nothing of the core is imported here, as in `arguments`.
"""

from argparse import ArgumentParser
from collections.abc import Callable

from agent_lsp.cli.examples import examples


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
        + "\n\nexit code: 0 clean, or hints and information only; 1 errors or warnings;\n"
        "2 a wrong call, a path that does not exist, or no template found",
    )
    command.add_argument(
        "paths", metavar="PATH", nargs="*", help="a folder to search, a template, or `-` for stdin"
    )
    command.add_argument(
        "--dialect",
        metavar="D",
        help="take the named files, and the `*.md` files in each named folder, as templates of D",
    )
    command.add_argument(
        "--stdin-filename", metavar="PATH", help="the place of the template that `-` reads"
    )
    command.add_argument(
        "--no-gitignore",
        action="store_true",
        help="also check what a search finds where `.gitignore` leaves it out",
    )
    command.add_argument(
        "--isolated",
        action="store_true",
        help="for a repository that you do not trust: its settings files do not count, and none of "
        "its comments hides `hidden-text`",
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
    how.add_argument("--fix", action="store_true", help="fix what is safe to fix; report the rest")
    how.add_argument(
        "--diff", action="store_true", help="show what --fix would do; exit code 1 if it would"
    )
    fixing.add_argument(
        "--unsafe-fixes",
        action="store_true",
        help="with one of these, also fix what may have been meant in another way",
    )


def _choice(command: ArgumentParser) -> None:
    which = command.add_argument_group("which findings")
    codes = "diagnostics, or their first words (`header` for all `header-…`), separated by commas"
    for option, only in (("--select", "only these"), ("--ignore", "not these")):
        which.add_argument(
            option, metavar="CODES", action="append", default=[], help=f"{only} {codes}"
        )
    which.add_argument(
        "--severity",
        choices=("error", "warning", "information", "hint"),
        help="nothing less severe than this, and exit code 1 for all that is left",
    )
    known = which.add_mutually_exclusive_group()
    known.add_argument("--baseline", metavar="FILE", help="not those that are listed in FILE")
    known.add_argument("--write-baseline", metavar="FILE", help="list them all in FILE instead")


def _output(command: ArgumentParser) -> None:
    output = command.add_argument_group("output")
    output.add_argument(
        "--format",
        choices=("text", "json", "sarif", "github"),
        default="text",
        help="for people (default), for scripts, for code scanning, or as GitHub's annotations",
    )
