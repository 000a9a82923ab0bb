"""What an editor says in `agent-template-lsp.toml`: mistakes, completion and hover."""

import pytest

from agent_lsp.settings.editing import complete_settings, hover_settings, mistakes
from agent_lsp.text import apply


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ('[severity]\nunknown-tol = "off"\n', "unknown-tol", "did you mean `unknown-tool`?"),
        ('[severity]\nunknown-tool = "of"\n', '"of"', "`hint` or `off`, got"),
        ('[dialects.claude]\ntool = ["x"]\n', "tool", "did you mean `tools`?"),
        ('[dialects.claud]\ntools = ["x"]\n', "claud", "did you mean `claude`?"),
        ('for = ["claude", "cursr"]\n', '"cursr"', "did you mean `cursor`?"),
        ("session-root = 1\n", "1", "expected a string"),
        ("sesion-root = '.'\n", "sesion-root", "did you mean `session-root`?"),
        ('[folders]\n"a b" = "codex"\n', '"codex"', "expected false"),
        ("[severity\n", "[severity", "not valid TOML"),
    ],
)
def test_a_mistake_is_reported_where_it_is(text: str, place: str, message: str) -> None:
    (found,) = mistakes(text)
    assert found.span.of(text) in (place, "", "\n"), found
    assert message in found.message


def test_a_right_file_has_no_mistake() -> None:
    text = 'for = ["claude"]\n[severity]\nunknown-tool = "off"\n[dialects.qwen]\ntools = ["a"]\n'
    assert mistakes(text) == ()
    assert mistakes("\ufeff" + text) == ()


@pytest.mark.parametrize(
    ("source", "label", "expected"),
    [
        ("$0", "for", 'for = [""]'),
        ("se$0", "session-root", 'session-root = ""'),
        ("sev$0", "severity", "[severity]\n"),
        ("[se$0]", "severity", "[severity]"),
        ("[dialects.cl$0]\n", "dialects.claude", "[dialects.claude]\n"),
        ("[severity]\nunknown-to$0", "unknown-tool", '[severity]\nunknown-tool = ""'),
        ("[severity]\nunknown-tool = $0", "off", '[severity]\nunknown-tool = "off"'),
        ('[severity]\nunknown-tool = "o$0ff"', "hint", '[severity]\nunknown-tool = "hint"'),
        ('[folders]\n"a b" = $0', "false", '[folders]\n"a b" = false'),
        ('[folders]\n"a b" = "$0"', "codex-templates", '[folders]\n"a b" = "codex-templates"'),
        ("for = $0", "claude", 'for = ["claude"]'),
        ('for = ["claude", "$0"]', "cursor", 'for = ["claude", "cursor"]'),
        ('for = [\n  "claude",\n  "cu$0\n]', "cursor", 'for = [\n  "claude",\n  "cursor"\n]'),
        ("[dialects.claude]\nto$0", "tools", '[dialects.claude]\ntools = [""]'),
        ("[dialects.moltis]\ngeneration = $0", "today", '[dialects.moltis]\ngeneration = "today"'),
        ('[dialects.copilot]\nreaders = ["$0"]', "cli", '[dialects.copilot]\nreaders = ["cli"]'),
    ],
)
def test_what_may_be_written_is_offered(source: str, label: str, expected: str) -> None:
    offset, text = source.index("$0"), source.replace("$0", "")
    found = {one.label: one for one in complete_settings(text, offset)}
    after = apply(text, [found[label].edit])
    assert after == expected
    assert '""' in after or mistakes(after) == ()


def test_nothing_is_offered_in_a_comment_or_for_a_path() -> None:
    assert complete_settings("# fo", 4) == ()
    assert complete_settings("[folders]\nag", 12) == ()


def test_a_word_says_what_it_means() -> None:
    text = '[severity]\nunknown-tool = "off"\n[dialects.claude]\ntools = ["a"]\n'
    said = {
        word: hover_settings(text, text.index(word) + 1)
        for word in ("severity", "unknown", "tools")
    }
    found = {word: hover.markdown if hover else "" for word, hover in said.items()}
    assert "the severity of each rule" in found["severity"]
    assert "a tool policy has an entry" in found["unknown"].lower()
    assert "docs/rules/unknown-tool.md" in found["unknown"]
    assert "tools to add" in found["tools"]
