"""# whole-tool: an entry that seems to deny some uses of a tool denies all of them.

**Why it matters.** `Bash(rm *)` is how a rule of the settings denies some commands. In the list of
denied tools of a Claude Code agent what stands in parentheses does not count: the agent is without
the tool.

**How to fix it.** To deny some uses, write the rule into `permissions.deny` of the settings, where
it holds for the session and all of its agents. To deny the tool, write its name alone.

```md .claude/agents/reviewer.md
---
name: reviewer
description: Reviews a change.
disallowedTools: Write, Bash(rm *)
---
You review changes.
```

```text
.claude/agents/reviewer.md:4:25 warning[whole-tool] `disallowedTools` takes `Bash` away as a
    whole, whatever stands in parentheses; to deny some uses of it, write a rule into
    `permissions.deny` of the settings
```

```md .claude/agents/reviewer.md
---
name: reviewer
description: Reviews a change.
disallowedTools: Write, Bash
---
You review changes.
```

```text
clean
```
"""

from agent_lsp.analysis.rules.model import Rule, told

RULE = Rule("whole-tool", __doc__, told)
