"""`convert`: writes templates as files of another agent system, and reports the losses.

Invariants: an existing file is overwritten only with `--force`, if an earlier run wrote it as it
is, or if it is the template itself, in an older form. The report goes to standard error, so that
standard output holds only the new files.
"""

import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from agent_lsp.analysis.conversion import (
    Converted,
    Loss,
    LossSeverity,
    convert,
    is_older,
    merged,
    targets,
)
from agent_lsp.cli.arguments import CommandError, examples
from agent_lsp.cli.atomic_write import refuse_outside, write_atomically
from agent_lsp.cli.checking.targets import targets as in_folders
from agent_lsp.cli.converting.plan import CONVERTIBLE, is_source
from agent_lsp.cli.resolve import (
    current_folder,
    dialect_named,
    did_you_mean,
    kept_in,
    named_from,
    path_to_write,
    refuse,
    repository_of,
    shown,
    warn,
)
from agent_lsp.cli.terminal import as_json, look, put_file, visible
from agent_lsp.data_classes import dataclass, replace
from agent_lsp.environment import (
    host_paths_from_environment,
    new_files,
    path_from,
    workspace_for,
)
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import RuntimeRefusal
from agent_lsp.text import LineIndex
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.snapshot import TemplateFile, template_file

_WIDER = 1
_HERE = "-"
_COLOURS = {LossSeverity.WIDER: "error", LossSeverity.LOST: "warning", LossSeverity.NOTE: "dim"}


def add_arguments(command: ArgumentParser) -> None:
    """Adds the arguments and the help text of `convert`."""
    command.description = (
        "Prints agent files as files of another agent system, and reports on standard error\n"
        "what that system cannot express. A tool that would let the agent do more is left out.\n"
        "If the other system cannot leave it out, the report says so first.\n\n"
        "`--write` keeps copies for several systems, and records their hashes in a lock file.\n"
        "A later call adds systems; `--drop` removes the copies for a system. `--check` checks\n"
        "whether all copies are up to date.\n\n"
        "exit codes: 0 the new agent may do no more than the old one, or all copies are\n"
        "up to date; 1 it may do more, as the report says, or a copy is outdated;\n"
        "2 no conversion possible, invalid arguments, or a file already exists or was edited"
    )
    command.epilog = examples(
        "convert .claude/agents/reviewer.md --to codex-templates",
        "convert .codex/.agents/reviewer.md --to claude --persona strict --scope project",
        "convert .claude/agents/reviewer.md --to kodacode --format json",
        "convert moltis.toml --preset reviewer --to claude",
        "convert .claude/agents --to opencode --scope project",
        "convert .claude/agents --write cursor,copilot",
        "convert --check",
    )
    command.add_argument(
        "files", metavar="PATH", nargs="*", help="a template, or a folder of templates"
    )
    way = command.add_mutually_exclusive_group(required=True)
    way.add_argument("--to", metavar="DIALECT", help="the agent system to convert to")
    way.add_argument(
        "--write",
        metavar="TARGETS",
        nargs="?",
        const="",
        help="write copies for these systems, separated by commas, and a lock file; without names, "
        "update the copies in the lock file",
    )
    way.add_argument(
        "--drop",
        metavar="TARGETS",
        help="remove the copies for these systems, also from the lock file",
    )
    way.add_argument(
        "--check",
        action="store_true",
        help="check whether the copies in the lock file are up to date",
    )
    command.add_argument(
        "--from",
        metavar="DIALECT",
        help="the agent system to convert from, if the folder does not show it",
    )
    command.add_argument(
        "--scope",
        choices=("project", "user"),
        help="write it to the folder where the system looks: the project's, or your own",
    )
    command.add_argument(
        "--persona", metavar="NAME", help="convert only this persona of the template"
    )
    command.add_argument(
        "--preset",
        metavar="NAME",
        help="convert only this preset of a file with several, such as `moltis.toml`",
    )
    command.add_argument(
        "--output", metavar="FILE", help="write to FILE; `-` is standard output (default)"
    )
    command.add_argument("--force", action="store_true", help="overwrite an existing file")
    command.add_argument(
        "--format", choices=("text", "json"), default="text", help="text (default) or JSON"
    )


def run(arguments: Namespace) -> int:
    """Prints or writes the converted template; the exit code is 1 if the new agent may do more."""
    here = current_folder()
    if arguments.to is None:
        from agent_lsp.cli.converting import run as derived  # noqa: PLC0415 - for these options

        if arguments.drop is not None:
            return derived.drop(arguments, here)
        return (derived.check if arguments.check else derived.write)(arguments, here)
    if not arguments.files:
        raise CommandError("name the files or folders to convert")
    target = dialect_named(arguments.to, CONVERTIBLE)
    files = tuple(_templates(arguments, target, here))
    asked = tuple(_answer(file, target, arguments, here) for file in files)
    answers = tuple(one for one in asked if isinstance(one, _Answer))
    refusals = tuple(one for one in asked if isinstance(one, CommandError))
    if not answers:
        raise refusals[0]
    written = _written(answers, target, arguments, here)
    is_single = len(files) == 1
    if arguments.format == "json":
        data = [_data(answer, target.id) for answer in answers]
        print(as_json(data[0] if is_single else {"version": 1, "templates": data}, sys.stdout))
    elif not written:
        put_file(_text(answers), sys.stdout)
    for answer in answers:
        _report(answer, target.id, is_told=not written)
    for path in written:
        print(f"wrote {shown(path, here)}", file=sys.stderr)
    refuse(str(one) for one in refusals)
    losses = (one for answer in answers for one in answer.losses)
    return _WIDER if any(one.weight is LossSeverity.WIDER for one in losses) else 0


def _answer(
    file: TemplateFile, target: Dialect, arguments: Namespace, here: Path
) -> "_Answer | CommandError":
    """The converted files of a template, or why it cannot be converted."""
    made = convert(file, target, arguments.scope, arguments.persona, arguments.preset)
    if isinstance(made, RuntimeRefusal):
        names = [one.id for one in targets(file.workspace.systems, file.dialect)]
        said = f"{shown(file.path, here)} cannot be converted to {target.id}"
        if target.id == file.dialect.id:
            return CommandError(f"{said}: {visible(made.message)}; `--to` takes another system")
        known = "" if target.id in names else did_you_mean(arguments.to, names)
        return CommandError(f"{said}: {visible(made.message)}{known}")
    return _Answer(file, made, merged(made), here)


def _templates(arguments: Namespace, target: Dialect, here: Path) -> Iterator[TemplateFile]:
    """The templates that the call names, and those in its folders that `target` does not read."""
    for written in arguments.files:
        path = path_from(written, here)
        if not path.is_dir():
            yield _template_file(written, arguments, here)
            continue
        found = in_folders((path,), new_files(), None, here, systems=CONVERTIBLE)
        warn(found.messages, here)
        files = (template_file(found.workspace, one) for one in found.paths)
        of_folder = (file for file in files if file is not None and is_source(file))
        own = [file for file in of_folder if file.dialect.id != target.id or is_older(file)]
        if not own:
            raise CommandError(f"there is no template to convert in {shown(path, here)}")
        yield from own


@dataclass(frozen=True, slots=True)
class _Answer:
    """A template, its converted files, and the losses without repetition."""

    file: TemplateFile
    files: tuple[Converted, ...]
    losses: tuple[Loss, ...]
    here: Path


def _template_file(written: str, arguments: Namespace, here: Path) -> TemplateFile:
    files, path = Files(), path_from(written, here)
    if files.read(path) is None:
        raise CommandError(f"there is no file {shown(path, here)}")
    said = getattr(arguments, "from")
    source = dialect_named(said, CONVERTIBLE) if said else None
    workspace, messages = workspace_for(
        tuple(dict.fromkeys((here, path.parent))),
        files,
        host_paths_from_environment(),
        claimed={path.parent: source.id} if source is not None else {},
        folders=(),
        systems=CONVERTIBLE,
    )
    warn(messages, here)
    file = template_file(workspace, path)
    if file is None:
        name = shown(path, here)
        raise CommandError(
            f"{name} is not in a folder of an agent system; name its system with `--from`"
        )
    # With `--from`, the file may be anywhere; its session starts in the current folder.
    return file if source is None else replace(file, root=here)


def _written(
    answers: tuple[_Answer, ...], target: Dialect, arguments: Namespace, here: Path
) -> tuple[Path, ...]:
    """The paths of the written files; empty if the command prints them."""
    output = arguments.output
    if output == _HERE or (output is None and arguments.scope is None):
        return ()
    made = tuple(one for answer in answers for one in answer.files)
    if output is not None and len(made) > 1:
        names = ", ".join(one.name for one in made)
        ways = "choose one with `--persona`, or write all of them with `--scope`"
        raise CommandError(f"there is more than one agent ({visible(names)}): {ways}")
    plan = [(path_to_write(output, here) if output else one.path, one) for one in made]
    many = Counter(path for path, _ in plan)
    renewed = {answer.file.path for answer in answers if answer.file.dialect.id == target.id}
    within = (repository_of(here),) if output is None else kept_in(path_from(output, here), here)
    for path, _ in plan:
        if many[path] > 1:
            raise CommandError(f"several templates would become {shown(path, here)}")
        # A file of an older kind may become one of today in its place.
        is_own = output is None and path in renewed
        if not (arguments.force or is_own) and (path.exists() or path.is_symlink()):
            name = shown(path, here)
            raise CommandError(f"{name} already exists and is not changed without `--force`")
        with _told(path, here):
            refuse_outside(path, within)
    for path, one in plan:
        with _told(path, here):
            data = one.text.encode("utf-8", "replace")
            write_atomically(path, data, within=within, makes_folder=True)
    return tuple(path for path, _ in plan)


@contextmanager
def _told(path: Path, here: Path) -> Iterator[None]:
    """Tells why the file at `path` cannot be written."""
    try:
        yield
    except OSError as error:
        raise CommandError(f"cannot write {shown(path, here)}: {error.strerror}") from error


def _text(answers: tuple[_Answer, ...]) -> str:
    """The new files as text; several files have their names above them."""
    made = [(one, answer.here) for answer in answers for one in answer.files]
    if len(made) == 1:
        return made[0][0].text
    pieces = (f"==> {shown(one.path, here)} <==\n{one.text}" for one, here in made)
    return "\n".join(pieces)


def _report(answer: _Answer, target: str, *, is_told: bool) -> None:
    style, index = look(sys.stderr), LineIndex(answer.file.document.text)
    name = shown(answer.file.path, answer.here)
    for one in answer.losses:
        line, column = index.position(one.span.start)
        weight = style.paint(one.weight.value, _COLOURS[one.weight])
        place_ = f"{name}:{line + 1}:{column + 1}"
        print(f"{place_}: {weight}: {visible(one.message)}", file=sys.stderr)
    print(f"converted {name} to {target}: {_summary(answer.losses)}", file=sys.stderr)
    if is_told:
        names = ", ".join(shown(one.path, answer.here) for one in answer.files)
        print(f"  a session looks for it at {names}; `--scope` writes it there", file=sys.stderr)


def _summary(losses: Iterable[Loss]) -> str:
    counts = Counter(one.weight for one in losses)
    said = [f"{counts[w]} {w.value}" for w in (LossSeverity.WIDER, LossSeverity.LOST) if counts[w]]
    notes = counts[LossSeverity.NOTE]
    said += [f"{notes} note{'s' if notes > 1 else ''}"] if notes else []
    return ", ".join(said) or "nothing is lost"


def _data(answer: _Answer, target: str) -> dict[str, object]:
    """The new files and the losses as JSON; places are those in the template."""
    return {
        "version": 1,
        "from": answer.file.dialect.id,
        "to": target,
        "path": named_from(answer.here, answer.file.path),
        "files": [
            {"path": named_from(answer.here, one.path), "name": one.name, "text": one.text}
            for one in answer.files
        ],
        "losses": list(_losses(answer)),
    }


def _losses(answer: _Answer) -> Iterator[dict[str, object]]:
    index = LineIndex(answer.file.document.text)
    for one in answer.losses:
        ends = (index.position(at) for at in (one.span.start, one.span.end))
        start, end = ({"line": line + 1, "column": column + 1} for line, column in ends)
        weight = one.weight.name.lower()
        yield {"weight": weight, "start": start, "end": end, "message": one.message}
