"""A file of a repository, however it is nested, takes no more memory than its length allows."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from agent_lsp.syntax import toml
from agent_lsp.syntax.toml.read import excess
from agent_lsp.workspace.mcp_servers import config_file
from tests.effort import fifth

if sys.platform == "win32":
    pytest.skip("this system has no such limits", allow_module_level=True)

MOST = 1 << 30
SETTINGS = "agent-template-lsp.toml"
MANY = 100_000
LONG = "a key of more than 79 parts, or brackets in as many, is not read; use fewer"
TOGETHER = "so many parts of keys are not read; use fewer"
# A text, and what is said of it; the last part of the last key is `a`.
TABLES: Mapping[str, tuple[str, str]] = {
    "a dotted key": ("a." * (MANY // 2) + "a = 1\n", f"line 1: {LONG}"),
    "a dotted key of 80 kB": ("x = 1\n" + "a." * 40_000 + "a = 1\n", f"line 2: {LONG}"),
    "a key of quotes": ('"a" . ' * (MANY // 6) + "a = 1\n", f"line 1: {LONG}"),
    "a header": ("[" + "a." * (MANY // 2) + "a]\n", f"line 1: {LONG}"),
    "a header of a list": ("[[" + "a." * (MANY // 2) + "a]]\n", f"line 1: {LONG}"),
    "a key in a table": ("x = {" + "a." * (MANY // 2) + "a = 1}\n", f"line 1: {LONG}"),
    "many headers": ("".join(f"[b{n}.{'a.' * 75}a]\n" for n in range(600)), TOGETHER),
    "many keys": ("".join(f"b{n}.{'a.' * 75}a = 1\n" for n in range(600)), TOGETHER),
    "keys below a header": (
        f"[{'b.' * 75}b]\n" + "".join(f"b{n}.{'a.' * 70}a = 1\n" for n in range(500)),
        TOGETHER,
    ),
    "a fault, and a key": ('x = 99999999999999999999\n"' + "\n" + "a." * 50_000 + "a = 1\n", LONG),
    "arrays in arrays": ("x = " + "[" * MANY, ""),
    "tables in tables": ("x = " + "{a.b=" * (MANY // 5), ""),
    "dotted tables in tables": ("x.y = " + "{a.b.c=" * 80 + "{" * 80 + "a." * 90, LONG),
}
OTHERS: Mapping[str, tuple[str, str]] = {
    "a JSON file of brackets": (".mcp.json", '{"mcpServers": ' + "[" * 900_000),
    "a JSON file of lists": (".mcp.json", '{"mcpServers": [' + "[]," * 300_000 + "[]]}"),
    "a plugin of brackets": (".claude-plugin/plugin.json", '{"name": ' + "[" * 900_000),
    "a plugin of objects": (".claude-plugin/plugin.json", '{"name": ' + '{"a":' * 180_000),
}
AGENT = "---\nname: a\ndescription: Reviews.\n---\nReview.\n"
SCRIPT = (
    "import resource, sys\n"
    f"resource.setrlimit(resource.RLIMIT_AS, ({MOST}, {MOST}))\n"
    "from agent_lsp.cli import main\n"
    "sys.exit(max(main(['check', '.']), main(['status'])))"
)


def _run(folder: Path, files: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """What `check` and `status` say of a repository, in a process with little memory."""
    for name, text in {".claude/agents/a.md": AGENT, **files}.items():
        path = folder / "repository" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "repository/.git").mkdir()
    return subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=folder / "repository",
        env={**os.environ, "HOME": str(folder), "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("name", TABLES)
def test_a_settings_file_takes_little_memory(name: str, tmp_path: Path) -> None:
    text, said = TABLES[name]
    ran = _run(tmp_path, {SETTINGS: text})
    assert "checked 1 template" in ran.stdout
    assert "Error" not in ran.stderr, ran.stderr[-500:]
    assert ran.returncode == 0
    assert said in ran.stderr
    assert f"{SETTINGS}: all settings of this file are ignored: " in ran.stderr or not said


@pytest.mark.parametrize("name", fifth(TABLES))
def test_a_configuration_takes_little_memory(name: str, tmp_path: Path) -> None:
    """Both as a file of agents and as one of MCP servers."""
    text, said = TABLES[name]
    ran = _run(tmp_path, {"moltis.toml": text, ".moltis/agents/a.md": AGENT})
    assert "Error" not in ran.stderr, ran.stderr[-500:]
    assert "checked" in ran.stdout
    assert config_file(text, ".toml").problem.endswith(said)


@pytest.mark.parametrize("name", OTHERS)
def test_other_files_take_little_memory(name: str, tmp_path: Path) -> None:
    file, text = OTHERS[name]
    ran = _run(tmp_path, {file: text})
    assert "Error" not in ran.stderr, ran.stderr[-500:]
    assert ran.returncode == 0


def test_what_a_person_writes_is_read() -> None:
    """Dots in texts and comments are no parts of keys, and many short keys are none too many."""
    prompt = f'x = """\n{"." * 500}\na.b.c = {"d." * 100}\n"""\n# {"e." * 200}\n'
    presets = "".join(f'[agents.presets.p{n}.tools]\nallow = ["a.b"]\n' for n in range(5000))
    deep = ".".join("abcdefghij" * 7) + " = 1\n"
    for text in (prompt, presets, deep, prompt + deep, presets + prompt):
        assert excess(text) is None
        assert config_file(text, ".toml").problem == ""
    assert toml.parse(deep).problem is None


def test_a_large_configuration_in_yaml_is_left_alone() -> None:
    assert config_file("a:\n" + "- {a: b}\n" * 100_000, ".yaml").problem == "larger than 250 kB"
