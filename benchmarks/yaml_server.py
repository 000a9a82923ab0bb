"""Measures yaml-language-server on the sample's header, saved as a YAML file, beside ours.

Invariants: both get the same edits, ours in a template and the other one in a file of its own; they
take turns. The other one waits on purpose before it looks at an edit, so that only what it answers
when it is asked can be compared with ours.
"""

import argparse
import os
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from client import Client
from corpus import SAMPLE, place, write
from machine import load, machine

_HERE = Path(__file__).parent
_START = "from agent_lsp.__main__ import program; program()"
_OURS, _YAML = "agent-template-lsp", "yaml-language-server"
_ROWS = (("hover", "descri"), ("completion", "read_only"))


def main() -> None:
    """Prints one table, or that the other server is not there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--others", type=Path, required=True)
    parser.add_argument("--times", type=int, default=100, help="requests of each kind")
    asked = parser.parse_args()
    other = asked.others / "node_modules/.bin/yaml-language-server"
    print("\n## Beside yaml-language-server\n")
    if not other.exists():
        print(f"There is none in {asked.others}.")
        return
    commands = {
        _YAML: (str(other), "--stdio"),
        _OURS: (sys.executable, "-c", _START, "serve", "--stdio"),
    }
    before = load()
    with tempfile.TemporaryDirectory() as created:
        print("\n".join(_measured(Path(created).resolve(), commands, asked.times)))
    print(f"\n{machine()}; load {before} before, {load()} after; {time.strftime('%Y-%m-%d')}")


def _measured(folder: Path, commands: dict[str, tuple[str, ...]], times: int) -> list[str]:
    root = folder / "workspace"
    template, _ = write(root, 2)
    # The same lines as in the template: a comment where its first fence is.
    header = SAMPLE.split("---\n")[1]
    plain = root / "release.yaml"
    plain.write_text(f"#\n{header}", encoding="utf-8")
    files = {_YAML: (plain, "yaml"), _OURS: (template, "markdown")}
    environment = {**os.environ, "HOME": str(folder / "home"), "PYTHONPATH": str(_HERE.parent)}
    taken: dict[tuple[str, str], list[float]] = {}
    with ExitStack() as stack:
        clients: dict[str, Client] = {}
        for name, command in commands.items():
            client = clients[name] = stack.enter_context(Client(command, root, environment))
            begun = client.started
            taken["start to `initialize`", name] = [client.initialize() - begun]
            path, language = files[name]
            client.show(path, path.read_text(encoding="utf-8"), language)
        for row, anchor in _ROWS:
            for _ in range(times):
                for name, client in clients.items():
                    begun = time.perf_counter()
                    method = f"textDocument/{row}"
                    arrived, _ = client.at(method, files[name][0], place(anchor))
                    taken.setdefault((row, name), []).append(arrived - begun)
        memory = {name: client.memory() or 0.0 for name, client in clients.items()}
    return list(_table(taken, memory))


def _table(taken: dict[tuple[str, str], list[float]], memory: dict[str, float]) -> list[str]:
    lines = [f"| | {_YAML} | {_OURS} | ratio |", "|---|---:|---:|---:|"]
    for row in dict.fromkeys(row for row, _ in taken):
        theirs, ours = (median(taken[row, name]) * 1000 for name in (_YAML, _OURS))
        lines.append(f"| {row} | {theirs:.2f} ms | {ours:.2f} ms | {ours / theirs:.2f} |")
    theirs, ours = memory[_YAML], memory[_OURS]
    lines.append(f"| memory | {theirs:.1f} MB | {ours:.1f} MB | {ours / theirs:.2f} |")
    return lines


if __name__ == "__main__":
    main()
