"""Hover says in its first line what the place amounts to, also in a header that is not sound."""

from pathlib import Path

import pytest

from agent_lsp.analysis.hover import hover, hover_of
from agent_lsp.data_classes import replace
from agent_lsp.options import Extras, Options
from agent_lsp.workspace.snapshot import template_file
from tests.fixture import Fixture, fixture


def shown(made: Fixture, offset: int | None = None) -> str:
    """The hover at the cursor, links without their addresses."""
    found = hover(made.workspace, made.path, made.offset if offset is None else offset)
    return "" if found is None else _plain(made, found.markdown)


def first(made: Fixture) -> str:
    return shown(made).partition("\n")[0]


def span(made: Fixture) -> str:
    found = hover(made.workspace, made.path, made.offset)
    assert found is not None
    return found.span.of(made.text)


def _plain(made: Fixture, markdown: str) -> str:
    base = made.root.parent.as_uri()
    for path in sorted(made.root.parent.rglob("*.md"), key=lambda path: -len(str(path))):
        markdown = markdown.replace(f"{base}/{path.relative_to(made.root.parent)}", "…")
    builtin = made.workspace.host_paths.templates / "codex-templates/builtin"
    return markdown.replace(builtin.as_uri(), "…")


# Keys.


def test_a_key_says_what_it_is_for_what_holds_without_it_and_who_needs_it(tmp_path: Path) -> None:
    made = fixture(tmp_path, "---\ndescr$0iption: |\n  Reviews\n  all.\n---\nbody\n")

    assert span(made) == "description"
    assert (
        shown(made)
        == """\
`description` (string): what the role is for, as `list_agents` and the `spawn_agent` schema show it

- without it: `list_agents` refuses the template
- required by list_agents
- with a type of value that it does not take: the whole file becomes the prompt and `model`, \
`read_only`, `allow_list` and `deny_list` are lost at spawn; `list_agents` fails

`description`, 12 characters, as the runtime reads it:

```text
Reviews
all.
```

In a session in `workspace/` the description of `spawn_agent` shows all of it, 12 characters: \
number 4 by name, of 12 at most
"""
    )


@pytest.mark.parametrize(
    ("text", "shown_of_it"),
    [
        ("", "only the name of this role"),
        ("d", "all of it, 1 character"),
        ("d" * 120, "all of it, 120 characters"),
        ("ä" * 121, "its first 119 characters and `…` for the other 2"),
    ],
)
def test_a_description_says_how_much_of_it_a_spawning_agent_reads(
    text: str, shown_of_it: str, tmp_path: Path
) -> None:
    made = fixture(tmp_path, f"---\ndescription$0: ' {text} '\n---\nbody\n")

    assert shown(made).endswith(
        "In a session in `workspace/` the description of `spawn_agent` shows "
        f"{shown_of_it}: number 4 by name, of 12 at most\n"
    )
    is_one = "`description`, 1 character, as the runtime reads it:" in shown(made)
    assert is_one is (len(text) == 1)


def test_a_spawning_agent_reads_of_twelve_roles_the_first_by_name(tmp_path: Path) -> None:
    others = "".join(f"//- .codex/.agents/a{number}.md\nx\n" for number in range(9))
    source = "//- .codex/.agents/z.md\n---\ndescription$0: d\n---\nbody\n"

    few = shown(fixture(tmp_path / "few", source.replace("z.md", "b.md") + others))
    last = shown(fixture(tmp_path / "last", source.replace("z.md", "f.md") + others))
    many = shown(fixture(tmp_path / "many", source + others))

    assert few.endswith("all of it, 1 character: number 11 by name, of 12 at most\n")
    assert last.endswith("all of it, 1 character: number 12 by name, of 12 at most\n")
    assert many.endswith(
        "In a session in `workspace/` the description of `spawn_agent` leaves this role out: it "
        "has the first 12 by name\n"
    )


def test_nothing_is_read_of_a_description_that_is_not_used(tmp_path: Path) -> None:
    persona = (
        "---\nagent_names:\n  - name: a\n    description$0: d\n---\nx\n<!-- agent_name: a -->\n"
    )
    source = "//- ~/.codex/.agents/a.md\n---\ndescription$0: d\n---\nx\n"
    shadow = "//- .codex/.agents/a.md\n---\ndescription: e\n---\nx\n"

    assert "In a session" not in shown(fixture(tmp_path / "a", persona))
    assert "In a session" not in shown(fixture(tmp_path / "b", source + shadow))


def test_a_key_with_a_few_words_names_them(tmp_path: Path) -> None:
    made = fixture(tmp_path, "---\nreasoning_effort$0:\n---\nbody\n")

    assert (
        "`reasoning_effort` (one of a few words: `none`, `minimal`, `low`, `medium`, `high`, "
        "`xhigh`): how long the model reasons, unless the `spawn_agent` call says otherwise"
    ) in shown(made).splitlines()


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (
            "mod$0le: x",
            "`modle` is not a key here: the runtime ignores it; did you mean `model`?",
        ),
        (
            "modle: x$0",
            "`modle` is not a key here: the runtime ignores it; did you mean `model`?",
        ),
        (
            "agent_names:\n  - name: a\n    modl: x$0",
            "`modl` is not a key here: the runtime ignores it; did you mean `model`?",
        ),
        ("meta:\n  model$0: x", "`model` is not a key here: the runtime ignores it"),
        ("meta:\n  model: x$0", "`model` is not a key here: the runtime ignores it"),
        ("zzz$0: x", "`zzz` is not a key here: the runtime ignores it"),
        ("owner$0: x", "`owner` is not a key of the runtime; your settings list it"),
        (
            "agent_names:\n  - name: a\n    modl$0: x",
            "`modl` is not a key here: the runtime ignores it; did you mean `model`?",
        ),
    ],
)
def test_a_key_that_the_system_lacks_is_ignored(header: str, expected: str, tmp_path: Path) -> None:
    options = Options(extras={"codex-templates": Extras(keys=("owner",))})
    source = f"---\n{header}\n---\nbody\n<!-- agent_name: a -->\n"

    assert first(fixture(tmp_path, source, options=options)) == expected


def test_a_note_about_a_key_is_one_line_more(tmp_path: Path) -> None:
    made = fixture(tmp_path, "---\nmod$0el: gpt-5\n---\nbody\n")
    file = template_file(made.workspace, made.path)
    assert file is not None
    noted = replace(
        file,
        dialect=replace(
            file.dialect,
            findings=replace(file.dialect.findings, notes={"model": "the code does otherwise"}),
        ),
    )

    found = hover_of(noted, made.offset)

    assert found is not None
    assert found.markdown.endswith("\n\nthe code does otherwise\n")


# Model, effort, sandbox.


def test_a_model_comes_with_its_chain_and_what_is_known_of_it(tmp_path: Path) -> None:
    made = fixture(
        tmp_path,
        """
        ---
        model: gpt-5$0
        agent_names:
          - name: fast
            model: gpt-5.1-codex-mini
          - name: plain
        ---
        Review.
        <!-- agent_name: fast -->
        <!-- agent_name: plain -->
        """,
    )

    assert span(made) == "gpt-5"
    assert (
        shown(made)
        == """\
`model` is `gpt-5`, from the template

1. the `spawn_agent` call: not set
2. **the template: `gpt-5`** ([.codex/.agents/reviewer.md:2](…#L2))
3. the agent that spawns: not known here

the effort is inherited, and with `gpt-5` the call is refused unless the agent that spawns has \
one of `none`, `minimal`, `low`, `medium`, `high`

`gpt-5` is in the model list that the runtime ships: supports `minimal`, `low`, `medium`, `high`

With a value of their own:

- persona `fast`: `gpt-5.1-codex-mini` ([.codex/.agents/reviewer.md:5](…#L5))
"""
    )


def test_a_personas_model_is_seen_from_the_persona(tmp_path: Path) -> None:
    made = fixture(
        tmp_path,
        """
        ---
        reasoning_effort: high
        agent_names:
          - name: fast
            model: gpt-5.3-codx$0
        ---
        Review.
        <!-- agent_name: fast -->
        """,
    )

    assert (
        shown(made)
        == """\
`model` is `gpt-5.3-codx` for persona `fast`, from persona `fast`

1. the `spawn_agent` call: not set
2. **persona `fast`: `gpt-5.3-codx`** ([.codex/.agents/reviewer.md:5](…#L5))
3. the template: not set
4. the agent that spawns: not known here

`gpt-5.3-codx` is not in the model list that the runtime ships, so it depends on the provider's \
own list; did you mean `gpt-5.3-codex`?
"""
    )


def test_a_model_that_the_settings_name_is_known(tmp_path: Path) -> None:
    options = Options(extras={"codex-templates": Extras(models=("in-house",))})
    made = fixture(tmp_path, "---\nmodel: in-house$0\n---\nbody\n", options=options)

    assert (
        "`in-house` is not in the model list that the runtime ships; your settings name it"
        in shown(made)
    )


def test_an_effort_says_which_models_of_the_file_support_what(tmp_path: Path) -> None:
    made = fixture(tmp_path, "---\nmodel: gpt-5\nreasoning_effort: lo$0w\n---\nbody\n")

    assert (
        shown(made)
        == """\
`reasoning_effort` is `low`, from the template

1. the `spawn_agent` call: not set
2. **the template: `low`** ([.codex/.agents/reviewer.md:3](…#L3))
3. the agent that spawns: not known here

`low`: short reasoning

- `gpt-5` supports `minimal`, `low`, `medium`, `high`
"""
    )


def test_an_effort_that_the_model_lacks_is_a_refused_call(tmp_path: Path) -> None:
    made = fixture(
        tmp_path,
        """
        ---
        model: gpt-5
        reasoning_effort: high
        agent_names:
          - name: deep
            reasoning_effort: xhigh$0
        ---
        Review.
        <!-- agent_name: deep -->
        """,
    )

    assert (
        shown(made)
        == """\
**The runtime refuses the call**: reasoning_effort XHigh is not supported for model "gpt-5". \
Supported efforts: none, minimal, low, medium, high

- `model`: `gpt-5`, from the template ([.codex/.agents/reviewer.md:2](…#L2))
- `reasoning_effort`: `xhigh`, from persona `deep` ([.codex/.agents/reviewer.md:6](…#L6))
- `reasoning_effort`: `high`, from the template ([.codex/.agents/reviewer.md:3](…#L3))

`xhigh`: the longest reasoning, on the models that have it

- `gpt-5` supports `minimal`, `low`, `medium`, `high`
"""
    )


def test_a_model_that_the_file_does_not_name_comes_with_where_it_comes_from(
    tmp_path: Path,
) -> None:
    source = "//- .codex/.agents/explorer.md\n---\nreasoning_effort: xhi$0gh\n---\nbody\n"

    blocks = shown(fixture(tmp_path, source)).split("\n\n")

    assert blocks[1] == (
        "- `model`: `gpt-5.1-codex-mini`, from the runtime's built-in role `explorer`\n"
        "- `reasoning_effort`: `xhigh`, from the template "
        "([.codex/.agents/explorer.md:2](…#L2))\n"
        "- `reasoning_effort`: `medium`, from the runtime's built-in role `explorer`"
    )


def test_a_refused_call_still_shows_what_the_refusal_is_not_about(tmp_path: Path) -> None:
    header = "model: gpt-5\nreasoning_effort: xhigh\nread_only: tr$0ue"
    made = fixture(tmp_path, f"---\n{header}\n---\nbody\n")

    assert (
        shown(made)
        == """\
**The runtime refuses the call**: reasoning_effort XHigh is not supported for model "gpt-5". \
Supported efforts: none, minimal, low, medium, high

`sandbox` is `read-only`, from `read_only` of the template

1. **`read_only` of the template: `read-only`** ([.codex/.agents/reviewer.md:4](…#L4))
2. the agent that spawns: not known here
"""
    )


def test_where_a_persona_must_be_chosen_the_first_one_stands_for_all(tmp_path: Path) -> None:
    blocks = "<!-- agent_name: a -->\nA.\n<!-- agent_name: b -->\nB.\n"
    made = fixture(tmp_path, f"---\nread_only: tr$0ue\n---\n{blocks}")

    assert shown(made).startswith(
        '**The runtime refuses the call**: agent_type "reviewer" requires agent_name selection\n\n'
        "`sandbox` is `read-only` for persona `a`, from `read_only` of the template\n"
    )


def test_read_only_false_leaves_the_sandbox_to_the_caller(tmp_path: Path) -> None:
    made = fixture(tmp_path, "---\nread_only: fal$0se\n---\nbody\n")

    assert (
        shown(made)
        == """\
`sandbox` is inherited, from the agent that spawns

1. `read_only` of the template: `false`: inherits ([.codex/.agents/reviewer.md:2](…#L2))
2. **the agent that spawns: not known here**
"""
    )


def test_a_built_in_roles_own_model_takes_part(tmp_path: Path) -> None:
    made = fixture(tmp_path, "//- .codex/.agents/explorer.md\n---\nmodel$0:\n---\nbody\n")

    assert (
        "2. the template: not set\n"
        "3. **the runtime's built-in role `explorer`: `gpt-5.1-codex-mini`**\n"
    ) in shown(made)


# Tools.

POLICY = """
    ---
    allow_list:
      - exec_command
      - "*_agent"
      - mcp__github__*
      - mcp__jira__read
    deny_list: [close_agent, mcp__github__merge]
    ---
    Review.
    """


def policy(made_in: Path, old: str, new: str, options: Options | None = None) -> Fixture:
    assert old in POLICY
    return fixture(made_in, POLICY.replace(old, new, 1), options=options)


def test_a_list_shows_the_effective_tools_and_counts_the_others_by_reason(tmp_path: Path) -> None:
    made = policy(tmp_path, "allow_list", "allow$0_list")

    assert (
        shown(made)
        == """\
Keeps 3 of the 29 tools known here: `exec_command`, `spawn_agent`, `resume_agent`

Also any MCP tool that matches `*_agent`, `mcp__github__*`, `mcp__jira__read`, but none \
that matches `mcp__github__merge`.

Removed:

- 25 tools: not in `allow_list` ([.codex/.agents/reviewer.md:3](…#L3))
- `close_agent`: denied by `close_agent` ([.codex/.agents/reviewer.md:7](…#L7))

Of the 29 tools that this runtime can have, which ones a session has depends on its model, its \
features and its other settings

---

`allow_list` (list of strings): the only tools that the agent keeps; exact names and patterns \
with `*` and `?`

- without it: every tool that the runtime has
- with a type of value that it does not take: the whole file becomes the prompt and `model`, \
`read_only`, `allow_list` and `deny_list` are lost at spawn; `list_agents` fails
"""
    )


def test_no_hover_says_a_sentence_twice(tmp_path: Path) -> None:
    header = "name: a\ndescription: Reviews.\nto$0ols: Read"
    allowed = fixture(tmp_path / "1", f"//- .claude/agents/a.md\n---\n{header}\n---\nReview.\n")
    preset = '[agents.presets.a$0]\ntools.allow = ["read_file"]\n'
    table = fixture(tmp_path / "2", f"//- moltis.toml\n{preset}")
    for found in (allowed, table):
        told = hover(found.workspace, found.path, found.offset)
        assert told is not None
        lines = [line for line in told.markdown.splitlines() if line]
        assert len(lines) == len(set(lines)), told.markdown
        assert told.markdown.count("tools known here") == 1


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "exec_command",
            "exec_$0command",
            """\
**`exec_command`: this agent has it where it exists**, allowed by `exec_command` \
([.codex/.agents/reviewer.md:3](…#L3))

It starts a command in a terminal and returns its output (execution)

It exists only if unified exec is on, by the feature `unified_exec` or by the model; a session \
offers only one of `exec_command`, `shell`, `shell_command` and `local_shell`
""",
        ),
        (
            "exec_command",
            "update_$0plan",
            """\
**`update_plan`: this agent has it**, allowed by `update_plan` \
([.codex/.agents/reviewer.md:3](…#L3))

It keeps the visible plan up to date (execution)
""",
        ),
        (
            "exec_command",
            "spawn_$0agent",
            """\
**`spawn_agent`: this agent has it where it exists**, allowed by `spawn_agent` \
([.codex/.agents/reviewer.md:3](…#L3))

It starts another agent (collaboration)

It exists only if the feature `collab` is on

Not when it is spawned at depth 2: an agent at depth 2 has no collaboration tools

An agent that it starts has the tools that its own template leaves, not the tools of this \
one: an agent with few tools can start one with all of them

A session has at most 12 spawned agents open at a time, unless `agents.max_threads` of the \
configuration says otherwise; one more is refused
""",
        ),
        (
            "close_agent",
            "close_$0agent",
            """\
**`close_agent`: this agent does not have it**, denied by `close_agent` \
([.codex/.agents/reviewer.md:7](…#L7))

It ends an agent (collaboration)
""",
        ),
        (
            '"*_agent"',
            '"*_$0agent"',
            """\
`*_agent` allows 3 of the 29 tools known here: `spawn_agent`, `resume_agent`, `close_agent`

But this agent does not have:

- `close_agent`, denied by `close_agent` ([.codex/.agents/reviewer.md:7](…#L7))
""",
        ),
        (
            "mcp__github__*",
            "mcp__$0github__*",
            """\
`mcp__github__*` allows any MCP tool of that form, and none of the 29 tools known here

Only the running servers know which MCP tools exist

But none that matches `mcp__github__merge`
""",
        ),
        (
            "mcp__github__*",
            "mcp__github__mer$0ge",
            """\
**`mcp__github__merge`: this agent does not have it**, denied by `mcp__github__merge` \
([.codex/.agents/reviewer.md:7](…#L7))

A tool of an MCP server: it exists where that server runs and offers it
""",
        ),
        (
            "close_agent",
            "'?ai$0t'",
            "`?ait` denies 1 of the 29 tools known here: `wait`\n",
        ),
        (
            "close_agent",
            "'exec-$0*'",
            "`exec-*` matches none of the 29 tools known here\n",
        ),
        (
            "exec_command",
            "exec_comand$0",
            (
                "`exec_comand` is **not a known tool**: the entry may have no effect; "
                "did you mean `exec_command`?\n"
            ),
        ),
    ],
)
def test_an_entry_says_what_it_does_to_this_agent(
    old: str, new: str, expected: str, tmp_path: Path
) -> None:
    assert shown(policy(tmp_path, old, new)) == expected


def test_a_pattern_whose_mcp_tools_are_all_denied_says_so(tmp_path: Path) -> None:
    made = fixture(tmp_path, "---\nallow_list: [mcp$0*]\ndeny_list: [mcp__*]\n---\nbody\n")

    assert (
        shown(made)
        == """\
`mcp*` allows any MCP tool of that form, and none of the 29 tools known here

Only the running servers know which MCP tools exist

But every MCP tool of that form is denied
"""
    )


def builtin(made: Fixture, name: str, anchor: str) -> str:
    """The hover behind `anchor` in a template that the product ships."""
    path = made.workspace.host_paths.templates / f"codex-templates/builtin/{name}.md"
    file = template_file(made.workspace, path)
    assert file is not None
    found = hover_of(file, file.document.text.index(anchor) + len(anchor))
    assert found is not None
    return _plain(made, found.markdown)


@pytest.mark.parametrize(
    ("anchor", "expected"),
    [
        (
            "  - mcp__*",
            """\
`mcp__*` is a **stand-in**: the runtime's own list has the names of 75 tools of four MCP servers \
here

It is unknown whether this agent has one of the tools that it matches
""",
        ),
        (
            "  - mcp*",
            """\
`mcp*` allows any MCP tool of that form, and none of the 29 tools known here

Only the running servers know which MCP tools exist

But perhaps not one that matches `mcp__*`, a **stand-in** for the names of 75 tools of four MCP \
servers
""",
        ),
    ],
)
def test_an_entry_that_is_not_the_runtimes_own_is_marked(
    anchor: str, expected: str, tmp_path: Path
) -> None:
    assert builtin(fixture(tmp_path, "x"), "explorer", anchor) == expected


def test_a_list_with_such_an_entry_is_marked(tmp_path: Path) -> None:
    blocks = builtin(fixture(tmp_path, "x"), "explorer", "deny_list").split("\n\n")

    assert blocks[1] == (
        "Also any MCP tool that matches `mcp*`, but perhaps not one that matches `mcp__*`, "
        "a **stand-in** for the names of 75 tools of four MCP servers."
    )


@pytest.mark.parametrize("vouched", ["deploy", "dep*"])
def test_a_tool_that_the_settings_name_is_known(vouched: str, tmp_path: Path) -> None:
    options = Options(extras={"codex-templates": Extras(tools=(vouched,))})
    made = policy(tmp_path, "exec_command", "dep$0loy", options)

    assert shown(made).endswith("\n\nThe runtime does not ship it; your settings name it\n")


# Personas.

PERSONAS = """
    ---
    description: Reviews.
    model: gpt-5.3-codex
    read_only: true
    agent_names:
      - name: Fast
        description: A *quick* look.
        reasoning_effort: low
      - name: lost
    ---
    Review.

    <!-- agent_name: fast -->
    Be fast.
    """

RESOLVED = """\
**Persona `fast`**: `model` `gpt-5.3-codex`, `reasoning_effort` `low`, `sandbox` `read-only`

- `model`: `gpt-5.3-codex`
  1. the `spawn_agent` call: not set
  2. persona `fast`: not set
  3. **the template: `gpt-5.3-codex`** ([.codex/.agents/reviewer.md:3](…#L3))
  4. the agent that spawns: not known here
- `reasoning_effort`: `low`
  1. the `spawn_agent` call: not set
  2. **persona `fast`: `low`** ([.codex/.agents/reviewer.md:8](…#L8))
  3. the template: not set
  4. the agent that spawns: not known here
- `sandbox`: `read-only`
  1. **`read_only` of the template: `read-only`** ([.codex/.agents/reviewer.md:4](…#L4))
  2. the agent that spawns: not known here

A \\*quick\\* look.
"""


def personas(
    made_in: Path, old: str, new: str, *, without: str = "\n      - name: lost"
) -> Fixture:
    assert old in PERSONAS
    return fixture(made_in, PERSONAS.replace(without, "", 1).replace(old, new, 1))


def test_a_declared_name_resolves_to_all_that_the_persona_is(tmp_path: Path) -> None:
    made = personas(tmp_path, "name: Fast", "name: Fa$0st")

    prompt = "\nIts prompt: 1 line, 8 characters ([.codex/.agents/reviewer.md:12](…#L12))\n"
    assert shown(made) == RESOLVED + prompt


def test_a_marker_resolves_to_the_same(tmp_path: Path) -> None:
    made = personas(tmp_path, "agent_name: fast", "agent_name: fa$0st")

    assert span(made) == "<!-- agent_name: fast -->"
    assert shown(made) == f"{RESOLVED}\nIts prompt: 1 line, 8 characters\n"


def test_the_list_of_personas_is_a_line_each(tmp_path: Path) -> None:
    made = personas(tmp_path, "agent_names", "agent$0_names")

    assert shown(made).startswith("""\
- `fast`: `model` `gpt-5.3-codex`, `reasoning_effort` `low`, `sandbox` `read-only`; \
prompt: 1 line, 8 characters
""")


def test_a_persona_without_a_block_refuses_the_header_and_says_so(tmp_path: Path) -> None:
    made = personas(tmp_path, "name: lost", "name: lo$0st", without="\0")

    blocks = shown(made).split("\n\n")
    assert blocks[0] == (
        "**The header is refused: the whole file becomes the prompt and `model`, `read_only`, "
        "`allow_list` and `deny_list` are lost at spawn; `list_agents` fails**"
    )
    assert blocks[1] == '`invalid agent_names: missing agent_name block for "lost"`'
    assert blocks[2] == "As written:"
    assert blocks[3] == (
        '**Persona `lost`**: the runtime refuses the call: unknown agent_name "lost" for '
        'agent_type "reviewer"'
    )
    assert blocks[4] == "It has no block: no line `<!-- agent_name: lost -->` in the body\n"


def test_a_block_that_is_not_declared_is_named_as_such(tmp_path: Path) -> None:
    made = fixture(tmp_path, "---\nmodel: gpt-5\n---\nbody\n<!-- agent_name: b$0 -->\nB.\nC.\n")

    blocks = shown(made).split("\n\n")
    assert blocks[0] == "**Persona `b`**: `model` `gpt-5`"
    assert blocks[2].startswith(
        "the effort is inherited, and with `gpt-5` the call is refused unless"
    )
    assert blocks[3:] == [
        "The header does not declare it under `agent_names`",
        "Its prompt: 2 lines, 5 characters\n",
    ]


def test_a_marker_that_continues_a_block_points_to_its_beginning(tmp_path: Path) -> None:
    marker = "<!-- agent_name: b -->\n"
    made = fixture(tmp_path, f"body\n{marker}B.\n{marker.replace('b ', 'b$0 ')}C.\n")

    end = "Continues the block that begins above ([.codex/.agents/reviewer.md:2](…#L2))\n"
    assert shown(made).endswith(f"Its prompt: 2 lines, 5 characters\n\n{end}")


# The file.


def test_the_first_line_says_which_file_wins_and_for_whom(tmp_path: Path) -> None:
    source = """
        //- sub/.codex/.agents/worker.md
        $0---
        description: d
        model: gpt-5
        allow_list: [wait]
        ---
        body
        //- .codex/.agents/worker.md
        ---
        description: d
        ---
        body
        //- ~/.codex/.agents/worker.md
        user
        """

    made = fixture(tmp_path, source)

    assert span(made) == "---"
    assert (
        shown(made)
        == """\
**This file is `worker`** (project)

- shadows [.codex/.agents/worker.md](…) (project), then [~/.codex/.agents/worker.md](…) (user), \
then [templates/codex-templates/builtin/worker.md](…/worker.md) (built into the runtime)
- found only by sessions that start in `sub/` or below
- `spawn_agent`: `model` `gpt-5`, 1 of the 29 tools known here
- `list_agents` accepts it
"""
    )


def test_a_shadowed_file_says_by_whom(tmp_path: Path) -> None:
    source = "//- ~/.codex/.agents/a.md\n$0---\n---\nuser\n//- .codex/.agents/a.md\nproject\n"

    assert (
        shown(fixture(tmp_path, source))
        == """\
**Another file is `a`**, and this one is not used

- shadowed by [.codex/.agents/a.md](…) (project)
- found by sessions in every folder (user)
- when it starts, the runtime copies `architect.md`, `explorer.md`, `orchestrator.md`, \
`worker.md` into this folder

when it starts, the runtime creates this folder and writes all its built-in templates into it, \
unless a file with one of their names exists
"""
    )


def test_a_users_file_says_what_keeps_the_runtime_from_copying_its_own(tmp_path: Path) -> None:
    source = "//- ~/.codex/.agents/a.md\n$0---\n---\nx\n//- ~/.codex/.agents/worker.md\ny\n"

    said = "- the runtime copies nothing into this folder, because of `worker.md`\n"
    assert said in shown(fixture(tmp_path, source))


def test_of_two_spellings_in_one_folder_the_second_is_shadowed(tmp_path: Path) -> None:
    source = "//- .codex/.agents/a.md\n$0---\n---\nx\n//- .codex/.agents/A.md\ny\n"
    user = "//- ~/.codex/.agents/a.md\n$0---\n---\nz\n"
    said = "- shadowed by [.codex/.agents/A.md](…) (project)\n- found by sessions "

    assert said in shown(fixture(tmp_path / "a", source))
    assert said in shown(fixture(tmp_path / "b", user + source.replace("$0", "")))


def test_a_file_tells_where_another_one_takes_its_place(tmp_path: Path) -> None:
    source = "//- .codex/.agents/a.md\n$0---\n---\nx\n//- sub/.codex/.agents/a.md\ny\n"

    assert (
        "- found by sessions that start in `workspace/` or below\n"
        "- in sessions that start in `sub/` or below, "
        "[sub/.codex/.agents/a.md](…) (project) wins\n"
    ) in shown(fixture(tmp_path, source))


def test_a_users_file_tells_where_a_project_takes_its_place(tmp_path: Path) -> None:
    source = "//- ~/.codex/.agents/a.md\n$0---\n---\nx\n//- sub/.codex/.agents/a.md\ny\n"

    assert (
        "- found by sessions in every folder (user)\n"
        "- in sessions that start in `sub/` or below, "
        "[sub/.codex/.agents/a.md](…) (project) wins\n"
    ) in shown(fixture(tmp_path, source))


def test_the_template_that_fails_a_whole_listing_is_named(tmp_path: Path) -> None:
    source = (
        "//- .codex/.agents/good.md\n$0---\ndescription: d\n---\nx\n"
        "//- .codex/.agents/bad.md\n---\nmodel: x\n---\ny\n"
    )

    assert shown(fixture(tmp_path / "a", source)).endswith(
        "- `list_agents` accepts it, but fails as a whole because of [.codex/.agents/bad.md](…) "
        '(project): invalid agent template "bad": missing required frontmatter description\n'
    )
    assert shown(fixture(tmp_path / "b", "$0---\nmodel: x\n---\ny\n")).endswith(
        "- `list_agents` refuses it, and fails as a whole: "
        'invalid agent template "reviewer": missing required frontmatter description\n'
    )


def test_default_is_never_spawned_from_a_file(tmp_path: Path) -> None:
    source = "//- .codex/.agents/default.md\n$0---\ndescription: d\n---\nx\n"

    assert shown(fixture(tmp_path, source)).split("\n\n")[1] == (
        "A call for `default` uses no template, so it is listed but never spawned"
    )


def test_a_file_that_gets_no_name_is_skipped(tmp_path: Path) -> None:
    source = "//- .codex/.agents/My Agent.md\n$0---\n---\nx\n"

    assert shown(fixture(tmp_path, source)) == (
        "**The runtime skips this file**: `My Agent.md` cannot be the name of an agent\n"
    )


STRAY = """\
//- .agents/reviewer.md
---
description: Reviews.
deny_list: [apply_patch]
agent_names:
  - name: str$0ict
    description: Slow.
    model: gpt-5
---
x
<!-- agent_name: strict -->
y
"""


def test_a_template_in_a_wrong_place_says_where_it_would_be_read(tmp_path: Path) -> None:
    made = fixture(tmp_path, STRAY)

    assert shown(made, 0) == (
        "**The runtime does not read this file**: it looks for templates in `.codex/.agents/`\n"
    )
    assert "**Persona `strict`**: `model` `gpt-5`" in shown(made)


@pytest.mark.parametrize(
    ("data", "answer"),
    [
        (b"\xff", "**The runtime skips this file**: not UTF-8: byte 0 does not decode"),
        (b"x" * 1_000_001, "**Not read here**: larger than 1 MB"),
    ],
)
def test_a_file_without_a_text_says_what_becomes_of_it(
    data: bytes, answer: str, tmp_path: Path
) -> None:
    made = fixture(tmp_path, "x")
    made.path.write_bytes(data)

    lines = shown(made).splitlines()

    assert lines == [answer, "", "- found by sessions that start in `workspace/` or below"]


def test_a_built_in_template_is_marked_as_a_stand_in(tmp_path: Path) -> None:
    made = fixture(tmp_path, "x")
    builtin = made.workspace.host_paths.templates / "codex-templates/builtin/architect.md"

    found = hover(made.workspace, builtin, 0)

    assert found is not None
    assert found.markdown.startswith("""\
**This file is `architect`** (built into the runtime)

- found by sessions in every folder (built into the runtime)
- **stand-in** for the runtime's own text
- `spawn_agent`: `model` `gpt-5.3-codex`, `reasoning_effort` `medium`, 9 of the 29 tools known here
""")


def test_a_spawn_that_the_file_itself_makes_impossible_is_told(tmp_path: Path) -> None:
    made = fixture(tmp_path, "$0---\ndescription: d\n---\n")

    assert (
        '- `spawn_agent` refuses it: agent_type "reviewer" requires agent_name selection\n'
    ) in shown(made)


def test_notes_about_files_stand_below_the_facts(tmp_path: Path) -> None:
    made = fixture(tmp_path, "//- ~/.codex/.agents/a.md\n$0---\n---\nx\n")
    file = template_file(made.workspace, made.path)
    assert file is not None
    notes = {"file": "about files", "user": "about the user's folder", "project": "not this"}
    noted = replace(
        file,
        dialect=replace(
            file.dialect,
            findings=replace(file.dialect.findings, notes=notes),
        ),
    )
    found, outside = hover_of(noted, 0), hover_of(replace(noted, root=tmp_path), 0)

    assert found is not None
    assert outside is not None
    assert found.markdown.endswith("\n\nabout the user's folder\n")
    assert "about files" not in found.markdown
    assert outside.markdown.endswith("\n\nabout files\n\nabout the user's folder\n")


def test_the_closing_fence_says_what_begins_there(tmp_path: Path) -> None:
    source = "---\n---$0\n\nReview.\nAll.\n<!-- agent_name: a -->\nA.\n"

    assert (
        shown(fixture(tmp_path, source))
        == """\
The header ends here; the default prompt below has 2 lines, 12 characters

After it: `a`
"""
    )


# Headers that the runtime does not use.


@pytest.mark.parametrize(
    ("source", "loss"),
    [
        ("---\nmodel: gpt$0-5\nbody text\n", "The header is never closed"),
        ("\ufeff---\nmodel: gpt$0-5\n---\nbody\n", "A byte-order mark hides the header"),
    ],
)
def test_a_header_that_is_not_seen_is_said_first_and_explained_all_the_same(
    source: str, loss: str, tmp_path: Path
) -> None:
    assert shown(fixture(tmp_path, source)).startswith(
        f"**{loss}: the whole file becomes the prompt, without model, sandbox or tool policy; "
        "`list_agents` fails without a description**\n\n"
        "As written:\n\n"
        "`model` is `gpt-5`, from the template\n"
    )


def test_a_header_that_does_not_parse_is_said_first_with_the_parsers_words(tmp_path: Path) -> None:
    made = fixture(tmp_path, "---\ndescription: a: b\nallow_list: [wai$0t]\n---\nbody\n")

    blocks = shown(made).split("\n\n")
    assert blocks[0].startswith("**The header is refused: the whole file becomes the prompt")
    assert blocks[1] == (
        "`invalid YAML: mapping values are not allowed in this context at line 1 column 15`"
    )
    assert blocks[2:4] == [
        "As written:",
        (
            "**`wait`: this agent has it where it exists**, allowed by `wait` "
            "([.codex/.agents/reviewer.md:3](…#L3))"
        ),
    ]


def test_the_fence_of_a_header_that_is_not_closed_tells_what_a_spawn_gets(tmp_path: Path) -> None:
    made = fixture(tmp_path, "$0---\nmodel: gpt-5\nallow_list: [wait]\nbody text\n")

    assert (
        shown(made)
        == """\
**The header is never closed: the whole file becomes the prompt, without model, sandbox or tool \
policy; `list_agents` fails without a description**

**This file is `reviewer`** (project)

- found by sessions that start in `workspace/` or below
- `spawn_agent`: 29 of the 29 tools known here
- `list_agents` refuses it, and fails as a whole: invalid agent template "reviewer": \
missing required frontmatter description
"""
    )


@pytest.mark.parametrize("source", ["Rev$0iew.\nAll.\n", "$0"])
def test_the_first_line_of_a_file_without_a_header_is_about_the_file(
    source: str, tmp_path: Path
) -> None:
    assert first(fixture(tmp_path, source)) == (
        "**There is no header: the whole file becomes the prompt, without model, sandbox or tool "
        "policy; `list_agents` fails without a description**"
    )


def test_there_is_nothing_to_say_about_a_prompts_text(tmp_path: Path) -> None:
    assert shown(fixture(tmp_path / "a", "---\n---\nbo$0dy\n")) == ""
    assert shown(fixture(tmp_path / "b", "no header\nbo$0dy\n")) == ""


def test_there_is_nothing_to_say_about_other_files(tmp_path: Path) -> None:
    made = fixture(tmp_path, "//- docs/a.md\n---\nmodel$0: x\n---\n")

    assert hover(made.workspace, made.path, made.offset) is None
    assert hover(made.workspace, made.root / "missing.md", 0) is None


def test_every_offset_of_any_prefix_has_an_answer_within_the_text(tmp_path: Path) -> None:
    made = fixture(tmp_path, POLICY)
    text = POLICY.replace("    ", "") + "<!-- agent_name: a -->\n😀"
    for end in range(0, len(text) + 1, 3):
        made.workspace.files.open(made.path, text[:end])
        for offset in range(0, end + 1, 2):
            found = hover(made.workspace, made.path, offset)
            assert found is None or 0 <= found.span.start <= found.span.end <= end
