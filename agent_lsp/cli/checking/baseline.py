"""Reads and writes a baseline: a file of accepted findings that `check` does not report again.

Invariant: a finding is skipped only if the baseline has one with the same file, code, severity,
message and text of the line, and only as often as the baseline counts it. Which programs have the
finding does not count: that changes with any file that makes another program count.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from pathlib import Path

from agent_lsp.analysis.diagnostics import Diagnostic, without_programs
from agent_lsp.cli.arguments import CommandError
from agent_lsp.cli.atomic_write import write_atomically
from agent_lsp.cli.checking.report import FileFinding
from agent_lsp.cli.resolve import shown
from agent_lsp.data_classes import dataclass
from agent_lsp.text import LineIndex
from agent_lsp.workspace.disk import used
from agent_lsp.workspace.paths import from_folder

_VERSION = 1
_KEYS = ("path", "code", "severity", "message", "line")


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The properties that identify a finding; `line` is a digest of its line's text."""

    path: str
    code: str
    severity: str
    message: str
    line: str


def fingerprint(path: Path, diagnostic: Diagnostic, base: Path, lines: LineIndex) -> Fingerprint:
    """The fingerprint of `diagnostic`; its path is relative to `base`."""
    line = lines.line_span(lines.line_of(diagnostic.span.start)).of(lines.text)
    return Fingerprint(
        Path(from_folder(path, base)).as_posix(),
        diagnostic.code,
        diagnostic.severity.name.lower(),
        without_programs(diagnostic),
        sha256(line.encode("utf-8", "surrogatepass")).hexdigest()[:32],
    )


def read(path: Path, here: Path) -> Counter[Fingerprint]:
    """The findings in the baseline at `path`, each with its count.

    Raises `CommandError` if the file cannot be read or is not a baseline.
    """
    name = shown(path, here)
    try:
        data = json.loads(used().read_named(path))
        if not isinstance(data, dict) or data.get("version") != _VERSION:
            raise CommandError(f"{name} is not a baseline of version {_VERSION}")
        return Counter({_entry(entry): _count(entry["count"]) for entry in data["findings"]})
    except OSError as error:
        reason = f"cannot read the baseline {name}: {error.strerror}"
        raise CommandError(f"{reason}\n  `--write-baseline {name}` writes one") from error
    except (ValueError, TypeError, KeyError, RecursionError, MemoryError) as error:
        raise CommandError(f"{name} is not a baseline written by `--write-baseline`") from error


def left(
    findings: Iterable[FileFinding],
    baseline: Mapping[Fingerprint, int],
    fingerprint_of: Callable[[FileFinding], Fingerprint],
) -> tuple[FileFinding, ...]:
    """The `findings` that `baseline` does not list."""
    waiting, new = Counter(baseline), []
    for one in findings:
        key = fingerprint_of(one)
        if waiting[key] > 0:
            waiting[key] -= 1
        else:
            new.append(one)
    return tuple(new)


def save(
    path: Path, fingerprints: Iterable[Fingerprint], here: Path, within: Iterable[Path]
) -> None:
    """Writes a baseline of the `fingerprints`, one finding a line, in a stable order.

    No link may lead out of the folders `within`. Raises `CommandError` if the file cannot be
    written.
    """
    counts = Counter(fingerprints)
    entries = [
        json.dumps({key: getattr(one, key) for key in _KEYS} | {"count": counts[one]})
        for one in sorted(counts, key=lambda one: [getattr(one, key) for key in _KEYS])
    ]
    inner = ",\n    ".join(entries)
    listed = f"[\n    {inner}\n  ]" if entries else "[]"
    try:
        text = f'{{\n  "version": {_VERSION},\n  "findings": {listed}\n}}\n'
        write_atomically(path, text.encode(), within=within)
    except OSError as error:
        raise CommandError(f"cannot write {shown(path, here)}: {error.strerror}") from error


def _entry(entry: Mapping[str, object]) -> Fingerprint:
    return Fingerprint(*(str(entry[key]) for key in _KEYS))


def _count(written: object) -> int:
    if not isinstance(written, int) or isinstance(written, bool) or written < 1:
        raise ValueError(written)
    return written
