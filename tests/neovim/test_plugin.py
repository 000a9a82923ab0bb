"""A person looks at what becomes of a template in a split, while typing."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.neovim.neovim import Neovim, running
from tests.neovim.test_neovim import ATTACHED, start, write

pytestmark = pytest.mark.editors

TEMPLATE = """\
---
description: Reviews changes.
model: gpt-5.1
agent_names:
  - name: strict
    description: Takes its time.
---
Review.
<!-- agent_name: strict -->
Review twice.
"""
# The text of the split whose name ends as given, and nothing without such a split.
SHOWN = """
for _, window in ipairs(vim.api.nvim_list_wins()) do
  local buffer = vim.api.nvim_win_get_buf(window)
  if vim.endswith(vim.api.nvim_buf_get_name(buffer), "%s") then
    return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), "\\n")
  end
end
return ""
"""
PREVIEW = SHOWN % "//preview/.codex/.agents/reviewer.md"


@pytest.fixture(scope="module")
def neovim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neovim]:
    with running(start(tmp_path_factory.mktemp("plugin"))) as editor:
        editor.type(f":cd {editor.folder / 'workspace'}<CR>")
        yield editor


@pytest.fixture
def template(neovim: Neovim) -> Path:
    neovim.type("<C-\\><C-n>:only!<CR>:%bwipeout!<CR>")
    path = write(neovim.folder / "workspace/.codex/.agents/reviewer.md", TEMPLATE)
    neovim.edit(path)
    neovim.until(ATTACHED)
    return path


def test_the_preview_follows_the_text_while_it_is_typed(neovim: Neovim, template: Path) -> None:
    neovim.type(":AgentPreview<CR>")
    neovim.until(PREVIEW, lambda text: "gpt-5.1" in text and "Review." in text)
    # The person is still in the template, and in the middle of a word.
    neovim.type("<C-\\><C-n>:3<CR>ccmodel: gpt-5.2-cod")
    neovim.until(PREVIEW, lambda text: "gpt-5.2-cod" in text)
    neovim.type("ex<Esc>")
    neovim.until(PREVIEW, lambda text: "gpt-5.2-codex" in text)
    assert template.read_text("utf-8") == TEMPLATE
    assert neovim.lua("return vim.api.nvim_buf_get_name(0)") == str(template)


@pytest.mark.usefixtures("template")
def test_a_persona_has_a_preview_of_its_own(neovim: Neovim) -> None:
    neovim.type(":AgentPreview strict<CR>")
    of = SHOWN % "//preview strict of/.codex/.agents/reviewer.md"
    neovim.until(of, lambda text: "Review twice." in text)


@pytest.mark.usefixtures("template")
def test_a_list_follows_the_text_and_a_refusal_is_shown(neovim: Neovim) -> None:
    neovim.type(":AgentList<CR>")
    shown = SHOWN % "//list/.codex/.agents/reviewer.md"
    neovim.until(shown, lambda text: "Reviews changes." in text)
    neovim.type("<C-\\><C-n>:2<CR>ccdescription: Reads.<Esc>")
    neovim.until(shown, lambda text: "Reads." in text)
    neovim.type(":2<CR>dd")
    neovim.until(shown, lambda text: "description" in text and "Reads." not in text)


@pytest.mark.usefixtures("template")
def test_the_status_names_the_file_that_is_in_force(neovim: Neovim) -> None:
    neovim.type(":AgentStatus<CR>")
    shown = SHOWN % "//status/.codex/.agents/reviewer.md"
    neovim.until(shown, lambda text: "versions" in text and "reviewer" in text)


@pytest.mark.usefixtures("template")
def test_a_second_call_shows_the_same_split_and_a_closed_one_is_forgotten(neovim: Neovim) -> None:
    windows = "return #vim.api.nvim_list_wins()"
    neovim.type(":AgentPreview<CR>:AgentPreview<CR>")
    neovim.until(PREVIEW)
    assert neovim.lua(windows) == 2
    neovim.type(":only<CR>")
    neovim.type("ix<Esc>:AgentPreview<CR>")
    neovim.until(PREVIEW)
    assert neovim.lua(windows) == 2


@pytest.mark.usefixtures("template")
def test_the_preview_goes_on_when_the_server_is_started_again(neovim: Neovim) -> None:
    neovim.type(":AgentPreview<CR>")
    neovim.until(PREVIEW, lambda text: "gpt-5.1" in text)
    neovim.lua("vim.lsp.enable('agent_template_lsp', false)")
    neovim.until(ATTACHED, lambda count: count == 0)
    neovim.lua("vim.lsp.enable('agent_template_lsp')")
    neovim.until(ATTACHED)
    neovim.type("<C-\\><C-n>:3<CR>ccmodel: gpt-5.2<Esc>")
    neovim.until(PREVIEW, lambda text: "gpt-5.2" in text)


@pytest.mark.usefixtures("template")
def test_lenses_and_hints_are_drawn_and_follow_the_text(neovim: Neovim) -> None:
    lenses = """
    return vim.tbl_map(function(one) return one.command.title end, vim.lsp.codelens.get(0))
    """
    neovim.until(lenses, lambda titles: any("Preview" in one for one in titles))
    hints = "return #vim.lsp.inlay_hint.get({ bufnr = 0 })"
    before = len(neovim.lua(lenses))
    assert neovim.lua("return vim.lsp.inlay_hint.is_enabled({ bufnr = 0 })")
    neovim.type("<C-\\><C-n>:3<CR>ccallow_list: [exec_*]<Esc>")
    neovim.until(hints)
    neovim.until(lenses, lambda titles: len(titles) >= before)


@pytest.mark.usefixtures("template")
def test_completions_are_offered_while_a_word_is_typed_and_none_is_inserted(
    neovim: Neovim,
) -> None:
    neovim.type("<C-\\><C-n>:3<CR>ccmodel: gpt-5.2-c")
    words = "return vim.tbl_map(function(one) return one.word end, vim.fn.complete_info().items)"
    neovim.until(words, lambda found: found is not None and "gpt-5.2-codex" in found)
    assert neovim.lua("return vim.fn.getline(3)") == "model: gpt-5.2-c"
    neovim.type("<C-n><C-y><Esc>")
    assert neovim.lua("return vim.fn.getline(3)").startswith("model: gpt-5.2-codex")
    assert neovim.lua("return vim.go.completeopt") == "menu,popup"


@pytest.mark.usefixtures("template")
def test_the_outline_of_the_template_is_under_its_key(neovim: Neovim) -> None:
    neovim.type("<C-\\><C-n>gO")
    listed = "return vim.tbl_map(function(one) return one.text end, vim.fn.getloclist(0))"
    neovim.until(listed, lambda found: bool(found) and any("strict" in one for one in found))
    neovim.type(":only!<CR>")


@pytest.mark.usefixtures("template")
def test_a_finding_is_shown_behind_its_line(neovim: Neovim) -> None:
    neovim.type("<C-\\><C-n>:3<CR>ccmodle: gpt-5.1<Esc>")
    drawn = """
    local found = {}
    for _, space in pairs(vim.api.nvim_get_namespaces()) do
      for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true })) do
        for _, piece in ipairs(mark[4].virt_text or {}) do
          table.insert(found, piece[1])
        end
      end
    end
    return found
    """
    neovim.until(drawn, lambda found: bool(found) and any("modle" in one for one in found))


def test_each_part_can_be_switched_off(tmp_path: Path) -> None:
    off = "vim.g.agent_templates = { completion = false, outline = false, virtual_text = false }"
    with running(start(tmp_path), off) as editor:
        editor.edit(write(tmp_path / "workspace/.codex/.agents/reviewer.md", TEMPLATE))
        editor.until(ATTACHED)
        editor.until("return vim.fn.exists(':LspAgentList') == 2")
        key = "return vim.fn.maparg('gO', 'n', false, true).desc"
        assert editor.lua(key) == "Show an Outline of the current buffer"
        space = "vim.lsp.diagnostic.get_namespace(vim.lsp.get_clients()[1].id)"
        assert not editor.lua(f"return vim.diagnostic.config(nil, {space}).virtual_text")
        assert editor.lua("return vim.bo.completeopt") == ""


def test_without_a_template_the_commands_say_so(neovim: Neovim) -> None:
    neovim.edit(write(neovim.folder / "workspace/README.md", "# Shop\n"))
    neovim.type(":AgentPreview<CR>")
    neovim.until("return vim.fn.execute('messages')", lambda said: "no agent template" in said)
