"""Agents that a prompt calls, with the real server: findings, completion and hover."""

from pathlib import Path

from lsprotocol import types

from tests.server.editor import editing

LEAD, REVIEWER = ".claude/agents/lead.md", ".claude/agents/reviewer.md"
HEAD = "---\nname: {}\ndescription: D.\ntools: Read\n---\n"
PROMPT = (
    'Delegate to `reviewer`.\nCall Agent(subagent_type="reviwer"), then Agent(subagent_type="").\n'
)
FILES = {
    LEAD: f"{HEAD.format('lead')}{PROMPT}",
    REVIEWER: f"{HEAD.format('reviewer')}You review.\n",
}


async def test_an_agent_in_a_prompt_is_checked_completed_and_shown(tmp_path: Path) -> None:
    async with editing(tmp_path, "visual-studio-code", FILES) as editor:
        lead = editor.open(LEAD)
        found = await editor.sees(lead, "futile-delegation", "unknown-agent")
        assert [str(one.message) for one in found] == [
            "the agent cannot call `reviewer`: it has no tool `Agent` (not in `tools`)",
            "no agent is called `reviwer`; did you mean `reviewer`?",
        ]
        document = types.TextDocumentIdentifier(lead.as_uri())
        line = PROMPT.splitlines()[1]
        place = types.Position(6, line.rindex('"'))
        offered = await editor.client.text_document_completion_async(
            types.CompletionParams(document, place)
        )
        items = offered.items if isinstance(offered, types.CompletionList) else offered or ()
        assert "reviewer" in [one.label for one in items]

        shown = await editor.client.text_document_hover_async(
            types.HoverParams(document, types.Position(5, 15))
        )
        assert shown is not None
        assert REVIEWER in str(shown.contents)
