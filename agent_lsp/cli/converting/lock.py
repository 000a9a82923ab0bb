"""Reads and writes the lock file, which records the files that `convert --write` has derived.

Invariants: paths are relative to the folder of the lock file, with `/` on every machine. A hash is
that of the text with LF, so that Git may change the line ends of a checkout.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from pathlib import Path, PurePosixPath

from agent_lsp.cli.arguments import CommandError
from agent_lsp.cli.atomic_write import remove, write_atomically
from agent_lsp.data_classes import dataclass, field
from agent_lsp.workspace.disk import used
from agent_lsp.workspace.paths import is_of_git

LOCK_FILE = "agent-template-lsp.lock.json"
_VERSION = 1


@dataclass(frozen=True, slots=True)
class Derivation:
    """A source, a file or a folder, and the systems to which it is converted."""

    source: str
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DerivedFile:
    """A file that was written: its source and system, and the hashes of both texts."""

    source: str
    target: str
    of_source: str
    of_text: str


@dataclass(frozen=True, slots=True)
class Lock:
    """What was derived in a repository, by the paths of the derived files."""

    derivations: tuple[Derivation, ...] = ()
    files: Mapping[str, DerivedFile] = field(default_factory=dict)


class _OddError(ValueError):
    """What in the lock file is not as this program writes it."""


def hash_of(text: str) -> str:
    """The hash of a text, whatever its line ends are."""
    unified = text.replace("\r\n", "\n").encode("utf-8", "replace")
    return f"sha256:{sha256(unified).hexdigest()}"


def read(path: Path, targets: Iterable[str]) -> Lock:
    """The lock file at `path`, or an empty one if there is none.

    `targets` are the systems that it may name. Raises `CommandError` if it is not as this program
    writes it, because a wrong entry could remove a file.
    """
    try:
        return _parsed(json.loads(used().read(path)), frozenset(targets))
    except FileNotFoundError:
        return Lock()
    except _OddError as odd:
        raise CommandError(f"{path}: {odd}; take the file from the last commit") from odd
    except (OSError, ValueError, RecursionError) as error:
        said = "not a lock file of agent-template-lsp; take the file from the last commit"
        raise CommandError(f"{path}: {said}") from error


def _parsed(data: object, possible: frozenset[str]) -> Lock:
    held = _mapping(data, "the file")
    if (version := held.get("version")) != _VERSION:
        raise _OddError(f"`version` is {version!r}, and this program writes {_VERSION}")
    derivations = [
        Derivation(_path(one, "source", where), _targets(one, where, possible))
        for where, one in _entries(held, "derivations")
    ]
    files = {
        _below(name, "a name in `files`"): DerivedFile(
            _path(one, "source", where),
            _target(one.get("target"), where, possible),
            _text(one, "source_hash", where),
            _text(one, "hash", where),
        )
        for where, name, one in _files(held)
    }
    return Lock(joined(derivations), files)


def _entries(data: Mapping[str, object], key: str) -> Iterable[tuple[str, Mapping[str, object]]]:
    value = data.get(key)
    if not isinstance(value, list):
        raise _OddError(f"`{key}` must be a list")
    for number, one in enumerate(value):
        yield f"{key}[{number}]", _mapping(one, f"`{key}[{number}]`")


def _files(data: Mapping[str, object]) -> Iterable[tuple[str, str, Mapping[str, object]]]:
    for name, one in _mapping(data.get("files"), "`files`").items():
        yield f"files[{name!r}]", name, _mapping(one, f"`files[{name!r}]`")


def _mapping(value: object, what: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise _OddError(f"{what} must be an object")
    return value


def _text(one: Mapping[str, object], key: str, where: str) -> str:
    value = one.get(key)
    if not isinstance(value, str):
        raise _OddError(f"`{where}.{key}` must be a string")
    return value


def _path(one: Mapping[str, object], key: str, where: str) -> str:
    name = _text(one, key, where)
    return name if name == "." else _below(name, f"`{where}.{key}`")


def _targets(one: Mapping[str, object], where: str, possible: frozenset[str]) -> tuple[str, ...]:
    value = one.get("targets")
    if not isinstance(value, list) or not value:
        raise _OddError(f"`{where}.targets` must be a list of systems, with at least one")
    return tuple(_target(each, where, possible) for each in value)


def _target(value: object, where: str, possible: frozenset[str]) -> str:
    if not isinstance(value, str) or value not in possible:
        raise _OddError(f"`{where}` names {value!r}, to which nothing is converted")
    return value


def _below(name: str, what: str) -> str:
    """`name`, if it is a path below the folder of the lock file, as all that are written are."""
    parts = PurePosixPath(name).parts
    is_plain = name.isprintable() and not set(name) & set(":\\") and not name.startswith("/")
    is_short = bool(parts) and "/".join(parts) == name
    if not (is_plain and is_short) or ".." in parts or any(map(is_of_git, parts)):
        raise _OddError(f"{what} is {name!r}, which is not a path below the folder of this file")
    return name


def write(path: Path, lock: Lock) -> None:
    """Writes the lock file, with its entries in order; an unchanged one is not touched.

    A lock without an entry is no file. Raises `OSError` if the operating system refuses.
    """
    if not lock.derivations and not lock.files:
        remove(path, within=(path.parent,))
        return
    data = {
        "version": _VERSION,
        "derivations": [
            {"source": one.source, "targets": sorted(one.targets)}
            for one in sorted(lock.derivations, key=lambda one: one.source)
        ],
        "files": {
            name: {
                "source": one.source,
                "target": one.target,
                "source_hash": one.of_source,
                "hash": one.of_text,
            }
            for name, one in sorted(lock.files.items())
        },
    }
    text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    if not path.exists() or used().read(path) != text.encode("utf-8", "replace"):
        write_atomically(path, text.encode("utf-8", "replace"), within=(path.parent,))


def joined(derivations: Iterable[Derivation]) -> tuple[Derivation, ...]:
    """One derivation for each source, with the targets of all derivations of it."""
    found: dict[str, dict[str, None]] = {}
    for one in derivations:
        found.setdefault(one.source, {}).update(dict.fromkeys(one.targets))
    return tuple(Derivation(source, tuple(targets)) for source, targets in found.items())


def without(
    derivations: Iterable[Derivation], is_meant: Callable[[str], bool], targets: frozenset[str]
) -> tuple[Derivation, ...]:
    """The derivations without `targets` for each source that `is_meant`; none without a target."""
    kept = (
        Derivation(one.source, tuple(each for each in one.targets if each not in targets))
        if is_meant(one.source)
        else one
        for one in derivations
    )
    return tuple(one for one in kept if one.targets)
