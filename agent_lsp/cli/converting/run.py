"""Runs `convert --write`, `--drop` and `--check`: derived files, and whether they are current.

Invariants: a run that may not touch one of its files changes none. The lock file says what was
written even if a run ends half-way. `--check` writes nothing.
"""

import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from agent_lsp.analysis.conversion import LossSeverity, is_written
from agent_lsp.cli.arguments import CommandError
from agent_lsp.cli.atomic_write import remove, write_atomically
from agent_lsp.cli.converting import lock as locks
from agent_lsp.cli.converting.lock import LOCK_FILE, Derivation, DerivedFile, Lock
from agent_lsp.cli.converting.plan import CONVERTIBLE, Plan, State, Step, covers, leads_out, plan
from agent_lsp.cli.resolve import did_you_mean, programs_named, refuse, repository_of, shown
from agent_lsp.cli.terminal import visible
from agent_lsp.environment import path_from

_WRONG = 1
_ALL = (".",)
# Options that say how one template is converted, or where to.
_OF_ONE = ("from", "scope", "persona", "preset", "output")
_WITHOUT_NAMES = "--write: name the systems, as in `convert .claude/agents --write cursor`"


def write(arguments: Namespace, here: Path) -> int:
    """Writes the derived files of the sources, or of all that the lock file names."""
    base, old = _start(arguments, here)
    named = _named(arguments, old, base, here)
    added: tuple[Derivation, ...] = ()
    if arguments.write:
        targets = _targets(arguments.write, "--write")
        added = tuple(Derivation(one, targets) for one in named)
    else:
        _known(named, old)
    if arguments.write and not named:
        raise CommandError("name the files or folders to convert")
    if not (every := locks.joined((*old.derivations, *added))):
        raise CommandError(_WITHOUT_NAMES)
    found = plan(base, old, every, named or _ALL, here)
    _confirm(added, found)
    _carry_out(found, every, old, arguments, base, here)
    _report(found, here)
    refuse((*found.refusals, *found.odd))
    return 0


def drop(arguments: Namespace, here: Path) -> int:
    """Removes the derived files of the sources for the systems that are named."""
    base, old = _start(arguments, here)
    named = _named(arguments, old, base, here)
    _known(named, old)
    targets = frozenset(_targets(arguments.drop, "--drop"))
    meant = named or _ALL
    every = locks.without(
        old.derivations, lambda source: any(covers(one, source) for one in meant), targets
    )
    if every == old.derivations:
        said = f"--drop: no source is converted to {' or '.join(sorted(targets))}"
        sources = ", ".join(visible(one.source) for one in old.derivations)
        raise CommandError(f"{said}; the sources are: {sources or 'none'}")
    found = plan(base, old, every, meant, here)
    removed = tuple(
        one for one in found.steps if one.text is None and old.files[one.name].target in targets
    )
    _carry_out(Plan(removed), every, old, arguments, base, here)
    refuse(found.odd)
    return 0


def check(arguments: Namespace, here: Path) -> int:
    """Says which derived files are not current; the exit code is 1 if there are any."""
    base, old = _start(arguments, here)
    named = _named(arguments, old, base, here)
    _known(named, old)
    if not old.derivations and not old.files:
        print(f"nothing to check: there is no {LOCK_FILE}", file=sys.stderr)
        return 0
    found = plan(base, old, old.derivations, named or _ALL, here)
    wrong = [one for one in found.steps if one.state is not State.CURRENT]
    _show(wrong, base, here)
    refuse((*found.refusals, *found.odd))
    if wrong:
        edited = any(one.state.is_refused for one in wrong)
        also = "; `--force` overwrites edited copies" if edited else ""
        print(f"run `agent-template-lsp convert --write`{also}", file=sys.stderr)
        return _WRONG
    many = len(found.steps)
    print(f"{'1 derived file is' if many == 1 else f'{many} derived files are'} current")
    return 0


def _start(arguments: Namespace, here: Path) -> tuple[Path, Lock]:
    """The folder of the lock file, and the lock; refuses options of a single conversion."""
    way = "--check" if arguments.check else "--drop" if arguments.drop is not None else "--write"
    given = [f"--{one}" for one in _OF_ONE if getattr(arguments, one) is not None]
    given += ["--format"] if arguments.format != "text" else []
    given += ["--force"] if arguments.force and arguments.check else []
    if given:
        raise CommandError(f"{given[0]} cannot be used with `{way}`")
    base = repository_of(here)
    if leads_out(base, base / LOCK_FILE):
        raise CommandError(f"{LOCK_FILE}: a link points outside the repository")
    names = (one.id for one in CONVERTIBLE if is_written(one.dialect))
    return base, locks.read(base / LOCK_FILE, names)


def _named(arguments: Namespace, old: Lock, base: Path, here: Path) -> tuple[str, ...]:
    """The paths of the call, as the lock file names them."""
    found = []
    for written in arguments.files:
        path = path_from(written, here)
        if base not in (path, *path.parents):
            raise CommandError(f"{shown(path, here)} is not below {base}, where the lock file is")
        name = path.relative_to(base).as_posix()
        is_listed = any(covers(name, one.source) for one in old.derivations)
        if not (path.exists() or (is_listed and not arguments.write)):
            raise CommandError(f"there is no file or folder {shown(path, here)}")
        if name in old.files:
            source = shown(base / old.files[name].source, here)
            raise CommandError(f"{shown(path, here)} is a copy of {source}: name that file")
        found.append(name)
    return tuple(dict.fromkeys(found))


def _known(named: Iterable[str], old: Lock) -> None:
    """Raises `CommandError` for a path that no source of the lock file holds."""
    for name in named:
        if not any(covers(one.source, name) or covers(name, one.source) for one in old.derivations):
            raise CommandError(
                f"{name} is not a source in {LOCK_FILE}; add it with `--write SYSTEM`"
            )


def _targets(written: str, option: str) -> tuple[str, ...]:
    """The ids of the systems whose programs are named."""
    names = programs_named(written, CONVERTIBLE, option)
    if not names:
        raise CommandError(f"{option}: name at least one system")
    found = [one for one in CONVERTIBLE if not names.isdisjoint((one.id, *one.programs))]
    for one in found:
        if not is_written(one.dialect):
            able = (each.id for each in CONVERTIBLE if is_written(each.dialect))
            raise CommandError(f"nothing can be converted to {one.id}{did_you_mean('', able)}")
    return tuple(one.id for one in found)


def _confirm(added: Iterable[Derivation], found: Plan) -> None:
    """Raises `CommandError` if nothing comes of the call, or of one of its systems."""
    made = {(one.derived.source, one.derived.target) for one in found.steps if one.derived}
    for one in added:
        asked = [each for each in (*made, *found.failed) if covers(one.source, each[0])]
        for target in one.targets:
            if target not in {to for _, to in asked}:
                said = f"there is no template to convert to {target} in {one.source}"
                raise CommandError(f"{said}: templates of {target} itself and copies are left out")
        if made.isdisjoint(asked):
            refuse(found.refusals)


def _show(steps: Iterable[Step], base: Path, here: Path) -> None:
    for step in steps:
        print(f"{shown(base / step.name, here)} {step.state.value}")
        if step.was is not None and step.was != step.text:
            print("\n".join(map(visible, step.difference().splitlines())))


def _carry_out(
    found: Plan,
    every: tuple[Derivation, ...],
    old: Lock,
    arguments: Namespace,
    base: Path,
    here: Path,
) -> None:
    """Makes the changes and saves the lock; raises `CommandError` if a file may not be touched."""
    refused = [one for one in found.steps if one.state.is_refused and not arguments.force]
    if refused:
        _show(refused, base, here)
        raise CommandError(
            "nothing was written: move the changes of these files into their sources, or replace "
            "or remove them with `--force`"
        )
    files = dict(old.files)
    try:
        for step in found.steps:
            _apply(step, base, here)
            files.pop(step.name, None)
            if step.derived is not None:
                files[step.name] = step.derived
    finally:
        _save(base / LOCK_FILE, Lock(_living(every, files, base), files), here)


def _living(
    derivations: Iterable[Derivation], files: Mapping[str, DerivedFile], base: Path
) -> tuple[Derivation, ...]:
    """The derivations whose source exists, or has copies still."""
    held = [one.source for one in files.values()]
    return tuple(
        one
        for one in derivations
        if (base / one.source).exists() or any(covers(one.source, name) for name in held)
    )


def _apply(step: Step, base: Path, here: Path) -> None:
    path = base / step.name
    try:
        if step.text is None:
            remove(path, within=(base,))
            print(f"removed {shown(path, here)}", file=sys.stderr)
        elif step.is_changed:
            data = step.text.encode("utf-8", "replace")
            write_atomically(path, data, within=(base,), makes_folder=True)
            print(f"wrote {shown(path, here)}", file=sys.stderr)
    except OSError as error:
        raise CommandError(f"cannot write {shown(path, here)}: {error.strerror}") from error


def _save(path: Path, lock: Lock, here: Path) -> None:
    try:
        locks.write(path, lock)
    except OSError as error:
        raise CommandError(f"cannot write {shown(path, here)}: {error.strerror}") from error


def _report(found: Plan, here: Path) -> None:
    """Says what the copies lose that were written now."""
    written = {one.name for one in found.steps if one.text is not None and one.is_changed}
    for one in found.made:
        counts = Counter(loss.weight for loss in one.losses)
        weights = (LossSeverity.WIDER, LossSeverity.LOST)
        words = [f"{counts[weight]} {weight.value}" for weight in weights if counts[weight]]
        if words and not written.isdisjoint(one.names):
            name = shown(one.file.path, here)
            preset = " --preset NAME" if one.file.dialect.schema.is_tables else ""
            call = f"convert {name}{preset} --to {one.target}"
            print(
                f"{name} to {one.target}: {', '.join(words)}; `{call}` says what", file=sys.stderr
            )
