"""# duplicate-persona: a persona is declared twice.

Names of personas are compared without blanks around them and without case. The runtime does not
notice that two of them are the same.

**Why it matters.** `spawn_agent` takes model and reasoning effort from the first declaration
only, while `list_agents` shows both, with their descriptions. Both have the same prompt.

**How to fix it.** Remove one of them, or give it a name and a block of its own.

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
agent_names:
  - name: strict
    description: Reports every risk.
    reasoning_effort: high
  - name: Strict
    description: Reports what would break.
    reasoning_effort: low
---
You review changes.

<!-- agent_name: strict -->
Report every risk.
```

```text
.codex/.agents/reviewer.md:7:11 warning[duplicate-persona] `strict` is declared above:
    `spawn_agent` never uses this declaration, while `list_agents` shows both
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
Report every risk.
```

```text
clean
```
"""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header
from agent_lsp.analysis.rules.model import Finding, Related, Rule
from agent_lsp.analysis.rules.wording import code
from agent_lsp.dialects.template import Persona
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding on the name of each declaration that is not the first one of its name."""
    if not header.loads(of):
        return
    listing, spawning = code(of.dialect.list_call), code(of.dialect.spawn_call)
    first: dict[str, Persona] = {}
    for persona in of.reading.held.personas:
        counts = first.setdefault(persona.name, persona)
        if counts is not persona:
            thing = f"{code(persona.name)} is declared above"
            loss = f"{spawning} never uses this declaration, while {listing} shows both"
            related = (Related(of.path, counts.name_span, "this declaration is used"),)
            yield Finding(persona.name_span, f"{thing}: {loss}", related=related)


RULE = Rule("duplicate-persona", __doc__, check)
