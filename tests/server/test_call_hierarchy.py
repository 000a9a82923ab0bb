"""The call hierarchy, as each editor gets it."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from lsprotocol import types

from tests.server.editor import CLIENTS, Editor, editing

LEAD, REVIEWER = ".codex/.agents/lead.md", ".codex/.agents/reviewer.md"
FILES = {
    LEAD: "---\ndescription: Leads.\n---\nAsk `reviewer`.\n",
    REVIEWER: "---\ndescription: Reviews.\n---\nReview.\n",
}


@pytest_asyncio.fixture(scope="module", params=CLIENTS)
async def editor(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Editor]:
    """One editor for all tests here, with one template open."""
    async with editing(tmp_path_factory.mktemp("editor"), request.param, FILES) as it:
        await it.sees(it.open(LEAD))
        yield it


async def item(editor: Editor, name: str) -> types.CallHierarchyItem:
    document = types.TextDocumentIdentifier(editor.path(name).as_uri())
    params = types.CallHierarchyPrepareParams(document, types.Position(1, 0))
    [found] = await editor.client.text_document_prepare_call_hierarchy_async(params) or ()
    return found


async def test_a_lead_calls_the_agents_that_it_mentions(editor: Editor) -> None:
    lead = await item(editor, LEAD)
    assert (lead.name, lead.detail) == ("lead", "project")
    params = types.CallHierarchyOutgoingCallsParams(lead)
    [call] = await editor.client.call_hierarchy_outgoing_calls_async(params) or ()
    assert (call.to.name, call.to.uri) == ("reviewer", editor.path(REVIEWER).as_uri())
    assert list(call.from_ranges) == [types.Range(types.Position(3, 5), types.Position(3, 13))]


async def test_a_reviewer_is_called_by_the_lead(editor: Editor) -> None:
    params = types.CallHierarchyIncomingCallsParams(await item(editor, REVIEWER))
    [call] = await editor.client.call_hierarchy_incoming_calls_async(params) or ()
    assert call.from_.name == "lead"


async def test_an_item_of_a_deleted_file_has_no_calls(editor: Editor) -> None:
    gone = await item(editor, LEAD)
    gone.uri = editor.path(".codex/.agents/gone.md").as_uri()
    params = types.CallHierarchyOutgoingCallsParams(gone)
    assert not await editor.client.call_hierarchy_outgoing_calls_async(params)
