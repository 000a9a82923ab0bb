"""Skills and MCP servers that presets and definitions of Moltis allow and deny."""

from pathlib import Path

import pytest

from agent_lsp.analysis.completion import complete
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.hover import hover
from agent_lsp.analysis.navigation import skills
from agent_lsp.analysis.navigation.definition import document_links
from agent_lsp.workspace.snapshot import template_file
from tests.fixture import Fixture, fixture

PRESET = """\
//- moltis.toml
[agents.presets.a]
reasoning_effort = "low"
skills.allow = [{}]
skills.deny = [{}]
mcp.allow_servers = [{}]
"""
DEFINITION = """\
//- .moltis/agents/a.md
---
name: a
skills_allow: {}
skills_deny: {}
mcp_allow_servers: {}
---
B.
"""
OTHERS = """\
//- ~/.moltis/skills/lint/SKILL.md
---
name: lint
description: Does lint.
---
Text.
//- ~/.moltis/.moltis/skills/folder/SKILL.md
---
name: other
description: Does other.
---
Text.
//- ~/.moltis/skills/bad/SKILL.md
Text.
//- ~/.moltis/mcp-servers.json
{"servers": {"github": {}}}
"""
FORMS = pytest.mark.parametrize("form", [PRESET, DEFINITION])


def _made(folder: Path, form: str, allow: str, deny: str = "", servers: str = "") -> Fixture:
    lists = [one.split() for one in (allow, deny, servers)]
    shown = [", ".join(f'"{one}"' if form is PRESET else one for one in each) for each in lists]
    return fixture(folder, form.format(*shown) + OTHERS)


@FORMS
def test_an_entry_that_means_no_skill_and_no_server_is_reported(form: str, tmp_path: Path) -> None:
    made = _made(tmp_path, form, "lint lnit research codex zork", "Other bad", "github githbu")
    said = [
        f"{one.span.of(made.text).strip(chr(34))} {one.severity.name} {one.code} {one.meant}"
        for one in diagnostics(made.workspace, made.path)
        if one.code in ("unknown-skill", "unknown-server")
    ]
    assert said == [
        "lnit WARNING unknown-skill ('lint',)",
        "zork INFORMATION unknown-skill ()",
        "Other WARNING unknown-skill ('other',)",
        "bad WARNING unknown-skill ()",
        "githbu WARNING unknown-server ('github',)",
    ]


@FORMS
def test_skills_and_servers_are_completed_explained_and_linked(form: str, tmp_path: Path) -> None:
    made = _made(tmp_path, form, "li$0nt", "other", "github")
    labels = [one.label for one in complete(made.workspace, made.path, made.offset)]
    assert {"lint", "apple-notes", "research"} <= set(labels)
    assert "bad" not in labels
    for word, expected in (
        ("lint", "Allows the skill `lint`"),
        ("other", "Denies the skill `other`"),
        ("github", "mcp-servers.json"),
    ):
        shown = hover(made.workspace, made.path, made.text.index(word) + 1)
        assert shown is not None
        assert expected in shown.markdown
    at = made.text.index("github") + 1
    assert [one.label for one in complete(made.workspace, made.path, at)] == ["github"]
    file = template_file(made.workspace, made.path)
    assert file is not None
    assert [link.target.parent.name for link in document_links(file)] == ["lint", "folder"]
    refused = skills.prepare(file, made.offset)
    assert "is outside the workspace folders" in str(refused)


def test_a_category_is_explained(tmp_path: Path) -> None:
    made = _made(tmp_path, DEFINITION, "res$0earch")
    shown = hover(made.workspace, made.path, made.offset)
    assert shown is not None
    assert "Allows the skills of the group `research`" in shown.markdown
