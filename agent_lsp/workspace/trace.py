"""Records what a run asks the machine, so that a later run can tell whether an answer has changed.

Invariants: a question holds everything that its answer depends on besides the machine. Answers
never contain a time: a file is compared by its content. Numbers of disks and files are compared
only with each other, so that a copy of a folder gives the same digests.
"""

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeVar

from agent_lsp.workspace.disk import Disk, Entry, leads_elsewhere

# In bytes: no file that a run reads is larger.
_LARGEST = 100_000_000
# How many answers share a digest: a change is noticed after as many questions at the latest.
_TOGETHER = 256
_DIGEST_BYTES = 16
_IS_WINDOWS = os.name == "nt"
_Answer = TypeVar("_Answer")


class Question(NamedTuple):
    """One question: its kind, the path or the variable, and the most bytes to read (-1: all)."""

    kind: str
    name: str
    most: int = -1


class Status(NamedTuple):
    """What a run learns from the status of a file; the size is 0 unless the file is regular."""

    mode: int
    size: int
    device: int
    number: int
    is_junction: bool


class TracedDisk(Disk):
    """The disk of this machine, which remembers each question with its answer.

    `is_torn`: an answer has changed while the run went on, or one is missing, so that the trace
    describes no state of the machine.
    """

    def __init__(self) -> None:
        self.answers: dict[Question, object] = {}
        self.is_torn = False

    def status(self, path: Path, *, is_followed: bool = True) -> os.stat_result:
        """The status of the file at `path`; if it is a link, that of its target."""
        question = Question("status" if is_followed else "link", str(path))
        ask = super().status
        return self._asked(question, lambda: ask(path, is_followed=is_followed), _status)

    def read(self, path: Path, most: int = -1) -> bytes:
        """The first bytes of the file at `path`, `most` of them at most."""
        ask = super().read
        return self._asked(Question("read", str(path), most), lambda: ask(path, most), _digest)

    def scan(self, folder: Path) -> Iterable[Entry]:
        """The entries of `folder`."""
        ask = super().scan
        return self._asked(Question("scan", str(folder)), lambda: ask(folder), _listing)

    def real(self, path: Path) -> Path:
        """`path` with its links followed, as far as they lead."""
        ask = super().real
        return self._asked(Question("real", str(path)), lambda: ask(path), str)

    def variable(self, name: str) -> str | None:
        """The environment variable `name`, or None if it is not set."""
        ask = super().variable
        return self._asked(Question("variable", name), lambda: ask(name), _secret)

    def since(self, many: int) -> dict[Question, object]:
        """The questions after the first `many`, with their answers."""
        return dict(islice(self.answers.items(), many, None))

    def merge(self, others: Mapping[Question, object]) -> None:
        """Adds the questions of another process of the same run."""
        for question, answer in others.items():
            self._note(question, answer)

    def _asked(
        self, question: Question, ask: Callable[[], _Answer], plain: Callable[[_Answer], object]
    ) -> _Answer:
        try:
            answer = ask()
        except (OSError, ValueError) as error:
            self._note(question, _failure(error))
            raise
        self._note(question, plain(answer))
        return answer

    def _note(self, question: Question, answer: object) -> None:
        if self.answers.setdefault(question, answer) != answer:
            self.is_torn = True


def digests(answers: Iterable[object]) -> Iterator[str]:
    """A digest for each 256 of `answers`, and one for the rest."""
    devices: dict[int, int] = {}
    numbers: dict[tuple[int, int], int] = {}
    rest = iter(answers)
    while together := list(islice(rest, _TOGETHER)):
        said = blake2b(digest_size=_DIGEST_BYTES)
        for answer in together:
            compared = answer
            if isinstance(answer, Status):
                place = (answer.device, answer.number)
                compared = answer._replace(
                    device=devices.setdefault(answer.device, len(devices)),
                    number=numbers.setdefault(place, len(numbers)),
                )
            said.update(repr(compared).encode())
        yield said.hexdigest()


def is_unchanged(questions: Iterable[Question], expected: Iterable[str]) -> bool:
    """Whether the machine still answers the `questions` so that their digests are `expected`."""
    try:
        return all(a == b for a, b in zip(digests(map(ask, questions)), expected, strict=True))
    except ValueError:
        # There is another number of digests than the questions have.
        return False


def ask(question: Question) -> object:
    """The answer of this machine to `question`, in the form that a trace holds it."""
    try:
        return _ANSWERS[question.kind](question)
    except (OSError, ValueError) as error:
        return _failure(error)


def _asked_for_text(question: Question) -> object:
    # Opening a pipe would wait for a writer.
    status = os.stat(question.name)  # noqa: PTH116 - texts are faster than paths
    if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
        return "no file to read"
    with open(question.name, "rb", buffering=0) as stream:  # noqa: PTH123 - as above
        return _digest(stream.read(question.most))


def _asked_for_entries(question: Question) -> object:
    with os.scandir(question.name) as entries:
        return _listing(entries)


_ANSWERS: Mapping[str, Callable[[Question], object]] = {
    "status": lambda question: _status(os.stat(question.name)),  # noqa: PTH116 - as above
    "link": lambda question: _status(os.lstat(question.name)),
    "read": _asked_for_text,
    "scan": _asked_for_entries,
    "real": lambda question: os.path.realpath(question.name),
    "variable": lambda question: _secret(os.environ.get(question.name)),
}


def _status(status: os.stat_result) -> Status:
    size = status.st_size if stat.S_ISREG(status.st_mode) else 0
    return Status(status.st_mode, size, status.st_dev, status.st_ino, leads_elsewhere(status))


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=_DIGEST_BYTES).hexdigest()


def _secret(value: str | None) -> str | None:
    """What is kept of a variable, whose value may be one that nobody should read in a file."""
    return None if value is None else _digest(value.encode("utf-8", "surrogateescape"))


def _listing(entries: Iterable[Entry]) -> object:
    return tuple(sorted(map(_entry, entries)))


def _entry(entry: Entry) -> tuple[str, bool, bool]:
    """The name of an entry, whether it is a link, and whether it leads to a folder."""
    try:
        is_link = entry.is_symlink()
        if _IS_WINDOWS and not is_link:
            is_link = leads_elsewhere(entry.stat(follow_symlinks=False))
        return entry.name, is_link, entry.is_dir()
    except OSError:
        return entry.name, True, False


def _failure(error: OSError | ValueError) -> object:
    return type(error).__name__, getattr(error, "errno", None), str(error)
