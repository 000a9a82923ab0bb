"""Runs the program and writes down the modules that it imports, a line each.

    python import_log.py LOG PYTHON -m agent_lsp ARGUMENT…

A finder that finds nothing is asked for each module first, so nothing is missed if the process ends
without a word.
"""

import importlib.abc
import sys
from pathlib import Path

from agent_lsp.cli import main


class Log(importlib.abc.MetaPathFinder):
    """Finds no module, and adds the name of each to the file `path`."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def find_spec(self, name: str, *_: object) -> None:
        with self._path.open("a", encoding="utf-8") as stream:
            stream.write(f"{name}\n")


def imported(log: Path) -> set[str]:
    """The modules of the package that a program has imported into `log`."""
    names = log.read_text(encoding="utf-8").split()
    return {name for name in names if name.startswith("agent_lsp.")}


if __name__ == "__main__":
    _, log, _, _, _, *arguments = sys.argv
    sys.meta_path.insert(0, Log(Path(log)))
    sys.exit(main(arguments))
