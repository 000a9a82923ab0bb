"""Measures `check` on workspaces of several sizes, in turns with other linters of such files.

Invariants: each run is a process of its own on the same files, all of which are sound; a tool
that does not find the one fault in another workspace is not compared, for it looked at nothing.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from corpus import write_agents
from machine import load, machine

_HERE = Path(__file__).parent
_OURS, _PYTHON = "agent-template-lsp check", "python -c pass"
# The same call with a cache; its median is that of the calls after the first.
_AGAIN = f"{_OURS}, again"
# Exactly what the installed command runs.
_START = (sys.executable, "-c", "from agent_lsp.__main__ import program; program()")
_SIZES = (100, 1_000, 5_000, 10_000)
# The processor time of a first call beside cclint's, and that of a repeated call in seconds.
_BESIDE, _FACTOR = "cclint", 1.0
_AGAIN_AIMS = {10_000: 1.0}
# A tool that takes longer is stopped, and not asked again about as many.
_PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class Tool:
    """A linter: its name, and the command that makes it look at the agents of a folder."""

    name: str
    command: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """One process: the seconds that passed, and those that all its cores worked.

    One that `is_stopped` would have taken longer.
    """

    wall: float
    cpu: float
    is_stopped: bool = False


@dataclass(slots=True)
class Figures:
    """The runs of each tool in one workspace."""

    runs: dict[str, list[Run]] = field(default_factory=dict)


def main() -> None:
    """Measures all tools that are there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--others", type=Path, help="the folder that benchmarks/others printed")
    parser.add_argument("--turns", type=int, default=5, help="runs of each tool")
    parser.add_argument("--sizes", type=int, nargs="+", default=_SIZES, help="templates")
    asked = parser.parse_args()
    before = load()
    with tempfile.TemporaryDirectory() as created:
        folder = Path(created).resolve()
        environment = _environment(folder)
        tools = tuple(_looking(folder, _tools(asked.others), environment))
        for size in asked.sizes:
            found = _measured(folder / f"of-{size}", size, tools, asked.turns, environment)
            print(f"\n## check, {size:,} templates\n")
            print("\n".join(_table(found, size)))
        print("\n## Starting\n")
        print("\n".join(_starting(environment, asked.turns)))
    print(f"\n{machine()}; load {before} before, {load()} after; {time.strftime('%Y-%m-%d')}")
    print(f"{asked.turns} runs of each tool, in turns")


def _environment(folder: Path) -> dict[str, str]:
    (folder / "home").mkdir()
    return {
        **{name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
        "HOME": str(folder / "home"),
        "PYTHONPATH": str(_HERE.parent),
        "NO_COLOR": "1",
        "XDG_CACHE_HOME": str(folder / "cache"),
        # An installed program is compiled already; so is this one after its first run.
        "PYTHONPYCACHEPREFIX": str(folder / "compiled"),
    }


def _tools(others: Path | None) -> Iterator[Tool]:
    yield Tool(_OURS, (*_START, "check", "--no-cache", "."))
    yield Tool(_AGAIN, (*_START, "check", "."))
    if others is None:
        return
    python, node = others / "python/bin", others / "node_modules/.bin"
    for name, program, arguments in (
        ("agnix", python / "agnix", (".",)),
        ("skillsaw", python / "skillsaw", ("lint", ".")),
        ("skilllint", python / "skilllint", ("check", ".")),
        ("cclint", node / "cclint", ("agents",)),
    ):
        if program.exists():
            yield Tool(name, (str(program), *arguments))


def _looking(folder: Path, tools: Iterator[Tool], environment: Mapping[str, str]) -> Iterator[Tool]:
    """Those of `tools` that notice an agent without a description, and only that one."""
    sound, broken = folder / "sound", folder / "broken"
    write_agents(sound, 2)
    last = write_agents(broken, 2)
    lines = last.read_text(encoding="utf-8").splitlines(keepends=True)
    left = (line for line in lines if not line.startswith("description:"))
    last.write_text("".join(left), encoding="utf-8")
    for tool in tools:
        codes = [_code(tool, place, environment) for place in (sound, broken)]
        if codes[0] == 0 and codes[1] != 0:
            yield tool
        else:
            print(f"{tool.name} is left out: it ends with {codes[0]} and {codes[1]}")


def _code(tool: Tool, folder: Path, environment: Mapping[str, str]) -> int:
    return subprocess.run(
        tool.command, cwd=folder, env=environment, capture_output=True, check=False
    ).returncode


def _measured(
    folder: Path,
    size: int,
    tools: Sequence[Tool],
    turns: int,
    environment: Mapping[str, str],
) -> Figures:
    write_agents(folder, size)
    found, asked = Figures(), list(tools)
    for _ in range(turns):
        for tool in tuple(asked):
            run = _timed(tool.command, folder, environment)
            found.runs.setdefault(tool.name, []).append(run)
            if run.is_stopped:
                asked.remove(tool)
    return found


def _timed(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Run:
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    is_stopped = False
    try:
        subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, check=True, timeout=_PATIENCE
        )
    except subprocess.TimeoutExpired:
        is_stopped = True
    wall, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(wall, used, is_stopped)


def _table(found: Figures, size: int) -> Iterator[str]:
    yield "| | time | of all cores | ratio to ours | a template | aim |"
    yield "|---|---:|---:|---:|---:|---|"
    ours = median(run.cpu for run in found.runs[_OURS])
    beside = found.runs.get(_BESIDE)
    for name, runs in found.runs.items():
        if any(run.is_stopped for run in runs):
            yield f"| {name} | over {_PATIENCE:.0f} s | | | | |"
            continue
        wall, cpu = median(run.wall for run in runs), median(run.cpu for run in runs)
        aim, most = "", None
        if name == _OURS and beside is not None:
            aim, most = f"≤ {_FACTOR} x {_BESIDE}", _FACTOR * median(run.cpu for run in beside)
        elif name == _AGAIN and size in _AGAIN_AIMS:
            aim, most = f"≤ {_AGAIN_AIMS[size]:g} s", _AGAIN_AIMS[size]
        met = f"{aim}{' **missed**' if most is not None and cpu > most else ''}"
        each = f"{cpu / size * 1e6:.0f} µs"
        yield f"| {name} | {wall:.2f} s | {cpu:.2f} s | {cpu / ours:.2f} | {each} | {met} |"


def _starting(environment: Mapping[str, str], turns: int) -> Iterator[str]:
    """How long it takes to start, to load what `check` needs, and what Python itself takes."""
    rows = (
        (_PYTHON, (sys.executable, "-c", "pass"), ""),
        ("agent-template-lsp --version", (*_START, "--version"), 0.1),
        (
            "agent-template-lsp check, loaded",
            (sys.executable, "-c", "import agent_lsp.cli.checking.run"),
            "",
        ),
    )
    yield "| | time | aim |"
    yield "|---|---:|---|"
    for name, command, aim in rows:
        _timed(command, _HERE, environment)
        wall = median(_timed(command, _HERE, environment).wall for _ in range(turns))
        met = f"≤ {aim} s{'' if wall <= aim else ' **missed**'}" if isinstance(aim, float) else ""
        yield f"| {name} | {wall * 1000:.0f} ms | {met} |"


if __name__ == "__main__":
    main()
