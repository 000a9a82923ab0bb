"""Runs `convert --write` and `convert --check`: derived files, and whether they are current.

Invariants: a run writes all of its files, or none if it may not touch one of them. `--check` writes
nothing.
"""

import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from agent_lsp.analysis.conversion import LossSeverity
from agent_lsp.cli.arguments import CommandError
from agent_lsp.cli.atomic_write import write_atomically
from agent_lsp.cli.converting import lock as locks
from agent_lsp.cli.converting.lock import LOCK_FILE, Derivation, Lock
from agent_lsp.cli.converting.plan import CONVERTIBLE, Plan, State, Step, leads_out, plan
from agent_lsp.cli.resolve import did_you_mean, programs_named, repository_of, shown
from agent_lsp.cli.terminal import visible
from agent_lsp.environment import path_from

_WRONG = 1


def write(arguments: Namespace, here: Path) -> int:
    """Writes the derived files of the sources, or of all that the lock file names.

    The exit code is 1 if a new agent may do more than its source.
    """
    base = repository_of(here)
    if leads_out(base, base / LOCK_FILE):
        raise CommandError(f"{LOCK_FILE}: a link leads out of the repository")
    old = locks.read(base / LOCK_FILE)
    derivations = _derivations(arguments, old, base, here)
    found = plan(base, old, derivations, here)
    _refuse(found.refusals)
    forced = arguments.force
    refused = [one for one in found.steps if one.state.is_refused and not forced]
    if refused:
        _show(refused, base, here)
        raise CommandError(
            "nothing was written: move the changes of these files into their sources, or take what "
            "is converted with `--force`"
        )
    for step in found.steps:
        _apply(step, base, here)
    every = old.derivations
    for one in derivations:
        every = locks.with_targets(every, one.source, one.targets)
    files = dict(old.files)
    for step in found.steps:
        files.pop(step.name, None)
        if step.derived is not None:
            files[step.name] = step.derived
    _save(base / LOCK_FILE, Lock(every, files), here)
    return _report(found, here)


def check(arguments: Namespace, here: Path) -> int:
    """Says which derived files are not current; the exit code is 1 if there are any."""
    base = repository_of(here)
    old = locks.read(base / LOCK_FILE)
    named = {_named(one, base, here) for one in arguments.files}
    unknown = sorted(named - {one.source for one in old.derivations})
    if unknown:
        raise CommandError(f"{unknown[0]} is no source in {LOCK_FILE}; write it with `--write`")
    chosen = tuple(one for one in old.derivations if not named or one.source in named)
    if not chosen:
        print(f"nothing to check: there is no {LOCK_FILE}", file=sys.stderr)
        return 0
    found = plan(base, old, chosen, here)
    _refuse(found.refusals)
    wrong = [one for one in found.steps if one.state is not State.CURRENT]
    _show(wrong, base, here)
    if wrong:
        print("run `agent-template-lsp convert --write`", file=sys.stderr)
        return _WRONG
    many = len(found.steps)
    print(f"{'1 derived file is' if many == 1 else f'{many} derived files are'} current")
    return 0


def _derivations(arguments: Namespace, old: Lock, base: Path, here: Path) -> tuple[Derivation, ...]:
    """The sources of the call with their targets, or all of the lock file."""
    sources = [_named(one, base, here) for one in arguments.files]
    if not arguments.write:
        chosen = tuple(one for one in old.derivations if not sources or one.source in sources)
        if not chosen:
            raise CommandError(
                "--write: name the systems, as in `convert .claude/agents --write cursor`"
            )
        return chosen
    if not sources:
        raise CommandError("name the files or folders to convert")
    targets = _targets(arguments.write)
    return tuple(Derivation(one, targets) for one in dict.fromkeys(sources))


def _targets(written: str) -> tuple[str, ...]:
    """The ids of the systems whose programs are named."""
    names = programs_named(written, CONVERTIBLE, "--write")
    found = [one for one in CONVERTIBLE if not names.isdisjoint((one.id, *one.programs))]
    for one in found:
        conversion = one.dialect.conversion
        if conversion is None or not conversion.writes:
            able = (each.id for each in CONVERTIBLE if each.dialect.conversion)
            raise CommandError(f"nothing can be converted to {one.id}{did_you_mean('', able)}")
    return tuple(one.id for one in found)


def _named(written: str, base: Path, here: Path) -> str:
    path = path_from(written, here)
    if not path.exists():
        raise CommandError(f"there is no file or folder {shown(path, here)}")
    if base not in (path, *path.parents):
        raise CommandError(f"{shown(path, here)} is not below {base}, where the lock file is")
    return path.relative_to(base).as_posix()


def _refuse(refusals: Iterable[str]) -> None:
    for number, one in enumerate(said := tuple(refusals)):
        if number < len(said) - 1:
            print(f"error: {visible(one)}", file=sys.stderr)
    if said:
        raise CommandError(visible(said[-1]))


def _show(steps: Iterable[Step], base: Path, here: Path) -> None:
    for step in steps:
        print(f"{shown(base / step.name, here)} {step.state.value}")
        if step.was is not None and step.was != step.text:
            print("\n".join(map(visible, step.difference().splitlines())))


def _apply(step: Step, base: Path, here: Path) -> None:
    path = base / step.name
    try:
        if step.text is None:
            path.unlink(missing_ok=True)
            print(f"removed {shown(path, here)}", file=sys.stderr)
        elif step.was is None or step.was.replace("\r\n", "\n") != step.text:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, step.text.encode("utf-8", "replace"))
            print(f"wrote {shown(path, here)}", file=sys.stderr)
    except OSError as error:
        raise CommandError(f"cannot write {shown(path, here)}: {error.strerror}") from error


def _save(path: Path, lock: Lock, here: Path) -> None:
    try:
        locks.write(path, lock)
    except OSError as error:
        raise CommandError(f"cannot write {shown(path, here)}: {error.strerror}") from error


def _report(found: Plan, here: Path) -> int:
    is_wider = False
    for file, target, losses in found.losses:
        counts = Counter(one.weight for one in losses)
        words = [
            f"{counts[w]} {w.value}" for w in (LossSeverity.WIDER, LossSeverity.LOST) if counts[w]
        ]
        is_wider = is_wider or bool(counts[LossSeverity.WIDER])
        if words:
            name = shown(file.path, here)
            print(
                f"{name} to {target}: {', '.join(words)}; `convert {name} --to {target}` says what",
                file=sys.stderr,
            )
    return _WRONG if is_wider else 0
