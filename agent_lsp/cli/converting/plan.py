"""Plans what `convert --write` has to change, and what it may not touch.

Invariants: a file is replaced or removed only if it has the text that an earlier run wrote. Nothing
is written here.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import unified_diff
from enum import Enum
from pathlib import Path

from agent_lsp.analysis.conversion import Loss, convert, merged
from agent_lsp.cli.checking.targets import targets
from agent_lsp.cli.converting.lock import Derivation, DerivedFile, Lock, hash_of
from agent_lsp.cli.resolve import dialect_named
from agent_lsp.environment import CONVERTED, SYSTEMS, new_files
from agent_lsp.model.runtime import RuntimeRefusal
from agent_lsp.workspace.snapshot import TemplateFile, template_file

# The systems of which files are converted.
CONVERTIBLE = (*SYSTEMS, *CONVERTED)


class State(Enum):
    """How a derived file differs from what a run would write."""

    CURRENT = "is current"
    MISSING = "is missing"
    STALE = "is stale"
    LEFT = "has no source any more"
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

    def difference(self) -> str:
        """The difference between the file and what a run would write."""
        before, after = ((one or "").splitlines() for one in (self.was, self.text))
        ends = (self.name, f"{self.name}, as converted")
        return "\n".join(unified_diff(list(before), list(after), *ends, lineterm=""))


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps of a run, the losses of each source, and why sources cannot be converted."""

    steps: tuple[Step, ...]
    losses: tuple[tuple[TemplateFile, str, tuple[Loss, ...]], ...]
    refusals: tuple[str, ...]


def plan(base: Path, lock: Lock, derivations: Iterable[Derivation], here: Path) -> Plan:
    """The plan for `derivations` in the folder `base` of the lock file."""
    texts: dict[str, tuple[str, DerivedFile]] = {}
    losses: list[tuple[TemplateFile, str, tuple[Loss, ...]]] = []
    refusals: list[str] = []
    chosen = tuple(derivations)
    for derivation in chosen:
        for file in _templates(base, lock, derivation, here):
            source = file.path.relative_to(base).as_posix()
            if leads_out(base, file.path):
                refusals.append(f"{source}: a link leads out of the repository")
                continue
            for target in derivation.targets:
                dialect = dialect_named(target, CONVERTIBLE)
                if dialect.id == file.dialect.id:
                    continue
                made = convert(file, dialect, "project")
                if isinstance(made, RuntimeRefusal):
                    refusals.append(f"{source} cannot be converted to {target}: {made.message}")
                    continue
                losses.append((file, target, merged(made)))
                for one in made:
                    name = one.path.relative_to(base).as_posix()
                    if leads_out(base, one.path):
                        refusals.append(f"{name}: a link leads out of the repository")
                    if name in texts:
                        first = texts[name][1].source
                        refusals.append(f"{first} and {source} would both become {name}")
                    derived = DerivedFile(
                        source, target, hash_of(file.source.text), hash_of(one.text)
                    )
                    texts[name] = (one.text, derived)
    steps = (*_written(base, lock, texts), *_left(base, lock, texts, chosen))
    refusals += (
        f"the lock file names {step.name}, which is no file that `convert` writes"
        for step in steps
        if step.text is None and step.was is not None and not _is_copy(base, lock, step.name, here)
    )
    return Plan(tuple(steps), tuple(losses), tuple(dict.fromkeys(refusals)))


def leads_out(base: Path, path: Path) -> bool:
    """Whether `path` is outside of `base`, by a link in it."""
    try:
        return base.resolve() not in path.resolve().parents
    except (OSError, RuntimeError):
        return True


def _is_copy(base: Path, lock: Lock, name: str, here: Path) -> bool:
    """Whether the file at `name` is of the form that the lock file says: only such are removed."""
    path = base / name
    if leads_out(base, path):
        return False
    found = targets((path,), new_files(), None, here, systems=CONVERTIBLE, is_ignoring=False)
    file = template_file(found.workspace, path)
    target = dialect_named(lock.files[name].target, CONVERTIBLE)
    return file is not None and file.dialect.system is target.system


def _templates(
    base: Path, lock: Lock, derivation: Derivation, here: Path
) -> Iterator[TemplateFile]:
    """The templates of a source; a derived file is none."""
    found = targets((base / derivation.source,), new_files(), None, here, systems=CONVERTIBLE)
    for path in found.paths:
        file = template_file(found.workspace, path)
        is_here = base in path.parents
        if file is not None and is_here and path.relative_to(base).as_posix() not in lock.files:
            yield file


def _written(
    base: Path, lock: Lock, texts: Mapping[str, tuple[str, DerivedFile]]
) -> Iterator[Step]:
    for name, (text, derived) in texts.items():
        was, known = _text_at(base / name), lock.files.get(name)
        if was is None:
            state = State.STRANGE if _is_there(base / name) else State.MISSING
        elif hash_of(was) == derived.of_text:
            state = State.CURRENT if known is not None else State.STALE
        elif known is None:
            state = State.STRANGE
        else:
            state = State.STALE if hash_of(was) == known.of_text else State.EDITED
        yield Step(name, state, text, was, derived)


def _left(
    base: Path,
    lock: Lock,
    texts: Mapping[str, tuple[str, DerivedFile]],
    derivations: Iterable[Derivation],
) -> Iterator[Step]:
    """The files that an earlier run of `derivations` wrote, and this one would not."""
    sources = tuple(one.source for one in derivations)
    for name, known in lock.files.items():
        is_of_run = any(
            source in (".", known.source) or known.source.startswith(f"{source}/")
            for source in sources
        )
        if name in texts or not is_of_run:
            continue
        was = _text_at(base / name)
        is_edited = was is not None and hash_of(was) != known.of_text
        yield Step(name, State.EDITED if is_edited else State.LEFT, None, was, None)


def _text_at(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8", "replace")
    except OSError:
        return None


def _is_there(path: Path) -> bool:
    return path.exists() or path.is_symlink()
