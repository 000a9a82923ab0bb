"""A person opens templates in Neovim, with the configuration that the project ships."""

import re
import textwrap
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.neovim.neovim import Neovim, running
from tests.server.editor import ROOT

pytestmark = pytest.mark.editors

TEMPLATE = """\
---
description: Reviews changes.
model: gpt-5.1-codex-m
allow_list: [exec_comand]
---
Review.
"""
CLAIM = '[folders]\n"prompts/agents" = "codex-templates"\n'
ATTACHED = "return #vim.lsp.get_clients({ bufnr = 0, name = 'agent_template_lsp' })"
MESSAGES = """
local found = vim.diagnostic.get(0)
return vim.tbl_map(function(one) return one.message end, found)
"""
FLOAT = """
for _, window in ipairs(vim.api.nvim_list_wins()) do
  if vim.api.nvim_win_get_config(window).relative ~= "" then
    local buffer = vim.api.nvim_win_get_buf(window)
    return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), "\\n")
  end
end
"""


def start(folder: Path) -> Path:
    (folder / "workspace" / ".git").mkdir(parents=True)
    (folder / "home").mkdir()
    return folder


@pytest.fixture(scope="module")
def neovim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neovim]:
    with running(start(tmp_path_factory.mktemp("nvim"))) as editor:
        yield editor


@pytest.fixture
def template(neovim: Neovim) -> Path:
    """A template with two faults, on the screen and with the server attached."""
    neovim.type("<C-\\><C-n>:%bwipeout!<CR>")
    path = write(neovim.folder / "workspace/.codex/.agents/reviewer.md", TEMPLATE)
    neovim.edit(path)
    neovim.until(ATTACHED)
    return path


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_template_is_attached_at_the_root_of_its_repository(
    neovim: Neovim, template: Path
) -> None:
    root = neovim.lua("return vim.lsp.get_clients({ bufnr = 0 })[1].config.root_dir")

    assert root == str(template.parents[2])


def test_other_markdown_is_left_alone(neovim: Neovim) -> None:
    _is_left_alone(neovim, write(neovim.folder / "workspace/README.md", "# Shop\n"))


def _is_left_alone(neovim: Neovim, path: Path) -> None:
    """Attaching is put off, so that a template that is opened later is attached after `path`."""
    neovim.edit(path)
    neovim.until("return vim.bo.filetype == 'markdown'")
    buffer = neovim.lua("return vim.api.nvim_get_current_buf()")
    neovim.edit(write(neovim.folder / "workspace/.codex/.agents/later.md", TEMPLATE))
    neovim.until(ATTACHED)
    assert neovim.lua(ATTACHED.replace("bufnr = 0", f"bufnr = {buffer}")) == 0


def test_a_template_of_the_user_is_attached_without_a_root(neovim: Neovim) -> None:
    neovim.edit(write(neovim.folder / "home/.codex/.agents/mine.md", TEMPLATE))
    neovim.until(ATTACHED)

    assert neovim.lua("return vim.lsp.get_clients({ bufnr = 0 })[1].config.root_dir") is None
    neovim.until(MESSAGES)


def test_a_sub_agent_is_attached_and_previewed(neovim: Neovim) -> None:
    text = "---\ndescription: Reviews.\n---\nReview with care.\n"
    for folder in ("workspace", "home"):
        neovim.edit(write(neovim.folder / folder / ".codex/agents/checker.md", text))
        neovim.until(ATTACHED)
    neovim.edit(neovim.folder / "workspace/.codex/agents/checker.md")
    neovim.until(ATTACHED)
    neovim.type(":LspAgentPreview<CR>")
    neovim.until("return vim.fn.expand('%:t') == 'previewSpawn-checker.md'")

    assert neovim.text().startswith("**`checker`**")
    assert "Review with care." in neovim.text()
    neovim.type(":bwipeout!<CR>")


def test_agents_of_a_plugin_are_attached_beside_its_manifest(neovim: Neovim) -> None:
    neovim.type("<C-\\><C-n>:%bwipeout!<CR>")
    plugin = neovim.folder / "workspace/desk"
    text = "---\nname: checker\ndescription: d\npermissionMode: plan\n---\nCheck.\n"
    other = write(neovim.folder / "workspace/other/agents/checker.md", text)
    write(plugin / ".claude-plugin/plugin.json", '{"name": "desk"}')
    neovim.edit(write(plugin / "agents/team/checker.md", text))
    neovim.until(ATTACHED)
    neovim.until(f"return #(function() {MESSAGES} end)()")
    assert neovim.lua(MESSAGES) == [
        "the runtime ignores `permissionMode` in an agent of a plugin",
    ]
    _is_left_alone(neovim, other)


def test_a_configuration_with_presets_is_attached_and_previewed(neovim: Neovim) -> None:
    text = '[agents.presets.scout]\nidentity.name = "Scout"\n'
    neovim.edit(write(neovim.folder / "workspace/moltis.toml", text))
    neovim.until(ATTACHED)
    neovim.type(":LspAgentPreview scout<CR>")
    neovim.until("return vim.startswith(vim.fn.expand('%:t'), 'previewSpawn')")

    assert neovim.text().startswith("**`scout`**")
    assert "You are Scout." in neovim.text()
    neovim.type(":bwipeout!<CR>")


def test_the_preset_under_the_cursor_is_previewed(neovim: Neovim) -> None:
    text = '[agents.presets.scout]\nmodel = "o3"\n\n[agents.presets.lens]\nidentity.name = "Lens"\n'
    neovim.edit(write(neovim.folder / "workspace/moltis.toml", text))
    neovim.until(ATTACHED)
    neovim.type("G:LspAgentPreview<CR>")
    neovim.until("return vim.fn.expand('%:t') == 'previewSpawn-lens.md'")

    assert "You are Lens." in neovim.text()
    neovim.type(":bwipeout!<CR>")


def test_a_markdown_definition_is_attached_and_previewed_by_its_name(neovim: Neovim) -> None:
    path = neovim.folder / "workspace/.moltis/agents/any.md"
    neovim.edit(write(path, "---\nname: keeper\n---\nKeep.\n"))
    neovim.until(ATTACHED)
    neovim.type(":LspAgentPreview<CR>")
    neovim.until("return vim.fn.expand('%:t') == 'previewSpawn-keeper.md'")
    neovim.type(":bwipeout!<CR>")


@pytest.mark.usefixtures("template")
def test_diagnostics_are_shown(neovim: Neovim) -> None:
    [message] = neovim.until(MESSAGES)

    assert "did you mean `exec_command`?" in message


@pytest.mark.usefixtures("template")
def test_hover_is_shown(neovim: Neovim) -> None:
    neovim.type("<C-\\><C-n>:2<CR>0:lua vim.lsp.buf.hover()<CR>")
    shown = neovim.until(FLOAT)

    assert "description" in shown.splitlines()[0]
    neovim.type(":fclose!<CR>")


@pytest.mark.usefixtures("template")
def test_a_completion_is_accepted(neovim: Neovim) -> None:
    neovim.type("<C-\\><C-n>:3<CR>A<C-x><C-o>")
    neovim.until("return vim.fn.pumvisible() == 1")
    # The plug-in lets no item be chosen before one asks for it.
    neovim.type("<C-n><C-y>")
    neovim.until("return vim.fn.pumvisible() == 0")

    assert neovim.text() == TEMPLATE.replace("codex-m", "codex-max").rstrip("\n")


@pytest.mark.usefixtures("template")
def test_the_lines_of_a_snippet_are_indented_once(neovim: Neovim) -> None:
    neovim.lua("vim.lsp.completion.enable(true, vim.lsp.get_clients({ bufnr = 0 })[1].id, 0)")
    neovim.type("<C-\\><C-n>:2<CR>oagent_names:<CR><Esc>0C  - <C-x><C-o>")
    neovim.until("return vim.fn.pumvisible() == 1")
    labels = neovim.lua(
        "return vim.tbl_map(function(i) return i.abbr end, vim.fn.complete_info().items)"
    )
    neovim.type("<C-n>" * (labels.index("name, description") + 1) + "<C-y>")
    neovim.until("return vim.fn.search('description: *$', 'nw') > 0")

    assert "\n  - name: \n    description: \n" in neovim.text()


@pytest.mark.usefixtures("template")
def test_a_fix_is_applied(neovim: Neovim) -> None:
    neovim.until(MESSAGES)
    neovim.type("<C-\\><C-n>:4<CR>0f[l")
    neovim.lua("""
    vim.lsp.buf.code_action({
      apply = true,
      context = { only = { "quickfix" } },
      -- There are other ways to be rid of a finding, but one is the right one.
      filter = function(action) return action.isPreferred end,
    })
    """)
    neovim.until(MESSAGES, lambda found: not found)

    assert neovim.text() == TEMPLATE.replace("exec_comand", "exec_command").rstrip("\n")


@pytest.mark.usefixtures("template")
def test_everything_that_is_safe_is_fixed_as_the_docs_say(neovim: Neovim) -> None:
    page = (ROOT / "docs" / "code-actions.md").read_text(encoding="utf-8")
    [code] = re.findall(r"(?ms)^```lua\n(.*?)^```", page)
    neovim.until(MESSAGES)
    neovim.lua(code)
    neovim.until(MESSAGES, lambda found: not found)

    assert neovim.text() == TEMPLATE.replace("exec_comand", "exec_command").rstrip("\n")


def test_a_spawn_preview_opens_as_a_document_and_follows_the_text(
    neovim: Neovim, template: Path
) -> None:
    neovim.type("<C-\\><C-n>:3<CR>ccmodel: gpt-5.2<Esc>:LspAgentPreview<CR>")
    neovim.until("return vim.api.nvim_buf_get_name(0):match('previewSpawn.reviewer.md$')")
    assert "gpt-5.2" in neovim.text()
    neovim.edit(template)
    neovim.type(":3<CR>ccmodel: gpt-5.1<Esc>:LspAgentPreview<CR>")
    neovim.until("return vim.api.nvim_buf_get_name(0):match('previewSpawn.reviewer.md$')")
    neovim.until("return vim.fn.search('gpt-5.1', 'nw')")


@pytest.mark.usefixtures("template")
def test_a_command_answers_with_data(neovim: Neovim) -> None:
    neovim.lua("""
    local argument = {
      dialect = "codex-templates",
      agent_type = "reviewer",
      uri = vim.uri_from_bufnr(0),
    }
    vim.lsp.get_clients({ bufnr = 0 })[1]:exec_cmd(
      { title = "", command = "agentTemplates.listAgents", arguments = { argument } },
      { bufnr = 0 },
      function(_, answer) vim.g.answer = vim.json.encode(answer) end
    )
    """)
    answer = neovim.until("return vim.g.answer")

    assert '"agent_type":"reviewer"' in answer.replace(" ", "")


def test_names_are_followed_listed_and_renamed(neovim: Neovim, template: Path) -> None:
    """As a person does it: with the keys that Neovim has for this."""
    text = TEMPLATE.replace("gpt-5.1-codex-m", "gpt-5")
    lead = write(template.with_name("lead.md"), f"{text}Ask `reviewer`.\n")
    neovim.edit(lead)
    neovim.until(ATTACHED)
    neovim.type("<C-\\><C-n>:lua vim.lsp.buf.document_symbol()<CR>")
    listed = "return vim.tbl_map(function(one) return one.text end, vim.fn.getloclist(0))"
    symbols = neovim.until(listed, lambda found: len(found) == 3)
    assert ["description" in symbols[0], "allow_list" in symbols[2]] == [True, True]
    neovim.type(":lclose<CR>:call search('reviewer')<CR>:lua vim.lsp.buf.definition()<CR>")
    neovim.until("return vim.fn.expand('%:t') == 'reviewer.md'")
    neovim.edit(lead)
    neovim.type(":call search('reviewer')<CR>:lua vim.lsp.buf.rename('judge')<CR>")
    neovim.until("return vim.fn.search('Ask `judge`', 'nw') > 0")

    assert not template.exists()
    assert template.with_name("judge.md").exists()


def test_the_docs_show_how_to_set_up_more(tmp_path: Path) -> None:
    """Settings, a root for another folder, and watched files; the plug-in offers completions."""
    page = (ROOT / "docs" / "neovim.md").read_text(encoding="utf-8")
    blocks = [textwrap.dedent(block) for block in re.findall(r"(?ms)^ *```lua\n(.*?)^ *```", page)]
    words = ("settings =", "root_dir =", "capabilities =")
    shown = [block for word in words for block in blocks if word in block]
    assert len(shown) == len(words)
    folder = start(tmp_path)
    write(folder / "workspace/agent-template-lsp.toml", CLAIM)
    inner = write(folder / "workspace/web/.codex/.agents/reviewer.md", TEMPLATE)
    write(folder / "workspace/.codex/.agents/reviewer.md", TEMPLATE)
    with running(folder, "".join(shown)) as neovim:
        neovim.edit(write(folder / "workspace/prompts/agents/reviewer.md", TEMPLATE))
        neovim.until(MESSAGES, lambda found: len(found) == 1)
        neovim.edit(folder / "workspace/.codex/.agents/reviewer.md")
        # The file in `web` shadows this one, which the settings keep from being said.
        neovim.until(MESSAGES, lambda found: len(found) == 1)
        slip, looks = TEMPLATE.replace("exec_comand", "apply_pach"), count()

        def is_seen(found: list[str]) -> bool:
            # Nothing tells when Neovim has begun to watch the file.
            if (look := next(looks)) % 100 == 0:
                inner.write_text(f"{slip}{look}\n", encoding="utf-8")
            return any("apply_pach" in one for one in found)

        neovim.until(MESSAGES.replace("get(0)", "get()"), is_seen)
        neovim.type("<C-\\><C-n>:3<CR>ccmodel: ")
        neovim.until("return vim.fn.pumvisible() == 1")
