"""# name-mismatch: a header gives another name than the file.

The runtime calls an agent after its file, as it is spelt there. A `name` in the header is compared
with that and then ignored.

**Why it matters.** The agent answers to the name of its file only; a call under the other one
fails with `Sub-agent '…' not found`. The runtime mentions it in its log.

**How to fix it.** Rename the file, or correct or remove the key.

```md .codex/agents/reviewer.md
---
name: code-reviewer
description: Reviews a change.
---
You review changes.
```

```text
.codex/agents/reviewer.md:2:7 warning[name-mismatch] `name` is `code-reviewer`, and the runtime
    ignores it: the agent is called `reviewer`, after its file
```

```md .codex/agents/code-reviewer.md
---
name: code-reviewer
description: Reviews a change.
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
from agent_lsp.analysis.rules.wording import code
from agent_lsp.dialects.vocabulary import Holds
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding on a name that is not the file's."""
    key = of.dialect.key_holding(Holds.AGENT)
    value = of.reading.written.settings.get(key.name) if key else None
    if key is None or value is None or not header.parses(of) or value.text == of.name:
        return
    thing = (
        f"{code(key.name)} is {code(value.text)}" if value.text else f"{code(key.name)} is empty"
    )
    after = f"the agent is called {code(of.name or '')}, after its file"
    yield Finding(value.span, f"{thing}, and the runtime ignores it: {after}")


RULE = Rule("name-mismatch", __doc__, check)
