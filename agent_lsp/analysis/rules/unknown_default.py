"""# unknown-default: the default preset does not exist.

`default` in `[agents]`, which today's runtime calls `default_preset`, names the preset for calls of
`spawn_agent` that name none.

**Why it matters.** The runtime of the presets' document uses no preset then, so that neither tools
nor limits are restricted; today's refuses the call.

**How to fix it.** Name a preset of this file. Today's runtime also has built-in ones, whose names
are never reported.

```toml moltis.toml
[agents]
default = "scuot"

[agents.presets.scout]
tools.deny = ["exec"]
```

```text
moltis.toml:2:11 warning[unknown-default] `default` is `scuot`, which is no preset of this file: a
    call without a preset gets none; did you mean `scout`?
```

```toml moltis.toml
[agents]
default_preset = "coder"
```

```text
clean
```
"""

from agent_lsp.analysis.rules.model import Rule, told

RULE = Rule("unknown-default", __doc__, told, of_tables=True)
