"""Definitions, references, highlights and links, as each editor gets them."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from lsprotocol import types

from agent_lsp.text import Encoding, LineIndex
from tests.server.editor import CLIENTS, Editor, editing

REVIEWER = """\
---
description: Reviews.
agent_names:
  - name: strict
    description: Lets nothing pass.
---
<!-- agent_name: strict -->
Be strict.
"""
LEAD = "---\ndescription: Leads.\n---\n😀 Ask `reviewer` as docs/style.md says.\n"
REVIEWER_PATH, LEAD_PATH = ".codex/.agents/reviewer.md", ".codex/.agents/lead.md"
FILES = {
    REVIEWER_PATH: REVIEWER,
    LEAD_PATH: LEAD,
    "docs/style.md": "Style.\n",
    "~/.codex/.agents/reviewer.md": "---\ndescription: Mine.\n---\nReview.\n",
}


@pytest_asyncio.fixture(scope="module", params=CLIENTS)
async def editor(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Editor]:
    """One editor for all tests here; only the lead is open."""
    async with editing(tmp_path_factory.mktemp("editor"), request.param, FILES) as it:
        await it.sees(it.open(LEAD_PATH))
        yield it


def at(editor: Editor, name: str, text: str, word: str) -> types.TextDocumentPositionParams:
    """The position of `word`, in this editor's columns."""
    encoding = Encoding(CLIENTS[editor.name][1])
    position = LineIndex(text).position(text.index(word) + 1, encoding)
    document = types.TextDocumentIdentifier(editor.path(name).as_uri())
    return types.TextDocumentPositionParams(document, types.Position(*position))


def drawn(editor: Editor, found: object) -> list[str]:
    """Locations as `file:line:column`; columns count code points."""
    assert isinstance(found, list | tuple)
    lines = []
    for one in found:
        assert isinstance(one, types.Location)
        path = next(
            name for name in (*FILES, "-") if name == "-" or editor.path(name).as_uri() == one.uri
        )
        index = LineIndex(FILES[path])
        encoding = Encoding(CLIENTS[editor.name][1])
        offset = index.offset(one.range.start.line, one.range.start.character, encoding)
        line, column = index.position(offset)
        lines.append(f"{path}:{line + 1}:{column + 1}")
    return sorted(lines)


async def test_an_agent_leads_to_its_file(editor: Editor) -> None:
    place = at(editor, LEAD_PATH, LEAD, "reviewer")
    params = types.DefinitionParams(place.text_document, place.position)
    found = await editor.client.text_document_definition_async(params)
    assert drawn(editor, found) == [f"{REVIEWER_PATH}:1:1"]


async def test_shadowed_files_of_an_agent_are_implementations(editor: Editor) -> None:
    place = at(editor, LEAD_PATH, LEAD, "reviewer")
    params = types.ImplementationParams(place.text_document, place.position)
    found = await editor.client.text_document_implementation_async(params)
    assert drawn(editor, found) == [f"{REVIEWER_PATH}:1:1", "~/.codex/.agents/reviewer.md:1:1"]


async def test_a_closed_file_has_a_definition_as_well(editor: Editor) -> None:
    place = at(editor, REVIEWER_PATH, REVIEWER, "strict")
    params = types.DefinitionParams(place.text_document, place.position)
    found = await editor.client.text_document_definition_async(params)
    assert drawn(editor, found) == [f"{REVIEWER_PATH}:7:18"]


async def test_references_come_from_all_files(editor: Editor) -> None:
    place = at(editor, REVIEWER_PATH, REVIEWER, "---")
    context = types.ReferenceContext(include_declaration=True)
    params = types.ReferenceParams(context, place.text_document, place.position)
    found = await editor.client.text_document_references_async(params)
    assert drawn(editor, found) == [f"{LEAD_PATH}:4:8", f"{REVIEWER_PATH}:1:1"]


async def test_highlights_mark_the_declaration(editor: Editor) -> None:
    place = at(editor, REVIEWER_PATH, REVIEWER, "strict")
    params = types.DocumentHighlightParams(place.text_document, place.position)
    found = await editor.client.text_document_document_highlight_async(params) or ()
    kinds = [(one.range.start.line, one.kind) for one in found]
    kind = types.DocumentHighlightKind
    assert kinds == [(3, kind.Write), (6, kind.Read)]


async def test_a_path_is_a_link(editor: Editor) -> None:
    document = types.TextDocumentIdentifier(editor.path(LEAD_PATH).as_uri())
    params = types.DocumentLinkParams(document)
    [link] = await editor.client.text_document_document_link_async(params) or ()
    assert link.target == editor.path("docs/style.md").as_uri()
    assert link.range.start.line == 3


async def test_words_that_are_no_names_have_no_definition(editor: Editor) -> None:
    place = at(editor, LEAD_PATH, LEAD, "says")
    document, position = place.text_document, place.position
    client = editor.client
    context = types.ReferenceContext(include_declaration=True)
    assert not await client.text_document_definition_async(
        types.DefinitionParams(document, position)
    )
    assert not await client.text_document_references_async(
        types.ReferenceParams(context, document, position)
    )
    assert not await client.text_document_document_highlight_async(
        types.DocumentHighlightParams(document, position)
    )
