"""Calls of the command that each begin in a process which has done nothing before.

A new process takes half a second, most of it for modules that every command imports. So one process
imports these, and each call is a fork of it. On systems without fork, each call is a process.

    python -m tests.forked ['{"folder": …, "environment": {…}, "arguments": […]}'] < MORE
"""

import gc
import importlib
import json
import os
import pkgutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Call:
    """A call of the command in `folder`, and more calls in the same process after it."""

    arguments: tuple[str, ...]
    folder: str
    environment: Mapping[str, str]
    then: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Answered:
    """The highest exit code of a process, the modules in memory, and the files it has opened."""

    code: int
    modules: frozenset[str]
    opened: tuple[Path, ...]


def answers(calls: Iterable[Call]) -> list[Answered]:
    """What each of `calls` does."""
    said = [json.dumps(asdict(call)) for call in calls]
    runs = [said] if hasattr(os, "fork") else [[one] for one in said]
    lines = [line for run in runs for line in _run(run)]
    return [
        Answered(one["code"], frozenset(one["modules"]), tuple(map(Path, one["opened"])))
        for one in map(json.loads, lines)
    ]


def _run(calls: Sequence[str]) -> list[str]:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.forked"],
        cwd=ROOT,
        input="\n".join(calls),
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=True,
    )
    return ran.stdout.splitlines()


def _answer(call: Mapping[str, Any]) -> str:
    """Runs a call in this process, and says what it did."""
    from agent_lsp.cli import main  # noqa: PLC0415 # this module is imported by tests, too

    opened: list[str] = []

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(arguments[0], str | os.PathLike):
            opened.append(os.fspath(cast("str", arguments[0])))

    os.chdir(call["folder"])
    os.environ.update(call["environment"])
    sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 # for all of the call
    sys.addaudithook(watch)
    code = max(main(list(arguments)) for arguments in (call["arguments"], *call["then"]))
    files = [path for path in opened if not path.endswith(".pyc")]
    return json.dumps({"code": code, "modules": sorted(sys.modules), "opened": files})


def _import_core() -> None:
    """Imports what is no part of a system and no server."""
    for top in ("analysis", "cli", "workspace", "environment"):
        package = importlib.import_module(f"agent_lsp.{top}")
        for found in pkgutil.walk_packages(
            getattr(package, "__path__", ()), f"{package.__name__}."
        ):
            importlib.import_module(found.name)


def _answer_all() -> None:
    calls = [json.loads(line) for line in sys.stdin]
    if hasattr(os, "fork"):
        gc.disable()
        _import_core()
        # Nothing that is imported becomes garbage, and no fork is to look at it.
        gc.freeze()
        gc.enable()
    for call in calls:
        if not hasattr(os, "fork"):
            print(_answer(call))  # noqa: T201 # to the test
            continue
        sys.stdout.flush()
        there = os.dup(1)
        child = os.fork()
        if child == 0:
            said = _answer(call)
            with open(there, "w", encoding="utf-8") as stream:  # noqa: PTH123 # a descriptor
                stream.write(f"{said}\n")
            os._exit(0)
        os.close(there)
        assert os.waitpid(child, 0)[1] == 0, call


if __name__ == "__main__":
    _answer_all()
