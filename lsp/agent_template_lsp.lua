---@brief
---
--- Language server for agent templates: tells, while you type, what the agent runtime will do.
---
--- It attaches to templates and to no other Markdown file: `.codex/.agents/*.md` of a project,
--- and your own in `$CODEX_HOME/.agents` (`~/.codex/.agents`). A folder that your
--- `agent-template-lsp.toml` claims needs a `root_dir` of yours; `docs/neovim.md` has one.
---
--- Two commands come with each such buffer:
---   :LspAgentList               what `list_agents` answers to a session started here
---   :LspAgentPreview [persona]  what `spawn_agent` starts for this template, and why
---
--- The server takes what the client offers: positions in utf-8, snippets, related places. Neovim
--- does not watch files on Linux unless you ask for it, and then the server looks at the disk
--- itself, when you open or save a template and at its commands.

--- The folders of the user's own templates, whether they exist or not.
---@return string[]
local function user_folders()
  local homes = { vim.env.CODEX_HOME or "", vim.fs.joinpath(vim.uv.os_homedir() or "", ".codex") }
  local folders = {}
  for _, home in ipairs(homes) do
    if home ~= "" then
      table.insert(folders, vim.fs.joinpath(vim.fs.abspath(home), ".agents"))
    end
  end
  return folders
end

---@param bufnr integer
---@param on_dir fun(root_dir?: string)
local function root_dir(bufnr, on_dir)
  local folder = vim.fs.dirname(vim.fs.abspath(vim.api.nvim_buf_get_name(bufnr)))
  if vim.list_contains(user_folders(), folder) then
    -- They belong to no project, and a home is too large to be searched like one.
    on_dir(nil)
  elseif vim.endswith(folder, "/.codex/.agents") then
    on_dir(vim.fs.root(folder, ".git") or vim.fs.dirname(vim.fs.dirname(folder)))
  end
end

--- Asks the server for a document, which it opens in a window of its own.
---@param client vim.lsp.Client
---@param bufnr integer
---@param command string
---@param arguments table<string, any>
local function show(client, bufnr, command, arguments)
  local argument = vim.tbl_extend("force", arguments, {
    dialect = "codex-templates",
    uri = vim.uri_from_bufnr(bufnr),
    format = "markdown",
    show = true,
  })
  local call = { title = command, command = command, arguments = { argument } }
  client:exec_cmd(call, { bufnr = bufnr }, function()
    -- The document may be on screen from an earlier call.
    vim.cmd.checktime()
  end)
end

---@type vim.lsp.Config
return {
  cmd = { "agent-template-lsp", "serve", "--stdio" },
  filetypes = { "markdown" },
  root_dir = root_dir,
  on_attach = function(client, bufnr)
    vim.api.nvim_buf_create_user_command(bufnr, "LspAgentList", function()
      show(client, bufnr, "agentTemplates.listAgents", {})
    end, { desc = "What list_agents answers here" })
    vim.api.nvim_buf_create_user_command(bufnr, "LspAgentPreview", function(call)
      local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ":t:r")
      local persona = call.args ~= "" and call.args or nil
      show(client, bufnr, "agentTemplates.previewSpawn", { agent_type = name, agent_name = persona })
    end, { nargs = "?", desc = "What spawn_agent starts for this template" })
  end,
}
