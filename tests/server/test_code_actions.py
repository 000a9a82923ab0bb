"""Code actions, as each editor gets and applies them."""

from collections.abc import AsyncIterator, Iterable
from pathlib import Path

import pytest
import pytest_asyncio
from lsprotocol import types

from agent_lsp.text import Encoding, LineIndex, Span, TextEdit, apply
from tests.server.editor import CLIENTS, Editor, editing

REVIEWER = ".codex/.agents/reviewer.md"
FAULTY = """\
---
description: Reviews changes. 😀
modle: gpt-5
allow_list: ["😀", exec_comand, exec_command]
deny_list: [apply_patch, apply_patch]
---
Review.
"""
CODES = ("unknown-key", "unknown-tool", "unknown-tool", "redundant-entry")
# Whether an editor declares that it can create and rename files.
CREATES = {"visual-studio-code": True, "neovim@v0.11": True, "emacs": False}
QUICK, ALL = types.CodeActionKind.QuickFix, types.CodeActionKind.SourceFixAll


@pytest_asyncio.fixture(scope="module", params=CLIENTS)
async def editor(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Editor]:
    """One editor for all tests here, which change nothing."""
    async with editing(tmp_path_factory.mktemp("editor"), request.param, {REVIEWER: FAULTY}) as it:
        yield it


async def offered(
    editor: Editor,
    path: Path,
    text: str,
    span: Span,
    only: Iterable[str] | None = None,
    trigger: types.CodeActionTriggerKind = types.CodeActionTriggerKind.Invoked,
) -> list[types.CodeAction]:
    """The actions for a selection in an open file, as a client requests them."""
    index, encoding = LineIndex(text), Encoding(CLIENTS[editor.name][1])
    start, end = (types.Position(*index.position(at, encoding)) for at in (span.start, span.end))
    told = [one for one in editor.found(path) if one.range.start <= end and start <= one.range.end]
    kinds = [types.CodeActionKind(kind) for kind in only] if only is not None else None
    params = types.CodeActionParams(
        types.TextDocumentIdentifier(path.as_uri()),
        types.Range(start, end),
        types.CodeActionContext(told, kinds, trigger),
    )
    answer = await editor.client.text_document_code_action_async(params)
    assert answer is not None
    return [one for one in answer if isinstance(one, types.CodeAction)]


def carried_out(editor: Editor, path: Path, text: str, action: types.CodeAction) -> str:
    """The text after an action, whose edit must be for the version that the editor has."""
    assert action.edit is not None
    edits: list[types.TextEdit] = []
    for change in action.edit.document_changes or ():
        assert isinstance(change, types.TextDocumentEdit)
        assert change.text_document.uri == path.as_uri()
        assert change.text_document.version == editor.versions[path]
        edits += [edit for edit in change.edits if isinstance(edit, types.TextEdit)]
    for uri, changes in (action.edit.changes or {}).items():
        assert uri == path.as_uri()
        edits += changes
    index, encoding = LineIndex(text), Encoding(CLIENTS[editor.name][1])

    def at(place: types.Position) -> int:
        return index.offset(place.line, place.character, encoding)

    spans = ((Span(at(edit.range.start), at(edit.range.end)), edit.new_text) for edit in edits)
    return apply(text, [TextEdit(span, new) for span, new in spans])


def place(text: str, word: str) -> Span:
    start = text.index(word)
    return Span(start, start + len(word))


async def test_a_quick_fix_is_offered_with_its_finding_and_applied(editor: Editor) -> None:
    path = editor.open(REVIEWER)
    await editor.sees(path, *CODES)
    action, *_ = await offered(editor, path, FAULTY, place(FAULTY, "exec_comand"), [QUICK])
    after = carried_out(editor, path, FAULTY, action)
    editor.close(path)

    assert action.title == "Replace `exec_comand` with `exec_command`"
    assert action.kind == "quickfix"
    assert [one.code for one in action.diagnostics or ()] == ["unknown-tool"]
    assert after == FAULTY.replace("exec_comand", "exec_command")


async def test_safe_fixes_are_preferred_and_others_are_called_unsafe(editor: Editor) -> None:
    text = FAULTY.replace("modle: gpt-5", "color: red")
    path = editor.open(REVIEWER, text)
    safe = await offered(editor, path, text, place(text, "exec_comand"), [QUICK])
    unsafe = await offered(editor, path, text, place(text, "color"), [QUICK])
    editor.close(path)

    assert [one.is_preferred for one in safe][:3] == [True, None, None]
    assert [(one.title, one.is_preferred) for one in unsafe][:3] == [
        ("Remove `color` (unsafe: deletes what you wrote)", None),
        ("Ignore `unknown-key` here", None),
        ("Ignore `unknown-key` in this file", None),
    ]
    # The settings file is not there yet, and not every editor creates files for a server.
    last = [one.title for one in unsafe][3:]
    creates = editor.name != "emacs"
    assert last == ["Turn off `unknown-key` in this workspace"] * creates


async def test_a_suppression_removes_the_finding(
    editor: Editor,
) -> None:
    path = editor.open(REVIEWER)
    actions = await offered(editor, path, FAULTY, place(FAULTY, "exec_comand"), [QUICK])
    [here] = [one for one in actions if one.title == "Ignore `unknown-tool` here"]
    editor.change(path, carried_out(editor, path, FAULTY, here))
    await editor.sees(path, "unknown-key", "redundant-entry")
    editor.close(path)


async def test_all_safe_fixes_are_one_action_on_save(editor: Editor) -> None:
    path = editor.open(REVIEWER)
    [action] = await offered(editor, path, FAULTY, Span(0, len(FAULTY)), [ALL])
    after = carried_out(editor, path, FAULTY, action)
    editor.close(path)

    assert action.kind == "source.fixAll.agentTemplateLsp"
    assert "\nmodel: gpt-5\n" in after
    assert "\ndeny_list: [apply_patch]\n" in after
    assert "😀" in after


async def test_the_whole_file_is_not_fixed_for_the_light_bulb(editor: Editor) -> None:
    path = editor.open(REVIEWER)
    automatic = types.CodeActionTriggerKind.Automatic
    lamp = await offered(editor, path, FAULTY, place(FAULTY, "modle"), trigger=automatic)
    asked = await offered(editor, path, FAULTY, place(FAULTY, "modle"))
    editor.close(path)

    assert lamp[0].title == "Rename `modle` to `model`"
    assert asked[len(lamp)].title == "Fix all that is safe to fix"
    assert not any(str(one.kind).startswith("refactor") for one in lamp)


async def test_without_findings_no_quick_fix_is_offered(editor: Editor) -> None:
    text = "---\ndescription: Reviews.\n---\nReview.\n"
    path = editor.open(REVIEWER, text)
    everything = await offered(editor, path, text, Span(0, len(text)), [QUICK, ALL])
    other_kinds = await offered(editor, path, text, Span(0, len(text)), ["source.organizeImports"])
    editor.close(path)

    assert everything == []
    assert other_kinds == []


async def test_new_files_are_offered_only_to_editors_that_create_files(editor: Editor) -> None:
    text = "---\ndescription: Reviews.\n---\nReview.\n"
    path = editor.open(REVIEWER, text)
    found = await offered(editor, path, text, Span(0, 0), [types.CodeActionKind.Refactor])
    editor.close(path)

    copies = [one for one in found if one.kind == "refactor.copy"]
    if not CREATES[editor.name]:
        assert copies == []
        return
    [copy] = copies
    assert copy.edit is not None
    file, edit = copy.edit.document_changes or ()
    assert isinstance(file, types.CreateFile)
    assert file.uri == editor.path("~/.codex/.agents/reviewer.md").as_uri()
    assert isinstance(edit, types.TextDocumentEdit)
    assert [one.new_text for one in edit.edits if isinstance(one, types.TextEdit)] == [text]


async def test_a_conversion_creates_the_file_and_shows_the_losses(editor: Editor) -> None:
    text = "---\ndescription: Reviews.\nmodel: gpt-5\nallow_list: [web_search]\n---\nReview.\n"
    path = editor.open(REVIEWER, text)
    all_ = await offered(editor, path, text, Span(0, 0), [types.CodeActionKind.Refactor])
    found = [one for one in all_ if one.kind == "refactor.convert"]
    titles = [one.title.partition(":")[0] for one in found]
    if not CREATES[editor.name]:
        editor.close(path)
        assert found == []
        return
    systems = (
        "Claude Code sub-agents",
        "GitHub Copilot and VS Code custom agents",
        "OpenCode agents",
        "Codex custom agents",
        "Cursor sub-agents",
        "Gemini CLI sub-agents",
        "Codex sub-agents",
        "KodaCode agents",
        "Moltis agent definitions",
    )
    assert titles == [f"Convert to {system}" for system in systems]
    action = found[titles.index("Convert to Claude Code sub-agents")]
    assert action.title.endswith("`.claude/agents/reviewer.md` (1 lost)")
    assert action.edit is not None
    assert action.command is not None
    file, edit = action.edit.document_changes or ()
    assert isinstance(file, types.CreateFile)
    assert file.uri == editor.path(".claude/agents/reviewer.md").as_uri()
    assert isinstance(edit, types.TextDocumentEdit)
    [made] = [one.new_text for one in edit.edits if isinstance(one, types.TextEdit)]
    assert made.startswith("---\nname: reviewer\n")
    [argument] = action.command.arguments or ()
    assert isinstance(argument, dict)
    answer = await editor.command(action.command.command, {**argument, "show": False})
    editor.close(path)

    assert "`model: gpt-5`: " in answer["markdown"]
    assert "may do no more" in answer["markdown"]


async def test_renames_are_offered_only_to_editors_that_rename_files(editor: Editor) -> None:
    text = "---\ndescription: Reviews.\n---\nReview.\n"
    path = editor.open(".codex/.agents/Code Review.md", text)
    found = await offered(editor, path, text, Span(0, 0), [QUICK])
    editor.close(path)

    moves = [one for one in found if one.title == "Rename the file to `code-review.md`"]
    assert len(moves) == CREATES[editor.name]
    for move in moves:
        assert move.edit is not None
        [change] = move.edit.document_changes or ()
        assert isinstance(change, types.RenameFile)
        assert change.new_uri == path.with_name("code-review.md").as_uri()


async def test_the_preset_at_the_cursor_is_converted(editor: Editor) -> None:
    text = (
        "[agents.presets.scout]\nsystem_prompt_suffix = 'Look.'\ntools.allow = ['Read']\n"
        "[agents.presets.lead]\nsystem_prompt_suffix = 'Lead.'\n[agents.presets.lead.tools]\n"
        "allow = ['exec']\n[server]\nport = 1\n"
    )
    path = editor.open("moltis.toml", text)
    found = {}
    for word in ("'Look.'", "'exec'", "port"):
        at = text.index(word)
        asked = [types.CodeActionKind.Refactor]
        all_ = await offered(editor, path, text, Span(at, at), asked)
        found[word] = [one for one in all_ if one.title.startswith("Convert to Claude Code")]
    if not CREATES[editor.name]:
        editor.close(path)
        assert not any(found.values())
        return
    [scout], [lead], none = found.values()
    assert scout.title.endswith("`.claude/agents/scout.md`")
    assert none == []
    assert lead.command is not None
    [argument] = lead.command.arguments or ()
    assert isinstance(argument, dict)
    assert argument["preset"] == "lead"
    answer = await editor.command(lead.command.command, {**argument, "show": False})
    editor.close(path)
    assert "tools: Read, Glob, Grep, Bash\n---\n\nLead.\n" in answer["markdown"]
