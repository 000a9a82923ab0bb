"""# forbidden-key: a key may not be in the header at all.

Most runtimes ignore the keys that they do not know. KodaCode makes an exception of
`fallback_models`: an agent has a single model, and a chain of models from an older version is
refused instead of being ignored.

**Why it matters.** It does not matter what the key says; null is refused, too. The whole catalog
fails, and no agent loads, whichever file it is in.

**How to fix it.** Remove the key. The model of an agent is its `model`, else that of the session.

```md .kodacode/agents/delivery.md
---
description: Delivers a change.
model: openai/gpt-5-mini
fallback_models: [openai/gpt-5]
---
You deliver changes.
```

```text
.kodacode/agents/delivery.md:4:1 error[forbidden-key] `fallback_models` is not supported: remove
    it, or the whole catalog fails, and no agent loads
```

```md .kodacode/agents/delivery.md
---
description: Delivers a change.
model: openai/gpt-5-mini
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
from agent_lsp.analysis.rules.wording import code, refused
from agent_lsp.dialects.template import FaultKind
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding for each key for which alone the runtime refuses the file."""
    for fault in header.faults(of, FaultKind.FORBIDDEN):
        thing = f"{code(fault.key)} is not supported"
        yield Finding(fault.span, refused(of, thing, "remove it"))


RULE = Rule("forbidden-key", __doc__, check)
