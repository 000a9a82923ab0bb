"""# empty-block: a persona has a block without a prompt.

The text between a persona's line `<!-- agent_name: NAME -->` and the next such line is all that
the agent gets for a prompt. The prompt of the role is not put before it.

**Why it matters.** `spawn_agent` starts the persona with an empty prompt in the place of the
runtime's own instructions. The header is in order, so nothing is reported.

**How to fix it.** Write the prompt below the line; repeat from the default prompt what shall
hold for the persona, too. If it has nothing to add, remove the persona and its block.

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
agent_names:
  - name: strict
    description: Reports every risk.
  - name: quick
    description: Reports what would break.
---
You review changes.

<!-- agent_name: strict -->

<!-- agent_name: quick -->
Report what would break.
```

```text
.codex/.agents/reviewer.md:11:18 warning[empty-block] the block of `strict` is empty:
    `spawn_agent` starts the persona without a prompt, not with the default one
```

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
agent_names:
  - name: strict
    description: Reports every risk.
---
You review changes.

<!-- agent_name: strict -->
You review changes. Report every risk.
```

```text
clean
```
"""

from collections.abc import Iterator

from agent_lsp.analysis.rules import personas
from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.analysis.rules.wording import code
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding on the first marker of each declared persona without a prompt."""
    for block in personas.declared_blocks(of):
        if not block.text.strip():
            thing = f"the block of {code(block.name or '')} is empty"
            loss = f"{code(of.dialect.spawn_call)} starts the persona without a prompt"
            yield Finding(block.markers[0], f"{thing}: {loss}, not with the default one")


RULE = Rule("empty-block", __doc__, check)
