"""What is converted loads in the other system, says the same, and never lets the agent do more."""

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_lsp.analysis.conversion import Converted, LossSeverity, convert, targets
from agent_lsp.analysis.conversion.abilities import abilities, abilities_of, permitted
from agent_lsp.analysis.conversion.pair import one_of
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.dialects import SYSTEMS
from agent_lsp.model.conversion import reach
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import RuntimeRefusal
from agent_lsp.model.schema import KeyRole, Severity
from agent_lsp.workspace.snapshot import TemplateFile, Workspace, template_file
from tests.effort import examples, share
from tests.fixture import fixture
from tests.recorded import each
from tests.systems import DIALECTS, dialect_by_id

ROOT = Path(__file__).parents[2]
FOLDERS = {
    "claude": ".claude/agents",
    "codex-templates": ".codex/.agents",
    "codex-subagents": ".codex/agents",
    "kodacode": ".kodacode/agents",
    "copilot": ".github/agents",
    "qwen": ".qwen/agents",
    "moltis-agents": ".moltis/agents",
}
CONVERTIBLE = [dialect for dialect in DIALECTS if dialect.id in FOLDERS]
# A definition of Moltis has no description, which all others want.
SOURCES = [dialect for dialect in CONVERTIBLE if dialect.id != "moltis-agents"]


def shipped() -> Iterator[tuple[str, Path]]:
    """Every template of the product and of its examples, with its system."""
    for dialect in SOURCES:
        for path in sorted((ROOT / "templates" / dialect.id).rglob("*.md")):
            yield dialect.id, path
        for path in sorted((ROOT / "examples").rglob("*.md")):
            is_note = path.stem == "README" or path.parts[-4] == "unreadable"
            if f"/{FOLDERS[dialect.id]}/" in path.as_posix() and not is_note:
                yield dialect.id, path


def held(folder: Path, source: str, text: str, name: str = "reviewer") -> TemplateFile:
    """The template with `text` alone in a repository."""
    made = fixture(folder, f"//- {FOLDERS[source]}/{name}.md\n")
    made.path.write_bytes(text.encode())
    made.workspace.files.rewritten(made.path)
    found = template_file(made.workspace, made.path)
    assert found is not None
    return found


def again(workspace: Workspace, path: Path) -> TemplateFile:
    workspace.files.refresh()
    found = template_file(workspace, path)
    assert found is not None
    return found


def to(name: str) -> Dialect:
    dialect = dialect_by_id(name)
    assert dialect is not None
    return dialect


def put(file: TemplateFile, converted: Converted) -> TemplateFile:
    """The converted file as the other runtime reads it, alone in its folder."""
    converted.path.parent.mkdir(parents=True, exist_ok=True)
    converted.path.write_bytes(converted.text.encode())
    found = again(file.workspace, converted.path)
    converted.path.unlink()
    return found


def files(file: TemplateFile, target: Dialect) -> tuple[Converted, ...]:
    """The files of a conversion that is not refused."""
    made = convert(file, target)
    assert not isinstance(made, RuntimeRefusal), made.message
    return made


def said(file: Converted, weight: LossSeverity) -> list[str]:
    return [loss.message for loss in file.losses if loss.weight is weight]


def can(file: TemplateFile) -> frozenset:  # type: ignore[type-arg] # of abilities
    """All that an agent can do, by its tools and with what comes with them."""
    assert file.dialect.conversion is not None
    return reach(abilities_of(file, file.dialect.conversion).can)


def check(file: TemplateFile, converted: Converted) -> None:
    """That a converted file is sound, and that its agent can do no more than that of `file`."""
    conversion = file.dialect.conversion
    assert conversion is not None
    converted.path.parent.mkdir(parents=True, exist_ok=True)
    converted.path.write_bytes(converted.text.encode())
    after = again(file.workspace, converted.path)
    grave = [
        one
        for one in diagnostics(file.workspace, converted.path)
        if one.severity <= Severity.WARNING and one.code != "no-tools"
    ]
    assert grave == []
    forbidden = conversion.read_only(file.reading) if conversion.read_only is not None else None
    has_sandbox = after.dialect.id == "codex-templates"
    may = permitted(
        abilities_of(file, conversion), conversion, can_change=has_sandbox or not forbidden
    )
    assert can(after) <= may or said(converted, LossSeverity.WIDER)
    kept = after.dialect.tools.toolset(
        after.reading, tuple(t.name for t in after.dialect.tools.listed), 1
    )
    if not kept.kept and not kept.open_patterns:
        losses = " ".join(loss.message for loss in converted.losses)
        assert "no tool" in losses or "not a known tool" in losses
    prompts = [block.text.strip() for block in file.reading.effective.blocks]
    assert after.reading.effective.default.text.strip() in prompts
    converted.path.unlink()


SHIPPED = [(turn, *case) for turn, case in enumerate(shipped())]
_EVERY_SIXTH = SHIPPED[::6]


@each(
    _EVERY_SIXTH,
    more=[case for case in SHIPPED if case not in _EVERY_SIXTH],
    called=lambda case: case[2].relative_to(ROOT).as_posix(),
)
def test_every_shipped_template_is_converted_to_a_sound_one_or_refused(
    case: tuple[int, str, Path], tmp_path: Path
) -> None:
    turn, source, path = case
    template = held(tmp_path, source, path.read_bytes().decode("utf-8"), path.stem)
    for target in share(targets(SYSTEMS, template.dialect), turn):
        made = convert(template, target)
        if isinstance(made, RuntimeRefusal):
            assert made.message
            assert "examples" in path.parts or "without tools" in made.message
            continue
        for file in made:
            check(template, file)


@pytest.mark.parametrize("source", CONVERTIBLE, ids=lambda dialect: dialect.id)
def test_there_is_no_conversion_into_the_same_system(source: Dialect, tmp_path: Path) -> None:
    file = held(tmp_path, source.id, SIMPLE[source.id])
    made = convert(file, source)

    assert isinstance(made, RuntimeRefusal)
    assert made.message == f"it is a template of `{source.id}` already"
    assert source not in targets(SYSTEMS, source)


SIMPLE = {
    "moltis-agents": "---\nname: reviewer\n---\nReview it.\n",
    **dict.fromkeys(
        ("claude", "qwen"), "---\nname: reviewer\ndescription: Reviews.\n---\nReview it.\n"
    ),
    **dict.fromkeys(
        ("codex-templates", "codex-subagents", "copilot", "kodacode"),
        "---\ndescription: Reviews.\n---\nReview it.\n",
    ),
}
# What all of them can say: run commands, or search the web.
SHARED = {
    "claude": ("tools", ("Bash", "WebSearch")),
    "codex-templates": ("allow_list", ("exec_command", "web_search")),
    "codex-subagents": ("tools", ("shell", "web_search")),
    "kodacode": ("AllowTools", ("bash", "web_search")),
    # There is no tool that searches the web.
    "copilot": ("tools", ("execute", "web/fetch")),
    "qwen": ("tools", ("run_shell_command", "web_search")),
}


def _goes_back(case: tuple[Dialect, Dialect, tuple[int, ...]]) -> bool:
    source, there, chosen = case
    # There an empty list is every tool.
    is_every = source.id in ("codex-templates", "qwen") and not chosen
    is_lost = 1 in chosen and "copilot" in (source.id, there.id)
    return source is not there and not is_every and not is_lost


THERE_AND_BACK = [*filter(_goes_back, product(SOURCES, SOURCES, [(0,), (1,), (0, 1), ()]))]


@each(
    THERE_AND_BACK[::3],
    more=[case for at, case in enumerate(THERE_AND_BACK) if at % 3],
    called=lambda case: f"{case[0].id}-{case[1].id}-{case[2]}",
)
def test_there_and_back_again_keeps_description_prompt_and_what_the_agent_can_do(
    case: tuple[Dialect, Dialect, tuple[int, ...]], tmp_path: Path
) -> None:
    source, there, chosen = case
    key, tools = SHARED[source.id]
    listed = f"{key}: [{', '.join(tools[at] for at in chosen)}]"
    text = SIMPLE[source.id].replace("description: Reviews.", f"description: 'A: b'\n{listed}")
    file = held(tmp_path, source.id, text)
    [out] = files(file, there)
    [back] = files(put(file, out), source)
    again_ = put(file, back)

    assert again_.reading.effective.settings["description"].text == "A: b"
    assert again_.reading.effective.default.text.strip() == "Review it."
    assert can(again_) == can(file)


def lists(file: TemplateFile, target: Dialect) -> tuple[list[str] | None, list[str] | None]:
    """What the allow and the deny list of the only converted file say."""
    [converted] = files(file, target)
    found = put(file, converted).reading.effective.settings
    keys = (target.schema.by_role.get(holds) for holds in (KeyRole.ALLOW, KeyRole.DENY))
    values = (found.get(key.name) if key is not None else None for key in keys)
    allow, deny = ([one.text for one in v.items] if v is not None else None for v in values)
    return allow, deny


def claude(folder: Path, lines: str, body: str = "Review it.") -> TemplateFile:
    header = f"name: reviewer\ndescription: Reviews.\n{lines}"
    return held(folder, "claude", f"---\n{header}\n---\n{body}\n")


def codex(folder: Path, lines: str, body: str = "Review it.") -> TemplateFile:
    return held(folder, "codex-templates", f"---\ndescription: Reviews.\n{lines}\n---\n{body}\n")


@pytest.mark.parametrize("word", ["null", "~", "NULL"])
@pytest.mark.parametrize("target", ["codex-templates", "kodacode"])
def test_a_description_that_is_the_word_for_nothing_stays_a_text(
    target: str, word: str, tmp_path: Path
) -> None:
    text = f'---\nname: reviewer\ndescription: "{word}"\n---\nReview it.\n'
    [converted] = files(held(tmp_path, "claude", text), to(target))
    assert f'description: "{word}"\n' in converted.text


def test_a_tool_that_does_more_is_left_out_and_named(tmp_path: Path) -> None:
    template = claude(tmp_path, "tools: Edit, WebSearch")
    [file] = files(template, to("codex-templates"))

    assert lists(template, to("codex-templates"))[0] == ["web_search"]
    assert any(
        "`Edit`: in the other system `apply_patch`" in one for one in said(file, LossSeverity.LOST)
    )
    both = claude(tmp_path / "both", "tools: Edit, Write")
    assert lists(both, to("codex-templates"))[0] == ["apply_patch"]


@pytest.mark.parametrize("entry", ["Bash(git:*)", "Bash, Bash(git log, x)", "'Bash(git:*)'"])
def test_a_tool_of_which_only_some_uses_are_allowed_is_left_out(entry: str, tmp_path: Path) -> None:
    template = claude(
        tmp_path, f"tools: [Read, {entry}]" if "'" in entry else f"tools: Read, {entry}"
    )
    [file] = files(template, to("kodacode"))

    assert lists(template, to("kodacode"))[0] == ["read"]
    assert any("only some uses of `Bash`" in one for one in said(file, LossSeverity.LOST))


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
    template = codex(tmp_path, lines)
    for name, tool in (("codex-subagents", "shell"), ("claude", "Bash"), ("kodacode", "bash")):
        allow, deny = lists(template, to(name))
        assert tool in (deny or ()) or (allow is not None and tool not in allow)
        [file] = files(template, to(name))
        assert any("`local_shell`" in one for one in said(file, LossSeverity.LOST))


def test_a_tool_for_commands_that_is_allowed_by_its_name_is_kept(tmp_path: Path) -> None:
    file = codex(tmp_path, "allow_list: [exec_command, shell]\ndeny_list: [shell]")

    assert lists(file, to("codex-subagents")) == (["shell"], None)


def test_what_is_denied_is_denied_there_or_the_rest_is_written_out(tmp_path: Path) -> None:
    file = claude(tmp_path, "disallowedTools: Edit, Write, mcp__github")

    assert lists(file, to("codex-templates")) == (None, ["apply_patch", "mcp__github__*"])
    allow, deny = lists(file, to("codex-subagents"))
    assert allow is not None
    assert deny is None
    assert "shell" in allow
    assert "apply_patch" not in allow


def test_what_is_denied_by_name_is_not_given_for_what_comes_with_another_tool(
    tmp_path: Path,
) -> None:
    """Who runs commands can read; but an author who denies `Read` does not want it."""
    file = claude(tmp_path, "disallowedTools: Read")

    assert lists(file, to("codex-templates")) == (None, ["read_file"])


@pytest.mark.parametrize(
    ("source", "key", "denied"),
    [("codex-templates", "deny_list", "mcp__g*"), ("kodacode", "DisallowedTools", "mcp_g__get")],
)
def test_what_is_denied_of_servers_nobody_can_name_denies_all_of_them(
    source: str, key: str, denied: str, tmp_path: Path
) -> None:
    text = SIMPLE[source].replace("description", f"{key}: ['{denied}']\ndescription", 1)
    template = held(tmp_path, source, text)
    [file] = files(template, to("claude"))

    assert lists(template, to("claude")) == (None, ["mcp__*"])
    assert any(f"which tools `{denied}` denies" in one for one in said(file, LossSeverity.LOST))


def test_without_the_sandbox_no_tool_changes_anything(tmp_path: Path) -> None:
    template = codex(
        tmp_path, "read_only: true\nallow_list: [exec_command, apply_patch, spawn_agent]"
    )

    assert lists(template, to("claude"))[0] == ["Read", "Glob", "Grep"]
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
    assert said(file, LossSeverity.WIDER) == []


def test_an_agent_without_lists_may_do_more_and_the_report_says_so_first(tmp_path: Path) -> None:
    [file] = files(claude(tmp_path, "color: red"), to("codex-subagents"))

    assert "tools" not in file.text
    assert file.losses[0].weight is LossSeverity.WIDER
    assert "`view_image`" in file.losses[0].message


def test_a_definition_of_moltis_has_no_description(tmp_path: Path) -> None:
    template = claude(tmp_path, "tools: Read, Edit, Bash\ndisallowedTools: Edit")
    [file] = files(template, to("moltis-agents"))

    assert "tools: exec, process, Read, Glob, Grep\n" in file.text
    assert any("`description: Reviews.`: " in one for one in said(file, LossSeverity.LOST))
    [back] = files(put(template, file), to("claude"))
    assert "name: reviewer\ndescription: reviewer\ntools: Read, Glob, Grep, Bash\n" in back.text
    assert any(
        "has no descriptions: `reviewer` is used" in one for one in said(back, LossSeverity.NOTE)
    )


def test_what_cannot_be_denied_of_servers_is_written_out_without_them(tmp_path: Path) -> None:
    allow, deny = lists(claude(tmp_path, "disallowedTools: mcp__github"), to("moltis-agents"))

    assert allow is not None
    assert deny is None
    assert "exec" in allow


@pytest.mark.parametrize(
    ("line", "weight"),
    [
        ("permissionMode: dontAsk", LossSeverity.WIDER),
        ("permissionMode: bypassPermissions", LossSeverity.LOST),
        ("maxTurns: 3", LossSeverity.WIDER),
        ("isolation: worktree", LossSeverity.WIDER),
        ("hooks:\n  PreToolUse: []", LossSeverity.WIDER),
        ("mcpServers: [github]", LossSeverity.LOST),
        ("skills: style", LossSeverity.LOST),
        ("model: sonnet", LossSeverity.LOST),
        ("effort: high", LossSeverity.LOST),
        ("house_rule: none", LossSeverity.NOTE),
        ("# a comment", LossSeverity.NOTE),
    ],
)
@pytest.mark.parametrize("target", ["codex-templates", "codex-subagents", "kodacode"])
def test_a_key_that_is_lost_is_reported_at_its_place(
    line: str, weight: LossSeverity, target: str, tmp_path: Path
) -> None:
    template = claude(tmp_path, f"tools: WebSearch\n{line}")
    [file] = files(template, to(target))

    at = template.document.text.index(line)
    assert weight in [one.weight for one in file.losses if one.span.start == at]


@pytest.mark.parametrize("line", ["model: inherit", "background: false"])
def test_a_key_that_says_what_a_missing_one_says_is_not_lost(line: str, tmp_path: Path) -> None:
    [file] = files(claude(tmp_path, f"tools: Read\n{line}"), to("kodacode"))

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
    template = again(made.workspace, made.path)
    [file] = files(template, to("kodacode"))

    assert "  - bash\n" in file.text
    assert said(file, LossSeverity.WIDER) == []
    assert len([one for one in said(file, LossSeverity.NOTE) if "does nothing here" in one]) == 2


PERSONAS = """\
agent_names:
  - name: strict
    description: Strict.
    model: gpt-5
  - name: quick
    description: Quick."""
BLOCKS = "Default.\n<!-- agent_name: strict -->\nStrictly.\n<!-- agent_name: quick -->\nQuickly."


def test_each_persona_is_an_agent_of_its_own(tmp_path: Path) -> None:
    file = codex(tmp_path, PERSONAS, BLOCKS)
    made = files(file, to("claude"))

    assert [one.name for one in made] == ["reviewer", "reviewer-strict", "reviewer-quick"]
    agents = [put(file, one).reading.effective for one in made]
    assert [one.default.text for one in agents] == ["Default.", "Strictly.", "Quickly."]
    assert [one.settings["description"].text for one in agents] == ["Reviews.", "Strict.", "Quick."]
    assert any("`model: gpt-5`: " in one for one in said(made[1], LossSeverity.LOST))
    assert not any("gpt-5" in one.message for one in made[2].losses)


def test_one_persona_can_be_chosen(tmp_path: Path) -> None:
    file = codex(tmp_path, PERSONAS, BLOCKS)
    chosen = convert(file, to("claude"), persona="Quick")
    unknown = convert(file, to("claude"), persona="slow")

    assert isinstance(chosen, tuple)
    assert [one.name for one in chosen] == ["reviewer-quick"]
    assert isinstance(unknown, RuntimeRefusal)
    assert unknown.message == "there is no persona `slow`; there are `strict` and `quick`"


def test_a_name_that_the_other_system_does_not_take_is_changed_and_told(tmp_path: Path) -> None:
    template = held(tmp_path, "codex-subagents", SIMPLE["codex-subagents"], "Link_Checker")
    [file] = files(template, to("claude"))

    assert (file.name, file.path.name) == ("link-checker", "link-checker.md")
    assert any(
        "in the other system it is called `link-checker`" in one
        for one in said(file, LossSeverity.NOTE)
    )


@pytest.mark.parametrize(
    ("text", "target", "why"),
    [
        ("---\ndescription: A.\n---\n", "codex-subagents", "would refuse it"),
        ("---\nmodel: gpt-5\n---\nReview.\n", "claude", "has no description"),
        ("---\nread_only: yes\n---\nReview.\n", "claude", "does not read its header"),
        ("---\ndescription: A.\nReview.\n", "claude", "does not read its header"),
    ],
)
def test_what_would_not_load_is_refused_with_a_reason(
    text: str, target: str, why: str, tmp_path: Path
) -> None:
    made = convert(held(tmp_path, "codex-templates", text), to(target))

    assert isinstance(made, RuntimeRefusal)
    assert why in made.message


@pytest.mark.parametrize("lines", ["permissionMode: readonly", 'maxTurns: "ten"', "memory: none"])
def test_a_value_that_the_runtime_ignores_is_left_out_and_loses_nothing(
    lines: str, tmp_path: Path
) -> None:
    [file] = files(claude(tmp_path, f"tools: Read\n{lines}"), to("opencode"))

    shown = lines.replace('"', "")
    assert said(file, LossSeverity.NOTE) == [f"`{shown}` does nothing here: it is left out"]
    assert said(file, LossSeverity.WIDER) == said(file, LossSeverity.LOST) == []


def test_a_prompt_that_would_be_cut_is_refused(tmp_path: Path) -> None:
    file = claude(tmp_path, "tools: WebSearch", "Write:\n<!-- agent_name: x -->\nand more")
    made = convert(file, to("codex-templates"))

    assert isinstance(made, RuntimeRefusal)
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
    template = again(made.workspace, made.path)
    [file] = files(template, to("codex-subagents"))

    assert body in file.text
    notes = " ".join(said(file, LossSeverity.NOTE))
    assert "the prompt speaks of `wait`; which the other system does not have" in notes
    assert "the prompt mentions the agent `helper`" in notes
    assert "exec_command" not in notes
    assert "update_plan" not in notes


def test_it_goes_where_the_template_is_or_where_somebody_says(tmp_path: Path) -> None:
    file = codex(tmp_path, "model: gpt-5")
    here, home = convert(file, to("claude")), convert(file, to("claude"), scope="user")

    assert isinstance(here, tuple)
    assert isinstance(home, tuple)
    assert here[0].path == file.root / ".claude/agents/reviewer.md"
    assert home[0].path == tmp_path / "home/.claude/agents/reviewer.md"


NAMES = {dialect.id: [tool.name for tool in dialect.tools.listed] for dialect in CONVERTIBLE}
SERVERS = {
    "claude": ["mcp__github", "mcp__github__*", "mcp__docs__search"],
    "codex-templates": ["mcp__github__*", "mcp__docs__search", "*", "mcp__*", "*_agent", "mcp__g*"],
    "codex-subagents": ["github__search"],
    "kodacode": ["mcp:*", "mcp_docs__search"],
    "copilot": ["github/*", "docs/search", "read", "search", "execute", "*"],
    "qwen": ["mcp__github", "mcp__github__*", "mcp__docs__search", "*", "mcp__*"],
}


# Which of the other systems an example is tried with.
TURNS = st.integers(0, 4)


@st.composite
def policies(draw: st.DrawFn) -> tuple[str, str]:
    """A template of any system with any lists."""
    dialect = draw(st.sampled_from(SOURCES))
    entries = st.lists(
        st.sampled_from([*NAMES[dialect.id], *SERVERS[dialect.id], "strange"]),
        max_size=5,
        unique=True,
    )
    keys = [dialect.schema.by_role.get(holds) for holds in (KeyRole.ALLOW, KeyRole.DENY)]
    lines = [
        f"{key.name}: [{', '.join(map(repr, draw(entries)))}]"
        for key in keys
        if key is not None and draw(st.booleans())
    ]
    if dialect.id == "codex-templates" and draw(st.booleans()):
        lines.append("read_only: true")
    if dialect.id in ("claude", "qwen") and draw(st.booleans()):
        lines.append("permissionMode: plan")
    text = SIMPLE[dialect.id].replace("description:", "\n".join((*lines, "description:")), 1)
    return dialect.id, text


@settings(max_examples=examples(120), deadline=None)
@given(policies(), TURNS)
def test_no_policy_lets_the_new_agent_do_more_without_saying_so(
    tmp_path_factory: pytest.TempPathFactory, made: tuple[str, str], turn: int
) -> None:
    source, text = made
    never_wider(held(tmp_path_factory.mktemp("any"), source, text), turn)


def never_wider(file: TemplateFile, turn: int, agent_name: str | None = None) -> None:
    """That no conversion of an agent lets it do more, unless that is said."""
    chosen = one_of(file, agent_name)
    assert not isinstance(chosen, RuntimeRefusal)
    file = chosen
    conversion = file.dialect.conversion
    assert conversion is not None
    for target in share(targets(SYSTEMS, file.dialect), turn):
        found = convert(file, target, agent_name=agent_name)
        if isinstance(found, RuntimeRefusal):
            assert target.id == "moltis-agents"
            assert "without tools" in found.message
            continue
        [converted] = found
        after = put(file, converted)
        assert target.conversion is not None
        forbidden = conversion.read_only is not None and conversion.read_only(file.reading)
        sandbox = target.id == "codex-templates"
        before = abilities_of(file, conversion)
        may = permitted(before, conversion, can_change=sandbox or not forbidden)
        then = abilities_of(after, target.conversion)
        if (
            target.variants.forms is not None
            and target.variants.forms == file.dialect.variants.forms
        ):
            same = {one.tool for one in then.kept} == {one.tool for one in before.kept}
            assert same or file.reading.generation != "TODAY"
            if same:
                continue
        if not said(converted, LossSeverity.WIDER):
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
        assert not sandbox or bool(forbidden) == ("read_only: true" in converted.text)


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
    prompt = 'system_prompt_suffix = "Look at it."'
    table = "\n".join(("[agents.presets.scout]", *lines, prompt, ""))
    return table, "\n".join(("---", "name: scout", *header, "---", "Look at it.", ""))


@settings(max_examples=examples(60), deadline=None)
@given(presets(), TURNS)
def test_no_preset_or_definition_of_moltis_lets_the_new_agent_do_more_without_saying_so(
    tmp_path_factory: pytest.TempPathFactory, made: tuple[str, str], turn: int
) -> None:
    table, definition = made
    never_wider(held(tmp_path_factory.mktemp("definition"), "moltis-agents", definition), turn)
    two = f"{table}[agents.presets.other]\nmodel = 'gpt-4o'\n"
    never_wider(configured(tmp_path_factory.mktemp("preset"), two), turn, "scout")


def configured(folder: Path, text: str) -> TemplateFile:
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
    file = configured(tmp_path, SCOUT)
    made = convert(file, to("claude"), agent_name="scout")

    assert isinstance(made, tuple)
    assert made[0].path == file.root / ".claude/agents/scout.md"
    assert "tools: Read, Glob, Grep, Bash\n---\n\nLook around.\n# Report\n" in made[0].text
    wider = said(made[0], LossSeverity.WIDER)
    assert [one.partition("` is lost")[0] for one in wider] == [
        "`max_iterations: 7",
        "`mcp.deny_servers",
    ]
    spans = {loss.span.of(file.document.text) for loss in made[0].losses}
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
    assert gone.weight is LossSeverity.WIDER
    assert note.message.endswith("remove it from moltis.toml to use the other one")


@pytest.mark.parametrize(
    ("text", "name", "why"),
    [
        (SCOUT, None, "none of its agents is selected: there are `scout` and `lead`"),
        (SCOUT, "scot", "there is no `scot`; there are `scout` and `lead`"),
        ("[agents]\n", None, "it defines no agent"),
        (f"{SCOUT}\nmodel = ${{MODEL}}\n", "lead", "the values of the variables in it"),
        (f"{SCOUT}\ntimeout_secs = '1'\n", "scout", "does not read its header"),
    ],
)
def test_a_preset_that_nobody_can_tell_is_refused_with_a_reason(
    text: str, name: str | None, why: str, tmp_path: Path
) -> None:
    made = convert(configured(tmp_path, text), to("claude"), agent_name=name)

    assert isinstance(made, RuntimeRefusal)
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
    file = claude(tmp_path, "tools: Read")
    made = convert(file, to("moltis"))

    assert to("moltis") not in targets(SYSTEMS, file.dialect)
    assert isinstance(made, RuntimeRefusal)


def test_a_file_of_one_agent_takes_no_name(tmp_path: Path) -> None:
    made = convert(claude(tmp_path, "tools: Read"), to("kodacode"), agent_name="reviewer")

    assert isinstance(made, RuntimeRefusal)
    assert "a file for each agent" in made.message
