"""Runs `check`: finds the templates, checks them, fixes them, and writes the report.

Invariants: the order of the output depends only on the paths. A problem with one path or file does
not hide findings in others.
"""

import re
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from importlib import import_module
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from agent_lsp.analysis.diagnostics import Diagnostic, Examined, examined, silenced
from agent_lsp.cli.arguments import CommandError
from agent_lsp.cli.atomic_write import write_atomically
from agent_lsp.cli.checking import notices
from agent_lsp.cli.checking.notices import external_links
from agent_lsp.cli.checking.report import (
    FileFinding,
    Filters,
    Report,
    filters,
    progress,
    without_text,
)
from agent_lsp.cli.checking.result_cache import uncopied
from agent_lsp.cli.checking.targets import Targets, above, without
from agent_lsp.cli.checking.targets import targets as work
from agent_lsp.cli.resolve import (
    current_folder,
    dialect_named,
    kept_in,
    path_to_write,
    programs_named,
    repository_of,
    shown,
    standard_input,
    warn,
)
from agent_lsp.cli.terminal import visible
from agent_lsp.data_classes import dataclass, replace
from agent_lsp.environment import new_files, path_from
from agent_lsp.model.dialect import Dialect
from agent_lsp.syntax import document
from agent_lsp.text import LineIndex
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.placement import placement_at

if TYPE_CHECKING:
    from agent_lsp.analysis.fixes import Fix
    from agent_lsp.cli.checking.baseline import Fingerprint

_CLEAN, _FINDINGS, _WRONG_CALL = 0, 1, 2
MANY = 200
_STDIN = "-"
# Only the module of the chosen format is loaded.
_MODULES = {
    "text": "text",
    "concise": "text",
    "statistics": "text",
    "json": "data",
    "sarif": "ci",
    "github": "ci",
    "gitlab": "ci",
    "junit": "ci",
}


def run(arguments: Namespace) -> int:
    """Prints the findings, and returns the exit code of `check`."""
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
            return fix.show(found, changes, here)
        code = fix.write_changes(found, changes, here)
    report = _report(found, named.targets, chosen, accepted, here)
    report = replace(
        report,
        fix_of=_fixes(found),
        fixed=partial(_fixed, found, chosen, accepted, here, report),
        is_quiet=arguments.quiet,
        programs=_programs(found),
    )
    if arguments.since:
        report = replace(report, passed_in=visible(arguments.since))
    if not arguments.quiet:
        notices.silenced(report)
    if arguments.write_baseline:
        _save(report, path_to_write(arguments.write_baseline, here), named.targets)
        return code
    if found.paths or not named.missing:
        _write(without_text(report, _withheld(found, report)), arguments, named)
    fails = any(map(chosen.fails, report.counts)) and not arguments.exit_zero
    return code or (_FINDINGS if fails else _CLEAN)


def _withheld(found: Targets, report: Report) -> dict[Path, frozenset[str]]:
    """The files with findings to which a link of a repository leads, with the names of their keys.

    The log of a check may be public, and somebody else may have made the link.
    """
    paths = tuple(dict.fromkeys(one.path for one in report.found))
    led = external_links(replace(found, paths=paths)) if paths else ()
    placed = ((path, placement_at(found.workspace, path)) for path in led)
    return {path: _key_words(one.dialect) if one else frozenset() for path, one in placed}


def _key_words(dialect: Dialect) -> frozenset[str]:
    return frozenset(word for key in dialect.schema.keys for word in re.findall(r"\w+", key.name))


def _programs(found: Targets) -> tuple[str, ...]:
    """The names of the programs that read the templates, the most widely used first."""
    placed = (placement_at(found.workspace, path) for path in found.paths)
    systems = {one.system for one in placed if one is not None}
    ordered = sorted(systems, key=lambda one: (-one.repositories, one.program))
    return tuple(dict.fromkeys(one.program for one in ordered))


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
    from agent_lsp.cli.comparing.revision import since  # noqa: PLC0415 - most calls compare none

    base, programs = repository_of(here), programs_named(getattr(arguments, "for"))
    state = since(arguments.since, found, here, base, lambda files: find(files=files), programs)
    if not arguments.quiet:
        notices.since(arguments.since, state.agents)
    return state.findings


def _config(written: str | None, files: Files, here: Path) -> Path | None:
    path = path_from(written, here) if written else None
    if path is not None and files.read(path) is None:
        raise CommandError(f"--config: there is no file {shown(path, here)}")
    return path


def _write(report: Report, arguments: Namespace, named: "_Named") -> None:
    """Prints the report in its format, or writes it to the file that the user names."""
    name = "statistics" if arguments.statistics else arguments.format
    if arguments.statistics and arguments.format != "text":
        raise CommandError("`--statistics` supports only the format `text`")
    module = import_module(f"agent_lsp.cli.formats.{_MODULES[name]}")
    write: Callable[[Report, TextIO], None] = getattr(module, f"write_{name}")
    if not arguments.output_file:
        write(report, sys.stdout)
        return
    here, written = named.here, BytesIO()
    path = path_to_write(arguments.output_file, here)
    stream = TextIOWrapper(written, encoding="utf-8", errors="replace", newline="\n")
    write(report, stream)
    stream.flush()
    try:
        write_atomically(path, written.getvalue(), within=kept_in(path, here, named.targets))
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
            f"`{_STDIN}` and `--stdin-filename PATH` must be used together: the"
            " path of a template decides its system"
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
    answers = progress(_examined(found), len(found.paths), uncopied(sys.stderr))
    said = tuple(answers)
    everything = tuple(
        FileFinding(path, one) for path, all_ in said for one in all_.shown if filters.takes(one)
    )
    suppressed = sum(filters.takes(one) for _, all_ in said for one in all_.suppressed)
    new = _new(everything, accepted, base, lines) if accepted else everything
    passed = len(everything) - len(new)
    quiet = silenced(found.workspace, said, targets, filters.takes)
    return Report(new, len(found.paths), passed, suppressed, quiet, lines, here, base)


def _fixed(
    targets: Targets,
    filters: Filters,
    accepted: dict["Fingerprint", int],
    here: Path,
    report: Report,
) -> tuple[int, int]:
    from agent_lsp.cli.checking import fix  # noqa: PLC0415 - most calls find nothing

    return fix.counted(targets, filters, accepted, here, report.found)


def _fixes(targets: Targets) -> Callable[[FileFinding], "Fix | None"]:
    """Gives the fix of a finding; the fixes of a file are tried when one of them is asked for.

    A file that `--fix` does not write has none.
    """
    led = cache(lambda: external_links(targets))

    @cache
    def of_file(path: Path) -> dict[Diagnostic, "Fix"]:
        from agent_lsp.analysis import fixes  # noqa: PLC0415 - most calls find nothing

        if path in led():
            return {}
        return fixes.likeliest_fixes(targets.workspace, path)

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
        document.keep(len(targets.paths))
        return ((path, examined(targets.workspace, path)) for path in targets.paths)
    workers = import_module("agent_lsp.cli.checking.workers")
    answers: Iterator[tuple[Path, Examined]] = workers.examine(targets.workspace, targets.paths)
    return answers


def _save(report: Report, path: Path, targets: tuple[Path, ...]) -> None:
    from agent_lsp.cli.checking import baseline  # noqa: PLC0415 - few calls write one

    keys = [
        baseline.fingerprint(one.path, one.diagnostic, report.base, report.lines(one.path))
        for one in report.found
    ]
    baseline.save(path, keys, report.here, kept_in(path, report.here, targets))
    many = "1 finding" if len(keys) == 1 else f"{len(keys)} findings"
    print(f"wrote {many} to {shown(path, report.here)}")
