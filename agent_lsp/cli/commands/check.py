"""`check`: reports the findings in templates, in the format that the user chooses.

Invariants: the order of the output depends only on the paths. A problem with one path or file does
not hide findings in others.
"""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib import import_module
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from agent_lsp.analysis.diagnostics import Diagnostic, Examined, examined
from agent_lsp.analysis.silenced import silenced
from agent_lsp.cli.arguments import CommandError, add_dialect, add_for, examples
from agent_lsp.cli.atomic_write import write_atomically
from agent_lsp.cli.checking import notices
from agent_lsp.cli.checking.filters import Filters, filters
from agent_lsp.cli.checking.notices import external_links
from agent_lsp.cli.checking.report import FileFinding, Report, progress
from agent_lsp.cli.checking.targets import Targets, above, without
from agent_lsp.cli.checking.targets import targets as work
from agent_lsp.cli.resolve import (
    current_folder,
    dialect_named,
    programs_named,
    repository_of,
    shown,
    standard_input,
    warn,
)
from agent_lsp.cli.terminal import visible
from agent_lsp.environment import new_files, path_from
from agent_lsp.text import LineIndex
from agent_lsp.workspace.files import Files

if TYPE_CHECKING:
    from agent_lsp.analysis.fixes import Fix
    from agent_lsp.cli.checking.baseline import Fingerprint

_CLEAN, _FINDINGS, _WRONG_CALL = 0, 1, 2
MANY = 200
_STDIN = "-"
# The module is not called `json`, since it would look like Python's own.
_MODULES = {"json": "data"}


def add_arguments(command: ArgumentParser) -> None:
    """Adds the arguments and the help text of `check`."""
    command.description = (
        "Reports what a runtime ignores, refuses or loses in agent templates.\n"
        "Without PATH, those below the current folder are checked."
    )
    command.epilog = (
        examples(
            "check .codex/.agents/reviewer.md",
            "check --dialect codex-templates prompts/",
            "check --select unknown-tool,header --severity warning",
            "check --diff",
            "check --fix .codex/.agents",
            "check --isolated",
            "check --format github",
            "check --baseline agents-baseline.json",
            "check --since main",
            "check --watch",
            "check --stdin-filename .codex/.agents/reviewer.md - < draft.md",
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
    add_for(command)
    command.add_argument(
        "--if-any",
        action="store_true",
        help="no error if there is no template among PATH, for hooks that pass file names",
    )
    command.add_argument(
        "--exclude",
        metavar="PATTERN",
        action="append",
        default=[],
        help="do not check what fits PATTERN, as in `vendor` or `docs/*.md`; it still counts for"
        " other templates",
    )
    command.add_argument(
        "--config", metavar="FILE", help="the settings file to use, instead of those in folders"
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
    known.add_argument("--since", metavar="REV", help="none that the revision REV has as well")
    known.add_argument("--write-baseline", metavar="FILE", help="write them all to FILE instead")


def _output(command: ArgumentParser) -> None:
    output = command.add_argument_group("output")
    output.add_argument(
        "--format",
        choices=("text", "concise", "json", "sarif", "github", "gitlab", "junit"),
        default="text",
        help="for people (default), one line a finding, for scripts, for code scanning, as GitHub"
        " annotations, as a GitLab code quality report, or as JUnit XML",
    )
    output.add_argument("--output-file", metavar="FILE", help="write the report to FILE instead")
    output.add_argument(
        "--statistics", action="store_true", help="count the findings of each code instead"
    )
    output.add_argument(
        "--show-files", action="store_true", help="print the templates to check, and check none"
    )
    output.add_argument(
        "-q", "--quiet", action="store_true", help="print the findings without summary and notes"
    )
    output.add_argument(
        "--watch", action="store_true", help="check again after each change, until Ctrl-C"
    )
    output.add_argument(
        "--exit-zero", action="store_true", help="exit code 0 even if there are findings"
    )


def run(arguments: Namespace) -> int:
    """Prints the findings, and returns the exit code.

    0 if there is nothing to fail for, 1 if a finding fails the build, 2 if a path does not exist or
    no template was found. With `--watch` it does so after each change, until it is interrupted.
    """
    if not arguments.watch:
        return _check(arguments, _chosen_paths(arguments))
    from agent_lsp.cli.checking import watch  # noqa: PLC0415 - most calls watch nothing

    _watchable(arguments)
    return watch.watch(
        lambda: _chosen_paths(arguments).targets,
        lambda: _check(arguments, _chosen_paths(arguments)),
    )


def _check(arguments: Namespace, named: "_Named") -> int:
    here, targets, missing = named.here, named.targets, named.missing
    for path in missing:
        notices.complain(f"there is no file or folder {shown(path, here)}")
    wrong = _WRONG_CALL if missing else _CLEAN
    dialect = dialect_named(arguments.dialect) if arguments.dialect else None
    filters(arguments)
    find = partial(
        work,
        dialect=dialect,
        here=here,
        is_ignoring=not arguments.no_gitignore,
        is_isolated=arguments.isolated,
        programs=programs_named(getattr(arguments, "for")),
        config=_config(arguments.config, named.files, here),
    )
    found = find(targets, files=named.files)
    outside = () if found.paths else above(here, named.files)
    if outside and not arguments.paths:
        targets = outside
        found = find(targets, files=named.files)
        if not arguments.quiet:
            notices.above(outside, here)
    warn(found.messages, here)
    every, found = found, without(found, arguments.exclude, here)
    if arguments.show_files and every.paths:
        print(*(shown(path, here) for path in found.paths), sep="\n")
        return wrong
    if every.paths:
        _note(found, targets, arguments, here)
    elif targets and not arguments.if_any:
        notices.complain(notices.nothing(found, targets, dialect, here, outside))
        return _WRONG_CALL
    accepted = _accepted(arguments, found, here, partial(find, targets))
    code = _answer(arguments, found, replace(named, targets=targets), accepted)
    return wrong or code


def _answer(
    arguments: Namespace, found: Targets, named: "_Named", accepted: dict["Fingerprint", int]
) -> int:
    """Fixes or reports what was `found`, and returns the exit code."""
    here, chosen, code = named.here, filters(arguments), _CLEAN
    if arguments.diff or arguments.fix:
        from agent_lsp.cli.checking import fix  # noqa: PLC0415 - most calls fix nothing

        changes = fix.planned(found, chosen, accepted, here, unsafe=arguments.unsafe_fixes)
        if arguments.diff:
            return fix.show(changes, here)
        code = fix.write_changes(found, changes, here)
    # Only programs read the titles of fixes.
    is_brief = arguments.format not in ("json", "sarif")
    report = replace(
        _report(found, named.targets, chosen, accepted, here),
        fix_of=_fixes(found, is_brief=is_brief),
        is_quiet=arguments.quiet,
    )
    if arguments.since:
        report = replace(report, passed_in=visible(arguments.since))
    if not arguments.quiet:
        notices.silenced(report)
    if arguments.write_baseline:
        _save(report, path_from(arguments.write_baseline, here))
        return code
    if found.paths or not named.missing:
        _write(report, arguments, here)
    fails = any(map(chosen.fails, report.counts)) and not arguments.exit_zero
    return code or (_FINDINGS if fails else _CLEAN)


def _note(found: Targets, targets: tuple[Path, ...], arguments: Namespace, here: Path) -> None:
    if not arguments.quiet:
        notices.notes(found, targets, here, is_any=arguments.if_any)
        notices.led_away(external_links(found), here)


def _accepted(
    arguments: Namespace, found: Targets, here: Path, find: Callable[..., Targets]
) -> dict["Fingerprint", int]:
    """The findings not to report, each with its count: those of a baseline or of a revision.

    What has happened to the agents since the revision is printed.
    """
    if not arguments.since:
        return _baseline(arguments.baseline, here)
    from agent_lsp.cli.comparing import since  # noqa: PLC0415 - most calls compare nothing

    base, programs = repository_of(here), programs_named(getattr(arguments, "for"))
    state = since.since(
        arguments.since, found, here, base, lambda files: find(files=files), programs
    )
    if not arguments.quiet:
        notices.since(arguments.since, state.agents)
    return state.findings


def _config(written: str | None, files: Files, here: Path) -> Path | None:
    path = path_from(written, here) if written else None
    if path is not None and files.read(path) is None:
        raise CommandError(f"--config: there is no file {shown(path, here)}")
    return path


def _write(report: Report, arguments: Namespace, here: Path) -> None:
    """Prints the report in its format, or writes it to the file that the user names."""
    name = "statistics" if arguments.statistics else arguments.format
    if arguments.statistics and arguments.format != "text":
        raise CommandError("`--statistics` has no other format than `text`")
    module = import_module(f"agent_lsp.cli.formats.{_MODULES.get(name, name)}")
    if not arguments.output_file:
        module.write(report, sys.stdout)
        return
    path, written = path_from(arguments.output_file, here), BytesIO()
    stream = TextIOWrapper(written, encoding="utf-8", errors="replace", newline="\n")
    module.write(report, stream)
    stream.flush()
    try:
        write_atomically(path, written.getvalue())
    except OSError as error:
        raise CommandError(f"cannot write {shown(path, here)}: {error.strerror}") from error


def _baseline(written: str | None, here: Path) -> dict["Fingerprint", int]:
    if not written:
        return {}
    from agent_lsp.cli.checking import baseline  # noqa: PLC0415 - few calls have one

    return baseline.read(path_from(written, here), here)


@dataclass(frozen=True, slots=True)
class _Named:
    """The paths to check from the folder `here`, and the named paths that do not exist."""

    here: Path
    files: Files
    targets: tuple[Path, ...]
    missing: tuple[Path, ...]


def _watchable(arguments: Namespace) -> None:
    """Raises `CommandError` if `--watch` has no meaning with another option."""
    others = ("fix", "diff", "write_baseline", "show_files", "stdin_filename")
    for name in others:
        if getattr(arguments, name):
            raise CommandError(f"`--watch` cannot be used with `--{name.replace('_', '-')}`")


def _chosen_paths(arguments: Namespace) -> _Named:
    here, files = current_folder(), new_files()
    if (_STDIN in arguments.paths) != bool(arguments.stdin_filename):
        raise CommandError(
            f"`{_STDIN}` needs `--stdin-filename PATH`, and the other way round:"
            " the path of a template decides its system"
        )
    if arguments.unsafe_fixes and not (arguments.fix or arguments.diff):
        raise CommandError("`--unsafe-fixes` needs `--fix` or `--diff`")
    if arguments.fix and _STDIN in arguments.paths:
        raise CommandError(
            "`--fix` writes files; `--diff` shows what it would do to standard input"
        )
    named: dict[Path, None] = {}
    for path in arguments.paths or (".",):
        if path == _STDIN:
            target = path_from(arguments.stdin_filename, here)
            files.open(target, standard_input())
        else:
            target = path_from(path, here)
        named[target] = None
    # A broken link that the user names exists, and gets a finding.
    targets = tuple(path for path in named if files.exists(path) or files.read(path))
    return _Named(here, files, targets, tuple(path for path in named if path not in targets))


def _report(
    found: Targets,
    targets: tuple[Path, ...],
    filters: Filters,
    accepted: dict["Fingerprint", int],
    here: Path,
) -> Report:
    base = repository_of(here)

    lines = cache(found.workspace.files.lines)
    answers = progress(_examined(found), len(found.paths), sys.stderr)
    said = tuple(answers)
    everything = tuple(
        FileFinding(path, one) for path, all_ in said for one in all_.shown if filters.takes(one)
    )
    suppressed = sum(filters.takes(one) for _, all_ in said for one in all_.suppressed)
    new = _new(everything, accepted, base, lines) if accepted else everything
    passed = len(everything) - len(new)
    quiet = silenced(found.workspace, said, targets, filters.takes)
    return Report(new, len(found.paths), passed, suppressed, quiet, lines, here, base)


def _fixes(targets: Targets, *, is_brief: bool) -> Callable[[FileFinding], "Fix | None"]:
    """Gives the fix of a finding; the fixes of a file are tried when one of them is asked for.

    A file that `--fix` does not write has none. With `is_brief` nobody reads the titles.
    """
    led = external_links(targets)

    @cache
    def of_file(path: Path) -> dict[Diagnostic, "Fix"]:
        from agent_lsp.analysis import fixes  # noqa: PLC0415 - most calls find nothing

        if path in led:
            return {}
        return fixes.likeliest_fixes(targets.workspace, path, is_brief=is_brief)

    return lambda finding: of_file(finding.path).get(finding.diagnostic)


def _new(
    findings: tuple[FileFinding, ...],
    accepted: Mapping["Fingerprint", int],
    base: Path,
    lines: Callable[[Path], LineIndex],
) -> tuple[FileFinding, ...]:
    """The `findings` that the baseline does not list."""
    from agent_lsp.cli.checking import baseline  # noqa: PLC0415 - few calls have one

    def of(finding: FileFinding) -> "Fingerprint":
        return baseline.fingerprint(finding.path, finding.diagnostic, base, lines(finding.path))

    return baseline.left(findings, accepted, of)


def _examined(targets: Targets) -> Iterator[tuple[Path, Examined]]:
    if len(targets.paths) < MANY:
        return ((path, examined(targets.workspace, path)) for path in targets.paths)
    workers = import_module("agent_lsp.cli.checking.workers")
    answers: Iterator[tuple[Path, Examined]] = workers.examine(targets.workspace, targets.paths)
    return answers


def _save(report: Report, path: Path) -> None:
    from agent_lsp.cli.checking import baseline  # noqa: PLC0415 - few calls write one

    keys = [
        baseline.fingerprint(one.path, one.diagnostic, report.base, report.lines(one.path))
        for one in report.found
    ]
    baseline.save(path, keys, report.here)
    many = "1 finding" if len(keys) == 1 else f"{len(keys)} findings"
    print(f"wrote {many} to {shown(path, report.here)}")
