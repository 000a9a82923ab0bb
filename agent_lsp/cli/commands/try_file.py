"""`try`: shows everything about one file, as if a project had this file and no other.

Invariants: no file but the named one and the shipped ones is read, and no setting counts. The
answers are those of `check` and `preview`.
"""

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from agent_lsp.analysis.diagnostics import Diagnostic, examined
from agent_lsp.analysis.fixes import Fix, likeliest_fixes
from agent_lsp.analysis.preview import commands
from agent_lsp.analysis.preview.as_written import arguments as call_arguments
from agent_lsp.cli.arguments import CommandError, add_dialect, dialects, examples
from agent_lsp.cli.checking.report import FileFinding, Report, summary
from agent_lsp.cli.commands.preview import spawn_call, spawned
from agent_lsp.cli.formats import data, text
from agent_lsp.cli.resolve import (
    current_folder,
    dialect_named,
    request_for,
    shown,
    standard_input,
)
from agent_lsp.cli.terminal import as_json, look, visible
from agent_lsp.data_classes import dataclass
from agent_lsp.environment import host_paths_from_environment, path_from, workspace_for
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.schema import Severity
from agent_lsp.workspace.disk import Disk, Entry
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.paths import HostPaths
from agent_lsp.workspace.placement import placement_at
from agent_lsp.workspace.scaffold import home_of
from agent_lsp.workspace.snapshot import TemplateFile, Workspace, template_file

_CLEAN, _FINDINGS = 0, 1
_STDIN, _NAME = "-", "pasted"


def add_arguments(command: ArgumentParser) -> None:
    """Adds the arguments and the help text of `try`."""
    command.description = (
        "Shows the findings in one file, and what each of its agents would get if it\n"
        "started now. Reads the file as if the project had no other files."
    )
    command.epilog = (
        examples(
            "try draft.md --dialect claude",
            "try - --dialect kodacode < draft.md",
            "try .claude/agents/reviewer.md --json",
        )
        + "\n\nexit codes: 0 clean, or hints and information only; 1 errors or warnings;\n"
        "2 invalid arguments, or no such file"
    )
    command.add_argument("file", metavar="FILE", help="the file, or `-` for stdin")
    add_dialect(command, "read it as a template of D (default: the system of its folder)")
    command.add_argument(
        "--name",
        metavar="NAME",
        help=f"the name of the file, without its extension (default: its own, or `{_NAME}`)",
    )
    command.add_argument("--json", action="store_true", help="print JSON")


@dataclass(frozen=True, slots=True)
class _Tried:
    """The only file of a project that starts in `root`, and its name for people."""

    workspace: Workspace
    root: Path
    file: TemplateFile
    name: str


def run(arguments: Namespace) -> int:
    """Prints everything about the file, and returns the exit code."""
    here = current_folder()
    path = None if arguments.file == _STDIN else path_from(arguments.file, here)
    dialect = _dialect(arguments.dialect, path)
    tried = _tried(arguments, dialect, path, here)
    report = _report(tried)
    agents = tuple(_agents(tried))
    if arguments.json:
        made = {
            "dialect": dialect.id,
            **data.document(report),
            "agents": [one for _, one in agents],
        }
        print(as_json(made, sys.stdout))
    else:
        print("\n".join(_page(tried, report, agents)))
    is_wrong = any(severity <= Severity.WARNING for severity in report.counts)
    return _FINDINGS if is_wrong else _CLEAN


def _dialect(written: str | None, path: Path | None) -> Dialect:
    if written:
        return dialect_named(written)
    if path is not None:
        workspace, _ = workspace_for(
            (path.parent,), Files(), host_paths_from_environment(), folders=()
        )
        placed = placement_at(workspace, path)
        if placed is not None:
            return placed.dialect
    raise CommandError(f"name the agent system: `--dialect D`, where D is one of {dialects()}")


def _tried(arguments: Namespace, dialect: Dialect, path: Path | None, here: Path) -> _Tried:
    given, name = _text(path, here), "stdin" if path is None else shown(path, here)
    shipped = host_paths_from_environment().templates
    files, places = Files(_OnlyShipped(shipped)), HostPaths(None, shipped)
    # Nothing on the disk is asked about this folder.
    root = Path(here.anchor, "project")
    folder = home_of(dialect, "project", root, places, files) or root
    target = folder / _file_name(dialect, arguments.name, path)
    files.open(target, given)
    workspace, _ = workspace_for((root,), files, places, claimed={folder: dialect.id})
    file = template_file(workspace, target)
    if file is None:
        raise CommandError(f"{dialect.runtime} silently ignores {name}", _FINDINGS)
    return _Tried(workspace, root, file, name)


def _text(path: Path | None, here: Path) -> str:
    if path is None:
        return standard_input()
    file = Files().read(path)
    if file is None:
        raise CommandError(f"there is no file {shown(path, here)}")
    if file.problem:
        raise CommandError(f"cannot read {shown(path, here)}: {visible(file.problem)}")
    return file.text


def _file_name(dialect: Dialect, name: str | None, path: Path | None) -> str:
    """The name in the folder of the system: that of the file, if it has the form of its files."""
    system = dialect.system
    if system.files:
        return path.name if path is not None and path.name in system.files else min(system.files)
    if name is None and path is not None and system.has(path.name):
        return path.name
    return system.file_name(name or (path.stem if path is not None else _NAME))


def _report(tried: _Tried) -> Report:
    path, workspace = tried.file.path, tried.workspace
    found = examined(workspace, path)

    @cache
    def fixes() -> Mapping[Diagnostic, Fix]:
        return likeliest_fixes(workspace, path)

    return Report(
        found=tuple(FileFinding(path, one) for one in found.shown),
        checked=1,
        passed=0,
        suppressed=len(found.suppressed),
        silenced=(),
        lines=cache(workspace.files.lines),
        here=tried.root,
        base=tried.root,
        fix_of=lambda finding: fixes().get(finding.diagnostic),
    )


def _agents(tried: _Tried) -> Iterator[tuple[dict[str, object], dict[str, object]]]:
    """The arguments and the answer of a spawn call for each agent and persona of the file."""
    file = tried.file
    personas = [one.name for one in file.reading.effective.personas]
    for name in file.names:
        for persona in (None, *personas):
            given = call_arguments(file.dialect, name.name, persona, None)
            asked = {"dialect": file.dialect.id, **given}
            answer = commands.preview_spawn(tried.workspace, asked, tried.root)
            yield asked, {"agent": name.name, "persona": persona, **answer}


def _page(
    tried: _Tried,
    report: Report,
    agents: Iterable[tuple[dict[str, object], dict[str, object]]],
) -> Iterator[str]:
    style, dialect = look(sys.stdout), tried.file.dialect
    place = shown(tried.file.path, tried.root)
    yield style.paint(f"{tried.name} as {place} of {dialect.system.heading}", "bold")

    def name(path: Path) -> str:
        return tried.name if path == tried.file.path else shown(path, tried.root)

    for one in report.found:
        yield from ("", text.block(one.diagnostic, one.path, report.lines, name, style))
    yield from ("", summary(report))
    spawns = tuple(agents)
    if not spawns:
        yield f"{dialect.runtime} finds no agent in it"
    for argument, answer in spawns:
        yield ""
        if answer["error"] is not None:
            yield style.paint(f"{_called(answer)}: {visible(str(answer['error']))}", "error")
            continue
        asked = request_for(tried.workspace, argument, tried.root, spawn_call)
        result: Any = answer["result"]
        yield from spawned(result, asked, tried.root)


def _called(answer: dict[str, object]) -> str:
    persona = f", persona {answer['persona']}" if answer["persona"] else ""
    return visible(f"{answer['agent']}{persona}")


class _OnlyShipped(Disk):
    """A disk with nothing but the folder of the shipped templates."""

    def __init__(self, shipped: Path) -> None:
        super().__init__()
        self._shipped = shipped

    def status(self, path: Path, *, is_followed: bool = True) -> os.stat_result:
        """The status of a shipped file, or of a folder above."""
        is_above = self._shipped.is_relative_to(path)
        return super().status(path if is_above else self._only(path), is_followed=is_followed)

    def read(self, path: Path, most: int = -1) -> bytes:
        """The first bytes of a shipped file."""
        return super().read(self._only(path), most)

    def scan(self, folder: Path) -> Iterable[Entry]:
        """The entries of a shipped folder."""
        return super().scan(self._only(folder))

    def real(self, path: Path) -> Path:
        """`path` itself: no link leads anywhere."""
        return path

    def _only(self, path: Path) -> Path:
        if not path.is_relative_to(self._shipped):
            raise FileNotFoundError(str(path))
        return path
