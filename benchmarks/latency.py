"""Measures the language server beside a bare one, in turns, and prints tables with ratios.

Invariants: both servers run on the same files with the same editor; they take turns, so that
what else the machine does falls on both; each text is new to them.
"""

import argparse
import math
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from client import Client
from corpus import SAMPLE, place, typed, write, write_systems
from machine import load, machine

_HERE = Path(__file__).parent
# Exactly what the installed command runs.
_START = "from agent_lsp.__main__ import program; program()"
_BARE, _OURS = "bare pygls", "agent-template-lsp"
_COMMANDS = {
    _BARE: (sys.executable, str(_HERE / "bare.py")),
    _OURS: (sys.executable, "-c", _START, "serve", "--stdio"),
}

_UNSET = ("CODEX_HOME", "PYTHONDONTWRITEBYTECODE")

_EDITS = {
    "edit of a header's value": ("evidence for it.", " and the names of those who did the work"),
    "edit that breaks the header": ("read_only: false", "\nx_note: [draft, 'for the team', "),
    "edit of the body": ("what a user notices.", " Leave out what only a developer sees."),
}
_HOVERS = (
    "-",
    "descri",
    "gpt-5.2",
    "  - name: care",
    "  - exec_",
    "  - mcp__",
    "<!-- agent_name: p",
)
_COMPLETIONS = ("read_only", "model: ", "reasoning_effort: m", "  - exec_command", "_name: careful")
# In turns of so many, for a server is fastest while it is asked again and again.
_TURN = 20
_STRETCHES = 5


@dataclass(frozen=True, slots=True)
class Aim:
    """What a row should come to: a factor of the bare server, or milliseconds for the p95."""

    factor: float | None = None
    p95: float | None = None


_ASKED = {"hover": Aim(p95=5.0), "completion": Aim(p95=5.0)}
_AIMS = {
    "start to `initialize`": Aim(factor=1.15),
    "start to first diagnostics": Aim(factor=1.3),
    **{name: Aim(p95=3.0) for name in _EDITS},
    **_ASKED,
}
_LARGE_AIMS = {**{name: Aim(p95=4.0) for name in _EDITS}, **_ASKED}
_LARGE = 10_000
# What the server may use, in MB, and a closed template, in kB.
_MOST, _MOST_IN_LARGE, _MOST_EACH = 80.0, 100.0, 6.0
_ONE, _ALL = "one system", "twelve systems"


@dataclass(slots=True)
class Figures:
    """What was measured of one server, in milliseconds by row, and its memory in MB."""

    times: dict[str, list[float]] = field(default_factory=dict)
    memory: float | None = None

    def add(self, row: str, seconds: float) -> None:
        """Notes one measurement."""
        self.times.setdefault(row, []).append(seconds * 1000)


def main() -> None:
    """Measures in a workspace of one template and in a large one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--starts", type=int, default=25, help="starts of each server")
    parser.add_argument("--times", type=int, default=200, help="edits and requests of each kind")
    parser.add_argument("--templates", type=int, default=_LARGE, help="size of the large workspace")
    asked = parser.parse_args()
    before = load()
    with tempfile.TemporaryDirectory() as created:
        folder = Path(created).resolve()
        for count in (2, asked.templates):
            found = _measured(folder, count, asked.starts, asked.times)
            lines = SAMPLE.count("\n")
            print(f"\n## A template of {lines} lines in a workspace of {count:,}\n")
            print("\n".join(_table(found, count)))
        print("\n## Edits in a workspace of one system, and of twelve\n")
        print("\n".join(_beside(_of_systems(folder, asked.times))))
    print(f"\n{machine()}; load {before} before, {load()} after; {time.strftime('%Y-%m-%d')}")
    print(f"{asked.starts} starts and {asked.times} edits and requests of each kind, in turns")


def _measured(folder: Path, count: int, starts: int, times: int) -> dict[str, Figures]:
    root = folder / f"of-{count}"
    sample, last = write(root, count)
    environment = _environment(folder)
    found = {name: Figures() for name in _COMMANDS}
    _starting(root, environment, found, sample, starts)
    with ExitStack() as stack:
        clients: dict[str, Client] = {}
        for name, command in _COMMANDS.items():
            client = clients[name] = stack.enter_context(Client(command, root, environment))
            client.initialize()
            client.open(sample, SAMPLE)
            if name == _OURS:
                looked = client.closed(last) - client.started
                found[name].add("start to the diagnostics of the last closed file", looked)
        _typing(clients, found, dict.fromkeys(clients, sample), times)
        _asking(clients, found, sample, times)
        for name, client in clients.items():
            found[name].memory = client.memory()
    return found


def _of_systems(folder: Path, times: int) -> dict[str, Figures]:
    """The edits of the same template in two workspaces, in one of which all systems are used."""
    found = {name: Figures() for name in (_ONE, _ALL)}
    with ExitStack() as stack:
        clients: dict[str, Client] = {}
        samples: dict[str, Path] = {}
        for name in found:
            root = folder / name.replace(" ", "-")
            samples[name], last = write(root, 2)
            if name == _ALL:
                write_systems(root)
            client = Client(_COMMANDS[_OURS], root, _environment(folder))
            clients[name] = stack.enter_context(client)
            client.initialize()
            client.open(samples[name], SAMPLE)
            client.closed(last)
        _typing(clients, found, samples, times)
    return found


def _environment(folder: Path) -> dict[str, str]:
    return {
        **{name: value for name, value in os.environ.items() if name not in _UNSET},
        "HOME": str(folder / "home"),
        "PYTHONPATH": str(_HERE.parent),
        # An installed program is compiled already; so is this one after its first start.
        "PYTHONPYCACHEPREFIX": str(folder / "compiled"),
    }


def _starting(
    root: Path, environment: dict[str, str], found: dict[str, Figures], sample: Path, starts: int
) -> None:
    for turn in range(starts + 1):
        for name, command in _COMMANDS.items():
            with Client(command, root, environment) as client:
                figures = found[name] if turn else Figures()
                figures.add("start to `initialize`", client.initialize() - client.started)
                shown = client.open(sample, SAMPLE) - client.started
                figures.add("start to first diagnostics", shown)


def _typing(
    clients: dict[str, Client], found: dict[str, Figures], samples: dict[str, Path], times: int
) -> None:
    for row, (anchor, words) in _EDITS.items():
        texts = {name: typed(anchor, words) for name in clients}

        def edit(name: str, texts: dict[str, Iterator[str]] = texts) -> float:
            text = next(texts[name])
            begun = time.perf_counter()
            return clients[name].change(samples[name], text) - begun

        _in_turns(row, edit, found, times)


def _asking(
    clients: dict[str, Client], found: dict[str, Figures], sample: Path, times: int
) -> None:
    for row, anchors in (("hover", _HOVERS), ("completion", _COMPLETIONS)):
        places = {name: _again([place(anchor) for anchor in anchors]) for name in clients}
        for client in clients.values():
            client.change(sample, SAMPLE)

        def ask(
            name: str,
            method: str = f"textDocument/{row}",
            places: dict[str, Iterator[tuple[int, int]]] = places,
        ) -> float:
            at = next(places[name])
            begun = time.perf_counter()
            arrived, answer = clients[name].at(method, sample, at)
            if not answer:
                raise RuntimeError(f"{name} has no answer to `{method}` at {at}")
            return arrived - begun

        _in_turns(row, ask, found, times)


def _in_turns(row: str, one: Callable[[str], float], found: dict[str, Figures], times: int) -> None:
    for done in range(0, times, _TURN):
        for name, figures in found.items():
            for _ in range(min(_TURN, times - done)):
                figures.add(row, one(name))


def _again(places: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    while True:
        yield from places


def _table(found: dict[str, Figures], count: int) -> Iterator[str]:
    yield f"| | {_BARE} | {_OURS} | ratio | aim |"
    yield "|---|---:|---:|---:|---|"
    bare, ours = found[_BARE], found[_OURS]
    for row, times in ours.times.items():
        aim = (_LARGE_AIMS if count >= _LARGE else _AIMS).get(row, Aim())
        beside = bare.times.get(row)
        if beside is None:
            yield f"| {row} | | {median(times):.0f} ms | | |"
            continue
        for label, figure in (("median", median), ("p95", _p95)):
            ratio = figure(times) / figure(beside)
            wanted, met = "", True
            if label == "median" and aim.factor is not None:
                wanted, met = f"≤ {aim.factor} x", ratio <= aim.factor
            elif label == "p95" and aim.p95 is not None:
                wanted, met = f"≤ {aim.p95:g} ms", figure(times) <= aim.p95
            verdict = f"{wanted}{'' if met else ' **missed**'}"
            cells = f"{figure(beside):.2f} ms | {figure(times):.2f} ms | {ratio:.2f}"
            yield f"| {row}, {label} | {cells} | {verdict} |"
    if bare.memory is not None and ours.memory is not None:
        ratio = ours.memory / bare.memory
        most = _MOST_IN_LARGE if count >= _LARGE else _MOST
        missed = "" if ours.memory <= most else " **missed**"
        cells = f"{bare.memory:.1f} MB | {ours.memory:.1f} MB | {ratio:.2f}"
        yield f"| memory | {cells} | ≤ {most:g} MB{missed} |"
        if count >= _LARGE:
            each = (ours.memory - bare.memory) * 1024 / count
            missed = "" if each <= _MOST_EACH else " **missed**"
            yield f"| memory a template | | {each:.1f} kB | | ≤ {_MOST_EACH:g} kB{missed} |"


def _beside(found: dict[str, Figures]) -> Iterator[str]:
    yield f"| | {_ONE} | {_ALL} | ratio |"
    yield "|---|---:|---:|---:|"
    one, every = found[_ONE], found[_ALL]
    for row, times in every.times.items():
        for label, figure in (("median", median), ("p95", _p95)):
            few, many = figure(one.times[row]), figure(times)
            yield f"| {row}, {label} | {few:.2f} ms | {many:.2f} ms | {many / few:.2f} |"


def _p95(times: Sequence[float]) -> float:
    """The p95 of each stretch of the time, and of these the median.

    What disturbs a machine comes in bursts; one of them decides about one stretch.
    """
    size = math.ceil(len(times) / _STRETCHES)
    stretches = (sorted(times[at : at + size]) for at in range(0, len(times), size))
    return median(stretch[math.ceil(len(stretch) * 0.95) - 1] for stretch in stretches)


if __name__ == "__main__":
    main()
