"""What the VS Code extension says can be translated: nobody has to read its code for it."""

import json
from collections.abc import Iterator

import pytest

from tests.typescript import literals
from tests.vscode_words import (
    BUNDLE,
    CLIENT,
    MANIFEST,
    WORDS,
    manifest,
    messages,
    sources,
    split,
    unsaid,
)

COMMAND = "run python -m tests.write_words"


def test_no_text_of_the_code_is_left_out_of_the_translation() -> None:
    left = [
        f"{path.relative_to(CLIENT)}:{one.line}: {one.text!r}"
        for path in sources()
        for one in unsaid(path.read_text("utf-8"))
    ]
    assert left == [], "hand it to vscode.l10n.t, in a page to t or rich"


def test_no_text_of_the_manifest_is_left_out_of_the_translation() -> None:
    made, words = split(manifest())
    assert json.loads(MANIFEST.read_text("utf-8")) == made, COMMAND
    assert json.loads(WORDS.read_text("utf-8")) == words, COMMAND


def test_the_messages_for_translators_are_those_of_the_code() -> None:
    assert len(messages()) > 150
    assert json.loads(BUNDLE.read_text("utf-8")) == messages(), COMMAND


def test_nothing_that_is_translated_is_put_together_at_run_time() -> None:
    computed = [one for text in messages() for one in text if one == "\0"]
    assert computed == []


def test_what_vs_code_shows_as_it_is_has_no_marks_of_markdown() -> None:
    """Only `markdownDescription` is rendered; a walkthrough knows links and bold words."""
    words = json.loads(WORDS.read_text("utf-8"))
    plain = {
        name: text for name, text in words.items() if not name.endswith(".markdownDescription")
    }
    assert [name for name, text in plain.items() if "`" in text] == []
    assert [text for text in messages() if "`" in text] == []


@pytest.mark.parametrize(
    "source",
    [
        'void vscode.window.showErrorMessage("The file is gone.");',
        "void vscode.window.showErrorMessage(`${name} is gone.`);",
        'const options = { title: "new" };',
        'item.description = isOld ? "old" : vscode.l10n.t("new");',
        'return element("p", { class: "quiet" }, found ? t("here") : "nowhere");',
        'button("clear", {}, () => undefined);',
        'const NAMES = ["Agents", t("Tools")];',
        'return `${t("of")} ${many ? "Many" : t("one")}`;',
        'fill("a" /* what */, /"/, `it has ${count} errors`);',
    ],
)
def test_a_text_that_nobody_can_translate_is_found(source: str) -> None:
    assert len(unsaid(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        'import * as vscode from "vscode";',
        'void vscode.window.showErrorMessage(vscode.l10n.t("The file is gone."));',
        'this.log.info("the server is running");',
        'element("p", { class: "quiet remark", id: `row-${at}` }, t("here"), " · ");',
        'if (form === "long text") { tell({ type: "open" }); }',
        "item.text = `Agent Templates: ${WORDS[phase]}`;",
        '// It says "The file is gone."\nconst found = text.split(/[\'`] and/);',
        'type Form = "text" | "long text" | "Choice";',
    ],
)
def test_what_is_for_programs_or_translated_is_left_alone(source: str) -> None:
    assert unsaid(source) == []


def test_a_text_is_read_as_the_program_reads_it() -> None:
    def found(source: str) -> Iterator[str]:
        return (one.text for one in literals(source))

    assert [*found(r'"a\n\u{41}\"" + `b${c("d")}\`` + ' + "'e'")] == ['a\nA"', "d", "b\0`", "e"]
