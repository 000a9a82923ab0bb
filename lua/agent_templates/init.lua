--- Answers of the runtime beside a template, in a split that follows the text.
---
--- Invariants: an answer is about the text as it is in the buffer, saved or not; nothing is asked
--- for while no window shows it.

local M = {}

local CLIENT = "agent_template_lsp"
--- Between the last keystroke and the next question, in milliseconds.
local PAUSE = 100

---@class agent_templates.View
---@field template integer the buffer of the template that it is about
---@field command string the server's command
---@field argument table<string, any>
---@field mark? integer the extmark of the line that the argument speaks of

--- What is shown, by the buffer that shows it.
---@type table<integer, agent_templates.View>
local views = {}
local timer = assert(vim.uv.new_timer())
local marks = vim.api.nvim_create_namespace("agent_templates")

---@param bufnr integer
---@return vim.lsp.Client?
local function client_of(bufnr)
  return vim.lsp.get_clients({ bufnr = bufnr, name = CLIENT })[1]
end

---@param buffer integer
---@param text string
local function write(buffer, text)
  local fresh = vim.split(text, "\n")
  local shown = vim.api.nvim_buf_get_lines(buffer, 0, -1, true)
  if vim.deep_equal(fresh, shown) then
    return
  end
  vim.bo[buffer].modifiable = true
  -- Windows keep their place as long as the lines before it stay.
  local first = 0
  while first < #fresh and first < #shown and fresh[first + 1] == shown[first + 1] do
    first = first + 1
  end
  vim.api.nvim_buf_set_lines(buffer, first, -1, true, vim.list_slice(fresh, first + 1))
  vim.bo[buffer].modifiable = false
end

--- Asks anew, and writes the answer once it is there.
---@param buffer integer
local function update(buffer)
  local view = views[buffer]
  local client = view and client_of(view.template)
  -- A server that is started again attaches to the template, and then we are called again.
  if not client or #vim.fn.win_findbuf(buffer) == 0 then
    return
  end
  if view.mark then
    view.argument.line = vim.api.nvim_buf_get_extmark_by_id(view.template, marks, view.mark, {})[1]
  end
  local call = { command = view.command, arguments = { view.argument } }
  client:request("workspace/executeCommand", call, function(failure, answer)
    if vim.api.nvim_buf_is_valid(buffer) then
      local text = failure and failure.message or answer and (answer.markdown or answer.text or answer.error)
      write(buffer, text or "")
    end
  end, view.template)
end

--- Updates all that is shown, soon: an agent's answer depends on the files of others.
function M.changed()
  if next(views) then
    timer:start(PAUSE, 0, vim.schedule_wrap(function()
      vim.iter(vim.tbl_keys(views)):each(update)
    end))
  end
end

---@param name string
---@return integer buffer
local function buffer_called(name)
  local buffer = vim.fn.bufadd(name)
  vim.fn.bufload(buffer)
  vim.bo[buffer].buftype = "nofile"
  vim.bo[buffer].bufhidden = "wipe"
  vim.bo[buffer].swapfile = false
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].filetype = "markdown"
  return buffer
end

--- Shows the answer of `command` in a split beside the template on the screen.
---@param title string
---@param command string
---@param argument fun(client: vim.lsp.Client, template: integer): table<string, any>
local function show(title, command, argument)
  local template = vim.api.nvim_get_current_buf()
  local client = client_of(template)
  if not client then
    vim.notify("no agent template is in this window", vim.log.levels.WARN)
    return
  end
  local about = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(template), ":.")
  local buffer = buffer_called(("agent-templates://%s/%s"):format(title, about))
  views[buffer] = {
    template = template,
    command = command,
    argument = argument(client, template),
  }
  local line = views[buffer].argument.line
  -- Lines above may come and go while the answer is on the screen.
  views[buffer].mark = line and vim.api.nvim_buf_set_extmark(template, marks, line, 0, {})
  vim.api.nvim_create_autocmd("BufWipeout", {
    buffer = buffer,
    callback = function()
      views[buffer] = nil
    end,
  })
  if #vim.fn.win_findbuf(buffer) == 0 then
    vim.api.nvim_open_win(buffer, false, { split = "right", win = 0 })
  end
  update(buffer)
end

--- The object for a command about the template, answered for people.
---@param template integer
---@param arguments table<string, any>
---@return table<string, any>
local function asked(template, arguments)
  local about = { uri = vim.uri_from_bufnr(template), format = "markdown" }
  return vim.tbl_extend("force", arguments, about)
end

--- Shows what the runtime starts for the template on the screen, and why.
---@param persona? string
function M.preview(persona)
  local title = persona and ("preview %s of"):format(persona) or "preview"
  show(title, "agentTemplates.previewSpawn", function(client, template)
    ---@diagnostic disable-next-line: undefined-field - the shipped configuration has it
    return asked(template, client.config.spawn_call(template, persona))
  end)
end

--- Shows what the runtime lists for a session that starts here.
function M.list()
  show("list", "agentTemplates.listAgents", function(_, template)
    return asked(template, {})
  end)
end

--- Shows what is in force: scopes, files, settings, and what is skipped.
function M.status()
  show("status", "agentTemplates.status", function()
    return { format = "text" }
  end)
end

--- What `vim.g.agent_templates` says about a part of the plug-in; each is on unless it is `false`.
---@param part "completion"|"outline"|"virtual_text"
---@return boolean
local function is_wanted(part)
  return vim.tbl_get(vim.g.agent_templates or {}, part) ~= false
end

--- Whether another plug-in offers completions while the user types.
---@return boolean
local function has_completion()
  return vim.iter({ "cmp", "blink.cmp", "mini.completion", "coq", "ddc" }):any(function(name)
    return package.loaded[name] ~= nil
  end)
end

--- Offers completions while the user types. Neovim asks the server after its trigger characters
--- only, so that letters become such characters.
---@param client vim.lsp.Client
---@param bufnr integer
local function complete(client, bufnr)
  local provider = client.server_capabilities.completionProvider
  if not provider or not is_wanted("completion") or has_completion() then
    return
  end
  local triggers = provider.triggerCharacters or {}
  for letter in ("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-"):gmatch(".") do
    if not vim.list_contains(triggers, letter) then
      table.insert(triggers, letter)
    end
  end
  provider.triggerCharacters = triggers
  -- With the default, Neovim would insert the first item into what is being typed.
  if not vim.o.completeopt:find("noselect") and not vim.o.completeopt:find("noinsert") then
    vim.bo[bufnr].completeopt = "menuone,noselect,popup"
  end
  vim.lsp.completion.enable(true, client.id, bufnr, { autotrigger = true })
end

--- Makes `gO` show the outline of the template: in Markdown, Neovim has another one of the headings.
---@param client vim.lsp.Client
---@param bufnr integer
local function outline(client, bufnr)
  if not is_wanted("outline") or not client:supports_method("textDocument/documentSymbol", bufnr) then
    return
  end
  vim.api.nvim_buf_call(bufnr, function()
    local mapped = vim.fn.maparg("gO", "n", false, true)
    -- One of the user's own stays.
    if mapped.buffer == 1 and mapped.desc ~= "Show an Outline of the current buffer" then
      return
    end
    vim.keymap.set("n", "gO", vim.lsp.buf.document_symbol, { buffer = bufnr, desc = "Outline of the template" })
  end)
end

--- Shows the findings behind their lines, which Neovim 0.11 does not do by itself.
---@param client vim.lsp.Client
local function show_findings(client)
  local shown = vim.diagnostic.config() or {}
  if is_wanted("virtual_text") and not shown.virtual_text and not shown.virtual_lines then
    vim.diagnostic.config({ virtual_text = true }, vim.lsp.diagnostic.get_namespace(client.id))
  end
end

--- Lets Neovim draw what the server says between the lines, above and behind them, and offer it.
---@param client vim.lsp.Client
---@param bufnr integer
function M.attached(client, bufnr)
  if client.name ~= CLIENT then
    return
  end
  if client:supports_method("textDocument/inlayHint", bufnr) then
    vim.lsp.inlay_hint.enable(true, { bufnr = bufnr })
  end
  if client:supports_method("textDocument/codeLens", bufnr) then
    vim.lsp.codelens.refresh({ bufnr = bufnr })
  end
  complete(client, bufnr)
  outline(client, bufnr)
  show_findings(client)
  M.changed()
end

--- Asks for the lenses anew, which Neovim does not do by itself.
---@param bufnr integer
function M.edited(bufnr)
  local client = client_of(bufnr)
  if client then
    if client:supports_method("textDocument/codeLens", bufnr) then
      vim.lsp.codelens.refresh({ bufnr = bufnr })
    end
    M.changed()
  end
end

return M
