"""Reads and writes the lock file, which records the files that `convert --write` has derived.

Invariants: paths are relative to the folder of the lock file, with `/` on every machine. A hash is
that of the text with LF, so that Git may change the line ends of a checkout.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path, PurePosixPath

from agent_lsp.cli.arguments import CommandError
from agent_lsp.cli.atomic_write import write_atomically

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


def hash_of(text: str) -> str:
    """The hash of a text, whatever its line ends are."""
    unified = text.replace("\r\n", "\n").encode("utf-8", "replace")
    return f"sha256:{sha256(unified).hexdigest()}"


def read(path: Path) -> Lock:
    """The lock file at `path`, or an empty one; raises `CommandError` if it cannot be read."""
    try:
        data = json.loads(path.read_text("utf-8"))
        if data["version"] != _VERSION:
            raise CommandError(f"{path}: of another version of agent-template-lsp")
        sources = (one["source"] for one in (*data["derivations"], *data["files"].values()))
        for name in (*data["files"], *sources):
            if not _is_below(name):
                raise CommandError(f"{path}: {name!r} is no path below the folder of this file")
        return Lock(
            tuple(
                Derivation(str(one["source"]), tuple(map(str, one["targets"])))
                for one in data["derivations"]
            ),
            {
                str(name): DerivedFile(
                    str(one["source"]),
                    str(one["target"]),
                    str(one["source_hash"]),
                    str(one["hash"]),
                )
                for name, one in data["files"].items()
            },
        )
    except FileNotFoundError:
        return Lock()
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise CommandError(f"{path}: not a lock file of agent-template-lsp") from error


def _is_below(name: str) -> bool:
    """Whether a path is one below the folder of the lock file, as all that are written are."""
    parts = PurePosixPath(name).parts
    is_plain = bool(name) and name.isprintable() and not set(name) & set(":\\")
    return is_plain and not name.startswith("/") and not {"..", ".git"} & set(parts)


def write(path: Path, lock: Lock) -> None:
    """Writes the lock file, with its entries in order; an unchanged one is not touched."""
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
    if not path.exists() or path.read_text("utf-8") != text:
        write_atomically(path, text.encode("utf-8", "replace"))


def with_targets(
    derivations: Iterable[Derivation], source: str, targets: Iterable[str]
) -> tuple[Derivation, ...]:
    """`derivations`, in which `source` is converted to `targets` and to no other system."""
    others = (one for one in derivations if one.source != source)
    return (*others, Derivation(source, tuple(dict.fromkeys(targets))))
