"""What the configuration of Moltis holds, and which generation it is written for."""

import pytest

from agent_lsp.dialects.moltis.dialect import DIALECT
from agent_lsp.dialects.moltis.keys import Generation
from tests.dialects.moltis import configured, parsed

PRESET = "[agents.presets.scout]\n"


@pytest.mark.parametrize(
    ("text", "generation"),
    [
        (PRESET, None),
        (f'{PRESET}tools.deny = ["exec"]\nmax_iterations = 3\nidentity.name = "a"\n', None),
        (f'{PRESET}identity.vibe = "calm"\n', Generation.SEED),
        ('[agents]\ndefault = "scout"\n', Generation.SEED),
        (f"{PRESET}sandbox = {{ enabled = true }}\n", Generation.SEED),
        ('[agents]\ndefault_preset = "scout"\n', Generation.TODAY),
        (f'{PRESET}identity.theme = "calm"\n', Generation.TODAY),
        (f'[agents]\ndefault = "scout"\n{PRESET}delegate_only = true\n', Generation.TODAY),
    ],
)
def test_keys_tell_the_generation_or_nothing_does(text: str, generation: Generation | None) -> None:
    assert configured(text).generation is generation


@pytest.mark.parametrize(
    "text",
    [
        f'{PRESET}tools.allow = ["exec"]\nmodel = "gpt-4o"\n',
        f'[agents.presets.scout.tools]\nallow = ["exec"]\n{PRESET}model = "gpt-4o"\n',
        '[agents.presets]\nscout = { model = "gpt-4o", tools = { allow = ["exec"] } }\n',
        'agents.presets.scout.model = "gpt-4o"\nagents.presets.scout.tools.allow = ["exec"]\n',
    ],
)
def test_settings_are_the_same_however_the_tables_are_written(text: str) -> None:
    [preset] = configured(text).presets

    assert preset.settings["model"].text == "gpt-4o"
    assert [item.text for item in preset.settings["tools.allow"].items] == ["exec"]


def test_any_type_error_drops_all_presets() -> None:
    document = parsed(f'{PRESET}model = "gpt-4o"\n[agents.presets.coder]\nmodel = 5\n')
    read = DIALECT.format.read(document, "scout")

    assert read.errors[0].message == "invalid type: integer `5`, expected a string"
    assert read.effective.settings == {}
    assert read.declared.settings["model"].text == "gpt-4o"


@pytest.mark.parametrize("text", ["[[agents]]\n", "agents = 5\n", "agents = ['a', 5]\n"])
def test_agents_have_to_be_a_table_whatever_the_generation(text: str) -> None:
    assert configured(text).errors != ()


@pytest.mark.parametrize("value", ["${ROUNDS}", '"${ROUNDS}"', "1${ROUNDS}", "['${ROUNDS}']"])
def test_a_variable_is_never_a_fault(value: str) -> None:
    key = "model" if value.startswith('"') else "max_iterations"
    document = parsed(f"{PRESET}{key} = {value}\n")
    read = DIALECT.format.read(document, "scout")

    assert read.errors == ()
    if key == "model":
        assert read.effective.settings[key].text == "${ROUNDS}"
    else:
        held = read.effective.settings.get(key)
        assert held is None or held.value == value


def test_a_key_of_the_other_generation_may_have_any_type() -> None:
    assert configured(f'{PRESET}identity.theme = "calm"\nsandbox.enabled = 5\n').errors == ()
    assert configured(f"{PRESET}delegate_only = true\nidentity.vibe = []\n").errors == ()


def test_a_broken_statement_leaves_the_other_presets_readable() -> None:
    found = configured(f'{PRESET}tools.allow = ["exec"\n[agents.presets.coder]\nmodel = "o3"\n')

    assert [preset.name for preset in found.presets] == ["scout", "coder"]
    assert found.presets[1].settings["model"].text == "o3"


def test_emoji_shift_no_span() -> None:
    text = f'{PRESET}identity.emoji = "🔍🛠️"\nmodel = "o3"\n'
    [preset] = configured(text).presets

    assert preset.settings["model"].span.of(text) == '"o3"'
