"""# no-effect: an entry of a preset does nothing.

- `spawn_agent` is always removed from a sub-agent. To allow it is in vain, to deny it is
  superfluous, which is a hint.
- With `delegate_only` the tools are fixed: `tools.allow` does not count.
- `identity.creature` is part of the sentence about the name, and is lost without one.
- Names of tools are compared exactly, so a pattern covers none.
- A list or a date in the place of a table, as `[[agents.presets.scout]]` makes one, is read without
  its keys.
- An MCP server of `mcp.allow_servers` or `mcp.deny_servers` that the file does not configure, while
  it configures others, is an information: `mcp-servers.json` may have it.

**Why it matters.** The preset does not do what it says.

**How to fix it.** Remove the entry, or write what it takes.

```toml moltis.toml
[agents.presets.scout]
identity.creature = "helpful owl"
tools.allow = ["spawn_agent", "mcp__files__*", "exec"]
```

```text
moltis.toml:2:10 warning[no-effect] `creature` has no effect without `identity.name`: the prompt has
    it behind the name
moltis.toml:3:16 warning[no-effect] no effect: `spawn_agent` is always removed from a sub-agent,
    whatever `tools.allow` says
moltis.toml:3:31 warning[no-effect] `mcp__files__*` matches nothing: names of tools are compared
    exactly
```

```toml moltis.toml
[agents.presets.scout]
identity.name = "scout"
identity.creature = "helpful owl"
tools.allow = ["mcp__files__read", "exec"]
```

```text
clean
```
"""

from agent_lsp.analysis.rules.model import Rule, told

RULE = Rule("no-effect", __doc__, told, of_tables=True)
