"""The parts of a template, what can be folded of it, and what a selection grows to."""

from itertools import pairwise
from pathlib import Path

import pytest

from agent_lsp.analysis.navigation.structure import (
    DocumentSymbol,
    document_symbols,
    folding,
    selection_ranges,
    walk,
)
from agent_lsp.text import LineIndex
from agent_lsp.workspace.snapshot import TemplateFile, template_file
from tests.fixture import fixture
from tests.recorded import each

TEMPLATE = """\
---
description: Reviews a change.
agent_names:
  - name: strict
    description: Lets nothing pass.
  - name: mild
    description: Lets most things pass.
allow_list: [exec_command,
  update_plan]
---
Review.

# Goal

Find faults.

## Style
Be short.

# Result

```sh
# No heading.
```

<!-- agent_name: strict -->
# Be strict

<!-- agent_name: mild -->
Be mild.
"""


def _template(folder: Path, source: str) -> TemplateFile:
    found = fixture(folder, source)
    file = template_file(found.workspace, found.path)
    assert file is not None
    return file


def _drawn(parts: tuple[DocumentSymbol, ...], depth: int = 0) -> list[str]:
    return [
        line
        for part in parts
        for line in (
            f"{'  ' * depth}{part.kind.name.lower()} {part.name}",
            *_drawn(part.children, depth + 1),
        )
    ]


def test_the_outline_has_keys_personas_prompts_and_headings(tmp_path: Path) -> None:
    assert _drawn(document_symbols(_template(tmp_path, TEMPLATE))) == [
        "key description",
        "key agent_names",
        "  persona strict",
        "  persona mild",
        "key allow_list",
        "heading Goal",
        "  heading Style",
        "heading Result",
        "prompt strict",
        "  heading Be strict",
        "prompt mild",
    ]


@each(range(0, len(TEMPLATE), 3), called=str)
def test_parts_nest_and_hold_their_names_whatever_is_typed_so_far(end: int, tmp_path: Path) -> None:
    file = _template(tmp_path, TEMPLATE[:end])
    parts = document_symbols(file)
    for part in walk(parts):
        assert part.name
        assert part.span.start <= part.name_span.start <= part.name_span.end <= part.span.end
        for child in part.children:
            assert part.span.start <= child.span.start <= child.span.end <= part.span.end
    assert max((part.span.end for part in parts), default=0) <= end


def test_a_template_without_a_header_has_the_headings_of_its_text(tmp_path: Path) -> None:
    assert _drawn(document_symbols(_template(tmp_path, "# One\r\n\r\n## Two ##\r\n"))) == [
        "heading One",
        "  heading Two",
    ]


@pytest.mark.parametrize("end", ["\u2028", "\u00a0", "\x0c", "\u2028more\u2029 ", "\t#"])
def test_a_heading_holds_its_name_whatever_white_space_ends_it(end: str, tmp_path: Path) -> None:
    source = f"//- .codex/.agents/reviewer.md\n---\ndescription: R.\n---\n# Goal{end}\n\n"
    parts = list(walk(document_symbols(_template(tmp_path, source))))
    assert parts[-1].name.startswith("Goal")
    for part in parts:
        assert part.span.start <= part.name_span.start <= part.name_span.end <= part.span.end


def test_header_values_pieces_and_code_can_be_folded(tmp_path: Path) -> None:
    file = _template(tmp_path, TEMPLATE)
    index = LineIndex(file.document.text)
    lines = [(index.line_of(f.start), index.line_of(f.end)) for f in folding(file)]
    assert lines == [
        (0, 9),
        (2, 6),
        (3, 4),
        (5, 6),
        (7, 8),
        (12, 17),
        (16, 17),
        (19, 23),
        (21, 23),
        (25, 26),
        (28, 29),
    ]


def test_no_fold_crosses_another_one_or_hides_a_file(tmp_path: Path) -> None:
    whole = 'name = "a"\ndescription = "d"\ndeveloper_instructions = """\nx\n"""\n\n'
    source = f"//- .codex/agents/a.toml\n{whole}"
    assert [span.of(whole) for span in folding(_template(tmp_path / "toml", source))] == [
        'developer_instructions = """\nx\n"""'
    ]
    header = "---\ndescription: d\nagent_names:\n  - name: brief\n    description: s\n---\n"
    block = "~~~md\n<!-- agent_name: brief -->\n~~~\n\nIt is short.\n"
    file = _template(
        tmp_path / "block", f"//- .codex/.agents/reviewer.md\n{header}First:\n\n{block}"
    )
    folds = folding(file)
    assert any(span.of(file.document.text).startswith("<!-- agent_name") for span in folds)
    for one in folds:
        for other in folds:
            assert other.end <= one.end or other.start < one.start or one.end <= other.start


@pytest.mark.parametrize(
    ("source", "steps"),
    [
        (
            "---\nallow_list: [exec_$0command, wait]\n---\nReview.\n",
            [
                "exec_command",
                "[exec_command, wait]",
                "allow_list: [exec_command, wait]",
                "---\nallow_list: [exec_command, wait]\n---",
            ],
        ),
        (
            "---\ndescription: 'Reviews $0code'\n---\nReview.\n",
            [
                "code",
                "Reviews code",
                "'Reviews code'",
                "description: 'Reviews code'",
                "---\ndescription: 'Reviews code'\n---",
            ],
        ),
        (
            "# Goal\n\nFind $0faults.\nAll of them.\n\n# End\n",
            ["faults.", "Find faults.", "Find faults.\nAll of them.", "# Goal\n\n…"],
        ),
    ],
)
def test_a_selection_grows_from_the_word_to_the_file(
    tmp_path: Path, source: str, steps: list[str]
) -> None:
    found = fixture(tmp_path, source)
    file = template_file(found.workspace, found.path)
    assert file is not None
    chain = selection_ranges(file, found.offset)
    texts = [span.of(found.text) for span in chain]
    assert [text[: len(step) - 1] if step.endswith("…") else text
            for text, step in zip(texts, steps, strict=False)] == [
        step.removesuffix("…") for step in steps
    ]  # fmt: skip
    assert texts[-1] == found.text
    for inner, outer in pairwise(chain):
        assert outer.start <= inner.start
        assert inner.end <= outer.end
        assert len(inner) < len(outer)


def test_the_outline_has_the_agents_of_every_table(tmp_path: Path) -> None:
    source = '{"agent": {"x": {"model": "a/b"}}, "mode": {"y": {"model": "a/b"}}}\n'
    found = fixture(tmp_path, f"//- opencode.json\n{source}")
    file = template_file(found.workspace, found.path)
    assert file is not None
    names = [one.name for one in walk(document_symbols(file))]
    assert names == ["agent", "x", "model", "mode", "y", "model"]
