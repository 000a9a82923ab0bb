"""Paths in a prompt: what is reported, completed, shown and linked."""

import sys
from pathlib import Path
from types import FrameType

import pytest

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.context.prompts import named_files
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.fixes import fixes
from agent_lsp.analysis.hover import hover
from agent_lsp.analysis.navigation.definition import document_links
from agent_lsp.model.schema import Severity
from agent_lsp.text import apply
from agent_lsp.workspace.files import Files
from agent_lsp.workspace.snapshot import template_file
from tests.fixture import Fixture, fixture

PATH = ".claude/agents/lead.md"
_FILES_MODULE = sys.modules[Files.__module__].__file__
HEAD = "---\nname: lead\ndescription: Leads.\n---\n"
FILES = (
    "//- docs/guide.md\nx\n//- docs/a b.md\nx\n//- .claude/rules/tests.md\nx\n//- README.md\nx\n"
)


def _made(folder: Path, prompt: str, path: str = PATH) -> Fixture:
    return fixture(folder, f"//- {path}\n{HEAD}{prompt}\n{FILES}")


def _said(folder: Path, prompt: str, path: str = PATH) -> list[tuple[str, tuple[str, ...]]]:
    made = _made(folder, prompt, path)
    found = diagnostics(made.workspace, made.path)
    return [(one.span.of(made.text), one.meant) for one in found if one.code == "missing-file"]


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        (
            "[g](docs/guide.md) [h](../../docs/guide.md#top) [i](../rules/tests.md)",
            [],
        ),
        (
            "[g](docs/a%20b.md) [h](rules/tests.md)",
            [],
        ),
        ("[g](docs/gone.md)", [("docs/gone.md", ())]),
        ("[g](docs/giude.md#top)", [("docs/giude.md#top", ("docs/guide.md#top",))]),
        ("[g](../rules/test.md)", [("../rules/test.md", ("../rules/tests.md",))]),
        ("[g](../other/a.md) [h](../other/b.md)", [("../other/a.md", ())]),
        ("@docs/gone.md and `@docs/guide.md`", [("docs/gone.md", ())]),
        ("@REDME.md", [("REDME.md", ("README.md",))]),
        # An example, another project's file, or what another program reads.
        ("[g](guide.md) [h](path/to/x.md) [i](./components/x.md) [j](url) [k](<name>.md)", []),
        ("[g](https://example.org/docs/gone.md) [h](#top) [i](/docs/gone.md) [j](~/gone.md)", []),
        ("`[g](docs/gone.md)`\n\n```\n[g](docs/gone.md)\n@docs/gone.md\n```", []),
        ("@docs/gone.py @types/node a@docs/gone.md @~/docs/gone.md ![g](docs/gone.md)", []),
        ("names[0](docs/gone.md) [g](../../../elsewhere/a.md)", []),
    ],
)
def test_what_is_said_of_paths(
    prompt: str, expected: list[tuple[str, tuple[str, ...]]], tmp_path: Path
) -> None:
    assert _said(tmp_path, prompt) == expected


@pytest.mark.parametrize(
    "path",
    [
        *(".cursor/agents/a.md", ".opencode/agent/a.md", ".qwen/agents/a.md"),
        *(".gemini/agents/a.md", ".kodacode/agents/a.md", ".codex/agents/a.md"),
        *(".codex/.agents/a.md", ".moltis/agents/a.md"),
    ],
)
def test_every_system_with_markdown_tells_it(path: str, tmp_path: Path) -> None:
    assert _said(tmp_path, "[g](docs/gone.md)", path) == [("docs/gone.md", ())]


_CODEX = 'name = "lead"\ndescription = "D."\ndeveloper_instructions = {}\n'
_PRESETS = "[agents.presets.lead]\nsystem_prompt_suffix = {}\n"
_TABLE = '{{"agent": {{"lead": {{"description": "D.", "mode": "all", "prompt": {}}}}}}}'


@pytest.mark.parametrize(
    ("path", "form"),
    [
        (".codex/agents/lead.toml", _CODEX),
        ("moltis.toml", _PRESETS),
        ("opencode.json", _TABLE),
    ],
)
def test_a_prompt_that_is_a_value_names_files(path: str, form: str, tmp_path: Path) -> None:
    value = r'"Read:\n@docs/giude.md\n`x`\n[g](docs/gone.md)\n```\n[g](docs/a.md)\n@docs/b.md\n```"'
    made = fixture(tmp_path / "a", f"//- {path}\n{form.format(value)}\n{FILES}")
    found = [one for one in diagnostics(made.workspace, made.path) if one.code == "missing-file"]
    assert [(one.span.of(made.text), one.meant, one.severity) for one in found] == [
        ("docs/giude.md", ("docs/guide.md",), Severity.INFORMATION),
        ("docs/gone.md", (), Severity.INFORMATION),
    ]
    typed = form.format(r'"Read:\n@docs/$0"')
    made = fixture(tmp_path / "b", f"//- {path}\n{typed}\n{FILES}//- docs/o'clock.md\nx\n")
    labels = [one.label for one in complete(made.workspace, made.path, made.offset)]
    assert labels == ["a b.md", "guide.md"]


def test_an_agent_of_the_user_runs_in_other_projects(tmp_path: Path) -> None:
    assert _said(tmp_path, "[g](docs/gone.md)", "~/.claude/agents/a.md") == []


def test_a_path_in_a_link_to_a_file_counts_from_the_file(tmp_path: Path) -> None:
    made = _made(tmp_path, "[r](../rules/tests.md)", "shared/agents/lead.md")
    (made.root / "shared/rules").mkdir()
    (made.root / "shared/rules/more.md").touch()
    link = made.root / PATH
    link.parent.mkdir()
    link.symlink_to(made.path)
    made.path.write_text(f"{HEAD}[r](../rules/more.md) [s](../rules/tests.md)", encoding="utf-8")
    made.workspace.files.changed(link)
    assert [one.code for one in diagnostics(made.workspace, link)] == []


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("[g](docs/$0", ["a b.md", "guide.md"]),
        ("[g](../$0)", ["agents/", "rules/"]),
        ("@$0", ["README.md", ".claude/", ".git/", "docs/"]),
        ("See @docs/gu$0ide.md", ["a b.md", "guide.md"]),
        ("a@$0", []),
        ("[g](../../../$0", []),
        ("(docs/$0", []),
    ],
)
def test_paths_are_completed(prompt: str, expected: list[str], tmp_path: Path) -> None:
    made = _made(tmp_path, prompt)
    found = complete(made.workspace, made.path, made.offset)
    assert [one.label for one in found] == [one for one in expected if one != ".git/"]


def test_a_hover_says_where_a_path_leads(tmp_path: Path) -> None:
    prompt = (
        "[g](../../docs/guide.md) @docs/gone.md [h](../../../home/x.md) [i](../../../home/y.md)"
    )
    made = _made(tmp_path, prompt)
    (tmp_path / "home/x.md").touch()
    said = [
        found.markdown.partition("\n")[0]
        for word in ("guide", "gone", "home/x", "home/y")
        if (found := hover(made.workspace, made.path, made.text.index(word)))
    ]
    assert said == [
        "`../../docs/guide.md` is `docs/guide.md`",
        "`docs/gone.md`: there is no such file",
        f"`../../../home/x.md` points outside the repository, to `{tmp_path / 'home/x.md'}`",
        (
            f"`../../../home/y.md` points outside the repository, to `{tmp_path / 'home/y.md'}`, "
            "where there is no such file"
        ),
    ]


def test_links_have_no_steps_upwards_in_their_targets(tmp_path: Path) -> None:
    made = _made(
        tmp_path, "[g](../../docs/guide.md) [h](docs/a%20b.md) ../rules/tests.md @docs/guide.md"
    )
    file = template_file(made.workspace, made.path)
    assert file is not None
    found = [one.target.relative_to(made.root).as_posix() for one in document_links(file)]
    expected = ["docs/guide.md", "docs/a b.md", "docs/guide.md", ".claude/rules/tests.md"]
    assert found == expected


def _asked(made: Fixture, typed: str) -> int:
    """How often a keystroke at the end asks the files of the workspace for something."""
    return _calls(made, f"{made.text}{typed}", _FILES_MODULE)


def _calls(made: Fixture, text: str, module: str | None) -> int:
    """How often the diagnostics of a changed text call functions of a module."""
    asked = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal asked
        asked += event == "call" and frame.f_code.co_filename == module

    made.workspace.files.open(made.path, text)
    before = sys.getprofile()
    sys.setprofile(count)
    try:
        diagnostics(made.workspace, made.path)
    finally:
        sys.setprofile(before)
    return asked


def test_a_keystroke_asks_nothing_about_the_paths_that_were_there(tmp_path: Path) -> None:
    links = "".join(f"[g](docs/{kind}{at}.md)\n" for at in range(20) for kind in ("guide", "gone"))
    many, none = (_made(tmp_path / name, said) for name, said in (("many", links), ("none", "x")))
    for made in (many, none):
        _asked(made, "a")
    assert _asked(many, "ab") <= _asked(none, "ab")
    assert _asked(many, "[g](docs/more.md)") > _asked(none, "ab")


def test_a_keystroke_in_the_header_searches_no_prompt(tmp_path: Path) -> None:
    made = _made(tmp_path, "[g](docs/guide.md)\n" * 20)
    module = sys.modules[named_files.__module__].__file__
    _calls(made, made.text, module)
    in_header = _calls(made, made.text.replace("Leads", "It leads"), module)
    in_prompt = _calls(made, f"{made.text}a", module)
    assert in_prompt - in_header >= 20


@pytest.mark.parametrize("path", ["../docs/guide.md", "./.codex/docs/guide.md", "docs/guide.md"])
def test_a_misspelt_path_in_a_value_is_fixed(path: str, tmp_path: Path) -> None:
    source = (
        '//- .codex/agents/lead.toml\nname = "lead"\ndescription = "Leads."\n'
        'developer_instructions = """\nRead [the guide]({}).\n"""\n'
        "//- .codex/docs/guide.md\nx\n"
    )
    made = fixture(tmp_path, source.format(path.replace("guide", "giude")))
    fixed = [apply(made.text, one.edits) for one in fixes(made.workspace, made.path)]
    assert [path in text and "giude" not in text for text in fixed] == [True]
