"""# main-session-unprotected: only sub-agents are restricted.

The tool policy of a preset applies to sub-agents that are spawned with it. The main session goes
by `[tools.policy]`, and has every tool where that is empty.

**Why it matters.** It is the most expensive mistake that people make with presets: they deny a
dangerous tool in a preset and take their session for protected. Today's runtime warns of it, too.

**How to fix it.** Restrict the main session in `[tools.policy]` (`allow`, `deny` or `profile`). It
is said once a file, at the first policy of a preset.

```toml moltis.toml
[agents]
default_preset = "scout"

[agents.presets.scout]
tools.deny = ["exec"]
```

```text
moltis.toml:5:7 warning[main-session-unprotected] tool policies of presets apply only to sub-agents
    of `spawn_agent`: without a `[tools.policy]` the main session has every tool
```

```toml moltis.toml
[tools.policy]
deny = ["exec"]

[agents]
default_preset = "scout"

[agents.presets.scout]
tools.deny = ["exec"]
```

```text
clean
```
"""

from agent_lsp.analysis.rules.model import Rule, told

RULE = Rule("main-session-unprotected", __doc__, told, of_tables=True)
