"""The extension's page, which the marketplace shows, leaves out no agent system and no setting."""

import re

from tests.systems import DIALECTS
from tests.vscode_words import CLIENT, manifest


def test_the_extensions_page_has_a_row_for_each_agent_system() -> None:
    assert first_column("agent system") == [dialect.id for dialect in DIALECTS]


def test_the_extensions_page_has_a_row_for_each_setting() -> None:
    settings = manifest()["contributes"]["configuration"]["properties"]
    assert sorted(first_column("setting")) == sorted(settings)


def test_each_setting_is_described() -> None:
    for name, form in manifest()["contributes"]["configuration"]["properties"].items():
        assert form.get("description") or form.get("markdownDescription"), name


def test_each_command_can_be_told_from_the_others_in_the_palette() -> None:
    contributes = manifest()["contributes"]
    hidden = {
        one["command"] for one in contributes["menus"]["commandPalette"] if one["when"] == "false"
    }
    shown = [one for one in contributes["commands"] if one["command"] not in hidden]
    titles = [one["title"] for one in shown]
    assert len(titles) == len(set(titles))
    assert {one["category"] for one in shown} == {"Agent Templates"}


def test_every_panel_has_its_page_and_its_policy_from_one_place() -> None:
    """The graph as well as the preview, in a new window as in one that comes back."""
    source = {path: path.read_text(encoding="utf-8") for path in (CLIENT / "src").rglob("*.ts")}
    page = CLIENT / "src/panel/page.ts"
    made = [line for text in source.values() for line in re.findall(r"\.html = (.*);", text)]
    assert len(made) == 2
    assert all(re.fullmatch(r"page\(.*\)", line) for line in made)
    options = [one for text in source.values() for one in re.findall(r"\.options = (.*);", text)]
    assert set(options) == {"pageOptions(this.extension)"}
    for path, text in source.items():
        if "createWebviewPanel(" in text and path != page:
            assert "pageOptions(this.extension)" in text
        # What would let a text become markup, a command or a program.
        for word in ("innerHTML", "insertAdjacentHTML", "outerHTML", "enableCommandUris", "eval("):
            assert word not in text, path
    policy = re.search(r"const policy = \[(.*?)\]", source[page], re.DOTALL)
    assert policy is not None
    assert [line.strip(' `",') for line in policy[1].strip().splitlines()] == [
        "default-src 'none'",
        "style-src ${webview.cspSource}",
        "script-src 'nonce-${nonce}'",
        "base-uri 'none'",
        "form-action 'none'",
    ]


def first_column(head: str) -> list[str]:
    """The words in the first column of the table whose first head is `head`."""
    text = (CLIENT / "README.md").read_text(encoding="utf-8")
    found = re.search(rf"^\| {head} \|.*\n\|[-|]+\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert found is not None
    return re.findall(r"^\| `([^`]+)` \|", found[1], re.MULTILINE)
