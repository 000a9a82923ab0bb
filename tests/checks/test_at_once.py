"""Everything that is wrong is told at once: no fault hides another one.

Each system has good files and small faults, each of which breaks one rule. All faults of a file are
told together as each is alone, and mending one after the other reveals none. So is each of them
beside a line that cannot be read. Every rule of every system has such a fault, except the rules for
the place of a file, and those for a header that is not read.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

import pytest

from agent_lsp.analysis.checks import ALWAYS
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.model.dialect import Dialect
from tests.checks.contradictions import contradictions
from tests.checks.faults import PLANTED as FIRST
from tests.checks.faults import Fault, Planted
from tests.checks.second_files import SECOND
from tests.effort import share
from tests.fixture import Fixture, fixture
from tests.systems import DIALECTS

PLANTED = (*FIRST, *SECOND)
Told = Counter[tuple[str, str]]
# In a system, what is told of the second rule depends on the part that breaks the first one, if
# that part has these words.
_DEPENDENT = {
    # The persona without a name may be the one of the marker.
    ("codex-templates", "missing-key", "block-without-persona"): "",
    ("codex-templates", "missing-key", "marker-in-code"): "",
    # A second block of a persona may be that of the one without a block.
    ("codex-templates", "persona-without-block", "repeated-block"): "",
    # The block that goes on below is not empty.
    ("codex-templates", "repeated-block", "empty-block"): "",
    # The efforts are those of the model.
    ("codex-templates", "unknown-model", "unsupported-effort"): "",
    # Which of the two models is meant is not known.
    ("codex-templates", "duplicate-key", "unsupported-effort"): "model: kept",
    # The entry that is refused may be the tool for it.
    ("codex-templates", "wrong-type", "futile-delegation"): "[update_plan]",
    # With an empty list all tools are allowed, and without one as well.
    ("codex-templates", "empty-allow-list", "allowed-and-denied"): "",
    ("codex-templates", "empty-allow-list", "futile-delegation"): "",
    ("kodacode", "unset-allow-list", "allowed-and-denied"): "",
    ("qwen", "empty-allow-list", "allowed-and-denied"): "",
    ("qwen", "unset-allow-list", "allowed-and-denied"): "",
    # The list has other entries then.
    ("qwen", "no-tools", "allowed-and-denied"): "",
    # Nothing is allowed, so the empty list allows nothing either.
    ("codex-templates", "no-tools", "empty-allow-list"): "",
    # Whether models may call an agent, and so need its description, is what the word says.
    ("opencode", "invalid-value", "missing-description"): "worker",
    ("opencode-config", "invalid-value", "missing-description"): "worker",
    # Which of the two values is meant is not known.
    ("kodacode", "duplicate-key", "out-of-reach"): "hidden",
    # The misspelt key is the missing one.
    ("copilot", "unknown-key", "missing-key"): "",
    # With this key the file is one for another version of the runtime.
    ("moltis", "main-session-unprotected", "unknown-default"): "",
    ("moltis", "main-session-unprotected", "config-dropped"): "",
    ("moltis", "main-session-unprotected", "no-effect"): "",
    ("moltis", "main-session-unprotected", "other-generation"): "",
    # Another program is the agent, and reads neither the tools nor the prompt.
    ("qwen", "external-agent", "blank-tool"): "",
    ("qwen", "external-agent", "unknown-variable"): "",
    ("qwen", "external-agent", "unknown-model"): "",
    ("qwen", "external-agent", "no-tools"): "",
    # Without tools there are none that it does not read.
    ("qwen", "empty-allow-list", "external-agent"): "",
    ("qwen", "unset-allow-list", "external-agent"): "",
    # What a call needs is known of a tool with this name.
    ("vuhlp", "tool-call-name", "tool-call-argument"): "",
    # A call that is no JSON has no name.
    ("vuhlp", "tool-call-json", "tool-call-name"): "",
    # The older name allows the call.
    ("vuhlp", "older-name", "tool-call-edges"): "",
    ("vuhlp", "older-name", "role-not-found"): "",
    # The capability under this name contradicts nothing.
    ("vuhlp", "unknown-capability", "contradiction"): "",
}
# A session reads the broken file, so that what it makes of the file is not known.
_OF_SESSION = {
    ("codex-config", "never-spawned"),
    ("kodacode", "out-of-reach"),
    ("moltis", "unknown-agent"),
    ("moltis", "unknown-server"),
    ("moltis", "unknown-skill"),
    ("opencode", "futile-delegation"),
    ("opencode-config", "futile-delegation"),
    ("opencode-config", "unknown-agent"),
    ("opencode-config", "unknown-server"),
}
# Rules for the path of a file, its bytes, or the other files that are there.
_OF_PLACE = {
    "ambiguous-name",
    "config-hidden",
    "file-name",
    "hides-builtin",
    "misplaced",
    "never-spawned",
    "other-generation",
    "other-system",
    "plugin-agent",
    "shadowed",
    "unreadable",
}
# Rules for a header that the runtime does not read, so that it has no other faults.
_OF_NO_HEADER = {
    "executed-header",
    "header-bom",
    "header-cut-short",
    "header-invalid",
    "header-missing",
    "header-unclosed",
    "preamble-place",
    "preamble-syntax",
    "unquoted-text",
    "unread-prompt",
}
# Rules that a system does not have in a header.
_NOWHERE = {
    # The reader for broken headers has no mappings, in which hooks are.
    ("qwen", "futile-hook"),
    # It is about the folder of a file.
    ("copilot", "out-of-reach"),
    # There are no comments.
    ("opencode-config", "unused-suppression"),
    ("vuhlp", "unused-suppression"),
}


def put(text: str, fault: Fault) -> str:
    assert text.count(fault.old) == 1
    return text.replace(fault.old, fault.new)


def told(written: Fixture, text: str) -> Told:
    """The rules that are broken, each once at a place, with the text there.

    No message contradicts another one.
    """
    written.path.write_bytes(text.encode())
    files = written.workspace.files
    # The text of another file than Markdown may decide where agents are.
    (files.rewritten if written.path.suffix == ".md" else files.changed)(written.path)
    every = diagnostics(written.workspace, written.path)
    assert contradictions(every, text) == []
    found = {(one.code, one.span) for one in every}
    return Counter((code, span.of(text)) for code, span in found)


_TOLD: dict[tuple[str, ...], Told] = {}


def told_of(planted: Planted, written: Fixture, text: str) -> Told:
    """What is told of a text; several tests ask about the file with one fault."""
    key = (planted.system, planted.path, planted.beside, text)
    if key not in _TOLD:
        _TOLD[key] = told(written, text)
    return _TOLD[key]


def written_for(planted: Planted, folder: Path) -> Fixture:
    return fixture(folder, f"//- {planted.path}\nnothing yet\n{planted.beside}")


def groups(planted: Planted) -> Iterator[tuple[Fault, ...]]:
    """The faults in groups that can be planted together: in each, no two edit the same text."""
    left = list(planted.faults)
    while left:
        group: list[Fault] = []
        if left[0].is_whole:
            yield (left.pop(0),)
            continue
        ends: list[tuple[int, int]] = []
        for fault in left:
            start = planted.good.index(fault.old)
            end = start + len(fault.old)
            if not fault.is_whole and all(end <= other[0] or other[1] <= start for other in ends):
                group.append(fault)
                ends.append((start, end))
        left = [fault for fault in left if fault not in group]
        yield tuple(group)


def planted_in(planted: Planted, faults: tuple[Fault, ...]) -> str:
    text = planted.good
    for fault in sorted(faults, key=lambda one: -planted.good.index(one.old)):
        start = planted.good.index(fault.old)
        text = f"{text[:start]}{fault.new}{text[start + len(fault.old) :]}"
    return text


@pytest.mark.parametrize("planted", PLANTED, ids=lambda one: f"{one.system}-{one.path}")
def test_mending_one_fault_after_the_other_reveals_none(planted: Planted, tmp_path: Path) -> None:
    written = written_for(planted, tmp_path)
    good = told_of(planted, written, planted.good)
    alone = {
        fault: told_of(planted, written, put(planted.good, fault)) - good
        for fault in planted.faults
    }
    for fault, found in alone.items():
        assert fault.rule in {code for code, _ in found}, fault
    system = planted.system
    for group in groups(planted):
        for at in range(len(group)):
            left = group[at:]
            together = told_of(planted, written, planted_in(planted, left))
            wanted = _union(
                alone[one]
                for one in left
                if not any(_depends(system, one, other) for other in left)
            )
            assert wanted - together == Counter(), f"hidden: {left}"
            known = set(good).union(*(alone[one] for one in left))
            assert set(together) <= known, f"new: {left}"


def _union(every: Iterator[Told]) -> Told:
    found = Told()
    for one in every:
        found |= one
    return found


@pytest.mark.hostile
@pytest.mark.parametrize("planted", PLANTED, ids=lambda one: f"{one.system}-{one.path}")
def test_two_faults_are_told_as_each_of_them_is_alone(planted: Planted, tmp_path: Path) -> None:
    written = written_for(planted, tmp_path)
    good = told_of(planted, written, planted.good)
    alone = {
        fault: told_of(planted, written, put(planted.good, fault)) - good
        for fault in planted.faults
    }
    for first, second in combinations(planted.faults, 2):
        if _is_dependent(planted, first, second):
            continue
        both = told_of(planted, written, planted_in(planted, (first, second)))
        where = f"{first} and {second}"
        assert (alone[first] | alone[second]) - both == Counter(), f"hidden: {where}"
        assert both - (alone[first] + alone[second]) - good == Counter(), f"new: {where}"


def _is_dependent(planted: Planted, first: Fault, second: Fault) -> bool:
    starts = sorted((planted.good.index(one.old), len(one.old)) for one in (first, second))
    overlap = starts[0][0] + starts[0][1] > starts[1][0]
    pairs = ((first, second), (second, first))
    return overlap or any(_depends(planted.system, *pair) for pair in pairs)


def _depends(system: str, one: Fault, other: Fault) -> bool:
    """Whether what is told of a fault depends on the part that breaks another rule."""
    words = _DEPENDENT.get((system, other.rule, one.rule))
    return words is not None and words in other.new


@pytest.mark.parametrize("planted", PLANTED, ids=lambda one: f"{one.system}-{one.path}")
def test_a_fault_beside_a_line_that_cannot_be_read_is_told_as_alone(
    planted: Planted, tmp_path: Path
) -> None:
    _is_told_beside_a_broken_line(planted, tmp_path, share(planted.faults, 0))


@pytest.mark.hostile
@pytest.mark.parametrize("planted", PLANTED, ids=lambda one: f"{one.system}-{one.path}")
def test_each_fault_beside_a_line_that_cannot_be_read_is_told_as_alone(
    planted: Planted, tmp_path: Path
) -> None:
    _is_told_beside_a_broken_line(planted, tmp_path, planted.faults)


def _is_told_beside_a_broken_line(planted: Planted, folder: Path, faults: Sequence[Fault]) -> None:
    written = written_for(planted, folder)
    good = told_of(planted, written, planted.good)
    broken = _with_broken_line(planted)
    syntax = told_of(planted, written, broken)
    assert syntax - good, "the line is read"
    for fault in faults:
        if (planted.system, fault.rule) in _OF_SESSION:
            continue
        alone = told_of(planted, written, put(planted.good, fault)) - good
        both = told_of(planted, written, put(broken, fault))
        assert alone - both == Counter(), f"hidden: {fault}"
        assert both - alone - syntax == Counter(), f"new: {fault}"


def _with_broken_line(planted: Planted) -> str:
    """The good file with a line that is broken."""
    if planted.path.endswith(".json"):
        return re.sub(r"(\n *)(?=\"mode\")", r'\1"x-mark": a b,\1', planted.good)
    if planted.path.endswith(".toml"):
        return f"{planted.good}\nx-mark = \n"
    if planted.good.startswith("---"):
        return planted.good.replace("\n---\n", '\nx-mark: "a" b\n---\n', 1)
    return planted.good.replace("version =", "mark = \nversion =", 1)


# Broken lines about tools and models, in headers that lack a key.
_LACKING = (
    (".codex/.agents/a.md", "model: gpt-5.5\ndeny_list: [*]\n", "missing-description"),
    (".gemini/agents/a.md", 'name: a\ntools: "a" b\n', "missing-key"),
    (".opencode/agent/a.md", 'model: "a" b\n', "missing-description"),
)


@pytest.mark.parametrize(("path", "lines", "rule"), _LACKING)
def test_a_missing_key_is_told_beside_a_broken_line_about_tools_or_a_model(
    path: str, lines: str, rule: str, tmp_path: Path
) -> None:
    made = fixture(tmp_path, f"//- {path}\n---\n{lines}---\nWork.\n")
    told = {one.code for one in diagnostics(made.workspace, made.path)}
    assert {"header-invalid", rule} <= told


# What only some parsers refuse, and lines that set no key.
_ODD = (
    (".kodacode/agents/a.md", 'model: "a\\/b"\nmode: subagnt\n'),
    (".kodacode/agents/a.md", "%YAML 1.2\nmode: subagnt\n"),
    (".kodacode/agents/a.md", "%YAML 1.2\n--- \nmode: subagnt\n"),
    (".kodacode/agents/a.md", "mode: subagnt\nmodel: [a?b]\n"),
    (".codex/.agents/a.md", "%TAG ! x\nread_only: subagnt\n"),
)


@pytest.mark.parametrize(("path", "lines"), _ODD)
def test_beside_what_only_a_parser_refuses_the_rest_is_told(
    path: str, lines: str, tmp_path: Path
) -> None:
    written = fixture(tmp_path, f"//- {path}\nnothing yet\n")
    found = told(written, f"---\n{lines}description: A.\n---\nReview.\n")
    words = {word for _, word in found}
    assert {"header-invalid"} < {code for code, _ in found}
    assert "subagnt" in words


# What the lines around a broken one say is not known.
_UNCERTAIN = (
    # The text of a description that has lost its indent.
    "---\ndescription: Use it as follows.\n  broken: here: x\nNote: never\n---\nx\n",
    # A key may be meant by the broken line.
    "---\ndescripton: 'Reviews'changes\n---\nReview.\n",
    "---\nmodel: gpt-5-codex\ndescription 'Reviews\n---\nReview.\n",
    # A list may be meant by the broken line.
    "---\ndescription: x\nagent_names: [{name: a}\n---\nReview.\n\n<!-- agent_name: a -->\nx\n",
)


@pytest.mark.parametrize("text", _UNCERTAIN)
def test_what_the_mending_of_a_broken_line_decides_is_not_told(text: str, tmp_path: Path) -> None:
    written = fixture(tmp_path, "//- .codex/.agents/a.md\nnothing yet\n")
    assert {code for code, _ in told(written, text)} == {"header-invalid"}


def test_a_broken_table_of_toml_takes_its_keys_with_it(tmp_path: Path) -> None:
    written = fixture(tmp_path, "//- moltis.toml\nnothing yet\n")
    text = "[agents.presets.a]\nmodel = 'x'\n[agents.presets.b\nmodel = 5\n"
    assert {word for _, word in told(written, text)}.isdisjoint({"model", "5"})


def test_what_is_beside_a_missing_comma_of_json_is_told(tmp_path: Path) -> None:
    written = fixture(tmp_path, "//- opencode.json\nnothing yet\n")
    text = (
        '{\n "agent": {"a": {\n  "description": "A.",\n  "mode": "worker"\n  "color": "grn",\n'
        '  "stps": 1\n }}\n}\n'
    )
    words = [word for _, word in told(written, text)]
    assert sorted(words) == ['"', '"grn"', '"stps"', '"worker"']


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda one: one.id)
def test_every_rule_of_a_system_has_a_fault_to_plant(dialect: Dialect) -> None:
    readers = (dialect, *(one.load() for one in dialect.variants.readers))
    rules = {
        code
        for one in readers
        for check in (*one.findings.checks, *ALWAYS)
        for code in check.codes
        if check.severity is not None or code in one.findings.severities
    }
    planted = {f.rule for one in PLANTED if one.system == dialect.id for f in one.faults}
    nowhere = {code for system, code in _NOWHERE if system == dialect.id}
    assert rules - planted - _OF_PLACE - _OF_NO_HEADER == nowhere
