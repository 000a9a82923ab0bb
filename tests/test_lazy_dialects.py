"""What is known of a system is loaded when one of its files is met, and not before.

The packages of the systems say where their files lie, and are loaded by everybody; the modules in
them are what costs time.
"""

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from lsprotocol import types

from tests import import_log
from tests.forked import Call, answers
from tests.server import ready
from tests.server.editor import editing, environment

CLAUDE = ".claude/agents/reviewer.md"
FILES = {
    "claude": (
        CLAUDE,
        "---\nname: reviewer\ndescription: Reviews a change.\ntools: Read\n---\nReview.\n",
    ),
    "codex_templates": (
        ".codex/.agents/reviewer.md",
        "---\ndescription: Reviews a change.\nallow_list: [wait]\n---\nReview.\n",
    ),
    "cursor": (
        ".cursor/agents/reviewer.md",
        "---\nname: reviewer\ndescription: Reviews a change.\n---\nReview.\n",
    ),
    "gemini": (
        ".gemini/agents/reviewer.md",
        "---\nname: reviewer\ndescription: Reviews a change.\n---\nReview.\n",
    ),
    "codex_agents": (
        ".codex/agents/reviewer.toml",
        'name = "reviewer"\ndescription = "Reviews."\ndeveloper_instructions = "Review."\n',
    ),
    "kodacode": (
        ".kodacode/agents/reviewer.md",
        "---\ndescription: Reviews a change.\nmode: subagent\n---\nReview.\n",
    ),
    "opencode": (
        ".opencode/agents/reviewer.md",
        "---\ndescription: Reviews a change.\nmode: subagent\n---\nReview it.\n",
    ),
    "qwen": (
        ".qwen/agents/reviewer.md",
        "---\nname: reviewer\ndescription: Reviews a change.\n---\nReview it well.\n",
    ),
}
LOGGED = (sys.executable, import_log.__file__)


SETS = (
    ("claude",),
    ("cursor",),
    ("gemini",),
    ("codex_templates",),
    ("codex_agents",),
    ("qwen",),
    ("opencode",),
    ("kodacode", "claude"),
)
COMMANDS = (("check",), ("list",), ("preview", "reviewer"), ("status",))


def test_a_command_loads_the_systems_whose_files_are_here(tmp_path: Path) -> None:
    """A system that one of the commands loads is still there after the others."""
    calls = []
    for at, systems in enumerate(SETS):
        root = tmp_path / str(at) / "workspace"
        (root / ".git").mkdir(parents=True)
        for name, text in map(FILES.__getitem__, systems):
            (root / name).parent.mkdir(parents=True)
            (root / name).write_text(text, encoding="utf-8")
        first, *more = COMMANDS
        calls.append(Call(first, str(root), environment(root.parent), tuple(more)))
    found = [(answered.code, systems_in(answered.modules)) for answered in answers(calls)]
    assert found == [(0, set(systems)) for systems in SETS]


def test_a_check_loads_no_quick_fix(tmp_path: Path) -> None:
    name, text = FILES["codex_templates"]
    (tmp_path / name).parent.mkdir(parents=True)
    (tmp_path / name).write_text(text, encoding="utf-8")
    log = tmp_path / "imported"
    run = [*LOGGED, str(log), *ready.PROGRAM, "check", "."]
    subprocess.run(run, cwd=tmp_path, env=environment(tmp_path), check=True, capture_output=True)
    assert not [line for line in log.read_text().splitlines() if "fixes" in line]


def test_the_first_diagnostics_wait_for_nothing_that_only_requests_need() -> None:
    program = "import sys, agent_lsp.server.handlers; print(*sys.modules)"
    run = [sys.executable, "-c", program]
    printed = subprocess.run(run, check=True, capture_output=True, text=True).stdout
    found = {one for one in printed.split() if one.startswith("agent_lsp.")}
    parts = ("completion", "conversion", "fixes", "hover", "preview", "refactorings", "render")
    assert "agent_lsp.analysis.diagnostics" in found
    assert not [one for one in found if one.startswith("agent_lsp.syntax.toml")]
    assert not [one for one in found if any(f"analysis.{part}" in one for part in parts)]


async def test_a_keystroke_loads_the_system_of_its_file(tmp_path: Path) -> None:
    log = tmp_path / "imported"
    files = dict([FILES["claude"]])
    wrapper = (*LOGGED, str(log))
    async with editing(tmp_path, "visual-studio-code", files, wrapper=wrapper) as editor:
        path = editor.open(CLAUDE)
        await editor.sees(path)
        editor.change(path, files[CLAUDE].replace("Read", "Raed"))
        await editor.sees(path, "unknown-tool")
        document = types.TextDocumentIdentifier(path.as_uri())
        place = types.Position(3, 9)
        hover = types.HoverParams(document, place)
        assert await editor.client.text_document_hover_async(hover)
        completion = types.CompletionParams(document, place)
        assert await editor.client.text_document_completion_async(completion)
        assert loaded(log) == {"claude"}
        await editor.sees(editor.open(*FILES["kodacode"]))
        assert loaded(log) == {"claude", "kodacode"}


def loaded(log: Path) -> set[str]:
    return systems_in(import_log.imported(log))


def systems_in(modules: Iterable[str]) -> set[str]:
    """The systems of which more is loaded than where their files lie."""
    parts = [name.split(".") for name in modules if name.startswith("agent_lsp.dialects.")]
    return {part[2] for part in parts if len(part) > 3}
