"""The files that were given to a real Claude Code, and what it did with each.

Invariant: a record holds nothing of the machine that it was made on.

    python -m tests.runtimes.recorded PROGRAM    records all files again, and writes what was seen
"""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from agent_lsp.dialects.claude.dialect import DIALECT
from tests.runtimes.claude import Agent, Seen, seen

RECORDS = Path(__file__).parents[1] / "conformance" / "claude-runtime.jsonl"


def records() -> tuple[dict[str, Any], ...]:
    """The records, in the order of their file."""
    lines = RECORDS.read_text(encoding="utf-8").splitlines()
    return tuple(json.loads(line) for line in lines)


def run(program: Path, texts: Iterable[tuple[str, bytes]], folder: Path) -> Seen:
    """What the program makes of agents with these file names and texts, put into `folder`."""
    work, home = folder / "work", folder / "home"
    agents = work / ".claude" / "agents"
    agents.mkdir(parents=True)
    home.mkdir()
    for name, text in texts:
        path = agents / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    return seen(program, work, home)


def fresh(record: dict[str, Any], found: Seen) -> dict[str, Any]:
    """The record of the same file with what was `found` now."""
    name = record["name"] or _written(record) or record["id"]
    agent = found.agents.get(name)
    kept = {key: record[key] for key in ("id", "label", "text")}
    if agent is None:
        nothing = dict.fromkeys(("name", "description", "listed_tools", "spawned_tools"))
        rest = dict.fromkeys(("model", "effort", "refusal"))
        return {**kept, "loads": False, **nothing, **rest}
    return {**kept, "loads": True, **_done(agent)}


def _done(agent: Agent) -> dict[str, Any]:
    request = agent.request
    return {
        "name": agent.name,
        "description": agent.description,
        "listed_tools": agent.listed_tools,
        "spawned_tools": list(request.tools) if request is not None else None,
        "model": request.model if request is not None else None,
        "effort": request.effort if request is not None else None,
        "refusal": agent.refusal,
    }


def _written(record: dict[str, Any]) -> str | None:
    """The name in a file, as its author wrote it."""
    value = DIALECT.format.read(DIALECT.parse(record["text"]), "").declared.settings.get("name")
    return value.text if value is not None else None


def unaccounted(found: Seen, made: Iterable[dict[str, Any]], own: Iterable[str]) -> Iterator[str]:
    """The agents that come of no record, and are not the program's `own`."""
    known_names = {one["name"] for one in made} | set(own)
    yield from sorted(set(found.agents) - known_names)


def _main(program: Path) -> None:
    with TemporaryDirectory() as first, TemporaryDirectory() as second:
        texts = [(f"{one['id']}.md", one["text"].encode()) for one in records()]
        found, own = run(program, texts, Path(first)), run(program, (), Path(second))
    made = [fresh(one, found) for one in records()]
    for name in unaccounted(found, made, own.agents):
        sys.stderr.write(f"{name!r} comes of no record: look which file it is\n")
    RECORDS.write_text("".join(f"{json.dumps(one)}\n" for one in made), encoding="utf-8")
    offered = ", ".join(found.tools)
    sys.stdout.write(f"{len(made)} records of {found.version}; offered were {offered}\n")


if __name__ == "__main__":
    _main(Path(sys.argv[1]).resolve())
