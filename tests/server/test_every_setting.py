"""Each setting applies while it is set, from the editor and from the shared file."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from agent_lsp.settings.forms import ExtrasForm, InEditor, Written
from tests.server.editor import Editor
from tests.server.sharing import Servers

PATH, SHARED = ".codex/.agents/reviewer.md", "agent-template-lsp.toml"
AGENT = "---\ndescription: Reviews.\n---\nReview.\n"
FILES = {
    PATH: (
        "---\ndescription: Reviews.\nowner: me\nmodel: gpt-5.3-codxe\n"
        "allow_list: [exec_command, send_email]\n---\nReview.\n"
    ),
    ".codex/.agents/closed.md": "No header.\n",
    "more/extra.md": AGENT,
    "roles/role.md": "No header.\n",
    "sub/.codex/.agents/deep.md": AGENT,
    ".github/agents/all.agent.md": "---\ndescription: Reviews.\ntools: ['*']\n---\nReview.\n",
    "moltis.toml": '[agents.presets.a]\ntools.allow = ["read_file"]\n',
}

Look = Callable[[Editor], Awaitable[object]]


def codes(name: str, code: str) -> Look:
    async def look(editor: Editor) -> bool:
        await editor.settled()
        return code in editor.codes(editor.path(name))

    return look


def starts(name: str) -> Look:
    async def look(editor: Editor) -> bool:
        argument = {"dialect": "codex-templates", "agent_type": name}
        answer = await editor.command("agentTemplates.previewSpawn", argument)
        return answer["result"] is not None

    return look


async def lenses(editor: Editor) -> bool:
    params = types.CodeLensParams(types.TextDocumentIdentifier(editor.path(PATH).as_uri()))
    return bool(await editor.client.text_document_code_lens_async(params))


async def hints(editor: Editor) -> bool:
    everywhere = types.Range(types.Position(0, 0), types.Position(9, 0))
    document = types.TextDocumentIdentifier(editor.path(PATH).as_uri())
    params = types.InlayHintParams(document, everywhere)
    return bool(await editor.client.text_document_inlay_hint_async(params))


def of_codex(**extras: object) -> dict[str, object]:
    return {"dialects": {"codex-templates": extras}}


# The setting, what to look at, and the result without and with it.
CASES: dict[str, tuple[dict[str, object], Look, bool]] = {
    "severity": ({"severity": {"unknown-key": "off"}}, codes(PATH, "unknown-key"), False),
    "folders": (
        {"folders": {"roles": "codex-templates"}},
        codes("roles/role.md", "header-missing"),
        True,
    ),
    "folders, disowned": ({"folders": {".codex": False}}, codes(PATH, "unknown-key"), False),
    "session_root": ({"sessionRoot": "sub"}, starts("deep"), True),
    "programs": ({"for": ["claude"]}, codes(PATH, "unknown-key"), False),
    "tools": (of_codex(tools=["send_email"]), codes(PATH, "unknown-tool"), False),
    "keys": (of_codex(keys=["owner"]), codes(PATH, "unknown-key"), False),
    "models": (of_codex(models=["gpt-5.3-codxe"]), codes(PATH, "unknown-model"), False),
    "scopes": (of_codex(scopes=["more"]), starts("extra"), True),
    "generation": (
        {"dialects": {"moltis": {"generation": "today"}}},
        codes("moltis.toml", "main-session-unprotected"),
        True,
    ),
    "readers": (
        {"dialects": {"copilot": {"readers": ["cli"]}}},
        codes(".github/agents/all.agent.md", "no-tools"),
        False,
    ),
    "code_lens": ({"codeLens": False}, lenses, False),
    "inlay_hints": ({"inlayHints": False}, hints, False),
    "diagnostic_mode": (
        {"diagnosticMode": "openFiles"},
        codes(".codex/.agents/closed.md", "header-missing"),
        False,
    ),
}


def test_every_setting_is_tested() -> None:
    fields = {*InEditor.model_fields, *Written.model_fields, *ExtrasForm.model_fields}
    assert {name.partition(",")[0] for name in CASES} == fields - {"dialects"}


def in_file(settings: dict[str, Any]) -> str:
    """The setting in the form of the shared file."""
    lines = []
    for name, value in settings.items():
        if not isinstance(value, dict):
            lines.append(f"session-root = {json.dumps(value)}")
        elif name != "dialects":
            lines += [f"[{name}]", *(f'"{key}" = {json.dumps(one)}' for key, one in value.items())]
        else:
            for key, extras in value.items():
                lines.append(f"[dialects.{key}]")
                lines += [f"{inner} = {json.dumps(one)}" for inner, one in extras.items()]
    return "\n".join(lines) + "\n"


async def until_seen(editor: Editor, name: str, *, expected: bool) -> None:
    look = CASES[name][1]
    for _ in range(2000):
        if await look(editor) == expected:
            return
        await asyncio.sleep(0.05)
    pytest.fail(f"{name} is not seen")


@pytest.mark.parametrize("way", ["asked for", "told"])
async def test_a_setting_of_the_editor_applies_while_it_is_set(
    servers: Servers, way: str, tmp_path: Path
) -> None:
    def able(capabilities: types.ClientCapabilities) -> None:
        if way == "told":
            assert capabilities.workspace is not None
            capabilities.workspace.configuration = None

    async with servers.editing(tmp_path, "visual-studio-code", FILES, able=able) as editor:
        editor.open(PATH)
        for name, (settings, _, seen) in CASES.items():
            await until_seen(editor, name, expected=not seen)
            configure(editor, settings)
            await until_seen(editor, name, expected=seen)
            configure(editor, {})
            await until_seen(editor, name, expected=not seen)


async def test_a_setting_in_the_shared_file_applies_while_it_is_there(
    servers: Servers, tmp_path: Path
) -> None:
    async with servers.editing(tmp_path, "visual-studio-code", FILES) as editor:
        editor.open(PATH)
        shared = editor.path(SHARED)
        for name, (settings, _, seen) in CASES.items():
            if settings.keys() - {"severity", "folders", "sessionRoot", "dialects"}:
                continue
            await until_seen(editor, name, expected=not seen)
            shared.write_text(in_file(settings), encoding="utf-8")
            editor.changed_on_disk(shared, types.FileChangeType.Changed)
            await until_seen(editor, name, expected=seen)
            shared.unlink()
            editor.changed_on_disk(shared, types.FileChangeType.Deleted)
            await until_seen(editor, name, expected=not seen)


async def test_the_status_says_what_is_in_force_and_where_it_comes_from(
    servers: Servers, tmp_path: Path
) -> None:
    files = {**FILES, SHARED: '[severity]\nunknown-key = "hint"\n', ".mcp.json": "{"}
    settings = {"dialects": {"codex-templates": {"tools": ["send_email"]}}}
    async with servers.editing(tmp_path, "emacs", files, settings=settings) as editor:
        await editor.settled()
        answer = await editor.command("agentTemplates.status", {"format": "text"})
        text = answer["text"]
        for said in (
            "versions",
            f"settings for {editor.root}",
            "unknown-key = hint",
            "send_email",
            f"codex-templates, for a session in {editor.root}",
            "project: 2 files",
            "names no MCP servers",
            "timings",
        ):
            assert said in text, said


def configure(editor: Editor, settings: object) -> None:
    editor.client.set_configuration(settings, section="agentTemplates")
    params = types.DidChangeConfigurationParams({"agentTemplates": settings})
    editor.client.workspace_did_change_configuration(params)
