"""A pattern that is compiled late behaves as one that is compiled at once."""

import copy
import pickle
import re
from importlib import import_module
from pathlib import Path

import pytest

from agent_lsp import patterns
from agent_lsp.patterns import compiled_late, regex

_TEXTS = ("", "a1b22", "x", "A1")


@pytest.mark.parametrize("flags", [0, re.IGNORECASE, re.MULTILINE | re.DOTALL])
@pytest.mark.parametrize("written", [r"[a-z](?P<n>\d+)", r"^|$", "."])
def test_each_method_answers_as_that_of_a_compiled_pattern(written: str, flags: int) -> None:
    now = re.compile(written, flags)
    for text in _TEXTS:
        for name in ("search", "match", "fullmatch"):
            ours, theirs = getattr(regex(written, flags), name)(text), getattr(now, name)(text)
            assert (ours and (ours.span(), ours.groups())) == (
                theirs and (theirs.span(), theirs.groups())
            )
        assert regex(written, flags).findall(text) == now.findall(text)
        assert regex(written, flags).split(text) == now.split(text)
        assert regex(written, flags).sub("-", text) == now.sub("-", text)
        assert regex(written, flags).subn("-", text) == now.subn("-", text)
        spans = [found.span() for found in regex(written, flags).finditer(text)]
        assert spans == [found.span() for found in now.finditer(text)]
    for name in ("pattern", "flags", "groups", "groupindex"):
        assert getattr(regex(written, flags), name) == getattr(now, name)


def test_a_pattern_is_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[tuple[str, int]] = []
    real = re.compile

    def count(text: str, flags: int) -> re.Pattern[str]:
        compiled.append((text, flags))
        return real(text, flags)

    monkeypatch.setattr(patterns, "_compile", count)
    one = regex(r"\d")
    assert compiled == []
    assert one.search("1")
    assert one.match("1")
    assert one.pattern == r"\d"
    assert compiled == [(r"\d", 0)]


def test_a_pattern_survives_copies_before_and_after_its_use() -> None:
    one = regex("a", re.IGNORECASE)
    for _ in range(2):
        for made in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):  # noqa: S301
            assert made.fullmatch("A")
        assert one.fullmatch("A")


def test_bytes_have_patterns_too() -> None:
    assert regex(rb"\d+").findall(b"1 22") == [b"1", b"22"]


def test_an_attribute_that_no_pattern_has_is_missing() -> None:
    assert not hasattr(regex("a"), "other")
    with pytest.raises(re.error):
        regex("(").search("")


def test_a_package_that_is_imported_late_compiles_nothing_and_matches_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "late_patterns.py").write_text("import re\nDIGIT = re.compile(r'\\d')\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    at_once = re.compile
    with compiled_late():
        made = import_module("late_patterns").DIGIT
    assert re.compile is at_once
    assert not isinstance(made, re.Pattern)
    assert made.search("a1").span() == (1, 2)


def test_after_a_mistake_in_the_package_patterns_are_compiled_at_once_again() -> None:
    at_once = re.compile
    with pytest.raises(ImportError), compiled_late():
        raise ImportError
    assert re.compile is at_once


def test_a_pattern_can_be_used_while_packages_are_imported_late() -> None:
    with compiled_late():
        assert regex(r"\d").search("1")
