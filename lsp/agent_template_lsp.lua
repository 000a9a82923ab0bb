---@brief
---
--- Language server for agent templates: tells, while you type, what the agent runtime will do.
---
--- It attaches to templates and to no other Markdown file: `.codex/.agents/*.md`,
--- `.codex/agents/*.md`, `.codex/agents/**/*.toml`, `.codex/config.toml`, `.kodacode/agents/*.md`,
--- `.moltis/agents/*.md`, `.github/agents/**/*.md`, `.cursor/agents/*.md`, `.gemini/agents/*.md`, `.qwen/agents/*.md` and `.claude/agents/**/*.md` of a project, and
--- your own in `$CODEX_HOME/.agents` (`~/.codex/.agents`), `~/.codex/agents` (`$CODEX_HOME/agents`),
--- `$XDG_CONFIG_HOME/kodacode/agents` (`~/.config/kodacode/agents`), `~/.moltis/agents`,
--- `~/.cursor/agents`, `~/.copilot/agents` (`$COPILOT_HOME/agents`), `~/.gemini/agents` (`$GEMINI_CLI_HOME/.gemini/agents`), `~/.qwen/agents` (`$QWEN_HOME/agents`) and
--- `~/.claude/agents` (`$CLAUDE_CONFIG_DIR/agents`); `agents/**/*.md` beside the
--- `.claude-plugin/plugin.json` of a Claude Code plugin; `docs/templates/*.md`, about which the
--- server is silent unless they are templates; `.opencode/agents/**/*.md` and
--- `.opencode/agent/**/*.md` of a project, and `~/.config/opencode/agents`; and every `moltis.toml`,
--- `opencode.json` and `opencode.jsonc`. A folder that your
--- `agent-template-lsp.toml` claims needs a `root_dir`
--- of yours; `docs/neovim.md` has one.
---
--- Two commands come with each such buffer:
---   :LspAgentList               what the runtime lists for a session started here
---   :LspAgentPreview [persona]  what the runtime starts for this template, and why
---
--- The plug-in beside this file, `plugin/agent_templates.lua`, has `:AgentList`, `:AgentPreview` and
--- `:AgentStatus` with a split that follows the text.
---
--- The server takes what the client offers: positions in utf-8, snippets, related places. Neovim
--- does not watch files on Linux unless you ask for it, and then the server looks at the disk
--- itself, when you open or save a template and at its commands.

--- Where each agent system looks, and what its spawn call calls the agent and its persona.
--- `inside` says that the agent's name stands in the file, where the server finds it, and `toml`
--- that the files are no Markdown.
---@type table<string, { folder?: string, file?: string, agent: string, persona?: string, deep?: boolean, inside?: boolean, toml?: boolean }>
local systems = {
  ["codex-templates"] = { folder = "/.codex/.agents", agent = "agent_type", persona = "agent_name" },
  ["codex-subagents"] = { folder = "/.codex/agents", agent = "name" },
  ["codex-agents"] = { folder = "/.codex/agents", agent = "agent_type", deep = true, inside = true, toml = true },
  ["codex-config"] = { folder = "/.codex", file = "config.toml", agent = "agent_type", inside = true, toml = true },
  ["kodacode"] = { folder = "/.kodacode/agents", agent = "agent_id" },
  ["moltis"] = { file = "moltis.toml", agent = "preset", inside = true },
  ["moltis-agents"] = { folder = "/.moltis/agents", agent = "preset", inside = true },
  ["claude"] = { folder = "/.claude/agents", agent = "subagent_type", deep = true, inside = true },
  ["copilot"] = { folder = "/.github/agents", agent = "agentName", deep = true, inside = true },
  ["cursor"] = { folder = "/.cursor/agents", agent = "subagent_type", inside = true },
  ["gemini"] = { folder = "/.gemini/agents", agent = "agent_name", inside = true },
  ["qwen"] = { folder = "/.qwen/agents", agent = "subagent_type", inside = true },
  ["opencode"] = { folder = "/.opencode/agents", agent = "subagent_type", deep = true, inside = true },
  ["opencode-config"] = { file = "opencode.json", agent = "subagent_type", inside = true },
  ["vuhlp"] = { folder = "/docs/templates", agent = "roleTemplate" },
}

local MANIFEST = ".claude-plugin/plugin.json"

--- The folders of Codex in the home, of which the server reads the configuration.
---@return table<string, boolean>
local function codex_homes()
  local folders = {}
  local home = vim.fs.joinpath(vim.uv.os_homedir() or "", ".codex")
  for _, base in ipairs({ vim.env.CODEX_HOME or "", home }) do
    if base ~= "" then
      folders[vim.fs.abspath(base)] = true
    end
  end
  return folders
end

--- The folders of the user's own templates, whether they exist or not, each with its system.
---@return table<string, string>
local function user_folders()
  local home = vim.fs.joinpath(vim.uv.os_homedir() or "", ".codex")
  local folders = { [vim.fs.joinpath(vim.fs.abspath(home), "agents")] = "codex-subagents" }
  for _, base in ipairs({ vim.env.CODEX_HOME or "", home }) do
    if base ~= "" then
      folders[vim.fs.joinpath(vim.fs.abspath(base), ".agents")] = "codex-templates"
    end
  end
  local config = vim.env.XDG_CONFIG_HOME or ""
  if config == "" then
    config = vim.fs.joinpath(vim.uv.os_homedir() or "", ".config")
  end
  folders[vim.fs.joinpath(vim.fs.abspath(config), "kodacode", "agents")] = "kodacode"
  folders[vim.fs.joinpath(vim.fs.abspath(config), "opencode", "agents")] = "opencode"
  local own = vim.fs.joinpath(vim.uv.os_homedir() or "", ".moltis", "agents")
  folders[vim.fs.abspath(own)] = "moltis-agents"
  local claude = vim.env.CLAUDE_CONFIG_DIR or ""
  if claude == "" then
    claude = vim.fs.joinpath(vim.uv.os_homedir() or "", ".claude")
  end
  folders[vim.fs.joinpath(vim.fs.abspath(claude), "agents")] = "claude"
  local gemini = vim.env.GEMINI_CLI_HOME or ""
  if gemini == "" then
    gemini = vim.uv.os_homedir() or ""
  end
  folders[vim.fs.joinpath(vim.fs.abspath(gemini), ".gemini", "agents")] = "gemini"
  local copilot = vim.env.COPILOT_HOME or ""
  if copilot == "" then
    copilot = vim.fs.joinpath(vim.uv.os_homedir() or "", ".copilot")
  end
  folders[vim.fs.joinpath(vim.fs.abspath(copilot), "agents")] = "copilot"
  folders[vim.fs.joinpath(vim.uv.os_homedir() or "", ".cursor", "agents")] = "cursor"
  local qwen = vim.env.QWEN_HOME or ""
  if qwen == "" then
    qwen = vim.fs.joinpath(vim.uv.os_homedir() or "", ".qwen")
  end
  folders[vim.fs.joinpath(vim.fs.abspath(qwen), "agents")] = "qwen"
  return folders
end

--- The `agents/` of a Claude Code plugin that a folder is or lies in; its manifest stands beside it.
---@param folder string
---@return string?
local function plugin_folder(folder)
  local agents = folder
  while agents ~= vim.fs.dirname(agents) do
    local base = vim.fs.dirname(agents)
    if vim.fs.basename(agents) == "agents" and vim.uv.fs_stat(vim.fs.joinpath(base, MANIFEST)) then
      return agents
    end
    agents = base
  end
end

--- The system of the template in a buffer, by its folder; nil in a folder of another name.
---@param bufnr integer
---@return string? system, string folder
local function system_of(bufnr)
  local path = vim.fs.abspath(vim.api.nvim_buf_get_name(bufnr))
  local folder = vim.fs.dirname(path)
  local is_toml = vim.endswith(path, ".toml")
  for id, system in pairs(systems) do
    local is_form = (system.toml or false) == is_toml
    local is_file = not system.file or system.file == vim.fs.basename(path)
    local is_there = not system.folder or (is_form and vim.endswith(folder, system.folder))
    if is_file and is_there then
      return id, folder
    end
    -- A folder below counts as well, and goes by the one that it is below.
    if system.deep and is_form then
      local _, last = (folder .. "/"):find(system.folder .. "/", 1, true)
      if last then
        return id, folder:sub(1, last - 1)
      end
    end
  end
  local inside = vim.endswith(path:lower(), ".md") and plugin_folder(folder)
  if inside then
    return "claude", inside
  end
  if is_toml then
    local base = vim.env.CODEX_HOME or ""
    local own = base ~= "" and vim.fs.joinpath(vim.fs.abspath(base), "agents")
    if codex_homes()[folder] and vim.fs.basename(path) == "config.toml" then
      return "codex-config", folder
    end
    return own == folder and "codex-agents" or nil, folder
  end
  return user_folders()[folder], folder
end

---@param bufnr integer
---@param on_dir fun(root_dir?: string)
local function root_dir(bufnr, on_dir)
  local system, folder = system_of(bufnr)
  if user_folders()[folder] or (system == "codex-config" and codex_homes()[folder]) then
    -- They belong to no project, and a home is too large to be searched like one.
    on_dir(nil)
  elseif system then
    local known = systems[system]
    local outside = vim.fs.dirname(folder)
    if not known.folder then
      outside = folder
    elseif known.file then
      outside = vim.fs.dirname(folder)
    elseif vim.endswith(folder, known.folder) then
      outside = vim.fs.dirname(outside)
    end
    on_dir(vim.fs.root(folder, ".git") or outside)
  end
end

--- Asks the server for a document, which it opens in a window of its own.
---@param client vim.lsp.Client
---@param bufnr integer
---@param command string
---@param arguments table<string, any>
local function show(client, bufnr, command, arguments)
  -- Without a system the server goes by the folder, which the settings may have claimed.
  local argument = vim.tbl_extend("force", arguments, {
    dialect = system_of(bufnr),
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

--- The arguments of the spawn call for the template in a buffer.
---@param bufnr integer
---@param persona? string
---@return table<string, any>
local function spawn_call(bufnr, persona)
  local id = system_of(bufnr)
  local system = systems[id or "codex-templates"]
  if system.inside then
    local window = vim.fn.bufwinid(bufnr)
    local line = window ~= -1 and vim.api.nvim_win_get_cursor(window)[1] - 1 or 0
    return { dialect = id, [system.agent] = persona, line = line }
  end
  local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ":t:r")
  local arguments = { dialect = id, [system.agent] = name }
  if persona then
    -- A system without personas says so itself.
    arguments[system.persona or "persona"] = persona
  end
  return arguments
end

---@type vim.lsp.Config
return {
  cmd = { "agent-template-lsp", "serve", "--stdio" },
  filetypes = { "markdown", "toml" },
  root_dir = root_dir,
  -- For the plug-in, which asks for the same call.
  spawn_call = spawn_call,
  on_attach = function(client, bufnr)
    vim.api.nvim_buf_create_user_command(bufnr, "LspAgentList", function()
      show(client, bufnr, "agentTemplates.listAgents", {})
    end, { desc = "What the runtime lists here" })
    vim.api.nvim_buf_create_user_command(bufnr, "LspAgentPreview", function(call)
      local arguments = spawn_call(bufnr, call.args ~= "" and call.args or nil)
      show(client, bufnr, "agentTemplates.previewSpawn", arguments)
    end, { nargs = "?", desc = "What the runtime starts for this template" })
  end,
}
