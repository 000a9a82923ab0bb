--- The commands for agent templates, and what is drawn into them without being asked for.
---
--- Everything else is in `lua/agent_templates`, which is loaded at the first template.

if vim.g.loaded_agent_templates or vim.fn.has("nvim-0.11") == 0 then
  return
end
vim.g.loaded_agent_templates = true

vim.api.nvim_create_user_command("AgentPreview", function(call)
  require("agent_templates").preview(call.args ~= "" and call.args or nil)
end, { nargs = "?", desc = "What the runtime starts for this template" })

vim.api.nvim_create_user_command("AgentList", function()
  require("agent_templates").list()
end, { desc = "What the runtime lists here" })

vim.api.nvim_create_user_command("AgentStatus", function()
  require("agent_templates").status()
end, { desc = "What is in force here: scopes, files, settings" })

local group = vim.api.nvim_create_augroup("agent_templates", {})

vim.api.nvim_create_autocmd("LspAttach", {
  group = group,
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client then
      require("agent_templates").attached(client, event.buf)
    end
  end,
})

vim.api.nvim_create_autocmd({ "TextChanged", "TextChangedI", "TextChangedP", "BufWritePost" }, {
  group = group,
  pattern = { "*.md", "*.toml" },
  callback = function(event)
    require("agent_templates").edited(event.buf)
  end,
})
