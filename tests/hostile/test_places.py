"""Every place in an answer is in the text, whatever characters and line ends that has.

A file of each system, and each file of settings that the server reads, is damaged in each way. The
client counts in one of the encodings; it asks everything at the ends and in the middle of lines.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from agent_lsp.workspace.disk import MAX_BYTES
from tests.effort import EFFORT
from tests.hostile.answers import AT, ENCODINGS, WHOLE
from tests.hostile.strict import StrictClient
from tests.server.systems import SYSTEMS

_ASTRAL = "\U0001f600"
_LINE_END = re.compile(r"\r\n|\n|\r")
# Each has findings.
_SETTINGS = {
    ".claude/settings.json": (
        '{\n  "permissions": {"deny": ["Agent(other)"], "allow": ["Nope"]},\n'
        '  "hooks": {"PreToolUse": [{"matcher": "Grap", "hooks": []}]}\n}\n'
    ),
    ".gemini/settings.json": '{\n  "agents": {"overrides": {"nobody": {"enabled": false}}}\n}\n',
    ".mcp.json": '{\n  "mcpServers": {"github": {"command": "x", "args": 3}}\n}\n',
    ".vscode/mcp.json": '{\n  "servers": {"github": {"command": "x"}}\n}\n',
    "opencode.json": (
        '{\n  "default_agent": "nobody",\n  "agent": {\n    "build": {"mode": "subagnt"},\n'
        '    "a": {"description": "d", "permission": {"edit": "aks"}}\n  }\n}\n'
    ),
    "agent-template-lsp.toml": '[rules]\nunknown-tool = "of"\n',
    "kit/.claude-plugin/plugin.json": '{\n  "name": "kit",\n  "agents": "./agents/a.md"\n}\n',
}
_FILES = {
    **{one.main: one.text for one in SYSTEMS.values()},
    **_SETTINGS,
}


def _between(text: str, new: str) -> str:
    return re.sub(r"(?<=[\w\"' ])(?=\w\w\w)", new, text)


DAMAGES: Mapping[str, Callable[[str], str]] = {
    "lone CR": lambda text: text.replace("\n", "\r"),
    "CR LF": lambda text: text.replace("\n", "\r\n"),
    "line ends in turn": lambda text: text.replace("\n", "\r", 1).replace("\n", "\r\n", 2),
    "one line": lambda text: text.replace("\n", " "),
    "no line": lambda text: text[:0],
    "no last line end": lambda text: text.rstrip("\n"),
    "byte order mark": lambda text: f"\ufeff{text}",
    "NUL": lambda text: _between(text, "\0"),
    "tabs": lambda text: text.replace("  ", "\t").replace(" ", "\t"),
    "astral": lambda text: _between(text, _ASTRAL),
    "line ends of Unicode": lambda text: _between(text, "\u2028\x85\x0b"),
    "combined": lambda text: _between(text, "e\u0301\u200d\u05d0").replace("\n", "\r"),
    "half": lambda text: text[: len(text) // 2] + _ASTRAL,
    "too large": lambda text: text + f"\n{_ASTRAL}{'y' * 999}" * (MAX_BYTES // 1000),
    "too large a line": lambda text: text.replace("\n", " ") + _ASTRAL * (MAX_BYTES // 4),
    "too long a header": lambda text: text.replace(
        "---\n", f"---\n{_ASTRAL}: {'v' * 101_000}\n", 1
    ),
}


# Each damage to each file, counted in each encoding; in a hurry in one of them, of which each file
# and each damage has all in turn.
DAMAGED = [
    (name, damage, encoding)
    for at, name in enumerate(_FILES)
    for turn, damage in enumerate(DAMAGES)
    for number, encoding in enumerate(ENCODINGS)
    if EFFORT > 1 or (at + turn) % len(ENCODINGS) == number
]


@pytest.mark.parametrize(("name", "damage", "encoding"), DAMAGED)
async def test_each_place_is_in_the_text(
    name: str, damage: str, encoding: str, tmp_path: Path
) -> None:
    text = DAMAGES[damage](_FILES[name])
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_FILES[name], encoding="utf-8")
    client = StrictClient(tmp_path, encoding)
    await client.rest()
    uri = path.as_uri()
    client.open(uri, text)
    await client.rest()
    about: dict[str, Any] = {"textDocument": {"uri": uri}}
    everywhere = _range(0, 9999)
    client.asked("textDocument/inlayHint", {**about, "range": everywhere})
    for method in WHOLE:
        client.asked(f"textDocument/{method}", about)
    for place in _places(text, encoding):
        at = {**about, "position": place}
        for method in AT:
            more = {"context": {"includeDeclaration": True}} if method == "references" else {}
            client.asked(f"textDocument/{method}", at | more)
        client.asked("textDocument/selectionRange", {**about, "positions": [place]})
        client.asked("textDocument/rename", {**at, "newName": "zoe"})
    for only in ([], ["source.fixAll"]):
        context = {"diagnostics": [], **({"only": only} if only else {})}
        asked = {**about, "range": everywhere, "context": context}
        actions = client.asked("textDocument/codeAction", asked) or []
        for action in actions:
            # Nobody repairs what is not read.
            assert not damage.startswith("too large") or uri not in dict(
                client.edits_in(action.get("edit"))
            )
    await client.rest()
    assert client.wrong == []


@pytest.mark.parametrize("encoding", ENCODINGS)
async def test_a_byte_order_mark_on_the_disk_has_no_column(encoding: str, tmp_path: Path) -> None:
    wrong, agent = tmp_path / ".codex/agents/a.md", tmp_path / ".codex/agents/b.toml"
    wrong.parent.mkdir(parents=True)
    wrong.write_text("\ufeff---\ndescription: d\ndeny_list: [apply_patch]\n---\nb\n", "utf-8")
    agent.write_text('\ufeffname = "b"\ndescription = "d"\n', "utf-8")
    client = StrictClient(tmp_path, encoding)
    await client.rest()
    [found] = client.published[wrong.as_uri()]["diagnostics"]
    assert found["range"]["end"] == {"line": 0, "character": 3}
    [symbol] = client.asked("workspace/symbol", {"query": "b"})
    assert symbol["location"]["range"]["start"] == {"line": 0, "character": 7}
    assert client.wrong == []


def _range(start: int, end: int) -> dict[str, dict[str, int]]:
    return {"start": {"line": start, "character": 0}, "end": {"line": end, "character": 0}}


def _places(text: str, encoding: str) -> Iterator[dict[str, int]]:
    """Both ends of the first lines and one place between, in the units of `encoding`; one beyond.

    A place after the end of a line counts as its end.
    """
    codec = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[encoding]
    unit = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
    for number, line in enumerate(_LINE_END.split(text)[:3]):
        for end in (0, min(len(line), 200) // 2, len(line)):
            yield {"line": number, "character": len(line[:end].encode(codec)) // unit}
    yield {"line": 0, "character": len(_LINE_END.split(text)[0].encode(codec)) + 7}
