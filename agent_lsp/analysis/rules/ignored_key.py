"""# ignored-key: the runtime ignores a key at this place.

**Why it matters.** The runtime knows the key and still passes it over at this place, without a
word. An agent of a Claude Code plugin may not decide about permissions, MCP servers and hooks: a
plugin that is installed must not widen what happens unasked.

**How to fix it.** Remove the key, or copy the agent to `.claude/agents` where it counts.

```md kit/.claude-plugin/plugin.json
{"name": "kit"}
```

```md kit/agents/reviewer.md
---
name: reviewer
description: Reviews a change.
permissionMode: plan
---
You review changes.
```

```text
kit/agents/reviewer.md:4:1 warning[ignored-key] the runtime ignores `permissionMode` in an agent
    of a plugin
```

```md .claude/agents/reviewer.md
---
name: reviewer
description: Reviews a change.
permissionMode: plan
---
You review changes.
```

```text
clean
```
"""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header
from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding for each part of the header that its dialect says does nothing here."""
    if of.dialect.idle is None or not header.loads(of):
        return
    for found in of.dialect.idle(of.document, of.scope):
        yield Finding(found.span, found.reason)


RULE = Rule("ignored-key", __doc__, check)
