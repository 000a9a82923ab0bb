"""Answers as Markdown: the first line is the answer, and text of templates stays text."""

from pathlib import Path

import pytest

from agent_lsp.analysis import render
from agent_lsp.analysis.preview.commands import list_agents, preview_spawn
from agent_lsp.text import Span
from tests.fixture import fixture


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain words, snake_case and a-b", "plain words, snake_case and a-b"),
        ("two\r\n  lines ", "two lines"),
        ("*bold* _so_ ~~gone~~ `code`", r"\*bold\* \_so\_ \~\~gone\~\~ \`code\`"),
        ("__bold__ ~gone~ a__b", r"\_\_bold\_\_ \~gone\~ a\_\_b"),
        ("~/a and ~/b~", r"~/a and ~/b\~"),
        ("<b onclick=x> &lt;", r"\<b onclick=x\> \&lt;"),
        ("[a](command:x) ![i](y) $x$", r"\[a\](command:x) !\[i\](y) \$x\$"),
        ("# no heading", r"\# no heading"),
        ("https://a.b www.a.b x@a.b", r"https\://a.b www\.a.b x\@a.b"),
        ("x@-a.b x@_a.b", r"x\@-a.b x\@\_a.b"),
        ("@agent at 10:30, a.b", "@agent at 10:30, a.b"),
        ("- no list", r"\- no list"),
        ("1. no list", r"1\. no list"),
        ("> no quote", r"\> no quote"),
        ("a | b", r"a \| b"),
        ("back\\slash", r"back\\slash"),
    ],
)
def test_inline_text_is_no_markup(text: str, expected: str) -> None:
    assert render.inline(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x", "`x`"),
        ("a`b", "``a`b``"),
        ("`a``", "``` `a`` ```"),
        ("two\nlines", "`two lines`"),
        ("", "(empty)"),
        (" ", "(empty)"),
    ],
)
def test_code_stands_between_more_backticks_than_it_has(text: str, expected: str) -> None:
    assert render.code(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("denied by `mcp*` here", "denied by `mcp*` here"),
        ("persona `a<b` <i>", "persona `a<b` \\<i\\>"),
        ("persona `a` <b> `c`", "persona `a` \\<b\\> `c`"),
        ("one ` alone", "one \\` alone"),
        ("`a` and ` alone", "`a` and \\` alone"),
        ("", ""),
    ],
)
def test_our_words_keep_their_code_and_nothing_else(text: str, expected: str) -> None:
    assert render.words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\n", "```text\na\n```"),
        ("a", "```text\na\n```"),
        ("", "```text\n```"),
        ("```\n</pre>\n````\n", "`````text\n```\n</pre>\n````\n`````"),
    ],
)
def test_a_fence_is_longer_than_any_in_the_text(text: str, expected: str) -> None:
    assert render.fence(text) == expected


# What authors write in names and texts: markup, addresses, escapes, backticks, fences.
MARKUP = [
    "[c](command:x) ![i](http://a.b/i.png) <http://a.b> www.a.b x@a.b mailto:x@a.b",
    "**bold** __so__ ~~gone~~ a*b | c $x$ &lt; <b>",
    "`code` ``two`` ` alone `` a`",
    "back\\slash \\* \\\\ \\`",
    "# no heading",
    "1. no list",
    "- no list",
    "```",
]


@pytest.mark.parametrize("text", MARKUP)
def test_plain_text_shows_foreign_text_as_its_author_wrote_it(text: str) -> None:
    code, block = render.code(text), render.fence(text, "")
    markdown = f"**{code}**: {render.inline(text)}\n\n{render.fence(text)}\nend"

    assert render.plain(markdown) == f"{code}: {text}\n\n{block}\nend"
    assert render.plain(f"**x** [{render.inline(text)}](file:///a%29.md#L2)") == f"x {text}"
    assert text in code
    assert f"\n{text}\n" in block


def test_a_link_goes_to_the_line_and_reads_as_people_write_it(tmp_path: Path) -> None:
    source = "//- a (b)/[c].md\none\r\ntwo\n//- ~/.codex/.agents/x.md\nx\n"
    made = fixture(tmp_path, source)
    base = tmp_path.as_uri()
    home = made.workspace.host_paths.home
    assert home is not None

    assert render.link(made.workspace, made.path, Span(5, 6)) == (
        rf"[a (b)/\[c\].md:2]({base}/workspace/a%20%28b%29/%5Bc%5D.md#L2)"
    )
    assert render.link(made.workspace, home / ".codex/.agents/x.md") == (
        f"[~/.codex/.agents/x.md]({base}/home/.codex/.agents/x.md)"
    )
    assert render.link(made.workspace, tmp_path / "x") == f"[{tmp_path}/x]({base}/x)"
    assert render.link(made.workspace, Path("relative")) == "relative"


SOURCE = """
    ---
    description: Reviews *all* of it.
    model: gpt-5.3-codex
    agent_names:
      - name: fast
        description: Quick.
        reasoning_effort: low
    allow_list: [wait, exec_command, mcp__github__*]
    deny_list: [exec_*, mcp__github__merge]
    ---
    Review.

    <!-- agent_name: fast -->
    ```
    <b>Fast</b>
    ```
    """


def test_a_spawn_preview(tmp_path: Path) -> None:
    made = fixture(tmp_path, SOURCE)
    uri = made.path.as_uri()
    file = "[.codex/.agents/reviewer.md"

    answer = preview_spawn(
        made.workspace,
        {
            "agent_type": "reviewer",
            "agent_name": "fast",
            "format": "markdown",
            "parent": {"tools": ["wait", "exec_command", "apply_patch"], "sandbox": "open"},
        },
    )

    assert answer == {
        "markdown": f"""\
**`reviewer`, persona `fast`**: model `gpt-5.3-codex`, effort `low`, sandbox `open`, \
1 of the 3 tools known here

From {file}]({uri}) (project), for a session in `workspace/`, at depth 1

### Settings

- `model`: `gpt-5.3-codex`
  1. the `spawn_agent` call: not set
  2. persona `fast`: not set
  3. **the template: `gpt-5.3-codex`** ({file}:3]({uri}#L3))
  4. the agent that spawns: not known here
- `reasoning_effort`: `low`
  1. the `spawn_agent` call: not set
  2. **persona `fast`: `low`** ({file}:7]({uri}#L7))
  3. the template: not set
  4. the agent that spawns: not known here
- `sandbox`: `open`
  1. `read_only` of the template: not set
  2. **the agent that spawns: `open`**
- `thread_note`: `agent_type=reviewer; agent_name=fast; agent_description=Quick.`
  1. the `spawn_agent` call: not set
  2. **composed by the runtime**

### Tools

Keeps 1 of the 3 tools known here: `wait`

Also any MCP tool that matches `mcp__github__*`, but none that matches `mcp__github__merge`.

Removed:

- denied by `exec_*` ({file}:9]({uri}#L9)): `exec_command`
- not in `allow_list` ({file}:8]({uri}#L8)): `apply_patch`

### Prompt

base instructions, block of persona `fast` ({file}:14]({uri}#L14)): 3 lines, 19 characters, verbatim

````text
```
<b>Fast</b>
```
````

### Notes

- a session has at most 12 spawned agents open at a time, unless `agents.max_threads` of the \
configuration says otherwise; one more is refused
"""
    }


def test_what_cannot_be_told_is_neither_kept_nor_removed(tmp_path: Path) -> None:
    made = fixture(tmp_path, "x")
    entry = made.workspace.host_paths.templates / "codex-templates/builtin/explorer.md"
    lines = entry.read_text(encoding="utf-8").splitlines()
    row = lines.index("  - mcp__*") + 1
    place = f"[templates/codex-templates/builtin/explorer.md:{row}]({entry.as_uri()}#L{row})"
    parent = {"tools": ["mcp__docs__search", "wait"]}

    answer = preview_spawn(
        made.workspace, {"agent_type": "explorer", "format": "markdown", "parent": parent}
    )

    tools = str(answer["markdown"]).partition("### Tools\n\n")[2].partition("\n\n### Prompt")[0]
    assert (
        tools
        == f"""\
Keeps 1 of the 2 tools known here: `wait`

Also any MCP tool that matches `mcp*`, but perhaps not one that matches `mcp__*`, \
a **stand-in** for the names of 75 tools of four MCP servers.

Kept or removed:

- cannot tell: `mcp__*` stands in for the names of 75 tools of four MCP servers ({place}): \
`mcp__docs__search`"""
    )


def test_a_refused_header_is_told_before_the_settings(tmp_path: Path) -> None:
    made = fixture(tmp_path, "---\nread_only: yes\n---\nReview.\n")

    answer = preview_spawn(made.workspace, {"format": "markdown", "agent_type": made.path.stem})

    head, rest = str(answer["markdown"]).split("### Settings")
    assert "**Warning**: the header is refused (invalid YAML" in head
    assert "the header is refused" not in rest


def test_a_stand_in_is_marked_where_it_stands_and_notes_come_last(tmp_path: Path) -> None:
    made = fixture(tmp_path, "x")

    answer = preview_spawn(made.workspace, {"format": "markdown", "working_directory": "sub"})

    assert str(answer["markdown"]).endswith("""\
### Prompt

base instructions, the runtime: 1 line, 70 characters, **stand-in** for the runtime's own text

```text
(the instructions of the agent that spawns; no template replaces them)
```

### Notes

- another working_directory needs the user's approval; without it the call is refused: \
spawn_agent in a different working_directory was not approved
- of the 29 tools that this runtime can have, which ones a session has depends on its model, its \
features and its other settings
- a session has at most 12 spawned agents open at a time, unless `agents.max_threads` of the \
configuration says otherwise; one more is refused
""")


def test_a_list_of_agents(tmp_path: Path) -> None:
    made = fixture(tmp_path, SOURCE)
    uri = made.path.as_uri()
    builtin = made.workspace.host_paths.templates / "codex-templates/builtin"

    argument = {"agent_type": "reviewer", "expanded": True, "format": "markdown"}

    assert list_agents(made.workspace, argument) == {
        "markdown": f"""\
**1 agent** in `list_agents`, for a session in `workspace/`

### `reviewer`

- from [.codex/.agents/reviewer.md]({uri}) (project)
- `description`: Reviews \\*all\\* of it.
- `allow_list`: `exec_command`, `mcp__github__*`, `wait`
- `deny_list`: `exec_*`, `mcp__github__merge`
- `model`: `gpt-5.3-codex`
- `agent_names`:
  - `fast`
    - `description`: Quick.
    - `reasoning_effort`: `low`

`default_prompt`:

```text
Review.
```

`fast prompt`:

````text
```
<b>Fast</b>
```
````

### Where it looked

1. [.codex/.agents]({made.path.parent.as_uri()}) (project)
2. [templates/codex-templates/builtin]({builtin.as_uri()}) (built into the runtime)
"""
    }


def test_built_in_agents_are_marked_as_stand_ins_in_a_list(tmp_path: Path) -> None:
    made = fixture(tmp_path, "x")

    answer = list_agents(made.workspace, {"agent_type": "worker", "format": "markdown"})

    line = str(answer["markdown"]).splitlines()[4]
    assert line.endswith("(built into the runtime), **stand-in** for the runtime's own text")


def test_a_list_entry_that_is_not_the_runtimes_own_is_marked_in_a_list(tmp_path: Path) -> None:
    made = fixture(tmp_path, "x")

    answer = list_agents(made.workspace, {"agent_type": "explorer", "format": "markdown"})

    assert (
        "- `deny_list`: `apply_patch`, `mcp__*`\n"
        "- `mcp__*` in `deny_list`: **stand-in** for the names of 75 tools of four MCP servers\n"
    ) in str(answer["markdown"])


def test_a_list_names_what_is_not_looked_into(tmp_path: Path) -> None:
    made = fixture(tmp_path, "x")
    made.path.write_bytes(b"x" * 1_000_001)

    answer = str(list_agents(made.workspace, {"format": "markdown"})["markdown"])
    one = list_agents(made.workspace, {"format": "markdown", "agent_type": "reviewer"})

    assert answer.startswith("**4 agents** in `list_agents`")
    assert (
        f"""
### Not read here

- [.codex/.agents/reviewer.md]({made.path.as_uri()}) (project): reviewer.md is not read \
here: it is larger than 1 MB

The runtime reads them, and one that it refuses fails `list_agents`.
"""
        in answer
    )
    assert str(one["markdown"]).startswith("**`list_agents` is not answered here**")


def test_a_list_that_fails_names_the_template(tmp_path: Path) -> None:
    made = fixture(tmp_path, "no header")

    assert list_agents(made.workspace, {"format": "markdown"}) == {
        "markdown": f"""\
**`list_agents` fails**

```text
invalid agent template "reviewer": missing required frontmatter description
```

The template is [.codex/.agents/reviewer.md]({made.path.as_uri()}) (project).
"""
    }
