"""A real Claude Code does what was recorded, and what the product says (make test-runtimes)."""

import json
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from agent_lsp.dialects.claude import models
from agent_lsp.dialects.claude.dialect import DIALECT
from agent_lsp.dialects.claude.facts import MEASURED
from agent_lsp.model.runtime import Call, Catalog, Parent, RuntimeRefusal
from agent_lsp.workspace.catalogs import catalog
from tests.fixture import fixture
from tests.runtimes.claude import Agent, Seen, seen
from tests.runtimes.recorded import fresh, records, run, unaccounted

ROOT = Path(__file__).parents[2]
PROGRAM = os.environ.get("CLAUDE_PROGRAM", "")
pytestmark = [
    pytest.mark.runtimes,
    pytest.mark.skipif(not PROGRAM, reason="`make test-runtimes` installs the program"),
]


@cache
def own() -> frozenset[str]:
    """The agents that the program brings along."""
    return frozenset(asked(()).agents)


@cache
def asked(texts: tuple[tuple[str, bytes], ...]) -> Seen:
    """What the program makes of these files."""
    with TemporaryDirectory() as folder:
        return run(Path(PROGRAM), texts, Path(folder))


def recorded_files() -> tuple[tuple[str, bytes], ...]:
    return tuple((f"{one['id']}.md", one["text"].encode()) for one in records())


SKILLS = ROOT / "tests" / "conformance" / "claude-skills.jsonl"


@pytest.mark.parametrize("root", ["", "sub"])
def test_an_agent_starts_with_the_skills_that_were_recorded(tmp_path: Path, root: str) -> None:
    scene, *cases = map(json.loads, SKILLS.read_text(encoding="utf-8").splitlines())
    work, home = tmp_path / "project", tmp_path / "home"
    texts = dict(scene["files"])
    cases = [case for case in cases if case["root"] == root]
    for case in cases:
        header = f"---\nname: {case['id']}\ndescription: d\nskills: {case['skills']}\n---\n"
        texts[f"project/.claude/agents/{case['id']}.md"] = f"{header}Go.\n"
    for name, text in texts.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (work / ".git").mkdir()

    agents = seen(Path(PROGRAM), work / root, home, tuple(case["id"] for case in cases)).agents

    found = {name: agent.request for name, agent in agents.items() if agent.request is not None}
    assert sorted(found) == [case["id"] for case in cases]
    for case in cases:
        loaded = re.findall(r"text of [\w-]+", found[case["id"]].task)
        assert sorted(set(loaded)) == case["found"], case


def files_of_the_repository() -> Iterator[tuple[str, bytes]]:
    """The agents among the examples and the templates, each folder's under names of its own."""
    for folder in ("examples", "templates/claude"):
        for path in sorted((ROOT / folder).rglob("*.md")):
            if folder != "examples" or ".claude" in path.parts:
                name = "/".join(path.relative_to(ROOT).parts).replace(".claude/", "")
                yield name, path.read_bytes()


def test_the_program_does_what_was_recorded() -> None:
    found = asked(recorded_files())
    made = [fresh(one, found) for one in records()]

    differing = [now for now, then in zip(made, records(), strict=True) if now != then]
    assert differing == [], f"{found.version} differs from {MEASURED}: record it again"
    assert list(unaccounted(found, made, own())) == []


def spawned(found: Catalog, name: str, session: tuple[str, ...]) -> object:
    """What the product says of a spawn, as `seen_of` has it."""
    parent = Parent(model="the session's", tools=session)
    answer = DIALECT.calls.spawn(found, Call({"subagent_type": name, "prompt": "Go."}, parent))
    if isinstance(answer, RuntimeRefusal):
        return answer.message
    settings = {one.name: one.value for one in answer.settings}
    tools = tuple(sorted(verdict.tool for verdict in answer.toolset.kept))
    return tools, _word(settings["model"] or "")


def _word(model: str) -> str:
    """The family of a model, since what an alias stands for changes."""
    family = model.removeprefix("claude-").partition("-")[0]
    return {"the session's": "opus", "best": "opus", "opusplan": "sonnet"}.get(model, family)


def seen_of(agent: Agent) -> object:
    if agent.request is None:
        return agent.refusal
    return agent.request.tools, _word(agent.request.model)


def test_the_product_says_of_this_repository_s_agents_what_the_program_does(
    tmp_path: Path,
) -> None:
    texts = tuple(files_of_the_repository())
    found = asked(texts)
    made = fixture(tmp_path, "//- README.md\n")
    for name, text in texts:
        path = made.root / ".claude" / "agents" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    ours = catalog(made.workspace, DIALECT, made.root)

    listing = DIALECT.calls.list_agents(ours, Call({}))
    assert isinstance(listing, dict)
    rows = {row["name"]: row for row in listing["agents"] if row["path"] and not row["shadowed"]}
    assert len(rows) > len(own())
    assert set(rows) == {name for name in found.agents if name not in own() or name in rows}
    for name in sorted(set(rows) - _twice(listing["agents"])):
        agent = found.agents[name]
        assert rows[name]["description"].strip() == agent.description.strip()
        assert spawned(ours, name, found.tools) == seen_of(agent), name


def _twice(rows: list[dict[str, object]]) -> set[str]:
    """The names that several files have, of which it is not decided which one counts."""
    names = [str(row["name"]) for row in rows if row["path"]]
    return {name for name in names if names.count(name) > 1}


def test_an_old_id_is_moved_on_to_the_family_that_the_product_says() -> None:
    text = "---\nname: old\ndescription: d\nmodel: claude-opus-4-1\n---\nGo.\n"
    request = asked((("old.md", text.encode()),)).agents["old"].request

    assert request is not None
    assert request.model.startswith(f"claude-{models.moved('claude-opus-4-1')}-")
    assert request.model != "claude-opus-4-1"
