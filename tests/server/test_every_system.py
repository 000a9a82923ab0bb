"""Each navigation feature answers for each system, in the real server.

A new system must be added to `SYSTEMS`.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio
from lsprotocol import types
from pytest_lsp import LanguageClient

from tests.server.editor import Editor, editing, until
from tests.server.systems import SYSTEMS, System
from tests.systems import DIALECTS


@dataclass
class Asked:
    """One system in an editor, with its main file open."""

    editor: Editor
    system: System
    document: types.TextDocumentIdentifier
    told: list[str]

    @property
    def client(self) -> LanguageClient:
        return self.editor.client

    @property
    def mention(self) -> types.Position:
        """A position in the name of `other` in the prompt."""
        for number, line in enumerate(self.system.text.split("\n")):
            if "`other`" in line:
                return types.Position(number, line.index("`other`") + 2)
        raise AssertionError

    @property
    def own(self) -> types.Position:
        return types.Position(*self.system.name)


def test_every_system_is_tested() -> None:
    assert SYSTEMS.keys() >= {dialect.id for dialect in DIALECTS}


@pytest_asyncio.fixture(scope="module", params=[dialect.id for dialect in DIALECTS])
async def asked(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Asked]:
    system = SYSTEMS[request.param]
    files = {
        system.main: system.text,
        system.other: system.others,
        **({system.user: system.text} if system.user else {}),
        "docs/guide.md": "# Guide\n",
    }
    folder = tmp_path_factory.mktemp("editor")
    asks = {"previewChanged": True}
    async with editing(folder, "visual-studio-code", files, asks=asks, popups=True) as editor:
        told: list[str] = []

        def changed(_: LanguageClient, params: Any) -> None:
            told.append(params.uri)

        editor.client.feature("agentTemplates/previewChanged")(changed)
        path = editor.open(system.main)
        await editor.settled()
        yield Asked(editor, system, types.TextDocumentIdentifier(path.as_uri()), told)
        assert editor.client.log_messages == []


async def test_a_mention_leads_to_its_agent(asked: Asked) -> None:
    params = types.DefinitionParams(asked.document, asked.mention)
    found = await asked.client.text_document_definition_async(params)
    assert isinstance(found, list | tuple)
    uris = [one.uri for one in found if isinstance(one, types.Location)]
    assert uris == [asked.editor.path(asked.system.other).as_uri()]


async def test_the_references_of_an_agent_have_its_mention(asked: Asked) -> None:
    context = types.ReferenceContext(include_declaration=True)
    params = types.ReferenceParams(context, asked.document, asked.mention)
    found = await asked.client.text_document_references_async(params)
    lines = [one.range.start.line for one in found or () if one.uri == asked.document.uri]
    assert asked.mention.line in lines


async def test_the_places_of_a_name_are_highlighted(asked: Asked) -> None:
    params = types.DocumentHighlightParams(asked.document, asked.mention)
    assert await asked.client.text_document_document_highlight_async(params)


async def test_an_overridden_file_is_an_implementation(asked: Asked) -> None:
    params = types.ImplementationParams(asked.document, asked.own)
    found = await asked.client.text_document_implementation_async(params)
    assert isinstance(found, list | tuple)
    uris = {one.uri for one in found if isinstance(one, types.Location)}
    if asked.system.user and asked.system.main != "moltis.toml":
        assert asked.editor.path(asked.system.user).as_uri() in uris
    else:
        # There are no agents of a user, or the user's configuration is not merged.
        assert asked.document.uri in uris


async def test_a_path_in_a_prompt_is_a_link(asked: Asked) -> None:
    params = types.DocumentLinkParams(asked.document)
    found = await asked.client.text_document_document_link_async(params)
    guide = asked.editor.path("docs/guide.md").as_uri()
    assert [one.target for one in found or ()] == ([guide] if asked.system.has_prompt else [])


async def test_an_agent_is_renamed_at_its_mention(asked: Asked) -> None:
    prepare = types.PrepareRenameParams(asked.document, asked.mention)
    prepared = await asked.client.text_document_prepare_rename_async(prepare)
    assert isinstance(prepared, types.PrepareRenamePlaceholder)
    assert prepared.placeholder == "other"
    params = types.RenameParams(asked.document, asked.mention, "fresh")
    edit = await asked.client.text_document_rename_async(params)
    assert edit is not None
    changes = edit.document_changes or ()
    assert any(
        isinstance(one, types.TextDocumentEdit) and one.text_document.uri == asked.document.uri
        for one in changes
    )
    assert asked.system.is_moved is any(isinstance(one, types.RenameFile) for one in changes)


async def test_renaming_a_file_renames_mentions_if_it_names_the_agent(
    asked: Asked,
) -> None:
    old = asked.editor.path(asked.system.other)
    new = old.with_name(f"fresh{old.suffix}")
    params = types.RenameFilesParams([types.FileRename(old.as_uri(), new.as_uri())])
    edit = await asked.client.workspace_will_rename_files_async(params)
    assert (edit is not None) is asked.system.is_moved


async def test_agents_that_start_each_other_are_a_call_hierarchy(asked: Asked) -> None:
    at = types.CallHierarchyPrepareParams(asked.document, asked.own)
    [main] = await asked.client.text_document_prepare_call_hierarchy_async(at) or ()
    calls = types.CallHierarchyOutgoingCallsParams(main)
    found = await asked.client.call_hierarchy_outgoing_calls_async(calls)
    expected = ["other"] if asked.system.starts else []
    assert [one.to.name for one in found or ()] == expected
    at = types.CallHierarchyPrepareParams(asked.document, asked.mention)
    [other] = await asked.client.text_document_prepare_call_hierarchy_async(at) or ()
    callers = types.CallHierarchyIncomingCallsParams(other)
    incoming = await asked.client.call_hierarchy_incoming_calls_async(callers)
    names = [one.from_.name for one in incoming or ()]
    assert any(name.startswith("main") for name in names) is asked.system.starts


async def test_the_parts_of_a_file_are_symbols_folds_and_selection_ranges(asked: Asked) -> None:
    symbols = await asked.client.text_document_document_symbol_async(
        types.DocumentSymbolParams(asked.document)
    )
    assert len(symbols or ()) > 1
    folds = await asked.client.text_document_folding_range_async(
        types.FoldingRangeParams(asked.document)
    )
    assert len(folds or ()) > 1
    params = types.SelectionRangeParams(asked.document, [asked.mention])
    [grown] = await asked.client.text_document_selection_range_async(params) or ()
    assert grown.parent is not None


async def test_an_agent_is_found_in_the_whole_workspace(asked: Asked) -> None:
    found = await asked.client.workspace_symbol_async(types.WorkspaceSymbolParams("mai"))
    assert asked.document.uri in {
        one.location.uri for one in found or () if isinstance(one, types.SymbolInformation)
    }


async def test_a_code_lens_previews_the_agent(asked: Asked) -> None:
    params = types.CodeLensParams(asked.document)
    lenses = await asked.client.text_document_code_lens_async(params) or ()
    commands = [one.command for one in lenses if one.command is not None]
    assert "Preview spawn" in [one.title for one in commands]
    assert any("tools" in one.title for one in commands)
    preview = next(one for one in commands if one.title == "Preview spawn")
    answer = await asked.editor.command(preview.command, *(preview.arguments or ()))
    assert "main" in answer["markdown"]


async def test_names_and_tools_are_semantic_tokens(asked: Asked) -> None:
    params = types.SemanticTokensParams(asked.document)
    tokens = await asked.client.text_document_semantic_tokens_full_async(params)
    assert tokens is not None
    # Each takes five numbers.
    assert len(tokens.data) >= 2 * 5


async def test_inlay_hints_are_answered(asked: Asked) -> None:
    everywhere = types.Range(types.Position(0, 0), types.Position(99, 0))
    params = types.InlayHintParams(asked.document, everywhere)
    hints = await asked.client.text_document_inlay_hint_async(params)
    assert hints is not None


async def test_a_client_that_shows_a_preview_is_notified_of_changes(asked: Asked) -> None:
    before = len(asked.told)
    asked.editor.change(asked.editor.path(asked.system.main), asked.system.text + "\n")
    await until(lambda: len(asked.told) > before)
    assert asked.told[-1] == asked.document.uri
