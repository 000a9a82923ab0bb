"""Dialects whose texts name the agents, in trees of folders or beside a marker."""

import re
from pathlib import Path

import pytest

from agent_lsp.data_classes import replace
from agent_lsp.dialects import SYSTEMS
from agent_lsp.dialects.codex_subagents.dialect import DIALECT
from agent_lsp.installed import installed
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.discovery import Bundle, Manifests, ScopeRule
from agent_lsp.model.runtime import DefinedName, Scope
from agent_lsp.model.system import System
from agent_lsp.model.template import Reading
from agent_lsp.syntax.document import Document
from agent_lsp.text import Span
from agent_lsp.workspace import definitions
from agent_lsp.workspace.catalogs import catalog
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.paths import HostPaths
from agent_lsp.workspace.scopes import scope_of, scopes, session_root
from agent_lsp.workspace.snapshot import Workspace

READ: list[str] = []


def names_in(document: Document, scope: Scope, _path: Path) -> tuple[DefinedName, ...]:
    """Every `name: …` in a file, which can have none, one or several."""
    READ.append(document.text)
    found = re.finditer(r"^name: (\w+)", document.text, re.MULTILINE)
    return tuple(DefinedName(scope.prefix + one[1], Span(*one.span(1))) for one in found)


def bundle(own: str | None, indexes: tuple[tuple[str, str], ...], name: str) -> Bundle | None:
    """A bundle with the name in its manifest; an index names bundles without a manifest.

    A manifest of two words names a file instead of the folder.
    """
    if own is None:
        return Bundle(f"{name}:") if any(place in text.split() for text, place in indexes) else None
    called, _, file = own.partition(" ")
    prefix = f"{called or name}:"
    return Bundle(prefix, ((file, prefix),) if file else (), "another is named" if file else "")


def _trees() -> Dialect:
    return TREES


SYSTEM = System(
    id="trees",
    title="Trees",
    runtime="a forester",
    load=_trees,
    scopes=(
        ScopeRule("project", "project", (".tree/agents",), deep=True),
        ScopeRule("user", "user", ("~/.tree/agents",), deep=True),
        ScopeRule(
            "project",
            "plugin",
            ("agents",),
            deep=True,
            manifests=Manifests(".kit/plugin.json", ".kit/all.json", bundle),
        ),
    ),
)
TREES = replace(
    DIALECT,
    system=SYSTEM,
    names=replace(DIALECT.names, names_in=names_in),
    format=replace(
        DIALECT.format,
        read=lambda document, name: replace(DIALECT.format.read(document, name), errors=()),
    ),
)


@pytest.fixture(autouse=True)
def _forgets() -> None:
    READ.clear()


def write(root: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


def workspace(root: Path) -> Workspace:
    return Workspace(Files(), SYSTEMS, HostPaths(root / "home", installed("templates")), (root,))


def test_a_file_defines_all_agents_in_its_text(tmp_path: Path) -> None:
    write(tmp_path, {".tree/agents/all.md": "name: one\nname: two\n", ".tree/agents/no.md": "-"})

    found = catalog(workspace(tmp_path), TREES, tmp_path)

    assert found.names == ("one", "two")
    two = found.winner("two")
    assert two is not None
    assert (two.path.name, two.span) == ("all.md", Span(16, 19))


def test_subfolders_belong_to_a_deep_scope(tmp_path: Path) -> None:
    write(
        tmp_path, {".tree/agents/a/b/deep.md": "name: deep\n", ".tree/agents/top.md": "name: top"}
    )
    top, places = tmp_path / ".tree/agents", HostPaths(tmp_path / "home", tmp_path)

    assert catalog(workspace(tmp_path), TREES, tmp_path).names == ("deep", "top")
    below = scope_of(TREES.system, top / "a/b", places, Files())
    assert below == scope_of(TREES.system, top, places, Files())
    assert below is not None
    assert below.folder == top
    assert session_root(TREES.system, top / "a/b", Files()) == tmp_path


def test_subfolders_of_the_users_scope_belong_to_it(tmp_path: Path) -> None:
    folder = tmp_path / "home/.tree/agents/a"
    folder.mkdir(parents=True)

    scope = scope_of(TREES.system, folder, HostPaths(tmp_path / "home", tmp_path), Files())

    assert scope is not None
    assert (scope.kind, scope.folder) == ("user", folder.parent)


def test_a_scope_with_a_marker_exists_only_beside_the_marker(tmp_path: Path) -> None:
    write(tmp_path, {"agents/one.md": "name: one", "kit/agents/two.md": "name: two"})
    write(tmp_path, {"kit/.kit/plugin.json": ""})
    places = HostPaths(tmp_path / "home", tmp_path)

    assert scopes(TREES.system, tmp_path, places, Files()) == ()
    assert scope_of(TREES.system, tmp_path / "agents", places, Files()) is None
    assert session_root(TREES.system, tmp_path / "agents", Files()) is None
    assert catalog(workspace(tmp_path), TREES, tmp_path / "kit").names == ("kit:two",)


def test_the_manifest_decides_the_prefix_of_the_names(tmp_path: Path) -> None:
    write(tmp_path, {"kit/agents/two.md": "name: two", "kit/.kit/plugin.json": "tools"})

    assert catalog(workspace(tmp_path), TREES, tmp_path / "kit").names == ("tools:two",)


def test_an_index_above_makes_its_folders_bundles(tmp_path: Path) -> None:
    write(tmp_path, {".kit/all.json": "a/kit", "a/kit/agents/x/one.md": "name: one"})
    write(tmp_path, {"a/other/agents/two.md": "name: two"})
    places, files = HostPaths(tmp_path / "home", tmp_path), Files()

    assert scope_of(TREES.system, tmp_path / "a/other/agents", places, files) is None
    found = scope_of(TREES.system, tmp_path / "a/kit/agents/x", places, files)
    assert found is not None
    assert (found.folder, found.prefix) == (tmp_path / "a/kit/agents", "kit:")
    assert session_root(TREES.system, tmp_path / "a/kit/agents/x", files) == tmp_path / "a/kit"
    assert catalog(workspace(tmp_path), TREES, tmp_path / "a/kit").names == ("kit:one",)


def test_an_index_names_only_folders_of_its_own_repository(tmp_path: Path) -> None:
    write(tmp_path, {".kit/all.json": "a/kit kit", "a/kit/agents/one.md": "name: one"})
    (tmp_path / "a/.git").mkdir()
    places = HostPaths(tmp_path / "home", tmp_path)

    assert scope_of(TREES.system, tmp_path / "a/kit/agents", places, Files()) is None


def test_a_manifest_may_name_files_instead_of_the_folder(tmp_path: Path) -> None:
    write(tmp_path, {"kit/.kit/plugin.json": "k more/one.md", "kit/more/one.md": "name: one"})
    write(tmp_path, {"kit/more/two.md": "name: two", "kit/agents/three.md": "name: three"})
    places, files = HostPaths(tmp_path / "home", tmp_path), Files()

    assert catalog(workspace(tmp_path), TREES, tmp_path / "kit").names == ("k:one",)
    assert session_root(TREES.system, tmp_path / "kit/more", files) == tmp_path / "kit"
    named = scope_of(TREES.system, tmp_path / "kit/more", places, files)
    replaced = scope_of(TREES.system, tmp_path / "kit/agents", places, files)
    assert named is not None
    assert replaced is not None
    assert (named.only, named.lost) == (frozenset({"one.md"}), "")
    assert (replaced.only, replaced.lost) == (frozenset(), "another is named")
    assert not replaced.counts("three.md")


def test_a_keystroke_reads_no_other_file_again(tmp_path: Path) -> None:
    write(tmp_path, {f".tree/agents/{at}.md": f"name: agent{at}\n" for at in range(20)})
    space, path = workspace(tmp_path), tmp_path / ".tree/agents/3.md"
    assert len(catalog(space, TREES, tmp_path).names) == 20
    space.files.open(path, "name: agent3\n")
    assert len(catalog(space, TREES, tmp_path).names) == 20
    READ.clear()

    space.files.open(path, "name: other\n")

    names = catalog(space, TREES, tmp_path).names
    assert "other" in names
    assert "agent3" not in names
    assert READ == ["name: other\n"]


def test_the_names_follow_a_changed_file_on_disk(tmp_path: Path) -> None:
    write(tmp_path, {".tree/agents/a.md": "name: one\n"})
    space, path = workspace(tmp_path), tmp_path / ".tree/agents/a.md"
    assert catalog(space, TREES, tmp_path).names == ("one",)

    path.write_text("name: two\n", encoding="utf-8")
    space.files.rewritten(path)

    assert catalog(space, TREES, tmp_path).names == ("two",)


def test_a_folder_that_exists_only_in_the_editor_belongs_to_the_scope(tmp_path: Path) -> None:
    write(tmp_path, {".tree/agents/a.md": "name: one\n"})
    space = workspace(tmp_path)
    assert catalog(space, TREES, tmp_path).names == ("one",)

    space.files.open(tmp_path / ".tree/agents/new/b.md", "name: two\n")

    assert catalog(space, TREES, tmp_path).names == ("one", "two")


def test_files_of_one_name_are_in_the_order_of_their_folders(tmp_path: Path) -> None:
    write(tmp_path, {f".tree/agents/{at}": "name: one\n" for at in ("z.md", "a/b.md", "b.md")})

    chain = catalog(workspace(tmp_path), TREES, tmp_path).candidates("one")

    assert [found.path.name for found in chain] == ["b.md", "z.md", "b.md"]
    assert {found.scope.folder for found in chain} == {tmp_path / ".tree/agents"}


def test_the_names_of_a_file_are_those_in_its_text(tmp_path: Path) -> None:
    write(tmp_path, {".tree/agents/a.md": "name: one\nname: two\n"})
    files, path = Files(), tmp_path / ".tree/agents/a.md"
    scope = scope_of(TREES.system, path.parent, HostPaths(None, tmp_path), files)
    assert scope is not None

    found = definitions.named(files, TREES, path, scope)
    assert [one.name for one in found] == ["one", "two"]
    assert definitions.defines(files, TREES, path, scope, found) == {"one", "two"}


def test_a_file_is_read_again_only_after_its_text_has_changed(
    tmp_path: Path,
) -> None:
    """A hundred projects of one repository may have an agent of the same name."""
    asked: list[str] = []

    def read(document: Document, name: str) -> Reading:
        asked.append(document.text)
        return TREES.format.read(document, name)

    dialect = replace(
        TREES,
        format=replace(TREES.format, read=read),
    )
    write(tmp_path, {f".tree/agents/{at}.md": "name: one\n" for at in range(20)})
    space, path = workspace(tmp_path), tmp_path / ".tree/agents/3.md"
    space.files.open(path, "name: one\n")
    assert len(catalog(space, dialect, tmp_path).candidates("one")) == 20
    asked.clear()

    space.files.open(path, "name: one\nmore\n")

    assert len(catalog(space, dialect, tmp_path).candidates("one")) == 20
    assert asked == ["name: one\nmore\n"]


def test_a_supposed_text_does_not_change_the_names(tmp_path: Path) -> None:
    write(tmp_path, {".tree/agents/a.md": "name: one\n"})
    space, path = workspace(tmp_path), tmp_path / ".tree/agents/a.md"
    space.files.open(path, "name: one\n")
    assert catalog(space, TREES, tmp_path).names == ("one",)

    supposed = replace(space, files=space.files.supposing(path, "name: two\n"))

    assert catalog(supposed, TREES, tmp_path).names == ("two",)
    assert catalog(space, TREES, tmp_path).names == ("one",)
