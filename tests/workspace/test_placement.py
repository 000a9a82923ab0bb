"""In a common folder, the texts of the files decide whether they are templates."""

from pathlib import Path

import pytest

from agent_lsp.dialects import SYSTEMS
from agent_lsp.options import Options
from agent_lsp.workspace.placement import folder_placement, placement_at
from agent_lsp.workspace.search import templates
from agent_lsp.workspace.snapshot import Workspace, is_template, template_file
from tests.fixture import Fixture, fixture

BLOCK = "[template]\nversion = '1'\n\n# Role\n"
FENCED = f"# How to\n\n```\n{BLOCK}```\n"
PLAIN = "# Dear customer\n"


def made(folder: Path, files: dict[str, str], options: Options | None = None) -> Fixture:
    source = "".join(f"//- {name}\n{text}" for name, text in files.items())
    return fixture(folder, source, options=options)


def taken(written: Fixture) -> set[str]:
    """The files that count as templates, by their paths in the workspace folder."""
    found = templates(written.workspace)
    return {path.relative_to(written.root).as_posix() for path in found}


ENTRY = 'name = "x"\n'
# Documentation of other projects that contains the header of a block as an example or a link.
EXAMPLES = {
    "in a nested fence": "1. So:\n\n   ~~~ini\n   [template]\n   " + ENTRY + "   ~~~\n",
    "in a fence that shows a fence": f"````md\n```\n[template]\n{ENTRY}```\n````\n",
    "in a fence that is not closed": f"So:\n\n```toml\n[template]\n{ENTRY}",
    "indented": f"So:\n\n    [template]\n    {ENTRY}",
    "in a comment": f"<!--\n[template]\n{ENTRY}-->\n\nHello.\n",
    "preformatted": f"<pre>\n[template]\n{ENTRY}</pre>\n",
    "a link": "See the\n[template]\nfor more.\n\n[template]: other.md\n",
    "a link by itself": "Go to the\n\n[template]\n\n[template]: other.md\n",
    "in a quotation": f"> [template]\n> {ENTRY}",
    "another table": 'So:\n\n[template]\nignore = ["x"]\n',
}


@pytest.mark.parametrize("text", EXAMPLES.values(), ids=EXAMPLES)
def test_an_example_of_a_block_is_no_template(text: str, tmp_path: Path) -> None:
    files = {f"docs/templates/{name}.md": text for name in ("letter", "planner")}
    written = made(tmp_path, files)

    assert taken(written) == set()
    crlf = text.replace("\n", "\r\n")
    written.workspace.files.open(written.path, crlf)
    assert placement_at(written.workspace, written.path) is None


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "text",
    [
        "[template]\n",
        "\n\n[template]\n",
        "\ufeff[template]\n",
        "  [template] # ours\nna",
        f"# Title\n\n[template]\n{ENTRY}",
        f"Use it.\n\n```\nx\n```\n[template]\n{ENTRY}",
    ],
)
def test_a_block_at_the_top_or_with_its_keys_is_a_template(
    text: str, end: str, tmp_path: Path
) -> None:
    written = made(tmp_path, {"docs/templates/letter.md": text.replace("\n", end)})

    assert taken(written) == {"docs/templates/letter.md"}


CASES = {
    "nothing speaks": ({"letter": PLAIN, "planner": PLAIN}, set()),
    "a block": ({"letter": BLOCK}, {"letter"}),
    "a block beside it": ({"a": PLAIN, "b": BLOCK, "README": PLAIN}, {"a", "b", "README"}),
    "a block in a fence": ({"letter": FENCED, "planner": PLAIN}, set()),
}


@pytest.mark.parametrize(("texts", "expected"), CASES.values(), ids=CASES)
def test_a_block_makes_all_files_of_its_folder_templates(
    texts: dict[str, str], expected: set[str], tmp_path: Path
) -> None:
    written = made(tmp_path, {f"docs/templates/{name}.md": text for name, text in texts.items()})

    assert taken(written) == {f"docs/templates/{name}.md" for name in expected}
    owner = folder_placement(written.workspace, written.root / "docs/templates")
    assert (owner is not None) is bool(expected)


@pytest.mark.parametrize(
    "sign",
    [
        "packages/daemon/docs/templates/poet.txt",
        "services/billing/docs/templates/poet.md",
        "services/billing/packages/daemon/docs/templates/poet.txt",
    ],
)
def test_a_shipped_name_is_a_template_in_a_repository_of_the_system(
    sign: str, tmp_path: Path
) -> None:
    """A sign elsewhere in the repository is enough, but only for shipped names."""
    home = "services/billing" if "services" in sign and "daemon" in sign else "."
    folder = "docs/templates" if home == "." else f"{home}/docs/templates"
    files = {f"{folder}/planner.md": PLAIN, f"{folder}/letter.md": PLAIN, sign: BLOCK}
    written = made(tmp_path, files)

    assert taken(written) - {sign} == {f"{folder}/planner.md"}


def test_a_template_above_makes_a_shipped_name_below_a_template(tmp_path: Path) -> None:
    below = "apps/shop/docs/templates/planner.md"
    written = made(tmp_path, {"docs/templates/poet.md": BLOCK, below: PLAIN})

    assert below in taken(written)


def test_a_package_called_daemon_makes_no_file_a_template(tmp_path: Path) -> None:
    """Any project may have one; the shipped roles of the system are in a folder below it."""
    files = {"docs/templates/implementer.md": PLAIN, "packages/daemon/package.json": "{}"}
    assert taken(made(tmp_path, files)) == set()


def test_another_repository_makes_no_file_a_template(tmp_path: Path) -> None:
    written = made(tmp_path, {"docs/templates/planner.md": PLAIN})
    beside = written.root.parent / "other/packages/daemon/docs/templates"
    beside.mkdir(parents=True)

    assert taken(written) == set()


def test_a_claimed_folder_makes_a_shipped_name_a_template(tmp_path: Path) -> None:
    files = {"prompts/planner.md": PLAIN, "prompts/letter.md": PLAIN}
    claims = {tmp_path / "workspace/prompts": "vuhlp"}
    written = made(tmp_path, files, Options(folders=claims))

    assert taken(written) == {"prompts/planner.md"}


def test_an_excluded_folder_has_no_templates_in_spite_of_a_block(tmp_path: Path) -> None:
    claims = {tmp_path / "workspace/docs/templates": None}
    written = made(tmp_path, {"docs/templates/a.md": BLOCK}, Options(folders=claims))

    assert taken(written) == set()


def test_naming_the_system_makes_all_files_templates(tmp_path: Path) -> None:
    """This is what `check --dialect` does."""
    written = made(tmp_path, {"docs/templates/letter.md": PLAIN})
    folder = written.root / "docs/templates"
    workspace = Workspace(
        written.workspace.files, SYSTEMS, written.workspace.host_paths, claimed={folder: "vuhlp"}
    )

    assert template_file(workspace, folder / "letter.md") is not None


def test_a_typed_block_counts_at_once(tmp_path: Path) -> None:
    written = made(tmp_path, {"docs/templates/a.md": PLAIN, "docs/templates/b.md": PLAIN})
    files, folder = written.workspace.files, written.root / "docs/templates"
    a, b = folder / "a.md", folder / "b.md"

    for text, expected in ((BLOCK, True), (PLAIN, False), (BLOCK, True)):
        files.open(a, text)
        assert is_template(written.workspace, a) is expected
        assert is_template(written.workspace, b) is expected
    files.close(a)
    assert placement_at(written.workspace, b) is None


def test_a_change_on_disk_counts_once_it_is_reported(tmp_path: Path) -> None:
    written = made(tmp_path, {"docs/templates/a.md": BLOCK, "docs/templates/b.md": PLAIN})
    files, folder = written.workspace.files, written.root / "docs/templates"
    a, b = folder / "a.md", folder / "b.md"
    assert is_template(written.workspace, b)

    a.write_text(PLAIN, encoding="utf-8")
    files.rewritten(a)
    assert not is_template(written.workspace, b)
    b.write_text(BLOCK, encoding="utf-8")
    files.refresh()
    assert is_template(written.workspace, a)
    b.unlink()
    files.changed(b)
    assert not is_template(written.workspace, a)


def test_a_supposed_block_makes_no_other_file_a_template(tmp_path: Path) -> None:
    """A fix is tried on a text that is not written, and other files must not see it."""
    written = made(tmp_path, {"docs/templates/a.md": BLOCK, "docs/templates/b.md": PLAIN})
    a, b = (written.root / f"docs/templates/{name}.md" for name in "ab")
    workspace = written.workspace
    other = Workspace(
        workspace.files.supposing(a, PLAIN), SYSTEMS, workspace.host_paths, workspace.roots
    )

    assert not is_template(other, b)
    assert is_template(workspace, b)


@pytest.mark.hostile
def test_a_limited_number_of_files_of_a_large_folder_is_read(tmp_path: Path) -> None:
    names = [f"docs/templates/{number:04}.md" for number in range(600)]
    written = made(tmp_path, dict.fromkeys(names, PLAIN) | {"docs/templates/zz.md": BLOCK})

    assert taken(written) == set()
    written.workspace.files.open(written.root / "docs/templates/zz.md", BLOCK)
    assert placement_at(written.workspace, written.root / names[0]) is not None


@pytest.mark.parametrize("name", ["a.txt", "a.md.bak", "sub/a.md"])
def test_files_in_other_folders_are_no_templates(name: str, tmp_path: Path) -> None:
    written = made(tmp_path, {f"docs/templates/{name}": BLOCK})

    assert taken(written) == set()
