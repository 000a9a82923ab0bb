"""Installed extensions of Qwen Code, and agents that take the place of built-in ones.

The scenes were run with Qwen Code 0.24.4, 2026-11-29.
"""

import json
from pathlib import Path

import pytest

from agent_lsp.analysis.hover import hover
from agent_lsp.analysis.preview.programs import confirmation
from agent_lsp.analysis.status_report import report, text
from agent_lsp.dialects.qwen.dialect import DIALECT
from agent_lsp.workspace.catalogs import catalog
from tests.cli.shell import shell_in
from tests.fixture import Fixture, fixture

BESIDE: dict[str, object] = {"versions": {}, "settings": [], "timings": {}}


def agent(name: str) -> str:
    return f"---\nname: {name}\ndescription: Helps.\n---\nYou help people with code.\n"


def scene(folder: Path, **files: object) -> Fixture:
    every: dict[str, object] = {
        ".qwen/agents/pp.md": agent("pp"),
        "~/.qwen/extensions/folder/qwen-extension.json": {"name": "kit"},
        "~/.qwen/extensions/folder/agents/ee.md": agent("ee"),
        "~/.qwen/extensions/bare/agents/no.md": agent("no"),
    } | {path.replace("__", "/"): value for path, value in files.items()}
    texts = (
        (name, value if isinstance(value, str) else json.dumps(value))
        for name, value in every.items()
    )
    return fixture(folder, "".join(f"//- {name}\n{value.rstrip()}\n" for name, value in texts))


def is_had(made: Fixture) -> bool:
    winner = catalog(made.workspace, DIALECT, made.root).winner("ee")
    assert winner is not None
    said = confirmation(made.workspace, DIALECT, made.root, winner)
    return said is None or said.is_open


def test_the_agents_of_installed_extensions_are_found(tmp_path: Path) -> None:
    made = scene(tmp_path)
    found = catalog(made.workspace, DIALECT, made.root)
    assert is_had(made)
    assert found.winner("no") is None
    winner = found.winner("ee")
    assert winner is not None
    assert winner.scope.label == "extension"


def state(**policy: object) -> dict[str, object]:
    return {"version": 2, "extensions": {"cbc8": {"name": "kit", **policy}}}


RULES = {
    "no rule": ({}, True),
    "disabled here": ({"rules": ["!ROOT/*"]}, False),
    "disabled everywhere but here": ({"rules": ["!/*", "ROOT/*"]}, True),
    "disabled by default": ({"state": state(defaultActivation="disabled")}, False),
    "enabled for this very folder": (
        {"state": state(defaultActivation="disabled", workspaceOverrides={"ROOT": "enabled"})},
        True,
    ),
    "an older rule in the newer file": (
        {"state": state(defaultActivation="enabled", legacyPathRules=["!ROOT/*"])},
        False,
    ),
    "the newer file has precedence": (
        {"rules": ["!ROOT/*"], "state": state(defaultActivation="enabled")},
        True,
    ),
}


@pytest.mark.parametrize(("given", "expected"), RULES.values(), ids=RULES)
def test_a_disabled_extension_has_no_agents(
    given: dict[str, object], expected: bool, tmp_path: Path
) -> None:
    root = str(tmp_path / "workspace")
    written = json.loads(json.dumps(given).replace("ROOT", root))
    files: dict[str, object] = {}
    if "rules" in written:
        rules = {"kit": {"overrides": written["rules"]}}
        files["~/.qwen/extensions/extension-enablement.json"] = rules
    if "state" in written:
        files["~/.qwen/extension-store/state.json"] = written["state"]
    assert is_had(scene(tmp_path, **files)) is expected


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("explore", "each call of `Explore` gets this file; the built-in one stays in the list"),
        ("general-purpose", "and so does a call that names no agent"),
        ("statusline-setup", "each call of `statusline-setup` gets this file"),
    ],
)
def test_hover_and_status_say_which_built_in_agent_a_file_replaces(
    name: str, said: str, tmp_path: Path
) -> None:
    made = scene(tmp_path, **{".qwen/agents/own.md": agent(name)})
    path = made.root / ".qwen/agents/own.md"
    found = hover(made.workspace, path, 0)
    assert found is not None
    assert "- it replaces the built-in agent: each call of " in found.markdown
    assert said in found.markdown
    lines = [line for line in text(report(made.workspace, BESIDE)) if said in line]
    assert len(lines) == 1
    assert lines[0].startswith(f"    {name}  (it replaces the built-in agent")


def test_an_agent_of_another_name_replaces_none(tmp_path: Path) -> None:
    made = scene(tmp_path)
    found = hover(made.workspace, made.path, 0)
    assert found is not None
    assert "replaces" not in found.markdown


def test_the_list_has_each_file_of_a_name_at_its_own_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shell = shell_in(tmp_path, monkeypatch, capsys)
    shell.write(".qwen/agents/explore.md", agent("explore"))
    shell.write(".qwen/agents/own.md", agent("general-purpose"))
    out = shell.run("list", "--dialect", "qwen").out
    heads = [line for line in out.splitlines() if line.startswith("general-purpose")]
    assert heads[0] == "general-purpose  .qwen/agents/own.md (project)"
    assert heads[1].startswith("general-purpose  built into the runtime")
    assert "a call of `Explore` gets `explore` (project) instead" in out
