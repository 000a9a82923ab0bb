"""An incremental parse of a TOML file returns what a full parse returns."""

from collections.abc import Callable, Iterator
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_lsp.syntax import toml
from agent_lsp.syntax.nodes import Tree
from agent_lsp.syntax.toml import incremental
from agent_lsp.syntax.toml.read import read
from tests.effort import examples
from tests.syntax.tomls import FILES, damaged, written

_MARKS = "x [ ] { } , = # ' "
_TYPED = ("", "\n", "\r", "\r\n", "\ufeff", '"', '"""', "'''", "${X}", *_MARKS.split(" "))
_TYPED_LINES = ("[[a]]", "k = 1\n", "[a.b]\n", "[a.b]\nc = [\n", "m = {n = 1\n")


@st.composite
def edits(draw: st.DrawFn) -> list[str]:
    """A file, and its text after each of a few edits."""
    pieces = st.one_of(damaged(), written(), st.sampled_from(FILES))
    texts = ["\n".join(draw(st.lists(pieces, min_size=1, max_size=3)))]
    for _ in range(draw(st.integers(1, 4))):
        text = texts[-1]
        at, gone = draw(st.integers(0, len(text))), draw(st.sampled_from([0, 0, 0, 1, 2, 30]))
        texts.append(
            text[:at] + draw(st.sampled_from([*_TYPED, *_TYPED_LINES])) + text[at + gone :]
        )
    return texts


@settings(max_examples=examples(60))
@given(edits(), st.booleans(), st.sampled_from([0, 7]))
def test_an_incremental_parse_equals_a_full_parse(
    texts: list[str], placeholders: bool, shift: int
) -> None:
    """With and without error recovery, whatever the earlier text was and however it was parsed."""
    before = None
    for text in texts:
        for tolerant in (False, True):
            again = partial(read, text, shift, placeholders=placeholders, tolerant=tolerant)
            found, faults = again(before=before)
            anew, wrong = again()
            assert found.sections == anew.sections
            assert found.sound == anew.sound
            assert faults == wrong
        before = found


LARGE = "".join(
    f"""
[agents.presets.p{at}]
model = "x" # é
system_prompt_suffix = '''
Say {at}.
'''
identity = {{ name = "P{at}", theme = "calm" }}
[agents.presets.p{at}.tools]
allow = ["Read", "Grep"]
"""
    for at in range(60)
)


def typed() -> Iterator[str]:
    """A large file while something is typed into it that makes it invalid for a while."""
    at = LARGE.index("[agents.presets.p30.tools]")
    line = 'deny = ["exec", \n  "Write"]\n'
    for end in range(len(line) + 1):
        yield LARGE[:at] + line[:end] + LARGE[at:]
    yield LARGE[:at] + LARGE[at + 5 :]
    yield LARGE


@pytest.mark.hostile
@pytest.mark.parametrize("parse", [toml.parse, toml.parse_open])
def test_a_large_file_has_the_same_tree_at_every_keystroke(parse: Callable[[str], Tree]) -> None:
    made = [parse(text) for text in typed()]

    for text, tree in zip(typed(), made, strict=True):
        # It has nothing that another file could reuse.
        parse("x = 1\n" * 1000)
        anew = parse(text)
        assert tree == anew
        assert tree.sections == anew.sections
    assert [tree.problem is None for tree in made].count(False) > len(made) // 2


@pytest.mark.parametrize("half", ["x", '"', "[", "${", "'''", "\n[agents"])
def test_a_keystroke_parses_only_its_own_section_again(half: str) -> None:
    """Sections before it are reused, and those after it are only shifted."""
    at = LARGE.index("allow", LARGE.index("Say 30"))
    text = LARGE[:at] + half + LARGE[at:]
    first, _ = read(LARGE, 0, placeholders=True, tolerant=True)
    second, _ = read(text, 0, placeholders=True, tolerant=True, before=first)
    headers = [one.header for one in first.sections if one.header]
    kept = [one for one in second.sections if any(one.header is other for other in headers)]
    behind = incremental.change(first, text).taken(text.index("[agents.presets.p31]"))

    assert len(kept) == 61
    assert behind == second.sections[-len(behind) :]
    assert len(behind) == 58
