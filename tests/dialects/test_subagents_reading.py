"""A file of `codex-subagents` is read as the runtime does, down to the text of its errors."""

import re
from pathlib import Path

import pytest

from agent_lsp.dialects.codex_subagents import facts
from agent_lsp.dialects.codex_subagents.dialect import DIALECT
from agent_lsp.model.template import Reading
from agent_lsp.syntax import document
from agent_lsp.syntax.frontmatter import FenceKind

ROOT = Path(__file__).parents[2]
HEADER = "---\ndescription: d\n---\n"
NO_HEADER = "Agent 'n' missing YAML frontmatter (must start with '---')"
OPEN = "Agent 'n' missing frontmatter closing '---'"
FAILED = "Failed to parse YAML frontmatter for agent 'n': "


def read(text: str, *, bom: bool = False) -> Reading:
    return DIALECT.format.read(document.parse(text, DIALECT.format.split, bom=bom), "n")


@pytest.mark.parametrize(
    "text",
    [
        "---\ndescription: d\n---\nx",
        "\n \n\t\n---\ndescription: d\n---\nx\n",
        "\r\n---\r\ndescription: d\r\n---\r\nx\r\n",
        "  ---  \ndescription: d\n --- \nx",
        "\x0b\n\u3000---\ndescription: d\n---\n\n\n  x  \n\n",
    ],
)
def test_blanks_around_the_file_and_the_fences_do_not_matter(text: str) -> None:
    held = read(text)
    assert held.errors == ()
    assert held.effective.settings["description"].text == "d"
    assert held.effective.default.text == "x"
    assert held.effective.default.span.of(text) == "x"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", NO_HEADER),
        ("\n\n", NO_HEADER),
        ("You review.\n", NO_HEADER),
        ("description: d\n---\nx\n", NO_HEADER),
        ("----\ndescription: d\n----\nx\n", NO_HEADER),
        ("\ufeff---\ndescription: d\n---\nx\n", NO_HEADER),
        ("\ufeff\n---\ndescription: d\n---\nx\n", NO_HEADER),
        ("---\n", OPEN),
        ("---\ndescription: d\nx\n", OPEN),
        ("---\n---\nx\n", f"{FAILED}missing field `description`"),
        ("---\ndescription: [\n---\n", None),
        ("---\ndescription: ' '\n---\n", "Agent 'n' must have a non-empty description"),
        (
            "---\ndescription: d\ntools: ['']\n---\n \n",
            "Agent 'n' must have a non-empty body (system prompt)",
        ),
        (
            "---\ndescription: d\ntools: [shell, ' ']\n---\nx\n",
            "Agent 'n' has empty tool name in allowlist",
        ),
        (
            "---\ndescription: d\ntools: shell\n---\nx\n",
            f'{FAILED}tools: invalid type: string "shell", expected a sequence at line 2 column 8',
        ),
    ],
)
def test_the_first_check_that_fails_is_the_runtimes_error(text: str, message: str | None) -> None:
    found = read(text)
    assert found.effective.settings == {}
    assert found.effective.default.text == ""
    if message is None:
        assert found.errors[0].message.startswith(FAILED)
    else:
        assert found.errors[0].message == message


def test_a_byte_order_mark_hides_a_header_that_the_author_meant() -> None:
    for text, bom in ((f"{HEADER}x", True), (f"\ufeff\n{HEADER}x", False), (f"\n{HEADER}x", True)):
        parsed = document.parse(text, DIALECT.format.split, bom=bom)
        assert parsed.frontmatter.fence is FenceKind.HIDDEN
        found = DIALECT.format.read(parsed, "n")
        assert found.declared.settings["description"].text == "d"
        assert found.errors[0].message == NO_HEADER


@pytest.mark.parametrize(
    ("value", "tools"),
    [
        ("[]", ()),
        ("", None),
        ("~", None),
        ("[' shell', shell, shell]", (" shell", "shell", "shell")),
        ("[1, true, null]", ("1", "true", "null")),
    ],
)
def test_a_list_of_tools_is_kept_as_it_is_written(value: str, tools: tuple[str, ...]) -> None:
    held = read(f"---\ndescription: d\ntools: {value}\n---\nx\n").effective
    listed = held.settings.get("tools")
    assert (None if listed is None else tuple(item.text for item in listed.items)) == tools


@pytest.mark.parametrize(("value", "text"), [("12", "12"), ("yes", "yes"), ("~", "~")])
def test_a_description_is_text_whatever_it_looks_like(value: str, text: str) -> None:
    assert (
        read(f"---\ndescription: {value}\n---\nx\n").effective.settings["description"].text == text
    )


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("reviewer.md", "reviewer"),
        ("Docs.v2.md", "Docs.v2"),
        ("a b.md", "a b"),
        (".x.md", ".x"),
        ("Ü.md", "Ü"),
        ("reviewer.MD", None),
        ("reviewer.Md", None),
        (".md", None),
        ("reviewer.markdown", None),
        ("reviewer", None),
    ],
)
def test_the_name_is_the_files_as_it_is_spelt(file: str, name: str | None) -> None:
    assert DIALECT.names.name_of(file) == name


def rows(title: str, page: str) -> list[list[str]]:
    """The cells of the table below a heading of the dialect's page."""
    section = page.partition(f"## {title}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[1:]]


def test_the_page_has_the_tables_of_the_dialect() -> None:
    page = (ROOT / "docs/dialects/codex-subagents.md").read_text(encoding="utf-8")

    def first(title: str) -> list[str]:
        return [re.sub(r"^\[?`|`.*$", "", row[0]) for row in rows(title, page)]

    assert first("What a header may say")[:3] == [key.name for key in facts.KEYS]
    shipped = (*facts.TOOLS, *facts.WITHHELD)
    assert first("Tools") == [tool.name for tool in shipped]
    reported = {
        row[0].partition("`")[2].partition("`")[0]: row[1] for row in rows("What is reported", page)
    }
    assert reported == {
        code: severity.name.lower() for code, severity in DIALECT.findings.severities.items()
    }
