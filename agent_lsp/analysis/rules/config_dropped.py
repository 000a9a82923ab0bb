"""# config-dropped: a fault makes the runtime drop the whole configuration.

Moltis reads `moltis.toml` into one record. Text that is no TOML, a table or key that is defined
twice, or a single value of the wrong type is enough to lose all of it: the runtime says so in its
log and goes on with its defaults.

**Why it matters.** No preset is left, wherever the fault is: models, tool policies and limits of
all of them are gone, and nobody is told but the log.

**How to fix it.** Correct what is marked. Each fault is marked where it is, the runtime stops at
the first one. A `${NAME}` is replaced before the text is read, so a value with one is never a
fault.

```toml moltis.toml
[agents.presets.scout]
tools.deny = "exec"
max_iterations = 2.5

[agents.presets.scout.tools]
allow = []
```

```text
moltis.toml:5:23 error[config-dropped] invalid table header: duplicate key `tools` in table
    `agents.presets.scout`: the runtime drops the whole configuration and goes on with its defaults
```

```toml moltis.toml
[agents.presets.scout]
tools.deny = "exec"
max_iterations = 2.5
```

```text
moltis.toml:2:14 error[config-dropped] `tools.deny` is the text "exec", and the runtime wants a
    list of texts: the runtime drops the whole configuration and goes on with its defaults
moltis.toml:3:18 error[config-dropped] `max_iterations` is the number `2.5`, and the runtime wants
    a whole number: the runtime drops the whole configuration and goes on with its defaults
```

```toml moltis.toml
[agents.presets.scout]
tools.deny = ["exec"]
max_iterations = ${ROUNDS}
```

```text
clean
```
"""

from agent_lsp.analysis.rules.model import Rule, told

RULE = Rule("config-dropped", __doc__, told, of_tables=True)
