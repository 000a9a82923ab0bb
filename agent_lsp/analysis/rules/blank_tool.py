"""# blank-tool: an entry of a tool list is blank.

**Why it matters.** The runtime does not drop the entry. It refuses the file, which then defines no
agent; a file of the same name in a lower scope stays in force.

**How to fix it.** Remove the entry. An agent without tools has an empty list, `[]`.

```md .codex/agents/reviewer.md
---
description: Reviews a change.
tools: [shell, ""]
---
You review changes.
```

```text
.codex/agents/reviewer.md:3:16 error[blank-tool] an entry of `tools` is blank: remove it, or the
    runtime skips the file and there is no `reviewer`
```

```md .codex/agents/reviewer.md
---
description: Reviews a change.
tools: []
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
from agent_lsp.analysis.rules.wording import code, refused
from agent_lsp.dialects.template import FaultKind
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding on each blank entry for which the runtime refuses the file."""
    for fault in header.faults(of, FaultKind.BLANK_ITEM):
        key = fault.key.partition("[")[0]
        yield Finding(fault.span, refused(of, f"an entry of {code(key)} is blank", "remove it"))


RULE = Rule("blank-tool", __doc__, check)
