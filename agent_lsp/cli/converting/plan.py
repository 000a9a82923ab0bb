"""Plans what `convert --write` has to change, and what it may not touch.

Invariants: a file is replaced or removed only if it has the text that an earlier run wrote, and
removed only if its source is gone or nobody wants the copy. What cannot be converted keeps its
copies. Nothing is written here.
"""

from collections.abc import Iterable, Iterator, Mapping
from difflib import unified_diff
from enum import Enum
from pathlib import Path

from agent_lsp.analysis.conversion import Converted, Loss, convert, merged
from agent_lsp.cli.atomic_write import refuse_outside
from agent_lsp.cli.checking.targets import targets as in_folders
from agent_lsp.cli.converting.lock import Derivation, DerivedFile, Lock, hash_of
from agent_lsp.cli.resolve import dialect_named
from agent_lsp.data_classes import dataclass, field
from agent_lsp.environment import CONVERTED, SYSTEMS, new_files
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import RuntimeRefusal
from agent_lsp.workspace.disk import used
from agent_lsp.workspace.paths import folded
from agent_lsp.workspace.placement import placements_of_folder
from agent_lsp.workspace.snapshot import TemplateFile, template_file

# The systems of which files are converted.
CONVERTIBLE = (*SYSTEMS, *CONVERTED)
_OUTSIDE = "a link points outside the repository"


class State(Enum):
    """How a derived file differs from what a run would write."""

    CURRENT = "is current"
    UNLISTED = "is current, and the lock file does not name it yet"
    MISSING = "is missing"
    STALE = "is stale"
    LEFT = "no longer has a source"
    EDITED = "was edited by hand"
    STRANGE = "exists, and was not written by this command"

    @property
    def is_refused(self) -> bool:
        """Whether a run may not replace the file."""
        return self in (State.EDITED, State.STRANGE)


@dataclass(frozen=True, slots=True)
class Step:
    """A derived file at `name`, and its text; None if it is to be removed.

    `was` is the text that it has now, or None if there is no file.
    """

    name: str
    state: State
    text: str | None
    was: str | None
    derived: DerivedFile | None

    @property
    def is_changed(self) -> bool:
        """Whether a run changes the file; the line ends of a checkout do not count."""
        return self.was is None or self.was.replace("\r\n", "\n") != self.text

    def difference(self) -> str:
        """The difference between the file and what a run would write."""
        before, after = ((one or "").splitlines() for one in (self.was, self.text))
        ends = (self.name, f"{self.name}, as converted")
        return "\n".join(unified_diff(list(before), list(after), *ends, lineterm=""))


@dataclass(frozen=True, slots=True)
class Made:
    """The files `names` that a source becomes in the system `target`, and what they lose."""

    file: TemplateFile
    target: str
    names: tuple[str, ...]
    losses: tuple[Loss, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps of a run, what is made of each source, and why sources cannot be converted.

    `failed` are those sources with their systems, and `odd` the messages about entries of the lock
    file that no run has written.
    """

    steps: tuple[Step, ...]
    made: tuple[Made, ...] = ()
    refusals: tuple[str, ...] = ()
    odd: tuple[str, ...] = ()
    failed: frozenset[tuple[str, str]] = frozenset()


@dataclass(slots=True)
class _Run:
    """What a plan collects: texts by names, and the sources and systems that were refused."""

    base: Path
    texts: dict[str, tuple[str, DerivedFile]] = field(default_factory=dict)
    # By names as a disk compares them that ignores case: somebody else may have such a disk.
    taken: dict[str, DerivedFile] = field(default_factory=dict)
    made: list[Made] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    failed: set[tuple[str, str]] = field(default_factory=set)

    def refuse(self, source: str, target: str, why: str) -> None:
        self.failed.add((source, target))
        self.refusals.append(why)


def plan(
    base: Path, lock: Lock, derivations: Iterable[Derivation], sources: Iterable[str], here: Path
) -> Plan:
    """The plan for `sources` in the folder `base` of the lock file.

    `derivations` are all that are to hold after the run: a file in two of them has the targets of
    both.
    """
    run, chosen, wanted = _Run(base), tuple(sources), tuple(derivations)
    found = _templates(base, lock, wanted, chosen, here)
    for source, (file, targets) in found.items():
        for target in targets:
            _convert(run, source, file, target)
    _refuse_collisions(run, found)
    _refuse_taken(run, lock, wanted, found)
    steps = (*_written(run, lock), *_left(run, lock, wanted, chosen, found))
    removed = (step.name for step in steps if step.text is None and step.was is not None)
    odd = [name for name in removed if not _is_copy(base, lock, name, here)]
    kept = tuple(step for step in steps if step.name not in odd)
    said = (
        f"the lock file names {name}, which is not a file that `convert` writes" for name in odd
    )
    refusals, failed = tuple(dict.fromkeys(run.refusals)), frozenset(run.failed)
    return Plan(kept, tuple(run.made), refusals, tuple(said), failed)


def covers(source: str, name: str) -> bool:
    """Whether the file or folder `name` is `source`, or is in it."""
    return source in (".", name) or name.startswith(f"{source}/")


def is_source(file: TemplateFile) -> bool:
    """Whether a template of a folder is converted with it.

    What the folder's own program does not read, such as a README, is none, if that program counts.
    """
    placed = placements_of_folder(file.workspace, file.path.parent)
    return not file.scope.is_borrowed or all(one.scope.is_borrowed for one in placed)


def leads_out(base: Path, path: Path) -> bool:
    """Whether `path` is outside of `base`, by a link in it."""
    try:
        refuse_outside(path, (base,))
    except OSError:
        return True
    return False


def _templates(
    base: Path,
    lock: Lock,
    derivations: Iterable[Derivation],
    sources: tuple[str, ...],
    here: Path,
) -> dict[str, tuple[TemplateFile, tuple[str, ...]]]:
    """The templates of `sources`, each with all of its targets; a derived file is none."""
    copies = {_real(base / name) for name in lock.files}
    found: dict[str, tuple[TemplateFile, tuple[str, ...]]] = {}
    for one in derivations:
        if not any(covers(source, one.source) or covers(one.source, source) for source in sources):
            continue
        place = in_folders((base / one.source,), new_files(), None, here, systems=CONVERTIBLE)
        for path in place.paths:
            if base not in path.parents or _real(path) in copies:
                continue
            name = path.relative_to(base).as_posix()
            file = template_file(place.workspace, path)
            if file is None or not is_source(file):
                continue
            if not any(covers(source, name) for source in sources):
                continue
            earlier = found[name][1] if name in found else ()
            found[name] = (file, tuple(dict.fromkeys((*earlier, *one.targets))))
    return found


def _real(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path


def _convert(run: _Run, source: str, file: TemplateFile, target: str) -> None:
    """Adds what `file` becomes in the system `target`, or why it becomes nothing there."""
    dialect = dialect_named(target, CONVERTIBLE)
    if dialect.id == file.dialect.id:
        return
    if leads_out(run.base, file.path):
        run.refuse(source, target, f"{source}: {_OUTSIDE}")
        return
    made = tuple(_each(file, dialect))
    refusals = [one.message for one in made if isinstance(one, RuntimeRefusal)]
    files = [one for one in made if isinstance(one, Converted)]
    outside = [one.path.name for one in files if leads_out(run.base, one.path)]
    refusals += [f"{name}: {_OUTSIDE}" for name in outside]
    if refusals:
        run.refuse(source, target, f"{source} cannot be converted to {target}: {refusals[0]}")
        return
    names = []
    for one in files:
        name = one.path.relative_to(run.base).as_posix()
        derived = DerivedFile(source, target, hash_of(file.source.text), hash_of(one.text))
        first = run.taken.setdefault(folded(name), derived)
        if first is not derived:
            run.failed.add((first.source, first.target))
            run.refuse(source, target, f"{first.source} and {source} would both become {name}")
            continue
        run.texts[name] = (one.text, derived)
        names.append(name)
    run.made.append(Made(file, target, tuple(names), merged(files)))


def _each(file: TemplateFile, target: Dialect) -> Iterator[Converted | RuntimeRefusal]:
    """The files for each agent in `file`."""
    is_table = file.dialect.schema.is_tables and file.names
    for name in [one.name for one in file.names] if is_table else [None]:
        made = convert(file, target, "project", agent_name=name)
        yield from (made,) if isinstance(made, RuntimeRefusal) else made


def _refuse_collisions(run: _Run, sources: Iterable[str]) -> None:
    """Leaves out what would replace a source, or a folder, or would come from two sources."""
    origins = {_real(run.base / source): source for source in sources}
    for name, (_, derived) in tuple(run.texts.items()):
        path = run.base / name
        origin = origins.get(_real(path))
        if origin is not None:
            why = f"{derived.source} would become {name}, which is the source {origin}"
            run.refuse(derived.source, derived.target, why)
        elif path.is_dir():
            why = f"{derived.source} would become {name}, which is a folder"
            run.refuse(derived.source, derived.target, why)
    _leave_out_failed(run)


def _refuse_taken(
    run: _Run, lock: Lock, derivations: tuple[Derivation, ...], found: Mapping[str, object]
) -> None:
    """Leaves out what would replace the copy of a source that is not part of this run."""
    for name, (_, derived) in tuple(run.texts.items()):
        known = lock.files.get(name)
        if known is None or known.source in found or not _is_there(run.base / known.source):
            continue
        if _is_wanted(known, derivations):
            why = f"{derived.source} would become {name}, which is a copy of {known.source}"
            run.refuse(derived.source, derived.target, why)
    _leave_out_failed(run)


def _leave_out_failed(run: _Run) -> None:
    for name, (_, derived) in tuple(run.texts.items()):
        if (derived.source, derived.target) in run.failed:
            del run.texts[name]


def _is_wanted(derived: DerivedFile, derivations: tuple[Derivation, ...]) -> bool:
    return any(
        covers(one.source, derived.source) and derived.target in one.targets for one in derivations
    )


def _written(run: _Run, lock: Lock) -> Iterator[Step]:
    for name, (text, derived) in run.texts.items():
        was, known = _text_at(run.base / name), lock.files.get(name)
        if was is None:
            state = State.STRANGE if _is_there(run.base / name) else State.MISSING
        elif hash_of(was) == derived.of_text:
            state = State.CURRENT if known is not None else State.UNLISTED
        elif known is None:
            state = State.STRANGE
        else:
            state = State.STALE if hash_of(was) == known.of_text else State.EDITED
        yield Step(name, state, text, was, derived)


def _left(
    run: _Run,
    lock: Lock,
    derivations: tuple[Derivation, ...],
    sources: tuple[str, ...],
    found: Mapping[str, object],
) -> Iterator[Step]:
    """The files that an earlier run wrote for `sources`, and that this one would not."""
    for name, known in lock.files.items():
        is_failed = (known.source, known.target) in run.failed
        if name in run.texts or is_failed or not any(covers(one, known.source) for one in sources):
            continue
        is_wanted = _is_wanted(known, derivations)
        if is_wanted and known.source not in found and _is_there(run.base / known.source):
            why = "is no longer an agent, or Git ignores it: its copies stay until it is deleted"
            run.refuse(known.source, known.target, f"{known.source} {why}")
            continue
        was = _text_at(run.base / name)
        is_edited = was is not None and hash_of(was) != known.of_text
        yield Step(name, State.EDITED if is_edited else State.LEFT, None, was, None)


def _is_copy(base: Path, lock: Lock, name: str, here: Path) -> bool:
    """Whether the file at `name` is of the form that the lock file says: only such are removed."""
    path = base / name
    if leads_out(base, path):
        return False
    found = in_folders((path,), new_files(), None, here, systems=CONVERTIBLE, is_ignoring=False)
    file = template_file(found.workspace, path)
    target = dialect_named(lock.files[name].target, CONVERTIBLE)
    return file is not None and file.dialect.system is target.system


def _text_at(path: Path) -> str | None:
    try:
        return used().read(path).decode("utf-8", "replace")
    except OSError:
        return None


def _is_there(path: Path) -> bool:
    return path.exists() or path.is_symlink()
