"""# sessions-without-list: a sub-agent may send to sessions that it cannot find.

`sessions_send` takes the key of a session, and `sessions_list` is the tool that tells the keys.

**Why it matters.** The sub-agent can only send to sessions that its task names.

**How to fix it.** Allow `sessions_list`, too, or let the task name the sessions.

```toml moltis.toml
[agents.presets.coordinator]
tools.allow = ["sessions_send", "sessions_history"]
```

```text
moltis.toml:2:16 information[sessions-without-list] without `sessions_list` the sub-agent cannot
    find the sessions that `sessions_send` sends to
```

```toml moltis.toml
[agents.presets.coordinator]
tools.allow = ["sessions_send", "sessions_list"]
```

```text
clean
```
"""

from agent_lsp.analysis.rules.model import Rule, told

RULE = Rule("sessions-without-list", __doc__, told, of_tables=True)
