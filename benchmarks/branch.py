"""Measures edits while the server takes in a checkout of another branch.

Invariants: all files of a workspace change at once, and the editor reports all of them in one
message. Then a letter is typed, again as soon as its diagnostics are there, until those of the
last closed file have come. Each text is new to the server. A bare server is told of the same edits
in turns, so that both answer on the same machine with the same load.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple

from client import Client
from machine import load, machine

_HERE = Path(__file__).parent
_START = "from agent_lsp.__main__ import program; program()"
_SERVER = (sys.executable, "-c", _START, "serve", "--stdio")
_BARE = (sys.executable, str(_HERE / "bare.py"))
_SIZES = (500, 1_000, 2_000, 4_000)
# In seconds, between two letters of a quick typist.
_PAUSE = 0.05
# In seconds: after the last diagnostics, the server may still look at a few files.
_REST = 2.0
# The checkouts of a row. A single one of 500 files is over after some 30 edits.
_CHECKOUTS = 3
_CHANGED = 2
# In milliseconds.
_AIM = 20.0


class _System(NamedTuple):
    """A system, the place of its agents, the text of one, and what is between a key and a value."""

    name: str
    folder: str
    suffix: str
    text: str
    between: str


_SYSTEMS = (
    _System(
        "Claude Code",
        ".claude/agents",
        ".md",
        (_HERE / "agent.md").read_text(encoding="utf-8"),
        ": ",
    ),
    _System(
        "Codex sub-agents",
        ".codex/agents",
        ".toml",
        'name = "release-NUMBER"\ndescription = "Prepares release NUMBER."\n'
        'developer_instructions = """\nYou prepare release NUMBER.\nAsk release-00001.\n"""\n',
        " = ",
    ),
)


def main() -> None:
    """Prints a row for each number of changed files in each system."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=_SIZES, help="changed files")
    asked = parser.parse_args()
    before = load()
    print("\n## Edits during a checkout of another branch\n")
    print("| changed files | system | processor time | edits | median | p95 | bare p95 | aim |")
    print("|---|---|---|---|---|---|---|---|")
    for size in asked.sizes:
        for system in _SYSTEMS:
            with tempfile.TemporaryDirectory() as folder:
                print(_row(size, system, _measured(Path(folder).resolve(), size, system)))
                sys.stdout.flush()
    print(f"\n{machine()}; load {before} before, {load()} after; {time.strftime('%Y-%m-%d')}")


class _Found(NamedTuple):
    """The processor time for the checkouts in seconds, and how long each edit waited."""

    spent: float
    waits: list[float]
    bare: list[float]


def _row(size: int, system: _System, found: _Found) -> str:
    spent = f"{found.spent / _CHECKOUTS:.1f} s"
    times = f"{median(found.waits) * 1000:.1f} ms | {_p95(found.waits):.1f} ms"
    figures = f"{len(found.waits)} | {times} | {_p95(found.bare):.1f} ms | {_AIM:.0f} ms"
    return f"| {size:,} | {system.name} | {spent} | {figures} |"


def _p95(times: list[float]) -> float:
    """In milliseconds."""
    return (quantiles(times, n=20)[-1] if len(times) > 1 else times[0]) * 1000


def _measured(folder: Path, size: int, system: _System) -> _Found:
    root, aside = folder / "workspace", folder / "bare"
    agents = root / system.folder
    for made in (agents, aside, root / ".git"):
        made.mkdir(parents=True)
    last = _checkout(agents, size, system, 0)
    opened = agents / f"a-open{system.suffix}"
    beside = aside / opened.name
    environment = {**os.environ, "HOME": str(folder / "home")}
    found = _Found(0.0, [], [])
    with (
        Client(_SERVER, root, environment) as client,
        Client(_BARE, aside, environment) as bare,
    ):
        texts = _texts(system)
        opened.write_text(next(texts), encoding="utf-8")
        for each, path in ((client, opened), (bare, beside)):
            each.initialize()
            each.open(path, next(texts))
        client.closed(last)
        for number in range(1, _CHECKOUTS + 1):
            time.sleep(_REST)
            _checkout(agents, size, system, number)
            begun = client.processor_time()
            client.notify("workspace/didChangeWatchedFiles", _reported(agents))
            while not client.is_told(last, _fault(number)):
                for each, path, waits in (
                    (client, opened, found.waits),
                    (bare, beside, found.bare),
                ):
                    sent = time.perf_counter()
                    waits.append(each.change(path, next(texts)) - sent)
                time.sleep(_PAUSE)
            found = found._replace(spent=found.spent + client.processor_time() - begun)
    return found


def _texts(system: _System) -> Iterator[str]:
    number = 0
    while True:
        number += 1
        # The name stays, as it does while a prompt is written.
        yield system.text.replace("NUMBER", "open").replace("You prepare", f"You prepare {number}")


def _checkout(agents: Path, size: int, system: _System, turn: int) -> Path:
    """Writes all files anew; returns the last one, about which something else is said."""
    path = agents
    for number in range(size):
        path = agents / f"release-{number:05}{system.suffix}"
        text = system.text.replace("NUMBER", f"{number:05}")
        first, rest = text.split("\n", 1)
        is_last = number == size - 1
        line = f"{_fault(turn)}{system.between}1" if is_last else f"# Turn {turn}."
        path.write_text(f"{first}\n{line}\n{rest}", encoding="utf-8")
    return path


def _fault(turn: int) -> str:
    """A key of the last file that no agent has, which its diagnostics name."""
    return f"fault{turn}"


def _reported(agents: Path) -> dict[str, object]:
    paths = sorted(agents.iterdir())
    return {"changes": [{"uri": path.as_uri(), "type": _CHANGED} for path in paths]}


if __name__ == "__main__":
    main()
