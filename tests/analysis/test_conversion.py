"""What is converted loads in the other system, says the same, and never lets the agent do more."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_lsp.analysis.conversion import Converted, Weight, convert, targets
from agent_lsp.analysis.conversion.one import one_of
from agent_lsp.analysis.conversion.policy import abilities, permitted, policy
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.dialects.answers import Refusal
from agent_lsp.dialects.conversion import reach
from agent_lsp.dialects.known import DIALECTS, dialect
from agent_lsp.dialects.model import Dialect
from agent_lsp.dialects.vocabulary import Holds, Severity
from agent_lsp.workspace.index import Subject, Workspace, subject
from tests.effort import EFFORT
from tests.fixture import fixture

ROOT = Path(__file__).parents[2]
FOLDERS = {
    "claude": ".claude/agents",
    "codex-templates": ".codex/.agents",
    "codex-subagents": ".codex/agents",
    "kodacode": ".kodacode/agents",
    "moltis-agents": ".moltis/agents",
}
CONVERTIBLE = [known for known in DIALECTS if known.id in FOLDERS]
# A definition of Moltis has no description, which all others want.
SOURCES = [known for known in CONVERTIBLE if known.id != "moltis-agents"]


def shipped() -> Iterator[tuple[str, Path]]:
    """Every template of the product and of its examples, with its system."""
    for known in SOURCES:
        for path in sorted((ROOT / "templates" / known.id).rglob("*.md")):
            yield known.id, path
        for path in sorted((ROOT / "examples").rglob("*.md")):
            is_note = path.stem == "README" or path.parts[-4] == "unreadable"
            if f"/{FOLDERS[known.id]}/" in path.as_posix() and not is_note:
                yield known.id, path


def held(folder: Path, source: str, text: str, name: str = "reviewer") -> Subject:
    """The template with `text` alone in a repository."""
    made = fixture(folder, f"//- {FOLDERS[source]}/{name}.md\n")
    made.path.write_bytes(text.encode())
    return again(made.workspace, made.path)


def again(workspace: Workspace, path: Path) -> Subject:
    workspace.files.refresh()
    found = subject(workspace, path)
    assert found is not None
    return found


def to(name: str) -> Dialect:
    known = dialect(name)
    assert known is not None
    return known


def put(of: Subject, file: Converted) -> Subject:
    """The converted file as the other runtime reads it, alone in its folder."""
    file.path.parent.mkdir(parents=True, exist_ok=True)
    file.path.write_bytes(file.text.encode())
    found = again(of.workspace, file.path)
    file.path.unlink()
    return found


def files(of: Subject, target: Dialect) -> tuple[Converted, ...]:
    """The files of a conversion that is not refused."""
    made = convert(of, target)
    assert not isinstance(made, Refusal), made.message
    return made


def said(file: Converted, weight: Weight) -> list[str]:
    return [loss.message for loss in file.losses if loss.weight is weight]


def can(of: Subject) -> frozenset:  # type: ignore[type-arg] # of abilities
    """All that an agent can do, by its tools and with what comes with them."""
    assert of.dialect.conversion is not None
    return reach(policy(of, of.dialect.conversion).can)


def check(of: Subject, file: Converted) -> None:
    """That a converted file is sound, and that its agent can do no more than that of `of`."""
    conversion = of.dialect.conversion
    assert conversion is not None
    file.path.parent.mkdir(parents=True, exist_ok=True)
    file.path.write_bytes(file.text.encode())
    after = again(of.workspace, file.path)
    grave = [
        one
        for one in diagnostics(of.workspace, file.path)
        if one.severity <= Severity.WARNING and one.code != "no-tools"
    ]
    assert grave == []
    forbidden = conversion.read_only(of.reading) if conversion.read_only is not None else None
    has_sandbox = after.dialect.id == "codex-templates"
    may = permitted(policy(of, conversion), conversion, can_change=has_sandbox or not forbidden)
    assert can(after) <= may or said(file, Weight.WIDER)
    kept = after.dialect.toolset(after.reading, tuple(t.name for t in after.dialect.tools), 1)
    if not kept.kept and not kept.open_patterns:
        assert any("no tool" in message for message in (loss.message for loss in file.losses))
    prompts = [block.text.strip() for block in of.reading.held.blocks]
    assert after.reading.held.default.text.strip() in prompts
    file.path.unlink()


@pytest.mark.parametrize(
    ("path", "source"),
    [
        pytest.param(path, source, id=path.relative_to(ROOT).as_posix())
        for source, path in shipped()
    ],
)
def test_every_shipped_template_is_converted_to_a_sound_one_or_refused(
    path: Path, source: str, tmp_path: Path
) -> None:
    of = held(tmp_path, source, path.read_bytes().decode("utf-8"), path.stem)
    for target in targets(of.dialect):
        made = convert(of, target)
        if isinstance(made, Refusal):
            assert made.message
            assert "examples" in path.parts or "without tools" in made.message
            continue
        for file in made:
            check(of, file)


@pytest.mark.parametrize("source", CONVERTIBLE, ids=lambda known: known.id)
def test_there_is_no_conversion_into_the_same_system(source: Dialect, tmp_path: Path) -> None:
    of = held(tmp_path, source.id, SIMPLE[source.id])
    made = convert(of, source)

    assert isinstance(made, Refusal)
    assert made.message == f"it is a template of `{source.id}` already"
    assert source not in targets(source)


SIMPLE = {
    "moltis-agents": "---\nname: reviewer\n---\nReview it.\n",
    "claude": "---\nname: reviewer\ndescription: Reviews.\n---\nReview it.\n",
    **dict.fromkeys(
        ("codex-templates", "codex-subagents", "kodacode"),
        "---\ndescription: Reviews.\n---\nReview it.\n",
    ),
}
# What all four can say: run commands, or search the web.
SHARED = {
    "claude": ("tools", ("Bash", "WebSearch")),
    "codex-templates": ("allow_list", ("exec_command", "web_search")),
    "codex-subagents": ("tools", ("shell", "web_search")),
    "kodacode": ("AllowTools", ("bash", "web_search")),
}


@pytest.mark.parametrize("source", SOURCES, ids=lambda known: known.id)
@pytest.mark.parametrize("there", SOURCES, ids=lambda known: known.id)
@pytest.mark.parametrize("chosen", [(0,), (1,), (0, 1), ()], ids=str)
def test_there_and_back_again_keeps_description_prompt_and_what_the_agent_can_do(
    source: Dialect, there: Dialect, chosen: tuple[int, ...], tmp_path: Path
) -> None:
    key, tools = SHARED[source.id]
    listed = f"{key}: [{', '.join(tools[at] for at in chosen)}]"
    none_in_codex_templates = source.id == "codex-templates" and not chosen
    if source is there or none_in_codex_templates:
        return
    text = SIMPLE[source.id].replace("description: Reviews.", f"description: 'A: b'\n{listed}")
    of = held(tmp_path, source.id, text)
    [out] = files(of, there)
    [back] = files(put(of, out), source)
    again_ = put(of, back)

    assert again_.reading.held.settings["description"].text == "A: b"
    assert again_.reading.held.default.text.strip() == "Review it."
    assert can(again_) == can(of)


def lists(of: Subject, target: Dialect) -> tuple[list[str] | None, list[str] | None]:
    """What the allow and the deny list of the only converted file say."""
    [file] = files(of, target)
    found = put(of, file).reading.held.settings
    keys = (target.key_holding(holds) for holds in (Holds.ALLOW, Holds.DENY))
    values = (found.get(key.name) if key is not None else None for key in keys)
    allow, deny = ([one.text for one in v.items] if v is not None else None for v in values)
    return allow, deny


def claude(folder: Path, lines: str, body: str = "Review it.") -> Subject:
    header = f"name: reviewer\ndescription: Reviews.\n{lines}"
    return held(folder, "claude", f"---\n{header}\n---\n{body}\n")


def codex(folder: Path, lines: str, body: str = "Review it.") -> Subject:
    return held(folder, "codex-templates", f"---\ndescription: Reviews.\n{lines}\n---\n{body}\n")


def test_a_tool_that_does_more_is_left_out_and_named(tmp_path: Path) -> None:
    of = claude(tmp_path, "tools: Edit, WebSearch")
    [file] = files(of, to("codex-templates"))

    assert lists(of, to("codex-templates"))[0] == ["web_search"]
    assert any("`Edit`: there `apply_patch`" in one for one in said(file, Weight.LOST))
    both = claude(tmp_path / "both", "tools: Edit, Write")
    assert lists(both, to("codex-templates"))[0] == ["apply_patch"]


@pytest.mark.parametrize("entry", ["Bash(git:*)", "Bash, Bash(git log, x)", "'Bash(git:*)'"])
def test_a_tool_of_which_only_some_uses_are_allowed_is_left_out(entry: str, tmp_path: Path) -> None:
    of = claude(tmp_path, f"tools: [Read, {entry}]" if "'" in entry else f"tools: Read, {entry}")
    [file] = files(of, to("kodacode"))

    assert lists(of, to("kodacode"))[0] == ["read"]
    assert any("only some uses of `Bash`" in one for one in said(file, Weight.LOST))


def test_a_tool_of_which_some_uses_are_denied_is_denied_as_a_whole(tmp_path: Path) -> None:
    _, deny = lists(claude(tmp_path, "disallowedTools: Bash(rm:*)"), to("codex-templates"))

    assert deny is not None
    assert {"exec_command", "write_stdin", "shell", "js_repl"} <= set(deny)


@pytest.mark.parametrize(
    "lines",
    [
        "deny_list: [exec_command]",
        "deny_list: [exec_command, 'shell*']",
        "allow_list: ['*']\ndeny_list: [exec_command, shell]",
        "allow_list: [apply_patch, '*shell']\ndeny_list: [exec_command, shell]",
    ],
)
def test_commands_that_most_sessions_cannot_run_are_run_nowhere(lines: str, tmp_path: Path) -> None:
    """A session of `codex-templates` has one tool for commands, and an author denies that one."""
    of = codex(tmp_path, lines)
    for name, tool in (("codex-subagents", "shell"), ("claude", "Bash"), ("kodacode", "bash")):
        allow, deny = lists(of, to(name))
        assert tool in (deny or ()) or (allow is not None and tool not in allow)
        [file] = files(of, to(name))
        assert any("`local_shell`" in one for one in said(file, Weight.LOST))


def test_a_tool_for_commands_that_is_allowed_by_its_name_is_kept(tmp_path: Path) -> None:
    of = codex(tmp_path, "allow_list: [exec_command, shell]\ndeny_list: [shell]")

    assert lists(of, to("codex-subagents")) == (["shell"], None)


def test_what_is_denied_is_denied_there_or_the_rest_is_written_out(tmp_path: Path) -> None:
    of = claude(tmp_path, "disallowedTools: Edit, Write, mcp__github")

    assert lists(of, to("codex-templates")) == (None, ["apply_patch", "mcp__github__*"])
    allow, deny = lists(of, to("codex-subagents"))
    assert allow is not None
    assert deny is None
    assert "shell" in allow
    assert "apply_patch" not in allow


def test_what_is_denied_by_name_is_not_given_for_what_comes_with_another_tool(
    tmp_path: Path,
) -> None:
    """Who runs commands can read; but an author who denies `Read` does not want it."""
    of = claude(tmp_path, "disallowedTools: Read")

    assert lists(of, to("codex-templates")) == (None, ["read_file"])


@pytest.mark.parametrize(
    ("source", "key", "denied"),
    [("codex-templates", "deny_list", "mcp__g*"), ("kodacode", "DisallowedTools", "mcp_g__get")],
)
def test_what_is_denied_of_servers_nobody_can_name_denies_all_of_them(
    source: str, key: str, denied: str, tmp_path: Path
) -> None:
    text = SIMPLE[source].replace("description", f"{key}: ['{denied}']\ndescription", 1)
    of = held(tmp_path, source, text)
    [file] = files(of, to("claude"))

    assert lists(of, to("claude")) == (None, ["mcp__*"])
    assert any(f"which tools `{denied}` denies" in one for one in said(file, Weight.LOST))


def test_without_the_sandbox_no_tool_changes_anything(tmp_path: Path) -> None:
    of = codex(tmp_path, "read_only: true\nallow_list: [exec_command, apply_patch, spawn_agent]")

    assert lists(of, to("claude"))[0] == ["Read", "Glob", "Grep"]
    free = codex(tmp_path / "free", "read_only: false\nallow_list: [exec_command, apply_patch]")
    [file] = files(free, to("claude"))
    assert "tools: Read, Write, Edit, Glob, Grep, Bash\n" in file.text
    assert file.losses == ()


def test_an_agent_without_lists_in_a_sandbox_gets_a_list(tmp_path: Path) -> None:
    allow, _ = lists(codex(tmp_path, "read_only: true"), to("kodacode"))

    assert allow is not None
    assert set(allow).isdisjoint({"bash", "apply_patch", "write", "delegate", "test"})
    assert "read" in allow


def test_a_mode_that_only_plans_is_a_read_only_sandbox(tmp_path: Path) -> None:
    [file] = files(claude(tmp_path, "permissionMode: plan\ntools: Bash"), to("codex-templates"))

    assert "read_only: true\n" in file.text
    assert said(file, Weight.WIDER) == []


def test_an_agent_without_lists_may_do_more_and_the_report_says_so_first(tmp_path: Path) -> None:
    [file] = files(claude(tmp_path, "color: red"), to("codex-subagents"))

    assert "tools" not in file.text
    assert file.losses[0].weight is Weight.WIDER
    assert "`view_image`" in file.losses[0].message


def test_a_definition_of_moltis_has_no_description(tmp_path: Path) -> None:
    of = claude(tmp_path, "tools: Read, Edit, Bash\ndisallowedTools: Edit")
    [file] = files(of, to("moltis-agents"))

    assert "tools: exec, process, Read, Glob, Grep\n" in file.text
    assert any("`description: Reviews.` is lost" in one for one in said(file, Weight.LOST))
    [back] = files(put(of, file), to("claude"))
    assert "name: reviewer\ndescription: reviewer\ntools: Read, Glob, Grep, Bash\n" in back.text
    assert any("has no descriptions: `reviewer` stands" in one for one in said(back, Weight.NOTE))


def test_what_cannot_be_denied_of_servers_is_written_out_without_them(tmp_path: Path) -> None:
    allow, deny = lists(claude(tmp_path, "disallowedTools: mcp__github"), to("moltis-agents"))

    assert allow is not None
    assert deny is None
    assert "exec" in allow


@pytest.mark.parametrize(
    ("line", "weight"),
    [
        ("permissionMode: dontAsk", Weight.WIDER),
        ("permissionMode: bypassPermissions", Weight.LOST),
        ("maxTurns: 3", Weight.WIDER),
        ("isolation: worktree", Weight.WIDER),
        ("hooks:\n  PreToolUse: []", Weight.WIDER),
        ("mcpServers: [github]", Weight.LOST),
        ("skills: style", Weight.LOST),
        ("model: sonnet", Weight.LOST),
        ("effort: high", Weight.LOST),
        ("house_rule: none", Weight.NOTE),
        ("# a comment", Weight.NOTE),
    ],
)
@pytest.mark.parametrize("target", ["codex-templates", "codex-subagents", "kodacode"])
def test_a_key_that_is_lost_is_reported_at_its_place(
    line: str, weight: Weight, target: str, tmp_path: Path
) -> None:
    of = claude(tmp_path, f"tools: WebSearch\n{line}")
    [file] = files(of, to(target))

    at = of.document.text.index(line)
    assert weight in [one.weight for one in file.losses if one.span.start == at]


@pytest.mark.parametrize("line", ["model: inherit", "background: false"])
def test_a_key_that_says_what_a_missing_one_says_is_not_lost(line: str, tmp_path: Path) -> None:
    [file] = files(claude(tmp_path, f"tools: WebSearch\n{line}"), to("kodacode"))

    assert file.losses == ()


def test_what_a_plugin_may_not_decide_is_no_loss(tmp_path: Path) -> None:
    made = fixture(
        tmp_path,
        """
        //- agents/reviewer.md
        ---
        name: reviewer
        description: Reviews.
        tools: Bash
        permissionMode: plan
        hooks:
          Stop: []
        ---
        Review it.
        //- .claude-plugin/plugin.json
        {"name": "desk"}
        """,
    )
    of = again(made.workspace, made.path)
    [file] = files(of, to("kodacode"))

    assert "  - bash\n" in file.text
    assert said(file, Weight.WIDER) == []
    assert len([one for one in said(file, Weight.NOTE) if "does nothing here" in one]) == 2


PERSONAS = """\
agent_names:
  - name: strict
    description: Strict.
    model: gpt-5
  - name: quick
    description: Quick."""
BLOCKS = "Default.\n<!-- agent_name: strict -->\nStrictly.\n<!-- agent_name: quick -->\nQuickly."


def test_each_persona_is_an_agent_of_its_own(tmp_path: Path) -> None:
    of = codex(tmp_path, PERSONAS, BLOCKS)
    made = files(of, to("claude"))

    assert [one.name for one in made] == ["reviewer", "reviewer-strict", "reviewer-quick"]
    agents = [put(of, one).reading.held for one in made]
    assert [one.default.text for one in agents] == ["Default.", "Strictly.", "Quickly."]
    assert [one.settings["description"].text for one in agents] == ["Reviews.", "Strict.", "Quick."]
    assert any("`model: gpt-5` is lost" in one for one in said(made[1], Weight.LOST))
    assert not any("gpt-5" in one.message for one in made[2].losses)


def test_one_persona_can_be_chosen(tmp_path: Path) -> None:
    of = codex(tmp_path, PERSONAS, BLOCKS)
    chosen = convert(of, to("claude"), persona="Quick")
    unknown = convert(of, to("claude"), persona="slow")

    assert isinstance(chosen, tuple)
    assert [one.name for one in chosen] == ["reviewer-quick"]
    assert isinstance(unknown, Refusal)
    assert unknown.message == "there is no persona `slow`; there are `strict` and `quick`"


def test_a_name_that_the_other_system_does_not_take_is_changed_and_told(tmp_path: Path) -> None:
    of = held(tmp_path, "codex-subagents", SIMPLE["codex-subagents"], "Link_Checker")
    [file] = files(of, to("claude"))

    assert (file.name, file.path.name) == ("link-checker", "link-checker.md")
    assert any("it is called `link-checker` there" in one for one in said(file, Weight.NOTE))


@pytest.mark.parametrize(
    ("text", "target", "why"),
    [
        ("---\ndescription: A.\n---\n", "codex-subagents", "would not take it"),
        ("---\nmodel: gpt-5\n---\nReview.\n", "claude", "has no description"),
        ("---\nread_only: yes\n---\nReview.\n", "claude", "does not read its header"),
        ("---\ndescription: A.\nReview.\n", "claude", "does not read its header"),
    ],
)
def test_what_would_not_load_is_refused_with_a_reason(
    text: str, target: str, why: str, tmp_path: Path
) -> None:
    made = convert(held(tmp_path, "codex-templates", text), to(target))

    assert isinstance(made, Refusal)
    assert why in made.message


def test_a_prompt_that_would_be_cut_is_refused(tmp_path: Path) -> None:
    of = claude(tmp_path, "tools: WebSearch", "Write:\n<!-- agent_name: x -->\nand more")
    made = convert(of, to("codex-templates"))

    assert isinstance(made, Refusal)
    assert "would read another prompt" in made.message


def test_a_prompt_is_kept_and_the_tools_and_agents_that_it_names_are_told(tmp_path: Path) -> None:
    body = "Run exec_command, then `wait`, then delegate to `helper`. Use `update_plan`."
    made = fixture(
        tmp_path,
        f"""
        //- .codex/.agents/reviewer.md
        ---
        description: A.
        ---
        {body}
        //- .codex/.agents/helper.md
        ---
        description: B.
        ---
        Help.
        """,
    )
    of = again(made.workspace, made.path)
    [file] = files(of, to("codex-subagents"))

    assert body in file.text
    notes = " ".join(said(file, Weight.NOTE))
    assert "the prompt speaks of `wait`; which is not there" in notes
    assert "the prompt speaks of the agent `helper`" in notes
    assert "exec_command" not in notes
    assert "update_plan" not in notes


def test_it_goes_where_the_template_is_or_where_somebody_says(tmp_path: Path) -> None:
    of = codex(tmp_path, "model: gpt-5")
    here, home = convert(of, to("claude")), convert(of, to("claude"), scope="user")

    assert isinstance(here, tuple)
    assert isinstance(home, tuple)
    assert here[0].path == of.root / ".claude/agents/reviewer.md"
    assert home[0].path == tmp_path / "home/.claude/agents/reviewer.md"


NAMES = {known.id: [tool.name for tool in known.tools] for known in CONVERTIBLE}
SERVERS = {
    "claude": ["mcp__github", "mcp__github__*", "mcp__docs__search"],
    "codex-templates": ["mcp__github__*", "mcp__docs__search", "*", "mcp__*", "*_agent", "mcp__g*"],
    "codex-subagents": ["github__search"],
    "kodacode": ["mcp:*", "mcp_docs__search"],
}


@st.composite
def policies(draw: st.DrawFn) -> tuple[str, str]:
    """A template of any system with any lists."""
    known = draw(st.sampled_from(SOURCES))
    entries = st.lists(
        st.sampled_from([*NAMES[known.id], *SERVERS[known.id], "strange"]), max_size=5, unique=True
    )
    keys = [known.key_holding(holds) for holds in (Holds.ALLOW, Holds.DENY)]
    lines = [
        f"{key.name}: [{', '.join(map(repr, draw(entries)))}]"
        for key in keys
        if key is not None and draw(st.booleans())
    ]
    if known.id == "codex-templates" and draw(st.booleans()):
        lines.append("read_only: true")
    if known.id == "claude" and draw(st.booleans()):
        lines.append("permissionMode: plan")
    text = SIMPLE[known.id].replace("description:", "\n".join((*lines, "description:")), 1)
    return known.id, text


@settings(max_examples=120 * EFFORT, deadline=None)
@given(policies())
def test_no_policy_lets_the_new_agent_do_more_without_saying_so(
    tmp_path_factory: pytest.TempPathFactory, made: tuple[str, str]
) -> None:
    source, text = made
    never_wider(held(tmp_path_factory.mktemp("any"), source, text))


def never_wider(of: Subject, agent_name: str | None = None) -> None:
    """That no conversion of an agent lets it do more, unless that is said."""
    chosen = one_of(of, agent_name)
    assert not isinstance(chosen, Refusal)
    of = chosen
    conversion = of.dialect.conversion
    assert conversion is not None
    for target in targets(of.dialect):
        found = convert(of, target, agent_name=agent_name)
        if isinstance(found, Refusal):
            assert target.id == "moltis-agents"
            assert "without tools" in found.message
            continue
        [file] = found
        after = put(of, file)
        assert target.conversion is not None
        forbidden = conversion.read_only is not None and conversion.read_only(of.reading)
        sandbox = target.id == "codex-templates"
        before = policy(of, conversion)
        may = permitted(before, conversion, can_change=sandbox or not forbidden)
        then = policy(after, target.conversion)
        if target.forms is not None and target.forms == of.dialect.forms:
            same = {one.tool for one in then.kept} == {one.tool for one in before.kept}
            assert same or of.reading.generation != "TODAY"
            if same:
                continue
        if not said(file, Weight.WIDER):
            needed = {
                need
                for kept in then.kept
                if kept.tool in target.conversion.tools
                for need in target.conversion.tools[kept.tool].needs
            }
            assert needed <= may
            given_ = abilities(target.conversion, (one.tool for one in then.kept))
            assert reach(given_) <= reach(may)
            assert before.is_open or not then.is_open
        assert not sandbox or bool(forbidden) == ("read_only: true" in file.text)


ENTRIES = ["exec", "process", "Read", "Edit", "MultiEdit", "Grep", "web_fetch", "calc"]
ENTRIES += ["read_file", "write_file", "mcp__docs__find", "mcp__github__*", "spawn_agent"]


@st.composite
def presets(draw: st.DrawFn) -> tuple[str, str]:
    """A preset, and a definition that says the same."""
    lists_ = st.lists(st.sampled_from(ENTRIES), max_size=5, unique=True)
    lines, header = [], []
    for name, own in (("allow", "tools"), ("deny", "deny_tools")):
        if draw(st.booleans()):
            items = draw(lists_)
            lines.append(f"tools.{name} = [{', '.join(map(json.dumps, items))}]")
            header.append(f"{own}: '{', '.join(items)}'")
    if draw(st.booleans()):
        lines.append("delegate_only = true")
        header.append("delegate_only: true")
    lines += draw(st.sampled_from([[], ["identity.theme = 'calm'"], ["identity.vibe = 'calm'"]]))
    table = "\n".join(("[agents.presets.scout]", *lines, 'system_prompt_suffix = "Look."', ""))
    return table, "\n".join(("---", "name: scout", *header, "---", "Look.", ""))


@settings(max_examples=60 * EFFORT, deadline=None)
@given(presets())
def test_no_preset_or_definition_of_moltis_lets_the_new_agent_do_more_without_saying_so(
    tmp_path_factory: pytest.TempPathFactory, made: tuple[str, str]
) -> None:
    table, definition = made
    never_wider(held(tmp_path_factory.mktemp("definition"), "moltis-agents", definition))
    two = f"{table}[agents.presets.other]\nmodel = 'gpt-4o'\n"
    never_wider(configured(tmp_path_factory.mktemp("preset"), two), "scout")


def configured(folder: Path, text: str) -> Subject:
    """The `moltis.toml` of a project."""
    found = fixture(folder, f"//- moltis.toml\n{text}")
    return again(found.workspace, found.path)


SCOUT = """\
[agents.presets.scout]
model = "openai::gpt-4o"
identity.name = "Scout"
identity.theme = "calm"
max_iterations = 7
tools.allow = ["Read", "exec", "calc"]
system_prompt_suffix = '''
Look around.
# Report
'''
mcp.deny_servers = ["home"]
sessions.can_send = false
[agents.presets.lead]
delegate_only = true
"""


def test_one_preset_of_a_file_is_converted(tmp_path: Path) -> None:
    of = configured(tmp_path, SCOUT)
    made = convert(of, to("claude"), agent_name="scout")

    assert isinstance(made, tuple)
    assert made[0].path == of.root / ".claude/agents/scout.md"
    assert "tools: Read, Glob, Grep, Bash\n---\n\nLook around.\n# Report\n" in made[0].text
    wider = said(made[0], Weight.WIDER)
    assert [one.partition("` is lost")[0] for one in wider] == [
        "`max_iterations: 7",
        "`mcp.deny_servers",
    ]
    spans = {loss.span.of(of.document.text) for loss in made[0].losses}
    assert {"scout", "max_iterations", "deny_servers", "can_send", '"calc"'} <= spans
    assert not any("lead" in one.message or "suffix" in one.message for one in made[0].losses)


def test_a_definition_says_what_a_preset_says(tmp_path: Path) -> None:
    """All but what only presets have; and the preset goes over it."""
    made = convert(configured(tmp_path, SCOUT), to("moltis-agents"), agent_name="scout")
    assert isinstance(made, tuple)
    [file] = made

    assert file.text.startswith(
        "---\nname: scout\ndisplay_name: Scout\ntools: Read, exec, calc\nmodel: openai::gpt-4o\n"
        "theme: calm\nmax_iterations: 7\nmcp_deny_servers: home\n---\n"
    )
    gone, note = file.losses
    assert gone.message.startswith("`sessions.can_send: false` is lost")
    assert gone.weight is Weight.WIDER
    assert note.message.endswith("take it out of moltis.toml to use the other one")


@pytest.mark.parametrize(
    ("text", "name", "why"),
    [
        (SCOUT, None, "nobody says which of its agents is meant: there are `scout` and `lead`"),
        (SCOUT, "scot", "there is no `scot`; there are `scout` and `lead`"),
        ("[agents]\n", None, "no agent stands in it"),
        (f"{SCOUT}\nmodel = ${{MODEL}}\n", "lead", "nobody can tell what the variables in it"),
        (f"{SCOUT}\ntimeout_secs = '1'\n", "scout", "does not read its header"),
    ],
)
def test_a_preset_that_nobody_can_tell_is_refused_with_a_reason(
    text: str, name: str | None, why: str, tmp_path: Path
) -> None:
    made = convert(configured(tmp_path, text), to("claude"), agent_name=name)

    assert isinstance(made, Refusal)
    assert why in made.message


@pytest.mark.parametrize(
    ("listed", "tools"),
    [
        ("allow = ['Read', 'Edit']", ["Read", "Edit"]),
        ("allow = ['read_file', 'web_search']", ["Read", "WebSearch"]),
        ("allow = ['read_file', 'Edit']", ["Read"]),
    ],
)
def test_tools_tell_the_generation_of_a_preset_where_no_key_does(
    listed: str, tools: list[str], tmp_path: Path
) -> None:
    """Where they tell of both, the fewer tools of the document's runtime count."""
    text = f"[agents.presets.a]\ntools.{listed}\nsystem_prompt_suffix = 'Look.'\n"
    made = convert(configured(tmp_path, text), to("claude"))

    assert isinstance(made, tuple)
    assert f"\ntools: {', '.join(tools)}\n" in made[0].text


def test_nothing_is_converted_into_a_file_of_tables(tmp_path: Path) -> None:
    of = claude(tmp_path, "tools: Read")
    made = convert(of, to("moltis"))

    assert to("moltis") not in targets(of.dialect)
    assert isinstance(made, Refusal)


def test_a_file_of_one_agent_takes_no_name(tmp_path: Path) -> None:
    made = convert(claude(tmp_path, "tools: Read"), to("kodacode"), agent_name="reviewer")

    assert isinstance(made, Refusal)
    assert "a file for each agent" in made.message
