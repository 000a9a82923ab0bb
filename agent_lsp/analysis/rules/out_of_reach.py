"""# out-of-reach: an agent that nobody can come to.

In `kodacode` people pick agents, and agents delegate to agents. With `mode: primary`, which is the
default, an agent is there for people only, and `hidden: true` takes it out of their picker.

**Why it matters.** The agent is in the catalog, and nothing starts it. It may be put aside on
purpose, hence only information.

**How to fix it.** Set `mode: subagent` or `mode: all` for a helper that agents delegate to, or
remove `hidden`.

```md .kodacode/agents/delivery.md
---
description: Delivers a change.
hidden: true
---
You deliver changes.
```

```text
.kodacode/agents/delivery.md:3:1 information[out-of-reach] the agent is neither selectable (it
    is hidden) nor delegatable (the mode is `primary`)
```

```md .kodacode/agents/delivery.md
---
description: Delivers a change.
mode: subagent
hidden: true
---
You deliver changes.
```

```text
clean
```
"""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header
from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.dialects.vocabulary import Holds
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding on the last key that has to do with it, if no way leads to the agent."""
    if of.dialect.standing is None or not header.loads(of):
        return
    ways = of.dialect.standing(of.reading)
    names = {key.name for key in of.dialect.keys if key.holds is Holds.STANDING}
    spans = (
        value.key for name, value in of.reading.held.settings.items() if name in names and value.key
    )
    span = max(spans, default=None)
    if span is None or any(way.is_open for way in ways):
        return
    said = " nor ".join(f"{way.word} ({way.reason})" for way in ways)
    yield Finding(span, f"the agent is neither {said}")


RULE = Rule("out-of-reach", __doc__, check)
