"""Asks a real Claude Code what it makes of the agents of a folder.

Invariants: the runtime has an environment of its own, with a made-up key and the stub's address;
hooks are switched off and no MCP server is started, so that nothing in a file is executed.

    python -m tests.runtimes.claude PROGRAM FOLDER HOME [AGENT…]    writes what was seen, as JSON
"""

import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tests.runtimes.claude_stub import CALL, TASK, Stub

_TIMEOUT = 900
# The program gives up its search of a folder after three seconds, without a word, and goes on with
# what it has found: a session on a busy machine may lack agents, skills or commands (2.1.332,
# measured 2026-11-29). If the first request comes before that, no search has been given up.
_SEARCH_SECONDS = 3.0
_TRIES = 5
_QUIET = {
    "ANTHROPIC_API_KEY": "none",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_AUTOUPDATER": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    # All tools are in the first request, also those that are loaded later otherwise.
    "ENABLE_TOOL_SEARCH": "false",
}
_FLAGS = (
    *("-p", "--output-format", "stream-json", "--verbose"),
    *("--strict-mcp-config", "--settings", '{"disableAllHooks": true}'),
)
_LISTING = "Available agent types"
_ROW = re.compile(
    r"(?P<name>[^\n]*?): (?P<description>.*) \(Tools: (?P<tools>[^()]*(?:\([^()]*\)[^()]*)*)\)\s*",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Request:
    """What the runtime asked the model for when it had started an agent."""

    tools: tuple[str, ...]
    model: str
    effort: str | None
    system: str
    task: str = ""


@dataclass(frozen=True, slots=True)
class Agent:
    """What the session's model is told of an agent, and what became of its start."""

    name: str
    description: str = ""
    listed_tools: str = ""
    request: Request | None = None
    refusal: str | None = None


@dataclass(frozen=True, slots=True)
class Seen:
    """One session: its version, the tools that it offers, its agents by name, what it logged."""

    version: str
    tools: tuple[str, ...]
    agents: Mapping[str, Agent] = field(default_factory=dict)
    log: str = ""


def seen(
    program: Path,
    folder: Path,
    home: Path,
    agents: tuple[str, ...] = (),
    variables: Mapping[str, str] | None = None,
    flags: tuple[str, ...] = (),
) -> Seen:
    """What `program` makes of the agents that it finds from `folder`; of all if none is named."""
    chosen = agents or _run(program, folder, home, (), variables or {}, flags)[0].names
    outcome, requests = _run(program, folder, home, chosen, variables or {}, flags)
    rows, started = dict(_rows(requests)), dict(_started(requests))
    found = {
        name: Agent(name, *rows.get(name, ("", "")), started.get(name), outcome.refusals.get(name))
        for name in sorted({*outcome.names, *chosen})
    }
    # Some tools are in the first request and not in the list that the session prints.
    main = next((r for r in requests if TASK not in json.dumps(r) and r.get("tools")), {})
    tools = tuple(sorted(tool["name"] for tool in main.get("tools", [])))
    return Seen(outcome.version, tools, found, outcome.log)


@dataclass(frozen=True, slots=True)
class _Outcome:
    version: str
    names: tuple[str, ...]
    refusals: Mapping[str, str]
    log: str


def _run(
    program: Path,
    folder: Path,
    home: Path,
    agents: tuple[str, ...],
    variables: Mapping[str, str],
    flags: tuple[str, ...],
) -> tuple[_Outcome, list[dict[str, Any]]]:
    for _ in range(_TRIES):
        begun = time.monotonic()
        outcome, stub = _session(program, folder, home, agents, variables, flags)
        if stub.asked_at is None or stub.asked_at - begun < _SEARCH_SECONDS:
            return outcome, stub.requests
    message = "the machine is too busy: the program may have given up the search of a folder"
    raise TimeoutError(message)


def _session(
    program: Path,
    folder: Path,
    home: Path,
    agents: tuple[str, ...],
    variables: Mapping[str, str],
    flags: tuple[str, ...],
) -> tuple[_Outcome, Stub]:
    log = home / "session.log"
    log.unlink(missing_ok=True)
    with Stub(agents) as stub:
        env = {"HOME": str(home), "PATH": "/usr/bin:/bin", "ANTHROPIC_BASE_URL": stub.url}
        ended = subprocess.run(
            [str(program), *_FLAGS, *flags, "--debug-file", str(log), "Begin."],
            cwd=folder,
            env={**env, **_QUIET, **variables},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=_TIMEOUT,
        )
    printed = ended.stdout.decode(errors="replace").splitlines()
    lines = [json.loads(line) for line in printed if line.startswith("{")]
    begun: dict[str, Any] = next((line for line in lines if line.get("subtype") == "init"), {})
    names = tuple(begun.get("agents", ()))
    logged = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    errors = ended.stderr.decode(errors="replace")
    version = str(begun.get("claude_code_version", ""))
    return _Outcome(version, names, dict(_refusals(lines, agents)), logged + errors), stub


def _refusals(lines: list[dict[str, Any]], agents: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The answers to calls that started nothing, by the agent that was called."""
    for line in lines:
        content = (line.get("message") or {}).get("content")
        for block in content if line.get("type") == "user" and isinstance(content, list) else ():
            call = str(block.get("tool_use_id", ""))
            if block.get("is_error") and call.startswith(CALL):
                yield agents[int(call.removeprefix(CALL))], _text(block.get("content"))


def _text(content: object) -> str:
    if isinstance(content, list):
        return "".join(block.get("text", "") for block in content if isinstance(block, dict))
    return re.sub(r"</?tool_use_error>", "", str(content))


def _rows(requests: list[dict[str, Any]]) -> Iterator[tuple[str, tuple[str, str]]]:
    """What the session's model is told: the agents' names, each with description and tools."""
    for request in requests:
        texts = [_text(message.get("content")) for message in request.get("messages", [])]
        texts += [str(tool.get("description")) for tool in request.get("tools", [])]
        for text in (one for one in texts if _LISTING in one):
            listing = text.split(_LISTING, 1)[1].split("\n\nWhen ", 1)[0]
            listing = listing.split("\n\nThe following skills", 1)[0].split("</system-reminder>")[0]
            for item in listing.split("\n- ")[1:]:
                row = _ROW.fullmatch(item)
                if row is not None:
                    yield row["name"], (row["description"], row["tools"])


def _started(requests: list[dict[str, Any]]) -> Iterator[tuple[str, Request]]:
    """The first request of each agent that was started."""
    for request in reversed(requests):
        messages = request.get("messages", [])
        task = _text(messages[0].get("content")) if messages else ""
        if TASK not in task or any(message.get("role") == "assistant" for message in messages):
            continue
        name = task.split(TASK, 1)[1].splitlines()[0]
        yield (
            name,
            Request(
                tuple(sorted(tool["name"] for tool in request.get("tools", []))),
                str(request.get("model")),
                (request.get("output_config") or {}).get("effort"),
                _text(request.get("system")),
                task,
            ),
        )


if __name__ == "__main__":
    asked, place, own, *names = sys.argv[1:]
    answer = seen(Path(asked).resolve(), Path(place).resolve(), Path(own).resolve(), tuple(names))
    json.dump(asdict(answer), sys.stdout, indent=1)
