"""Keeps the results of `check` in the user's cache folder, for calls where nothing has changed.

A result belongs to a call and to all that the call has asked the machine: which files and folders
there are, what is in them, where links lead, and environment variables. It counts only if the
machine still gives the same answers; times of files do not count.

Invariants: a result is printed only if running the call would print the same. A damaged or foreign
file is a missing one. Nothing here makes a call fail.
"""

import json
import os
import sys
import zlib
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import TextIO

from agent_lsp import __version__
from agent_lsp.cli.atomic_write import write_atomically
from agent_lsp.data_classes import dataclass
from agent_lsp.workspace.disk import Disk, use
from agent_lsp.workspace.trace import Question, TracedDisk, digests, is_unchanged

# Set to anything but an empty text, it switches the cache off.
SWITCH = "AGENT_TEMPLATE_LSP_NO_CACHE"
_FORMAT = b"agent-template-lsp check 1\n"
_DIGEST_BYTES = 16
# In characters: a longer report is not kept.
_LONGEST = 5_000_000
# In bytes, and in results: above either, the results that were used least recently are removed.
_MOST_BYTES, _MOST_RESULTS = 50_000_000, 200
_PACKAGE = Path(__file__).parents[2]
# The variables that decide how a report looks.
_LOOK = (
    *("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "CLICOLOR"),
    *("TERM", "COLUMNS", "LINES"),
)
# The arguments of a call whose result is kept; one with any other may write, or ask what no trace
# holds.
_KEPT = {
    *("command", "paths", "dialect", "for", "no_gitignore", "isolated", "if_any", "exclude"),
    *("config", "select", "ignore", "severity", "baseline", "format", "show_files", "statistics"),
    *("quiet", "exit_zero"),
}


@dataclass(frozen=True, slots=True)
class _Result:
    """The text that a call has printed, each part with its stream, and its exit code."""

    printed: tuple[tuple[str, str], ...]
    code: int


def run(arguments: Namespace, work: Callable[[], int]) -> int:
    """Prints the kept result of the call, or does its `work` and keeps that; returns the code."""
    if not _is_kept(arguments):
        return work()
    key = _key(arguments)
    try:
        place = _folder() / blake2b(key.encode(), digest_size=_DIGEST_BYTES).hexdigest()
    except (OSError, RuntimeError):
        return work()
    result = _loaded(place, key)
    if result is None:
        result, disk = _traced(work)
        if not disk.is_torn and sum(len(text) for _, text in result.printed) <= _LONGEST:
            with suppress(OSError, ValueError):
                _save(place, key, result, disk.answers)
        return result.code
    for name, text in result.printed:
        getattr(sys, name).write(text)
    return result.code


def _is_kept(arguments: Namespace) -> bool:
    given = {name for name, value in vars(arguments).items() if value}
    return given <= _KEPT and "-" not in arguments.paths and not os.environ.get(SWITCH)


def _folder() -> Path:
    from platformdirs import user_cache_path  # noqa: PLC0415 - only if there is a cache

    return user_cache_path("agent-template-lsp", appauthor=False) / "check"


def _key(arguments: Namespace) -> str:
    """Everything but the machine's answers that the output of a call depends on."""
    streams = [
        (stream.isatty(), stream.encoding, getattr(stream, "errors", None))
        for stream in (sys.stdout, sys.stderr)
    ]
    size = os.get_terminal_size(sys.stdout.fileno()) if sys.stdout.isatty() else None
    key = {
        "version": __version__,
        "code": _code(),
        "python": [sys.version, sys.platform, sys.flags.utf8_mode],
        "arguments": dict(sorted(vars(arguments).items())),
        "folder": os.getcwd(),  # noqa: PTH109 - a text
        "home": os.path.expanduser("~"),  # noqa: PTH111 - a text
        "look": [os.environ.get(name) for name in _LOOK],
        "streams": [*streams, size],
    }
    return json.dumps(key, default=str)


def _code() -> str:
    """The state of the installed program and of the packages beside it."""
    said = blake2b(digest_size=_DIGEST_BYTES)
    for folder, folders, names in os.walk(_PACKAGE):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(names):
            status = os.stat(os.path.join(folder, name))  # noqa: PTH116, PTH118 - texts are faster
            said.update(f"{folder}/{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    for place in sys.path:
        with suppress(OSError):
            names = sorted(name for name in os.listdir(place or ".") if ".dist-info" in name)  # noqa: PTH208 - as above
            said.update("\n".join(names).encode(errors="surrogateescape"))
    return said.hexdigest()


class _Copied:
    """A standard stream that also keeps what is written to it."""

    def __init__(self, name: str, printed: list[tuple[str, str]]) -> None:
        self._name, self._printed = name, printed
        self.under: TextIO = getattr(sys, name)

    def write(self, text: str) -> int:
        self._printed.append((self._name, text))
        return self.under.write(text)

    def writelines(self, lines: Iterator[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> object:
        return getattr(self.under, name)


def uncopied(stream: TextIO) -> TextIO:
    """`stream`, or the one below it whose text is not kept."""
    return stream.under if isinstance(stream, _Copied) else stream


@contextmanager
def _copying(printed: list[tuple[str, str]]) -> Iterator[None]:
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = _Copied("stdout", printed), _Copied("stderr", printed)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _traced(work: Callable[[], int]) -> tuple[_Result, TracedDisk]:
    printed: list[tuple[str, str]] = []
    disk = TracedDisk()
    use(disk)
    try:
        with _copying(printed):
            code = work()
    finally:
        use(Disk())
    return _Result(tuple(printed), code), disk


def _save(path: Path, key: str, result: _Result, answers: Mapping[Question, object]) -> None:
    data = {
        "key": key,
        "questions": list(answers),
        "digests": list(digests(answers.values())),
        "printed": result.printed,
        "code": result.code,
    }
    packed = zlib.compress(json.dumps(data, separators=(",", ":")).encode(), 1)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    content = _FORMAT + blake2b(packed, digest_size=_DIGEST_BYTES).digest() + packed
    write_atomically(path, content, within=())
    _remove_old(path.parent)


def _loaded(path: Path, key: str) -> _Result | None:
    """The result of the call with this `key`, or None if there is none that still counts."""
    try:
        data = _own(path)
        start = len(_FORMAT) + _DIGEST_BYTES
        packed = data[start:]
        digest = blake2b(packed, digest_size=_DIGEST_BYTES).digest()
        if not data.startswith(_FORMAT) or data[len(_FORMAT) : start] != digest:
            return None
        kept = json.loads(zlib.decompress(packed))
        if kept["key"] != key:
            return None
        if not is_unchanged((Question(*one) for one in kept["questions"]), kept["digests"]):
            return None
        result = _Result(tuple((name, text) for name, text in kept["printed"]), int(kept["code"]))
    except (OSError, ValueError, KeyError, TypeError, zlib.error):
        return None
    with suppress(OSError):
        os.utime(path)
    return result


def _own(path: Path) -> bytes:
    """The content of the file at `path`; empty if the file belongs to somebody else."""
    with path.open("rb") as stream:
        owner = os.fstat(stream.fileno()).st_uid
        return stream.read() if sys.platform == "win32" or owner == os.getuid() else b""


def _remove_old(folder: Path) -> None:
    """Removes the results that were used least recently, until the rest is within the limits."""
    found = []
    for entry in folder.iterdir():
        with suppress(OSError):
            status = entry.stat()
            found.append((status.st_mtime_ns, status.st_size, entry))
    size = 0
    for count, (_, bytes_, entry) in enumerate(sorted(found, reverse=True), start=1):
        size += bytes_
        if size > _MOST_BYTES or count > _MOST_RESULTS:
            with suppress(OSError):
                entry.unlink()
