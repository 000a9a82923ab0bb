"""A prompt that delegates needs the tool to do so, in every system that has one."""

import pytest

from tests.checks.conftest import Check, Said
from tests.recorded import each

OTHER = "Reviews the changes of others.\n"
# By system: the place, a header without the tool, and one with it. Both agents have that header.
SYSTEMS = {
    "claude": (".claude/agents/{}.md", "name: {}\n", "tools: Read\n", "tools: Read, Agent\n"),
    "codex-templates": (
        ".codex/.agents/{}.md",
        "",
        "allow_list: [exec_command]\n",
        "allow_list: [exec_command, spawn_agent]\n",
    ),
    "codex-subagents": (".codex/agents/{}.md", "name: {}\n", "tools: [apply_patch]\n", ""),
    "qwen": (".qwen/agents/{}.md", "name: {}\n", "tools: [read_file]\n", ""),
    "gemini": (".gemini/agents/{}.md", "name: {}\n", "tools: [read_file]\n", ""),
    "moltis-agents": (".moltis/agents/{}.md", "name: {}\n", "tools: exec\n", ""),
    "opencode": (
        ".opencode/agent/{}.md",
        "mode: primary\n",
        "permission:\n  task: deny\n",
        "permission:\n  task: ask\n",
    ),
    "copilot": (
        ".github/agents/{}.agent.md",
        "name: {}\n",
        "tools: [read]\n",
        "tools: [read, agent]\n",
    ),
}


def _source(system: str, policy: str, prompt: str) -> str:
    place, name, *_ = SYSTEMS[system]
    head = "//- {}\n---\n{}description: Does its work.\n{}---\n{}\n"
    return head.format(place.format("lead"), name.format("lead"), policy, prompt) + head.format(
        place.format("reviewer"), name.format("reviewer"), policy, OTHER
    )


def _told(said: list[Said]) -> list[tuple[str, str]]:
    """The findings, once for all programs that read the file."""
    found = (one for one in said if one.code == "futile-delegation")
    return list(dict.fromkeys((one.at, one.severity) for one in found))


@each(SYSTEMS, called=str)
def test_an_agent_without_the_tool_cannot_delegate(system: str, check: Check) -> None:
    source = _source(system, SYSTEMS[system][2], "Plan it. Delegate to `reviewer` when done.")
    assert _told(check(source)) == [("reviewer", "information")]


@each(SYSTEMS, called=str)
def test_prose_that_tells_to_use_an_agent_is_an_order_to_delegate(
    system: str, check: Check
) -> None:
    source = _source(system, SYSTEMS[system][2], "Plan it. Use the reviewer subagent when done.")
    assert _told(check(source)) == [("reviewer", "information")]


@pytest.mark.parametrize("system", ["claude", "codex-templates", "opencode", "copilot"])
def test_an_agent_with_the_tool_can(system: str, check: Check) -> None:
    source = _source(system, SYSTEMS[system][3], "Delegate to `reviewer`. Use the reviewer agent.")
    assert _told(check(source)) == []


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ('Call Agent(subagent_type: "reviewer").', [("reviewer", "warning")]),
        ("1. Delegate the diff to the `reviewer` agent.", [("reviewer", "information")]),
        ("\nDelegate to `reviewer`.", [("reviewer", "information")]),
        ("# Work\n\nDelegate to `reviewer`.", [("reviewer", "information")]),
        ("Use the reviewer subagent to check it.", [("reviewer", "information")]),
        ("Plan it. Then invoke the `reviewer` agent.", [("reviewer", "information")]),
        ("3. **Check**: Launch reviewer sub-agent.", [("reviewer", "information")]),
        ("Use the Task tool to spawn the **reviewer** agent.", [("reviewer", "information")]),
        ("You must call a `reviewer` agent.", [("reviewer", "information")]),
        ("Never use the reviewer agent.", []),
        ("Do not plan; use the reviewer agent only if asked.", []),
        ("Tell people: use the reviewer agent.", []),
        ("The lead should use the reviewer agent.", []),
        ("Use a reviewer agent.", []),
        ("Use this agent after the reviewer agent.", []),
        ("Use the reviewer agent's notes.", []),
        ("Use the lead agent.", []),
        ("Use the nobody agent.", []),
        ("```\nUse the reviewer agent.\n```", []),
        ("Never delegate to `reviewer`.", []),
        ("The lead may tell others to delegate to `reviewer`.", []),
        ("Delegate to `nobody`.", []),
        ("Delegate to `lead`.", []),
        ("Read what `reviewer` wrote.", []),
    ],
)
def test_only_an_order_counts(prompt: str, expected: list[tuple[str, str]], check: Check) -> None:
    assert _told(check(_source("claude", "tools: Read\n", prompt))) == expected


def test_each_agent_of_a_table_has_its_own_tools(check: Check) -> None:
    source = """\
        //- moltis.toml
        [agents.presets.lead]
        system_prompt_suffix = "Plan. Delegate to `checker` when done."
        delegate_only = true

        [agents.presets.helper]
        system_prompt_suffix = "Delegate to `checker`. Delegate to `helper`."
        tools.allow = ["exec"]

        [agents.presets.planner]
        system_prompt_suffix = \"\"\"
        Delegate to `lead`.
        \"\"\"

        [agents.presets.checker]
        system_prompt_suffix = "Never delegate to `lead`."
        """
    assert _told(check(source)) == [("checker", "information"), ("lead", "information")]


def test_a_sub_agent_of_opencode_needs_a_rule_of_this_name(check: Check) -> None:
    head = "//- .opencode/agent/{}.md\n---\ndescription: D.\nmode: {}\n---\n{}\n"
    other = head.format("reviewer", "subagent", OTHER)
    for mode, expected in (("subagent", [("reviewer", "information")]), ("all", [])):
        source = head.format("lead", mode, "Delegate to `reviewer`.") + other
        assert _told(check(source)) == expected


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ('{"*": deny, explore: allow}', "`task: deny`"),
        ('{"*": allow, "review*": deny}', "`task: {review*: deny}`"),
        ('{"*": deny, "review*": ask}', ""),
        ('{"plan*": deny}', ""),
    ],
)
def test_a_pattern_of_opencode_denies_some_agents(rules: str, expected: str, check: Check) -> None:
    policy = f"permission:\n  task: {rules}\n"
    said = check(_source("opencode", policy, "Plan it. Delegate to `reviewer` when done."))
    found = [one.message for one in said if one.code == "futile-delegation"]
    message = f"the agent cannot call `reviewer`: it has no tool `task` (denied by {expected})"
    assert found == ([message] if expected else [])


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ('{"permission": {"task": "deny"}}', "denied by `task: deny` of `opencode.json`"),
        ('{"permission": "deny"}', "denied by `*: deny` of `opencode.json`"),
        ('{"tools": {"task": false}}', "denied by `task: deny` of `opencode.json`"),
        ('{"permission": {"task": "ask"}}', ""),
    ],
)
def test_the_rules_of_an_opencode_json_hold_for_each_agent(
    config: str, expected: str, check: Check
) -> None:
    source = _source("opencode", "", "Delegate to `reviewer`.")
    said = check(source + f"//- opencode.json\n{config}\n")
    found = [one.message for one in said if one.code == "futile-delegation"]
    message = f"the agent cannot call `reviewer`: it has no tool `task` ({expected})"
    assert found == ([message] if expected else [])


def test_each_agent_of_an_opencode_json_has_its_own_rules(check: Check) -> None:
    source = """\
        //- opencode.json
        {
          "permission": {"task": "deny"},
          "agent": {
            "lead": {"mode": "primary", "description": "D.", "prompt": "Delegate to `helper`."},
            "boss": {
              "mode": "primary", "description": "D.", "prompt": "Delegate to `checker`.",
              "permission": {"task": "allow"}
            },
            "helper": {"mode": "subagent", "description": "D.", "prompt": "You help."},
            "checker": {
              "mode": "primary", "description": "D.",
              "prompt": "Plan. Delegate to `lead`. Delegate to `helper`.", "tools": {"task": false}
            }
          }
        }
        """
    assert _told(check(source)) == [("helper", "information"), ("lead", "information")]
