"""Hover and completion in a configuration of Moltis, also half-typed."""

from pathlib import Path

import pytest

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.hover import hover
from tests.fixture import fixture

PRESET = "[agents.presets.scout]\n"
FILE = """\
[server]
port = 1

[agents]
default = "scout"

[agents.presets.scout]
identity.name = "scout"
identity.vibe = "calm"
model = "anthropic/claude-haiku-3-5-20241022"
tools.allow = ["exec", "web_search"]
tools.deny = ["exec"]
sandbox = { enabled = true }
"""


def offered(folder: Path, text: str) -> list[str]:
    """The labels that are offered at the cursor."""
    written = fixture(folder, f"//- moltis.toml\n{text}")
    found = complete(written.workspace, written.path, written.offset)
    return [completion.label for completion in found]


def applied(folder: Path, text: str, label: str) -> str:
    """The text after the completion called `label`."""
    written = fixture(folder, f"//- moltis.toml\n{text}")
    found = complete(written.workspace, written.path, written.offset)
    edit = next(one for one in found if one.label == label).edit
    return written.text[: edit.span.start] + edit.text + written.text[edit.span.end :]


def shown(folder: Path, mark: str) -> str:
    """The hover on the first character of `mark`."""
    written = fixture(folder, f"//- moltis.toml\n{FILE}")
    found = hover(written.workspace, written.path, written.text.index(mark))
    return found.markdown if found is not None else ""


@pytest.mark.parametrize(
    ("text", "some"),
    [
        ("[$0", {"agents"}),
        ("[agents.$0]\n", {"presets"}),
        (f"[agents.presets.$0]\n{PRESET}", {"scout"}),
        ("[agents.presets.scout.$0]\n", {"identity", "tools", "sandbox", "sessions"}),
        (f"{PRESET}$0", {"identity", "model", "tools", "max_iterations", "delegate_only"}),
        (f"{PRESET}mo$0\n", {"model"}),
        (f"{PRESET}tools.$0\n", {"allow", "deny"}),
        ("[agents.presets.scout.tools]\n$0\n", {"allow", "deny"}),
        (f"{PRESET}identity = {{ na$0 }}\n", {"name", "emoji", "vibe", "theme"}),
        (f"{PRESET}tools.allow = [$0]\n", {"exec", "read_file", "Read"}),
        (f'{PRESET}tools.allow = ["exec", "we$0\n', {"web_search"}),
        (f'{PRESET}tools.allow = [ # isn\'t\n  "exec", # "c" [\n  $0\n', {"web_search"}),
        (f'{PRESET}tools.allow = [ # all\n  "we$0\n[agents.presets.b]\n', {"web_search"}),
        (f"{PRESET}tools.deny = $0\n", {"exec"}),
        (f'{PRESET}model = "$0"\n', {"anthropic/claude-sonnet-4-20250514", "gpt-4o"}),
        (f"{PRESET}sessions.can_send = $0\n", {"true", "false"}),
        (f'{PRESET}reasoning_effort = "$0"\n', {"minimal", "xhigh"}),
        (f'{PRESET}delegate_only = true\nsandbox = {{ mode = "$0" }}\n', {"off", "non-main"}),
        (f"[agents]\ndefault = $0\n{PRESET}", {"scout"}),
        (f'[agents]\ndefault_preset = "$0"\n{PRESET}', {"scout", "research", "coordinator"}),
        ('[agents.presets."two words".$0]\n', {"identity", "tools"}),
        ("[agents.presets.'a.b'.to$0\n", {"identity", "tools"}),
        ('[agents.presets]\n"two words".identity.$0\n', {"name", "emoji"}),
    ],
)
def test_what_may_stand_at_the_cursor_is_offered(text: str, some: set[str], tmp_path: Path) -> None:
    assert some <= set(offered(tmp_path, text))


@pytest.mark.parametrize(
    "text",
    [
        "[server]\n$0",
        "[server]\nport = $0\n",
        f'{PRESET}model = "a" # $0\n',
        f'{PRESET}system_prompt_suffix = """\nfoo $0\n"""\n',
        f"{PRESET}max_iterations = $0\n",
    ],
)
def test_nothing_is_offered_where_nothing_is_known(text: str, tmp_path: Path) -> None:
    assert offered(tmp_path, text) == []


def test_what_a_table_or_a_list_has_is_not_offered_again(tmp_path: Path) -> None:
    assert "model" not in offered(tmp_path / "a", f'{PRESET}model = "o3"\n$0')
    assert "exec" not in offered(tmp_path / "b", f'{PRESET}tools.allow = ["exec", $0]\n')


def test_a_generation_that_is_told_limits_what_is_offered(tmp_path: Path) -> None:
    today = offered(tmp_path / "a", f'{PRESET}identity.theme = "x"\ntools.deny = [$0]\n')
    keys = offered(tmp_path / "b", f'{PRESET}identity.vibe = "x"\n$0')

    assert "Read" in today
    assert "read_file" not in today
    assert "delegate_only" not in keys


def test_models_are_offered_as_the_generation_writes_them(tmp_path: Path) -> None:
    model = 'model = "$0"\n'
    today = offered(tmp_path / "a", f'{PRESET}identity.theme = "x"\n{model}')
    theirs = offered(tmp_path / "b", f'{PRESET}identity.vibe = "x"\n{model}')

    assert {"anthropic::claude-sonnet-4-20250514", "gpt-4o"} <= set(today)
    assert not any("/" in name for name in today)
    assert {"anthropic/claude-sonnet-4-20250514", "gpt-4o"} <= set(theirs)
    assert not any("::" in name for name in theirs)


@pytest.mark.parametrize(
    ("text", "label", "expected"),
    [
        (f"{PRESET}$0", "model", f'{PRESET}model = ""\n'),
        (f"{PRESET}tools.a$0\n", "allow", f'{PRESET}tools.allow = [""]\n'),
        (f"{PRESET}mo$0 = 1\n", "model", f"{PRESET}model = 1\n"),
        (f"{PRESET}tools.deny = $0\n", "exec", f'{PRESET}tools.deny = ["exec"]\n'),
        (f"{PRESET}tools.deny = ['e$0']\n", "exec", f"{PRESET}tools.deny = ['exec']\n"),
        (f'{PRESET}model = "gp$0"\n', "gpt-4o", f'{PRESET}model = "gpt-4o"\n'),
    ],
)
def test_a_completion_replaces_what_is_typed(
    text: str, label: str, expected: str, tmp_path: Path
) -> None:
    assert applied(tmp_path, text, label) == expected


@pytest.mark.parametrize(
    ("mark", "answer"),
    [
        ("scout]", "You are scout. Your style is calm."),
        ("scout]", "Keeps 1 of the 14 tools known here: `web_search`"),
        ("vibe", "You are scout. Your style is calm."),
        ("vibe", "the current runtime ignores it"),
        ("model", "`model` is `anthropic/claude-haiku-3-5-20241022`, from the preset"),
        ("anthropic", "1. the `spawn_agent` call: not set"),
        ("exec", "**`exec`: this agent does not have it**, denied by `tools.deny`"),
        ("web_search", "**`web_search`: this agent has it**, in `tools.allow`"),
        ("deny", "always removed from a sub-agent"),
        ("enabled", "`sandbox` is `enabled = true`, from the preset"),
        ("default", "the preset for calls of `spawn_agent` that name none"),
        ('"scout"\n\n', "You are scout. Your style is calm."),
        ("agents]", "1 template: `scout`"),
    ],
)
def test_hover_says_what_a_place_amounts_to(mark: str, answer: str, tmp_path: Path) -> None:
    assert answer in shown(tmp_path, mark)


@pytest.mark.parametrize("mark", ["server", "port", "1\n"])
def test_hover_is_silent_outside_of_agents(mark: str, tmp_path: Path) -> None:
    assert shown(tmp_path, mark) == ""


def test_hover_says_what_a_file_hides(tmp_path: Path) -> None:
    source = "//- moltis.toml\n[agents$0]\n//- ~/.config/moltis/moltis.toml\n[agents.presets.a]\n"
    written = fixture(tmp_path, source)
    found = hover(written.workspace, written.path, written.offset)

    assert found is not None
    assert "The runtime reads nothing from" in found.markdown


def test_features_never_raise_on_any_prefix_of_a_file(tmp_path: Path) -> None:
    written = fixture(tmp_path, f"//- moltis.toml\n{FILE}")
    for end in range(0, len(FILE), 3):
        written.workspace.files.open(written.path, FILE[:end])
        complete(written.workspace, written.path, end)
        hover(written.workspace, written.path, max(end - 1, 0))
