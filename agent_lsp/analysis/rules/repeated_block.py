"""# repeated-block: a persona's block is continued further down.

A second line `<!-- agent_name: NAME -->` of the same name starts no other block. The runtime
appends the text below it to the block that is there; case does not matter.

**Why it matters.** It is often a copy of which only the text was changed: two prompts are one
then, which may contradict itself. It can be done on purpose, hence only information.

**How to fix it.** Give the second block the name of the persona that it is for, or move its text
up to the first.

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
agent_names:
  - name: strict
    description: Reports every risk.
---
You review changes.

<!-- agent_name: strict -->
Report every risk.

<!-- agent_name: Strict -->
Report what would break.
```

```text
.codex/.agents/reviewer.md:12:18 information[repeated-block] continues the block of `strict`
    above: the prompt of the persona is both texts together
```

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
Report every risk.

<!-- agent_name: quick -->
Report what would break.
```

```text
clean
```
"""

from collections.abc import Iterator

from agent_lsp.analysis.rules import personas
from agent_lsp.analysis.rules.model import Finding, Related, Rule
from agent_lsp.analysis.rules.wording import code
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding on each further marker of a declared persona, unless it is in code."""
    in_code = personas.markers_in_code(of)
    for block in personas.declared_blocks(of):
        first, *others = block.markers
        for span in others:
            if in_code.isdisjoint((first, span)):
                thing = f"continues the block of {code(block.name or '')} above"
                related = (Related(of.path, first, "the block starts here"),)
                message = f"{thing}: the prompt of the persona is both texts together"
                yield Finding(span, message, related=related)


RULE = Rule("repeated-block", __doc__, check)
