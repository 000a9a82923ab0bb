"""# renamed-tool: a tool has another name today.

The presets' document has tools `read_file`, `write_file`, `glob` and `grep`. Today's runtime calls
them `Read`, `Write`, `Glob` and `Grep`, and compares names exactly.

**Why it matters.** The old name allows nothing, and denies nothing.

**How to fix it.** Write today's name.

```toml moltis.toml
[agents.presets.scout]
identity.theme = "calm"
tools.allow = ["read_file", "exec"]

[tools.policy]
profile = "minimal"
```

```text
moltis.toml:3:16 hint[renamed-tool] today's runtime has no `read_file`; its tool for that is `Read`
```

```toml moltis.toml
[agents.presets.scout]
tools.allow = ["read_file", "exec"]
```

```text
clean
```
"""

from agent_lsp.analysis.rules.model import Rule, told

RULE = Rule("renamed-tool", __doc__, told, of_tables=True)
