"""# unavailable-tool: a tool is allowed that no agent has.

The runtime keeps some of its tools from all agents, so that they do not start others in turn: a
sub-agent has no `subagent_list`, `subagent_describe` and `subagent_run`.

**Why it matters.** The entry has no effect. An agent whose prompt tells it to ask another one
cannot do so: the call is answered with `Sub-agents are not enabled in this nested context`.

**How to fix it.** Remove the entry, and let the main agent call the other one. In Claude Code an
entry as `AskUserQuestion` counts for a session that `claude --agent` starts with the agent: keep it
for that.

```md .codex/agents/reviewer.md
---
description: Reviews a change.
tools: [shell, subagent_run]
---
You review changes.
```

```text
.codex/agents/reviewer.md:3:16 warning[unavailable-tool] `subagent_run` has no effect: sub-agent
    tools are never available inside a sub-agent
```

```md .codex/agents/reviewer.md
---
description: Reviews a change.
tools: [shell]
---
You review changes.
```

```text
clean
```
"""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header, policy
from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.analysis.rules.wording import code
from agent_lsp.dialects.vocabulary import Holds, Severity
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding on each allowed tool that the runtime withholds from all agents."""
    withheld = {tool.name for tool in of.dialect.withheld}
    if not withheld or not header.parses(of):
        return
    entries = policy.entries(of, Holds.ALLOW)
    if not any(entry.text in withheld for entry in entries):
        return
    verdicts = of.dialect.toolset(of.reading, tuple(entry.text for entry in entries), 1).verdicts
    lost = [not verdict.kept and verdict.tool in withheld for verdict in verdicts]
    is_fatal = bool(of.dialect.nothing_left) and all(lost)
    for entry, verdict, is_lost in zip(entries, verdicts, lost, strict=False):
        if is_lost:
            effect = f"has no effect: {verdict.reason}"
            if is_fatal:
                effect += f", and nothing else is allowed: {of.dialect.nothing_left}"
            severity = Severity.ERROR if is_fatal else None
            yield Finding(entry.span, f"{code(entry.text)} {effect}", severity)


RULE = Rule("unavailable-tool", __doc__, check)
