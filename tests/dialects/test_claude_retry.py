"""How Claude Code reads a header, at the first try and at the second; 2.1.332, 2026-11-28."""

from pathlib import Path

import pytest

from agent_lsp.dialects.claude.dialect import DIALECT
from agent_lsp.model.runtime import Call
from agent_lsp.syntax.nodes import Mapping, Node, Scalar, Sequence
from agent_lsp.workspace.catalogs import catalog
from tests.fixture import fixture


def listed(folder: Path, text: str) -> tuple[str, list[str] | None] | None:
    """The description and the tools of the agent that comes of a file, or None."""
    made = fixture(folder, "//- .claude/agents/a.md\n")
    made.path.write_bytes(text.encode())
    answer = DIALECT.calls.list_agents(catalog(made.workspace, DIALECT, made.root), Call({}))
    assert isinstance(answer, dict)
    rows = [row for row in answer["agents"] if row["path"]]
    return (rows[0]["description"], rows[0]["tools"]) if rows else None


@pytest.mark.parametrize(
    ("lines", "seen"),
    [
        ("description: a: b  \ntools: Read", ("a: b  ", ["Read"])),
        ("description: a: b # c\ntools: Read", ("a: b # c", ["Read"])),
        ('description: a: "b" c\ntools: Read', ('a: "b" c', ["Read"])),
        ("description: a: \\d\ntools: Read", ("a: \\d", ["Read"])),
        ("description: a: b\\nc\ntools: Read", ("a: b\nc", ["Read"])),
        ("description: a\\nb\ntools: Read", ("a\nb", ["Read"])),
        ("description: 'a\\nb'\ntools: Read", ("a\nb", ["Read"])),
        ("description: a: b\ntools: [Read, Grep]", ("a: b", ["Read", "Grep"])),
        ('description: a: b\ntools: ["Read", "Grep"]', ("a: b", ["Read", "Grep"])),
        ("description: a: b\ntools: [Read, Grep] # c", ("a: b", ["[Read", "Grep]", "#", "c"])),
        ("description: d\ntools: [Read, Grep", ("d", ["[Read", "Grep"])),
        ("description: d\nmodel: sonnet\nmodel: haiku\ntools: Read", ("d", ["Read"])),
        ("description: @x\ntools: Read", ("@x", ["Read"])),
        ("description: %x\ntools: Read", ("%x", ["Read"])),
        ("description: *x\ntools: Read", ("*x", ["Read"])),
        ("description: [x] t\ntools: Read", ("[x] t", ["Read"])),
        ("description: {x} t\ntools: Read", ("{x} t", ["Read"])),
        ("description: > t\ntools: Read", ("> t", ["Read"])),
        ("description: | t\ntools: Read", ("| t", ["Read"])),
        ("description: do: this:\ntools: Read", ("do: this:", ["Read"])),
        ("description: , a\ntools: Read", (", a", ["Read"])),
        ("description: a\x07b\ntools: Read", ("a\x07b", ["Read"])),
        ("description: a\u2028b\ntools: Read", ("a\u2028b", ["Read"])),
        ("description: d\ntools:\n\t- Read\n\t- Edit", ("d", ["Read", "Edit"])),
        ("description: d\ntools:\n-\tRead", ("d", ["Read"])),
        ("description: d\ntools: [\n  Read\n]", ("d", ["Read"])),
        ('description: "a\n b"\ntools: Read', ("a b", ["Read"])),
        ('description: "  "\ntools: Read', ("  ", ["Read"])),
        ("description: |\n  a\ntools: Read", ("a\n", ["Read"])),
        ("tools: Read\ndescription: |\n  a", ("a\n", ["Read"])),
        ("tools: Read\ndescription: |-\n  a", ("a", ["Read"])),
        ("description: yes\ntools: Read", ("yes", ["Read"])),
        ("description: 2024-01-01\ntools: Read", ("2024-01-01", ["Read"])),
        ("description: d\ntools: Read\n...", ("d", ["Read"])),
        # What does not load.
        ('description: "d\ntools: Read', None),
        ('description: "a" and b\ntools: Read', None),
        ('description: "a" and "b"\ntools: Read', None),
        ("description: do this:\ntools: Read", None),
        ("description: d\n\ttools: Read", None),
        ("description: d\n...\ntools: Read", None),
        ("description: a\n  b: c\ntools: Read", None),
        ("description: a\nb c\ntools: Read", None),
        ('description: "a\nb"\ntools: Read', None),
        ('description: "a\n\nb"\ntools: Read', None),
        ("description: d\ntools: [Read,\nGrep]", None),
        ('description: d\nx:\n  - "a\n  b"\ntools: Read', None),
        ("description: d\nkey1: a: b\ntools: Read", None),
        ("  description: a: b\n  tools: Read", None),
        ("description: - t\ntools: Read", None),
        ("description: ? t\ntools: Read", None),
        ("description: #t x\ntools: Read", None),
        ("description: a\x00b\ntools: Read", None),
        ("description: true\ntools: Read", None),
        ("description: 1e3\ntools: Read", None),
        ("description: {}\ntools: Read", None),
    ],
)
def test_a_header_is_read_as_the_program_reads_it(
    tmp_path: Path, lines: str, seen: tuple[str, list[str]] | None
) -> None:
    assert listed(tmp_path, f"---\nname: a\n{lines}\n---\nGo.\n") == seen


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("\ufeff---\nname: a\ndescription: d\n---\nGo.\n", ("d", None)),
        ("\ufeff\ufeff---\nname: a\ndescription: d\n---\nGo.\n", None),
        ("---\r\nname: a\r\ndescription: do: it\r\n---\r\nGo.\r\n", None),
        ("---\r\nname: a\r\ndescription: d\r\n---\r\nGo.\r\n", ("d", None)),
        # The last line of the header ends otherwise than those above it.
        ("---\nname: a\ndescription: do: it\r\n---\nGo.\n", None),
        ("---\nname: a\ndescription: do: it\r\n  ---\nGo.\n", None),
        ("---\r\nname: a\r\ndescription: do: it\n---\nGo.\n", ("do: it", None)),
        ("---\r\nname: a\r\ndescription: do: it\n\t---\nGo.\n", ("do: it", None)),
        ("---\r\nname: a\r\ndescription: do: it ---\nGo.\n", ("do: it ", None)),
        ("---\nname: a\ndescription: do: it\r---\nGo.\n", None),
        ("---\nname: a\ndescription: d\ntools: Read\r\t---\nGo.\n", ("d", ["Read"])),
        ("---\nname: a\ndescription: |+\n  x\n\n---\nGo.\n", ("x\n\n", None)),
        ("---\nname: a\ndescription: |\n  x\n\t---\nGo.\n", ("x\n", None)),
        ("---\nname: a\ndescription: |\n  x\n\n\t---\nGo.\n", None),
        ("---\nname: a\ndescription: |\n  x\n\t\n---\nGo.\n", ("x\n", None)),
        ("---\nname: a\ndescription: |\n  x\n  \t\n---\nGo.\n", ("x\n\t\n", None)),
        ("---\nname: a\ndescription: |\n  x\n\t# c\n---\nGo.\n", ("x\n", None)),
        ('---\r\nname: a\r\ndescription: "a\r\n  b"\r\n\t\r\n---\r\nGo.\r\n', ("a\nb", None)),
        ("---\n\n\nname: a\ndescription: d\n---\nGo.\n", ("d", None)),
        ("---\u00a0\nname: a\ndescription: d\n---\nGo.\n", ("d", None)),
        ("---\r\rname: a\ndescription: d\n---\nGo.\n", None),
        ("---\nname: a\ndescription: b --- c\ntools: Read\n---\nGo.\n", ("b", None)),
        ('---\nname: a\ndescription: "b --- c"\n---\nGo.\n', None),
        ("---\nname: a\ndescription: d\n--- x\nGo.\n", ("d", None)),
        ("---\nname: a\ndescription: d\n  ---\nGo.\n", ("d", None)),
        ("---\nname: 123\ndescription: d\n---\nGo.\n", None),
        ("---\nname: true\ndescription: d\n---\nGo.\n", None),
        ("---\nname: a\uff1ab\ndescription: d\n---\nGo.\n", None),
        ("---\nname: yes\ndescription: d\n---\nGo.\n", ("d", None)),
    ],
)
def test_a_file_loads_where_the_program_loads_it(
    tmp_path: Path, text: str, seen: tuple[str, list[str]] | None
) -> None:
    assert listed(tmp_path, text) == seen


def scalars(node: Node | None) -> list[Scalar]:
    if isinstance(node, Scalar):
        return [node]
    if isinstance(node, Mapping):
        inner = [one for entry in node.entries for one in (entry.key, entry.value)]
    else:
        inner = list(node.items) if isinstance(node, Sequence) else []
    return [found for one in inner for found in scalars(one)]


def test_each_word_of_the_second_try_has_its_place_in_the_file() -> None:
    text = (
        "---\nname: a\ndescription:   do: it\ntools:\n\t- Read\n\t- Edit\nskills: [b, c]\n---\nGo\n"
    )
    document = DIALECT.parse(text)

    assert document.tree.problem is not None
    found = scalars(document.tree.root)
    assert [one.span.of(text) for one in found] == [one.value for one in found]
    assert "do: it" in [one.value for one in found]
