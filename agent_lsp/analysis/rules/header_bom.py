"""# header-bom: a byte-order mark hides the header.

Some editors begin a file with an invisible character, the byte-order mark U+FEFF. The runtime
compares the first line with `---`, and with the mark in front the line is a different one.

**Why it matters.** The runtime sees no header. The whole file becomes the prompt, and the model,
the sandbox and the tool policy in it have no effect.

In `codex-subagents` the runtime skips the file instead: a file of the same name in a lower scope
stays in force, or there is no such agent.

**How to fix it.** Save the file as "UTF-8", not as "UTF-8 with BOM". In the example `<BOM>`
stands for the mark.

```md .codex/.agents/reviewer.md
<BOM>---
description: Reviews a change.
deny_list: [apply_patch]
---
You review changes.
```

```text
.codex/.agents/reviewer.md:1:1 error[header-bom] a byte-order mark in front of `---` hides the
    header: save the file as UTF-8 without it, or the whole file becomes the prompt, without
    model, sandbox or tool policy; `list_agents` fails for want of a description
```
"""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header
from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.analysis.rules.wording import absent
from agent_lsp.syntax.markdown import Fence
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding on an opening fence behind a byte-order mark."""
    if not header.is_seen(of) or of.document.cut.fence is not Fence.HIDDEN:
        return
    thing = "a byte-order mark in front of `---` hides the header"
    yield Finding(of.document.cut.open, absent(of, thing, "save the file as UTF-8 without it"))


RULE = Rule("header-bom", __doc__, check)
