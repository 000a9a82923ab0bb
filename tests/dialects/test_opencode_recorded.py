"""Agents of OpenCode are read, listed and started as the running program did."""

import atexit
import json
import shutil
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.dialects import SYSTEMS
from agent_lsp.dialects.opencode import header_text, policy, reading
from agent_lsp.dialects.opencode.dialect import DIALECT
from agent_lsp.dialects.opencode.facts import BUILT_IN
from agent_lsp.dialects.opencode.failure import failure
from agent_lsp.dialects.opencode.values import Date, value_of
from agent_lsp.model.runtime import Call, Catalog, Parent, RuntimeRefusal, Spawn
from agent_lsp.options import Extras, Options
from agent_lsp.workspace.catalogs import catalog
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.paths import HostPaths
from agent_lsp.workspace.snapshot import Workspace
from tests.fixture import fixture
from tests.recorded import each

DATA = Path(__file__).parents[1] / "conformance/opencode.jsonl"
CASES = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]
# Values with tags, what the program took and what it said, on 2026-11-30.
TAGS = [
    json.loads(line)
    for line in DATA.with_name("opencode-tags.jsonl").read_text("utf-8").splitlines()
]
# Headers with tabs and brackets at the start of a line, and whether js-yaml 3.15.2 takes them.
TABS = [
    json.loads(line)
    for line in DATA.with_name("js-yaml-tabs.jsonl").read_text("utf-8").splitlines()
]
# Headers with anchors, tags and colons, and with signs, merges, empty items and lists as keys, and
# what js-yaml 4.1.0 and 3.15.2 made of them, 2026-11-30.
ODD = [
    json.loads(line)
    for name in ("js-yaml-properties.jsonl", "js-yaml-odd.jsonl")
    for line in DATA.with_name(name).read_text("utf-8").splitlines()
]
# What the session of the recorded cases had, and the models of its provider.
TOOLS = (
    *("bash", "edit", "glob", "grep", "question", "read", "skill", "task", "todowrite"),
    *("webfetch", "write"),
)
MODELS = ("big", "small", "gpt-5.5", "claude-x")


_SESSIONS: dict[str, Catalog] = {}


def session(case: Mapping[str, Any]) -> Catalog:
    """The session of a case, which all tests of it share."""
    if case["id"] not in _SESSIONS:
        _SESSIONS[case["id"]] = _begun(case, _folder() / str(len(_SESSIONS)))
    return _SESSIONS[case["id"]]


@cache
def _folder() -> Path:
    """A folder that lasts as long as the process, for the sessions."""
    folder = Path(mkdtemp())
    atexit.register(shutil.rmtree, folder)
    return folder


def _begun(case: Mapping[str, Any], top: Path) -> Catalog:
    home, project = top / "home", top / "project"
    (project / ".git").mkdir(parents=True)
    for name, text in case["files"].items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
    start = project / "pkg" if any(name.startswith("pkg/") for name in case["files"]) else project
    hosts = HostPaths(home, home / "templates", {})
    return catalog(Workspace(Files(), SYSTEMS, hosts, (project,)), DIALECT, start)


@each(CASES)
def test_the_program_starts_or_refuses_with_the_sentences_that_it_prints(
    case: dict[str, Any],
) -> None:
    failed = failure(session(case))
    assert (failed is None) is case["starts"]
    if failed is None:
        return
    issues = case["refused"]["issues"]
    if isinstance(issues, str):
        assert failed.message == issues
        return
    lines = [f"↳ {message} {'.'.join(path)}" for path, message in issues]
    assert failed.message.split("\n")[1:] == lines


@each([case for case in CASES if case["starts"]])
def test_a_session_has_the_agents_that_the_program_has_with_their_settings(
    case: dict[str, Any],
) -> None:
    found = session(case)
    own = {name: agent_of(found, name) for name in found.names if name not in BUILT_IN}
    assert own == {name: expected(agent) for name, agent in case["agents"].items()}


def agent_of(found: Catalog, name: str) -> dict[str, Any]:
    winner = found.winner(name)
    assert winner is not None
    read = found.read(winner)
    held = read.effective
    made = {key: value.value for key, value in held.settings.items() if key in PLAIN}
    return {
        "mode": "all",
        **made,
        "prompt": held.default.text,
        "rules": [[r.permission, r.pattern, r.action] for r in policy.own_rules(read)],
        "options": options(found, name),
    }


PLAIN = {"description", "mode", "variant", "temperature", "top_p", "steps", "model"}
PLAIN |= {"hidden", "color"}


def options(found: Catalog, name: str) -> dict[str, Any]:
    """What the files of an agent have the program send to the provider."""
    merged: dict[str, Any] = {}
    definition = found.definition(name)
    assert definition is not None
    for part in reversed(definition.parts):
        if part.path.suffix == ".md":
            text = part.path.read_text("utf-8")
            parsed = DIALECT.parse(text.removeprefix("\ufeff"), bom=text.startswith("\ufeff"))
            if reading.fate(parsed) in (reading.Fate.READ, reading.Fate.MENDED):
                merged |= reading.options(parsed)
    return {key: plain(value) for key, value in merged.items()}


def plain(value: object) -> object:
    if isinstance(value, Date):
        return value.iso
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, list) else value


def expected(agent: Mapping[str, Any]) -> dict[str, Any]:
    made = {"options": {}, "prompt": "", **agent}
    if "topP" in made:
        made["top_p"] = made.pop("topP")
    if isinstance(made.get("model"), dict):
        parts = made["model"]["providerID"], made["model"]["modelID"]
        made["model"] = "/".join(parts) if parts[1] else parts[0]
    for key in ("temperature", "top_p", "steps"):
        if key in made:
            made[key] = str(made[key])
    return made


def spawned() -> Iterator[dict[str, Any]]:
    yield from (case for case in CASES if case["starts"] and "spawned" in case)


@each(spawned())
def test_a_model_is_told_of_the_agents_that_the_program_lists(case: dict[str, Any]) -> None:
    answer = DIALECT.calls.list_agents(session(case), Call({}))
    assert isinstance(answer, dict)
    rows = [row for row in answer["agents"] if row["listed"] and not row["native"]]
    assert {row["name"]: row["description"] for row in rows} == case["listed"]


@each(spawned())
def test_a_spawn_has_the_tools_the_model_and_the_prompt_of_the_program(
    case: dict[str, Any],
) -> None:
    found = session(case)
    for name in found.names:
        call = Call({"subagent_type": name, "prompt": "Go."}, Parent("stub/big", tools=TOOLS))
        answer = DIALECT.calls.spawn(found, call)
        seen = case["spawned"].get(name)
        if seen is None and name in BUILT_IN:
            continue
        if seen is None:
            assert is_refused_as_in(case, answer)
            continue
        assert isinstance(answer, Spawn)
        assert sorted(one.tool for one in answer.toolset.kept) == seen["tools"]
        settings = {one.name: one.value for one in answer.settings}
        assert settings["model"] == f"stub/{seen['model']}"
        for key in ("temperature", "top_p"):
            assert settings.get(key) == (str(seen[key]) if seen.get(key) is not None else None)
        first = answer.prompt[0]
        starts = seen["system_starts"].removesuffix("\n").partition("\nYou are powered by")[0]
        assert not first.verbatim or first.text == starts


def is_refused_as_in(case: Mapping[str, Any], answer: object) -> bool:
    """The same refusal, or a model that only the provider of the recorded session does not have."""
    if isinstance(answer, RuntimeRefusal):
        return answer.message in case["task_errors"]
    assert isinstance(answer, Spawn)
    model = next(one.value for one in answer.settings if one.name == "model")
    provider, _, rest = (model or "").partition("/")
    return provider != "stub" or rest not in MODELS


def second(case: Mapping[str, Any], top: Path) -> Catalog:
    """The session of a case in the second generation."""
    assert DIALECT.variants.in_generation is not None
    home, project = top / "home", top / "project"
    for name, text in case["files"].items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
    (project / ".git").mkdir(parents=True, exist_ok=True)
    start = project / "pkg" if any(name.startswith("pkg/") for name in case["files"]) else project
    hosts = HostPaths(home, home / "templates", {})
    options = Options(extras={"opencode": Extras(generation="2")})
    workspace = Workspace(Files(), SYSTEMS, hosts, (project,), (), {project: options})
    return catalog(workspace, DIALECT.variants.in_generation("2"), start)


@each([case for case in CASES if "v2" in case])
def test_the_second_generation_loads_the_files_that_its_loader_loads(
    case: dict[str, Any], tmp_path: Path
) -> None:
    found = second(case, tmp_path)
    own = [name for name in found.names if name not in BUILT_IN]
    assert set(own) == set(case["v2"])
    for name in own:
        winner = found.winner(name)
        assert winner is not None
        read = found.read(winner)
        held, seen = read.effective, case["v2"][name]
        described = held.settings.get("description")
        assert (described.text if described else "") == seen.get("description", "")
        mode = held.settings.get("mode")
        assert (mode.text if mode else "all") == seen["mode"]
        assert held.default.text == seen.get("system", "")
        written = [[r.permission, r.pattern, r.action] for r in policy.own_rules(read)]
        assert written == seen.get("permissions", [])


@each(TAGS)
def test_a_tag_has_the_effect_that_it_has_in_the_program(case: dict[str, Any]) -> None:
    document = DIALECT.parse(case["text"])
    assert [one.message for one in reading.issues(document)] == (case["refused"] or [])
    if case["refused"] is None:
        assert ("mode" not in reading.read(document).effective.settings) is case["lost"]


@each(TABS)
def test_a_header_with_tabs_is_sound_where_it_is_to_js_yaml(case: dict[str, Any]) -> None:
    found = header_text.read(case["header"], 0, may_mend=False)
    assert (found.fault is None) is case["sound"]


@each(ODD)
def test_an_odd_header_is_read_as_by_js_yaml(case: dict[str, Any]) -> None:
    found = header_text.read(case["header"], 0, may_mend=False)
    assert (found.fault is not None) is ("error" in case)
    if found.fault is None:
        assert value_of(found.root) == case["values"]


@each([case for case in ODD if "error" in case])
def test_a_header_that_is_lost_has_an_error(case: dict[str, Any], tmp_path: Path) -> None:
    text = f"---\n{case['header']}\n---\nYou help.\n"
    if reading.fate(DIALECT.parse(text)) in (reading.Fate.LOST, reading.Fate.SKIPPED):
        made = fixture(tmp_path, f"//- .opencode/agents/a.md\n{text}")
        codes = {one.code for one in diagnostics(made.workspace, made.path)}
        assert codes & {"header-invalid", "duplicate-key", "header-unclosed", "unquoted-text"}
