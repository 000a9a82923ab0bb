"""Names of all shapes are found as a whole, and a new name has to be read where it is written."""

from pathlib import Path

import pytest

from agent_lsp.analysis.navigation.rename import CannotRename, Renaming, rename
from agent_lsp.text import apply
from agent_lsp.workspace.snapshot import template_file
from tests.fixture import Fixture, fixture

AGENTS = """\
//- .codex/agents/Docs.md
---
$0name: Docs
description: Writes.
---
Write.
//- .codex/agents/Docs.v2.md
---
name: Docs.v2
description: Writes more.
---
Write.
//- .codex/agents/lead.md
---
description: Leads.
---
Ask `Docs.v2`; subagent_run(name="Docs.v2"), delegate to Docs.v2. Then delegate to Docs.
`delegate to Docs`, as in delegate to Docs.md, and `Docs: a text`.
"""
CLAUDE = """\
//- .claude/agents/a.md
---
name: ch$0ecker
description: Checks.
---
Check.
//- .claude/agents/lead.md
---
name: lead
description: Leads.
tools: Read, Agent(checker), Bash
---
Agent(subagent_type="checker"). Delegate to checker.
"""


def _texts(at: Fixture, name: str) -> dict[str, str]:
    """What the files are after the renaming, by their names."""
    template = template_file(at.workspace, at.path)
    assert template is not None
    found = rename(template, at.offset, name)
    assert isinstance(found, Renaming), found
    texts = {}
    for path, edits in found.edits.items():
        file = at.workspace.files.read(path)
        assert file is not None
        texts[path.name] = apply(file.text, edits)
    return texts


def test_a_name_that_begins_another_one_leaves_that_one_alone(tmp_path: Path) -> None:
    at = fixture(tmp_path, AGENTS.replace("$0name: Docs", "name: Do$0cs"))
    assert _texts(at, "Api")["lead.md"].endswith(
        'Ask `Docs.v2`; subagent_run(name="Docs.v2"), delegate to Docs.v2. Then delegate to Api.\n'
        "`delegate to Api`, as in delegate to Api.md, and `Docs: a text`.\n"
    )


def test_a_name_with_a_dot_is_found_wherever_it_stands(tmp_path: Path) -> None:
    source = AGENTS.replace("$0", "").replace("name: Docs.v2", "name: Docs.$0v2")
    assert _texts(fixture(tmp_path, source), "Api")["lead.md"].endswith(
        'Ask `Api`; subagent_run(name="Api"), delegate to Api. Then delegate to Docs.\n'
        "`delegate to Docs`, as in delegate to Docs.md, and `Docs: a text`.\n"
    )


@pytest.mark.parametrize("name", ["a), Bash(rm", "a #b", "two words", 'a"b'])
def test_a_name_that_a_text_could_not_say_is_refused(tmp_path: Path, name: str) -> None:
    """In a list of tools it would give away others, or end the list as a comment."""
    at = fixture(tmp_path, CLAUDE)
    file = template_file(at.workspace, at.path)
    assert file is not None
    found = rename(file, at.offset, name)
    assert isinstance(found, CannotRename)
    assert found.message == (
        f"`{name}` would not be read as a name where `.claude/agents/lead.md` mentions it"
    ) or found.message.endswith("the runtime would not read it")


def test_a_name_of_two_words_is_fine_where_only_quotes_have_it(tmp_path: Path) -> None:
    source = CLAUDE.replace("Agent(checker), ", "").replace(" Delegate to checker.", "")
    texts = _texts(fixture(tmp_path, source), "two words")
    assert texts["lead.md"].endswith('Agent(subagent_type="two words").\n')
    assert texts["a.md"].startswith("---\nname: two words\n")
