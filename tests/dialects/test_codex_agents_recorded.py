"""Agents of the Codex CLI are read, listed and started as the running program did."""

import json
from pathlib import Path
from typing import Any

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.dialects import SYSTEMS
from agent_lsp.dialects.codex_agents.dialect import DIALECT
from agent_lsp.dialects.codex_agents.reading import names_in
from agent_lsp.model.runtime import Call, Parent, RuntimeRefusal, Scope, Spawn
from agent_lsp.model.schema import Severity
from agent_lsp.workspace.catalogs import catalog
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.paths import HostPaths
from agent_lsp.workspace.snapshot import Workspace
from tests.recorded import each

DATA = Path(__file__).parents[1] / "conformance"
TOOLS = tuple(tool.name for tool in DIALECT.tools.listed)


def cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()]


FILES = [*cases("codex-agents"), *cases("codex-agents-more")]
CONFIGURED = cases("codex-config")
SCENES = [
    *cases("codex-agents-scenes"),
    *(case for case in CONFIGURED if "error" not in case),
]
SESSION = Parent("gpt-5.5", "medium", "workspace-write")


@each(FILES)
def test_a_file_loads_or_is_refused_with_the_sentence_of_the_program(case: dict[str, Any]) -> None:
    """The same verdict and sentence, and of what loads the same name, description and prompt."""
    parsed = DIALECT.parse(case["text"])
    reading = DIALECT.format.read(parsed, "")
    path = f"~/.codex/agents/{case['file']}"
    said = reading.errors[0].message.replace("…", path) if reading.errors else None
    assert (not reading.errors, said) == (case["loads"], case["error"])
    if not case["loads"]:
        return
    [agent] = case["agents"]
    scope = Scope("user", "user", Path("/agents"))
    assert names_in(parsed, scope, Path(case["file"]))[0].name == agent["name"]
    if "prompt" in agent:
        assert [reading.effective.default.text] == agent["prompt"]


@each(FILES)
def test_a_file_is_listed_and_started_as_by_the_program(
    case: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The same line of the list, and the same model, effort, summary, verbosity and tools."""
    home = tmp_path_factory.mktemp("home")
    write(home / ".codex/agents" / case["file"], case["text"])
    found = catalog(workspace(home, home / "project"), DIALECT, home / "project")
    listed = DIALECT.calls.list_agents(found, Call({}))
    assert isinstance(listed, dict)
    own = [one for one in listed["agents"] if "built_in" not in one]
    assert bool(own) is case["loads"]
    if not case["loads"]:
        return
    [agent] = case["agents"]
    assert (own[0]["name"], own[0]["listed"]) == (agent["name"], agent["listed"])
    answer = DIALECT.calls.spawn(found, Call({"agent_type": agent["name"]}, SESSION, TOOLS))
    if agent.get("refused"):
        assert answer == RuntimeRefusal(agent["refused"])
        return
    assert isinstance(answer, Spawn)
    settings = {one.name: one.value for one in answer.settings}
    assert settings["model"] == agent["model"]
    # A listed model sends the longest effort that it has for an agent.
    if settings["reasoning_effort"] != "ultra":
        assert settings["reasoning_effort"] == agent["effort"]
    assert settings["sandbox_mode"] == agent["sandbox"]
    assert settings.get("model_reasoning_summary") == agent["summary"]
    if agent["tools_gone"] is not None:
        assert [one.tool for one in answer.toolset.removed] == agent["tools_gone"]


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8", "surrogateescape"))


def workspace(home: Path, root: Path) -> Workspace:
    hosts = HostPaths(home, home / "templates", {})
    return Workspace(Files(), SYSTEMS, hosts, (root,))


def user_config(scene: dict[str, Any], project: Path) -> str:
    """The user's configuration with which the program ran, and what flags switched off."""
    extra = scene.get("extra") or []
    off = [extra[at + 1] for at, flag in enumerate(extra) if flag == "--disable"]
    features = "".join(f"{name} = false\n" for name in off)
    return (
        f'{scene.get("front") or ""}model = "{scene.get("model") or "gpt-5.5"}"\n'
        f"[features]\nenable_request_compression = false\n{features}"
        f'[projects."{project}"]\ntrust_level = "{scene.get("trust") or "trusted"}"\n'
        f"{scene.get('behind') or ''}"
    )


def laid_out(scene: dict[str, Any], top: Path) -> tuple[Path, Path]:
    """Writes the files of a scene; the home, and the folder where its session starts."""
    home, project = top / "home", top / "project"
    write(project / ".git/HEAD", "ref: refs/heads/main\n")
    for name, text in {**scene["files"], **(scene.get("bytes") or {})}.items():
        place = home / name.removeprefix("HOME/") if name.startswith("HOME/") else project / name
        write(place, text)
    write(home / ".codex/config.toml", user_config(scene, project))
    for name, target in (scene.get("links") or {}).items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).symlink_to(target)
    return home, project / (scene.get("cwd") or "")


@each(SCENES)
def test_a_session_lists_the_agents_that_the_program_lists(
    scene: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    home, root = laid_out(scene, tmp_path_factory.mktemp("scene"))
    found = catalog(workspace(home, root), DIALECT, root)
    listed = DIALECT.calls.list_agents(found, Call({}))
    assert isinstance(listed, dict)
    own = {one["name"]: one["listed"] for one in listed["agents"] if "built_in" not in one}
    built_in = {"default", "explorer", "worker"}
    wanted = dict((scene["listed"] or {}).items())
    for name in built_in - own.keys():
        wanted.pop(name, None)
    assert own == wanted


@each(SCENES)
def test_a_spawn_answers_what_the_program_answers(
    scene: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The same refusal, or the same model, effort, sandbox and prompt."""
    home, root = laid_out(scene, tmp_path_factory.mktemp("scene"))
    found = catalog(workspace(home, root), DIALECT, root)
    sandbox = "workspace-write"
    extra = scene.get("extra") or []
    if "-s" in extra:
        sandbox = extra[extra.index("-s") + 1]
    model = scene.get("model") or "gpt-5.5"
    parent = Parent(model, "medium" if model == "gpt-5.5" else "low", sandbox)
    for asked, (_, said) in zip(scene.get("spawns") or (), scene.get("told") or (), strict=False):
        arguments = asked if isinstance(asked, dict) else {"agent_type": asked}
        answer = DIALECT.calls.spawn(found, Call(arguments, parent, TOOLS))
        if isinstance(said, str):
            assert answer == RuntimeRefusal(said), asked
            continue
        assert isinstance(answer, Spawn), (asked, answer)
        message = str(arguments.get("message", "")).rpartition(" ")[2] or asked
        spawned = scene["spawned"][message]
        settings = {one.name: one.value for one in answer.settings}
        got = (settings["model"], settings["reasoning_effort"], settings["sandbox_mode"])
        assert got == (spawned["model"], spawned["effort"], spawned["sandbox"]), asked
        own = [one.text for one in answer.prompt if one.verbatim and one.title != "message"]
        assert set(own) <= set(spawned["prompt"]), asked
        returns = next(one.value for one in answer.artifacts if one.name == "returns")
        assert isinstance(returns, dict)
        assert set(said) <= set(returns)
        if said.get("nickname") not in (None, "(any)"):
            assert returns["nickname"] == said["nickname"]


@each([case for case in CONFIGURED if "error" in case])
def test_a_configuration_keeps_the_program_from_starting(
    case: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The list is the sentence of the program, and a finding stands in the file."""
    home, root = laid_out(case, tmp_path_factory.mktemp("scene"))
    made = workspace(home, root)
    listed = DIALECT.calls.list_agents(catalog(made, DIALECT, root), Call({}))
    assert isinstance(listed, RuntimeRefusal)
    message = listed.message.replace(str(home), "~").replace(str(root), "/project")
    assert message == case["error"]
    config = (home if "behind" in case else root) / ".codex/config.toml"
    assert Severity.ERROR in {found.severity for found in diagnostics(made, config)}


@each(cases("codex-config-layers"))
def test_what_the_program_prints_depends_on_all_layers(
    case: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The words for a file of the user, which file is named first, and what a nearer one mends."""
    top = tmp_path_factory.mktemp("layers")
    home, root = top / "home", top / "project"
    write(root / ".git/HEAD", "ref: refs/heads/main\n")
    trusted = f'[projects."{root}"]\ntrust_level = "trusted"\n'
    write(home / ".codex/config.toml", case["user"] + trusted)
    write(root / ".codex/config.toml", case["project"])
    listed = DIALECT.calls.list_agents(catalog(workspace(home, root), DIALECT, root), Call({}))
    said = listed.message if isinstance(listed, RuntimeRefusal) else None
    if said is not None:
        said = said.replace(str(home), "~").replace(str(root), "/project")
    assert said == case["error"]


@each([case for case in CONFIGURED if case.get("warnings")])
def test_what_the_program_warns_about_has_a_finding(
    case: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    home, root = laid_out(case, tmp_path_factory.mktemp("scene"))
    made = workspace(home, root)
    paths = [path for top in (home, root) for path in (top / ".codex").rglob("*.toml")]
    paths += (root.parent / ".codex").rglob("*.toml")
    found = [one for path in paths for one in diagnostics(made, path)]
    assert {one.severity for one in found} & {Severity.ERROR, Severity.WARNING}
