"""Measures edits while the server takes in a checkout of another branch.

Invariants: all files of a workspace change at once, and the editor reports all of them in one
message. Then a letter is typed, again as soon as its diagnostics are there, until those of the
last closed file have come. Each text is new to the server.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles

from client import Client
from corpus import write_agents
from machine import load, machine

_START = "from agent_lsp.__main__ import program; program()"
_SERVER = (sys.executable, "-c", _START, "serve", "--stdio")
_SIZES = (500, 1_000, 2_000, 4_000)
# In seconds, between two letters of a quick typist.
_PAUSE = 0.05
_CHANGED = 2
# In milliseconds.
_AIM = 20.0


def main() -> None:
    """Prints a row for each number of changed files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=_SIZES, help="changed files")
    asked = parser.parse_args()
    before = load()
    print("\n## Edits during a checkout of another branch\n")
    print("| changed files | processor time | each | edits | median | p95 | aim |")
    print("|---|---|---|---|---|---|---|")
    for size in asked.sizes:
        with tempfile.TemporaryDirectory() as folder:
            print(_row(size, *_measured(Path(folder).resolve(), size)), flush=True)
    print(f"\n{machine()}; load {before} before, {load()} after; {time.strftime('%Y-%m-%d')}")


def _row(size: int, spent: float, waits: list[float]) -> str:
    times = [one * 1000 for one in waits]
    p95 = quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
    each = f"{spent / size * 1000:.1f} ms"
    figures = f"{len(times)} | {median(times):.1f} ms | {p95:.1f} ms | {_AIM:.0f} ms"
    return f"| {size:,} | {spent:.1f} s | {each} | {figures} |"


def _measured(folder: Path, size: int) -> tuple[float, list[float]]:
    """The processor time of the server for the checkout, and how long each edit waited."""
    root = folder / "workspace"
    last = write_agents(root, size)
    opened = root / ".claude/agents/a-open.md"
    environment = {**os.environ, "HOME": str(folder / "home")}
    with Client(_SERVER, root, environment) as client:
        client.initialize()
        texts = _texts()
        opened.write_text(next(texts), encoding="utf-8")
        client.open(opened, next(texts))
        _checkout(root, last, "tools: Reed\n")
        # The first diagnostics of a file are those of the first scan, or of this change.
        client.notify("workspace/didChangeWatchedFiles", _reported(root))
        client.closed(last)
        begun = client.processor_time()
        _checkout(root, last, "tools: Grepp\n")
        client.notify("workspace/didChangeWatchedFiles", _reported(root))
        waits = []
        while not client.is_told(last):
            sent = time.perf_counter()
            waits.append(client.change(opened, next(texts)) - sent)
            time.sleep(_PAUSE)
        return client.processor_time() - begun, waits


def _texts() -> Iterator[str]:
    number = 0
    while True:
        number += 1
        yield f"---\nname: a-open\ndescription: Reviews.\ntools: Read\n---\nLook at {number}.\n"


def _checkout(root: Path, last: Path, line: str) -> None:
    """Changes all files, the last one so that something else is said about it."""
    for path in sorted((root / ".claude/agents").glob("release-*.md")):
        kept = [one for one in path.read_text("utf-8").splitlines(True) if one[:6] != "tools:"]
        added = [line] if path == last else [f"tools: Read, Write # {line}"]
        path.write_text("".join((kept[0], *added, *kept[1:])), encoding="utf-8")


def _reported(root: Path) -> dict[str, object]:
    paths = sorted((root / ".claude/agents").iterdir())
    return {"changes": [{"uri": path.as_uri(), "type": _CHANGED} for path in paths]}


if __name__ == "__main__":
    main()
