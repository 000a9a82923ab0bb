"""# never-spawned: a template has the name for which no template is used.

An agent of the type `default` is what `spawn_agent` starts if a call names no type. For it the
runtime looks at no template, even if there is a file `default.md`. `list_agents` shows the file
all the same, and refuses it if something is wrong with it.

**Why it matters.** Model, sandbox, tools and prompt of the file have no effect, and its personas
cannot be asked for: `agent_name requires a non-default agent_type`.

**How to fix it.** Give the file another name, and name it in the call.

```md .codex/.agents/default.md
---
description: What every agent should know.
read_only: true
---
You work in the house style.
```

```text
.codex/.agents/default.md:1:1 warning[never-spawned] `spawn_agent` never uses this file, for
    `default` is an agent without a template; `list_agents` lists it all the same: give it
    another name
```

```md .codex/.agents/general.md
---
description: What every agent should know.
read_only: true
---
You work in the house style.
```

```text
clean
```
"""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header
from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.analysis.rules.wording import code
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding for the file that defines the agent of no template."""
    if of.name is None or of.name != of.dialect.default_name or not header.is_seen(of):
        return
    listing, spawning = code(of.dialect.list_call), code(of.dialect.spawn_call)
    why = f"for {code(of.name)} is an agent without a template"
    loss = f"{spawning} never uses this file, {why}; {listing} lists it all the same"
    yield Finding(header.opening(of), f"{loss}: give it another name")


RULE = Rule("never-spawned", __doc__, check)
