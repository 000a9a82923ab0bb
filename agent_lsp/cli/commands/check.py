"""`check`: reports the findings in templates, in the format that the user chooses.

Invariant: what checks is loaded only if there is no kept result of the same call.
"""

import sys
from argparse import ArgumentParser, Namespace

from agent_lsp.cli.arguments import add_dialect, add_for, examples
from agent_lsp.cli.checking import result_cache
from agent_lsp.cli.terminal import for_programs

# The others are for people, or escape what an encoding may lack.
_READ_IN_UTF_8 = ("github", "junit")


def add_arguments(command: ArgumentParser) -> None:
    """Adds the arguments and the help text of `check`."""
    command.description = (
        "Reports what programs such as Claude Code ignore, refuse or lose in agent files.\n"
        "Without PATH, checks the files in the current folder and the folders below."
    )
    command.epilog = (
        examples(
            "check .claude/agents/reviewer.md",
            "check --dialect codex-templates prompts/",
            "check --select unknown-tool,header --severity warning",
            "check --diff",
            "check --fix .claude/agents",
            "check --isolated",
            "check --format github",
            "check --baseline agents-baseline.json",
            "check --since main",
            "check --watch",
            "check --stdin-filename .claude/agents/reviewer.md - < draft.md",
        )
        + "\n\nexit codes: 0 clean, or hints and information only; 1 errors or warnings;\n"
        "2 invalid arguments, a path that does not exist, or no template found"
    )
    command.add_argument(
        "paths", metavar="PATH", nargs="*", help="a folder to search, a template, or `-` for stdin"
    )
    add_dialect(
        command,
        "treat the named files, and the `*.md` files in each named folder, as templates of D",
    )
    command.add_argument(
        "--stdin-filename",
        metavar="PATH",
        help="the path of the template that `-` reads from standard input",
    )
    command.add_argument(
        "--no-gitignore",
        action="store_true",
        help="also check files that `.gitignore` ignores",
    )
    command.add_argument(
        "--isolated",
        action="store_true",
        help="for a repository that you do not trust: ignore its settings files, and its comments "
        "that suppress `hidden-text`",
    )
    add_for(command)
    command.add_argument(
        "--if-any",
        action="store_true",
        help="exit with 0 if no PATH is a template; for hooks that pass file names",
    )
    command.add_argument(
        "--exclude",
        metavar="PATTERN",
        action="append",
        default=[],
        help="do not check files that match PATTERN, such as `vendor` or `docs/*.md`; the "
        "runtime still reads them",
    )
    command.add_argument(
        "--config", metavar="FILE", help="use this settings file instead of those in the folders"
    )
    command.add_argument(
        "--no-cache",
        action="store_true",
        help="check again, even if nothing has changed since the last run",
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
        help="show what --fix would change, and exit with 1 if it would change anything",
    )
    fixing.add_argument(
        "--unsafe-fixes",
        action="store_true",
        help="with --fix or --diff, also apply fixes that may not be what the author intended",
    )


def _choice(command: ArgumentParser) -> None:
    which = command.add_argument_group("which findings to report")
    codes = "codes, separated by commas; `header` stands for all `header-…`"
    for option, only in (("--select", "report only these"), ("--ignore", "do not report these")):
        which.add_argument(
            option, metavar="CODES", action="append", default=[], help=f"{only} {codes}"
        )
    which.add_argument(
        "--severity",
        choices=("error", "warning", "information", "hint"),
        help="report only findings of this severity or above, and exit with 1 if there are any",
    )
    known = which.add_mutually_exclusive_group()
    known.add_argument("--baseline", metavar="FILE", help="do not report findings that FILE lists")
    known.add_argument(
        "--since",
        metavar="REV",
        help="report only findings that are new since the Git revision REV",
    )
    known.add_argument(
        "--write-baseline",
        metavar="FILE",
        help="write all findings to FILE instead of reporting them",
    )


def _output(command: ArgumentParser) -> None:
    output = command.add_argument_group("output")
    output.add_argument(
        "--format",
        choices=("text", "concise", "json", "sarif", "github", "gitlab", "junit"),
        default="text",
        help="text (default), one line for each finding, JSON, SARIF for code scanning, GitHub "
        "annotations, a GitLab code quality report, or JUnit XML",
    )
    output.add_argument(
        "--output-file", metavar="FILE", help="write the report to FILE instead of standard output"
    )
    output.add_argument(
        "--statistics",
        action="store_true",
        help="count the findings of each code instead of printing them",
    )
    output.add_argument(
        "--show-files",
        action="store_true",
        help="list the files that `check` would check, and exit",
    )
    output.add_argument(
        "-q",
        "--quiet",
        action="store_true",
        help="print only the findings, without summary and notes",
    )
    output.add_argument(
        "--watch", action="store_true", help="check again after each change, until you press Ctrl-C"
    )
    output.add_argument(
        "--exit-zero", action="store_true", help="exit with 0 even if there are findings"
    )


def run(arguments: Namespace) -> int:
    """Prints the findings, and returns the exit code.

    0 if there is nothing to fail for, 1 if a finding fails the build, 2 if a path does not exist or
    no template was found. With `--watch` it does so after each change, until it is interrupted.
    """

    def work() -> int:
        from agent_lsp.cli.checking import run as checking  # noqa: PLC0415 - as said above

        return checking.run(arguments)

    if arguments.format in _READ_IN_UTF_8:
        for_programs(sys.stdout)
    return result_cache.run(arguments, work)
