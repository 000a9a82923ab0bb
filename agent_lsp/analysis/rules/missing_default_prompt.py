"""# missing-default-prompt: a template has no prompt of its own.

The prompt of a role is the text between the header and the first line
`<!-- agent_name: … -->`. `list_agents` insists on it, even if each persona has a prompt.

**Why it matters.** `list_agents` refuses the template with `missing required default prompt
block`, and because of it every call that does not ask for a single agent. What `spawn_agent` does
without a persona depends on their number: it takes the only one, and refuses if there are several
or none.

In `codex-subagents` the runtime skips the file instead: a file of the same name in a lower scope
stays in force, or there is no such agent.

**How to fix it.** Write a prompt directly below the header.

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
agent_names:
  - name: strict
    description: Reports every risk.
  - name: quick
    description: Reports what would break.
---
<!-- agent_name: strict -->
Report every risk.

<!-- agent_name: quick -->
Report what would break.
```

```text
.codex/.agents/reviewer.md:8:1 error[missing-default-prompt] no prompt above the personas:
    `list_agents` refuses the template, and `spawn_agent` every call without a persona
```

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
---
```

```text
.codex/.agents/reviewer.md:3:1 error[missing-default-prompt] no prompt below the header:
    `list_agents` and `spawn_agent` refuse the template
```

```md .codex/.agents/reviewer.md
---
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
from agent_lsp.analysis.rules.wording import code, refused
from agent_lsp.dialects.template import FaultKind
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding where there is no text before the first persona's block."""
    for fault in header.faults(of, FaultKind.NO_PROMPT):
        yield Finding(fault.span, refused(of, "no prompt below the header", "write one"))
    if not header.loads(of) or of.reading.held.default.text.strip():
        return
    listing, spawning = code(of.dialect.list_call), code(of.dialect.spawn_call)
    named = of.reading.held.blocks[1:]
    if not named:
        message = f"no prompt below the header: {listing} and {spawning} refuse the template"
    elif len(named) == 1:
        only = f"{spawning} takes the only persona, {code(named[0].name or '')}"
        message = f"no prompt above the personas: {listing} refuses the template; {only}"
    else:
        refusal = f"{listing} refuses the template, and {spawning} every call without a persona"
        message = f"no prompt above the personas: {refusal}"
    yield Finding(header.closing(of), message)


RULE = Rule("missing-default-prompt", __doc__, check)
