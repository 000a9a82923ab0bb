"""What a repository holds can do nothing: text of it stays text, and nothing of it is run."""

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path

import pytest

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.decorations import inlay_hints
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.hover import hover
from agent_lsp.analysis.preview.commands import list_agents, preview_spawn
from agent_lsp.environment import workspace_for
from agent_lsp.installed import installed
from agent_lsp.text import Span
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.paths import HostPaths
from agent_lsp.workspace.search import templates
from agent_lsp.workspace.snapshot import template_file
from tests.effort import fifth
from tests.fixture import Fixture, fixture
from tests.systems import DIALECTS

PAYLOADS = {
    "command link": "[run](command:workbench.action.terminal.new)",
    "image": "![i](https://x.invalid/a.png)",
    "HTML": "<img src=x onerror=alert(1)><script>x</script>",
    "autolink": "<https://x.invalid>",
    "bare addresses": "https://x.invalid/a www.x.invalid x@x.invalid ftp://x.invalid",
    "reference": "[a][b]\\n\\n[b]: command:x",
    "closing ticks": "``` `a` [b](command:c) ```` ~~~ <b>",
    "icon": "$(sync~spin) <span style=color:red>",
    "entity": "&lt;b&gt; &#60;i&#62;",
    "odd tick": "a` [x](command:y) <b>",
    "backslash": "\\\\[x](command:y) \\\\<b>",
}
HOSTILE = {
    "codex-templates": (
        ".codex/.agents/reviewer.md",
        (
            "---\ndescription: '{0}'\nmodel: '{0}'\nallow_list: ['{0}', exec_command]\n"
            "'{0}': '{0}'\n"
            "agent_names:\n  - name: '{0}'\n    description: '{0}'\n    model: '{0}'\n---\n{0}\n"
            "<!-- agent_name: {0} -->\n{0}\n"
        ),
    ),
    "codex-subagents": (
        ".codex/agents/reviewer.md",
        "---\ndescription: '{0}'\nmodel: '{0}'\ntools: ['{0}', shell]\n'{0}': '{0}'\n---\n{0}\n",
    ),
    "codex-agents": (
        ".codex/agents/reviewer.toml",
        (
            "name = '{0}'\ndescription = '{0}'\nmodel = '{0}'\nmodel_reasoning_effort = '{0}'\n"
            "developer_instructions = '{0}'\n[mcp_servers.'{0}']\ncommand = '{0}'\n"
        ),
    ),
    "codex-config": (
        ".codex/config.toml",
        "[agents.'{0}']\ndescription = '{0}'\nconfig_file = '{0}'\n'{0}' = '{0}'\n",
    ),
    "kodacode": (
        ".kodacode/agents/reviewer.md",
        "---\nname: '{0}'\ndescription: '{0}'\nAllowTools: ['{0}', read]\n'{0}': '{0}'\n---\n{0}\n",
    ),
    "claude": (
        ".claude/agents/reviewer.md",
        (
            "---\nname: '{0}'\ndescription: '{0}'\ntools: ['{0}', Read]\nmodel: '{0}'\n"
            "skills: ['{0}']\n---\n{0}\n"
        ),
    ),
    "gemini": (
        ".gemini/agents/reviewer.md",
        (
            "---\nname: '{0}'\ndescription: '{0}'\ndisplay_name: '{0}'\ntools: ['{0}', read_file]\n"
            "model: '{0}'\nmcp_servers:\n  '{0}':\n    command: '{0}'\n'{0}': '{0}'\n"
            "---\n{0} ${{0}}\n"
        ),
    ),
    "copilot": (
        ".github/agents/reviewer.agent.md",
        (
            "---\nname: '{0}'\ndescription: '{0}'\ntools: ['{0}', read]\nmodel: '{0}'\n"
            "agents: ['{0}']\nhandoffs:\n  - {{label: '{0}', agent: '{0}', prompt: '{0}'}}\n"
            "'{0}': '{0}'\n---\n{0} #tool:{0}\n"
        ),
    ),
    "cursor": (
        ".cursor/agents/reviewer.md",
        (
            "---\nname: '{0}'\ndescription: '{0}'\nmodel: '{0}'\nreadonly: '{0}'\n"
            "'{0}': '{0}'\n---\n{0}\n"
        ),
    ),
    "qwen": (
        ".qwen/agents/reviewer.md",
        (
            "---\nname: '{0}'\ndescription: '{0}'\ntools: ['{0}', read_file]\nmodel: '{0}'\n"
            "'{0}': '{0}'\n---\n{0} ${{0}} is a prompt.\n"
        ),
    ),
    "opencode": (
        ".opencode/agents/reviewer.md",
        (
            "---\nname: '{0}'\ndescription: '{0}'\nmode: subagent\nmodel: '{0}'\n"
            "permission:\n  '{0}': deny\n  bash:\n    '{0}': allow\n"
            "tools: {{'{0}': true}}\n'{0}': '{0}'\n---\n{0}\n"
        )
        .replace("{{", "{")
        .replace("}}", "}"),
    ),
    "opencode-config": (
        "opencode.json",
        (
            '{{"agent": {{"{0}": {{"description": "{0}", "model": "{0}", "prompt": "{0}", '
            '"permission": {{"{0}": "deny"}}, "{0}": "{0}"}}}}}}\n'
        )
        .replace("{{", "{")
        .replace("}}", "}"),
    ),
    "moltis-agents": (
        ".moltis/agents/reviewer.md",
        (
            "---\nname: '{0}'\ntools: '{0}, exec'\nmodel: '{0}'\nemoji: '{0}'\n"
            "'{0}': '{0}'\n---\n{0}\n"
        ),
    ),
    "vuhlp": (
        "docs/templates/reviewer.md",
        (
            "[template]\nname = '{0}'\ncapabilities = ['{0}', 'edges']\n'{0}' = '{0}'\n\n{0}\n"
            '{{"tool_call": {{"tool": "{0}", "args": {{"label": "{0}"}}}}}}\n'
        )
        .replace("{{", "{")
        .replace("}}", "}"),
    ),
    "moltis": (
        "moltis.toml",
        (
            "[agents]\ndefault_preset = '{0}'\n[agents.presets.'{0}']\nmodel = '{0}'\n"
            "tools.allow = ['{0}', 'exec']\nidentity.name = '{0}'\nidentity.vibe = '{0}'\n"
            "system_prompt_suffix = '''{0}'''\n'{0}' = '{0}'\n"
        ),
    ),
}


def test_every_system_has_its_hostile_template() -> None:
    assert HOSTILE.keys() == {dialect.id for dialect in DIALECTS}


@pytest.mark.parametrize(("place", "payload"), fifth(product(HOSTILE, PAYLOADS)))
def test_no_text_of_a_template_becomes_markup(place: str, payload: str, tmp_path: Path) -> None:
    name, text = HOSTILE[place]
    written = PAYLOADS[payload].replace("\\n", " ").replace("\\\\", "\\")
    made = fixture(tmp_path, f"//- {name}\n{text.replace('{0}', written)}")
    shown = list(dict.fromkeys(markdown(made, place)))
    assert shown
    for one in shown:
        harmless(one)


@pytest.mark.parametrize(
    "name", ["[x](command:y)", "![i](x)", "<b>", "a`b", "$(x)", "&lt;", "www.x.invalid"]
)
def test_no_name_of_a_file_becomes_markup(name: str, tmp_path: Path) -> None:
    """Claude Code takes the name of an agent from its header, and so any name of a file."""
    text = "---\nname: reviewer\ndescription: x\n---\nb\n"
    places = (f".claude/agents/{name}/{name}.md", "~/.claude/agents/x.md")
    made = fixture(tmp_path, "".join(f"//- {place}\n{text}" for place in places))
    shown = list(markdown(made, "claude"))
    plain = [re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", one) for one in shown]
    assert any(f"/{name}.md](file:" in one for one in plain)
    for one in shown:
        harmless(one)


def markdown(made: Fixture, dialect: str) -> Iterator[str]:
    """All the Markdown that an editor may show of a file."""
    file = template_file(made.workspace, made.path)
    for offset in range(0, len(made.text), 3):
        found = hover(made.workspace, made.path, offset)
        if found is not None:
            yield found.markdown
    for offset in (line.end() for line in re.finditer(r"(?m)^.*$", made.text)):
        yield from (item.documentation for item in complete(made.workspace, made.path, offset))
    if file is not None:
        yield from (hint.tooltip for hint in inlay_hints(file, Span(0, len(made.text))))
    call = {"uri": made.path.as_uri(), "dialect": dialect, "format": "markdown"}
    names = [one.name for one in file.names] if file is not None else []
    for key in ("agent_type", "agent_id", "name", "id", "subagent_type", "preset"):
        for name in (*names, "reviewer"):
            yield str(preview_spawn(made.workspace, {**call, key: name}).get("markdown", ""))
    yield str(list_agents(made.workspace, call).get("markdown", ""))


def harmless(shown: str) -> None:
    """Asserts that nothing but our own links to files is left when code and escapes are gone."""
    text = re.sub(r"(?ms)^ {0,3}(`{3,})[^\n`]*\n.*?^ {0,3}\1`*[ \t]*$", "", shown)
    text = re.sub(r"\\[!-/:-@\[-`{-~]", "", text)
    text = re.sub(r"(?s)(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", text)
    # The label of a link is text as any other.
    text = re.sub(r"\[([^\[\]]*)\]\(file:///[\w%./#~-]*\)", r"\1", text)
    assert not re.search(r"<[a-zA-Z/!?]", text), shown
    assert "](" not in text, shown
    assert "![" not in text, shown
    assert "][" not in text, shown
    assert "$(" not in text, shown
    # Editors make links of these, as GitHub does.
    assert not re.search(r"(?i)(https?|ftp)://|\bwww\.|[\w.+-]@[\w-]+\.\w", text), shown
    assert not re.search(r"&[#\w]+;", text), shown


@pytest.mark.parametrize(
    "payload", ["command link", "image", "HTML", "icon", "odd tick", "bare addresses"]
)
def test_the_check_sees_markup(payload: str) -> None:
    with pytest.raises(AssertionError):
        harmless(f"some {PAYLOADS[payload]} words")


def test_reading_a_hostile_repository_starts_nothing_and_opens_no_connection(
    tmp_path: Path,
) -> None:
    """An audit hook sees whatever Python does, whoever asks for it."""
    seen: list[str] = []
    watching = [True]

    def watch(event: str, _: tuple[object, ...]) -> None:
        started = ("subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.fork", "exec")
        written = ("os.remove", "os.rename", "os.mkdir", "os.chmod", "shutil.")
        if watching[0] and event.startswith((*started, *written, "socket.", "urllib.", "pty.")):
            seen.append(event)

    call = "!!python/object/apply:os.system [id]"
    made = [
        fixture(tmp_path / place, f"//- {name}\n{text.replace('{0}', call)}")
        for place, (name, text) in HOSTILE.items()
    ]
    for one in made:
        # What is imported late is ours, and runs once.
        list(markdown(one, "codex-templates"))
    sys.addaudithook(watch)
    try:
        for place, one in zip(HOSTILE, made, strict=True):
            one.workspace.files.refresh()
            list(markdown(one, place))
    finally:
        watching[0] = False
    assert seen == []


# All settings, each with values of its type. A new one has to be thought about here.
_SETTINGS = {
    "session-root": "a folder",
    "for": "names of programs that are known",
    "severity": "names of rules, and one of five words",
    "folders": "folders, and names of systems",
    "dialects": "names of systems",
    "tools": "names",
    "keys": "names",
    "models": "names",
    "readers": "names of programs that are known",
    "scopes": "folders",
    "generation": "one of four words",
}


def test_a_settings_file_of_a_repository_has_no_word_for_a_program(tmp_path: Path) -> None:
    """No setting is the path to a program, an argument or a variable, or becomes one."""
    page = (Path(__file__).parents[2] / "docs/settings.schema.json").read_text(encoding="utf-8")
    assert set(_named(json.loads(page))) == _SETTINGS.keys()
    # A program as the value of each, also where the type is another one.
    ran = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho ran > '{ran}'\n", encoding="utf-8")
    program.chmod(0o755)
    for value in (f"{str(program)!r}", f"[{str(program)!r}]", f"{{{str(program)!r} = 'claude'}}"):
        settings = [f"{name} = {value}" for name in list(_SETTINGS)[:5]]
        extras = [f"{name} = {value}" for name in list(_SETTINGS)[5:]]
        text = "\n".join((*settings, "[dialects.claude]", *extras))
        name, template = HOSTILE["claude"]
        at = tmp_path / str(len(value))
        at.mkdir()
        made = fixture(at, f"//- {name}\n{template.replace('{0}', str(program))}")
        (made.root / "agent-template-lsp.toml").write_text(f"{text}\n", encoding="utf-8")
        with _nothing_started():
            workspace, said = workspace_for(
                (made.root,), Files(), HostPaths(at / "home", installed("templates"), {})
            )
            assert said
            for path in templates(workspace):
                assert diagnostics(workspace, path)
    assert not ran.exists()


def _named(schema: object) -> Iterator[str]:
    """The names of all settings in a JSON Schema."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for value in schema.values():
            yield from _named(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _named(value)


@contextmanager
def _nothing_started() -> Iterator[None]:
    """Fails if Python starts a program in this block."""
    seen, watching = [], [True]

    def watch(event: str, _: tuple[object, ...]) -> None:
        if watching[0] and event.startswith(("subprocess.", "os.system", "os.exec", "os.posix_sp")):
            seen.append(event)

    sys.addaudithook(watch)
    try:
        yield
    finally:
        watching[0] = False
    assert seen == []
