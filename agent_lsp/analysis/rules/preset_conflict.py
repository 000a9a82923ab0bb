"""# preset-conflict: values of a preset contradict each other, or allow nothing.

Today's runtime checks a preset as a whole: either `mcp.allow_servers` or `mcp.deny_servers`; a
forced `tool_choice` names a tool, and one of `active_tools` where there are any. `max_iterations`
must be at least 1: with 0, a warning, the sub-agent ends before it begins.

**Why it matters.** Both lists of MCP servers are an error of the parser, so that the whole
configuration is dropped. The runtime's own check (`moltis config check`) refuses the others.

**How to fix it.** Decide for one of the two.

```toml moltis.toml
[agents.presets.scout]
max_iterations = 0
tool_controls.active_tools = ["Read"]
tool_controls.tool_choice = { type = "tool", name = "Grep" }
```

```text
moltis.toml:2:18 warning[preset-conflict] `max_iterations` is 0, which leaves the sub-agent no
    round: it must be at least 1
moltis.toml:4:53 error[preset-conflict] forced tool_choice `Grep` must be included in active_tools
```

```toml moltis.toml
[agents.presets.scout]
mcp.allow_servers = ["files"]
mcp.deny_servers = ["web"]
```

```text
moltis.toml:3:5 error[preset-conflict] mcp: allow_servers and deny_servers are mutually exclusive:
    the runtime drops the whole configuration and goes on with its defaults
```

```toml moltis.toml
[agents.presets.scout]
max_iterations = 1
mcp.allow_servers = []
tool_controls.tool_choice = { type = "tool", name = "Grep" }
```

```text
clean
```
"""

from agent_lsp.analysis.rules.model import Rule, told

RULE = Rule("preset-conflict", __doc__, told, of_tables=True)
