"""# ambiguous-name: a call can mean two agents, and the runtime refuses it.

A call may write `-` for `_` in the name of an agent, and the other way round. The runtime takes
the agent of exactly this name if there is one; only else it looks for a name that differs in
these signs alone. If there are two of them, it refuses to choose.

**Why it matters.** A call that spells the name in a third way fails with `ambiguous agent_type …
Use exact agent_type`, while it would succeed with one of the two agents alone. That takes names
with at least two such signs: if `a-b` and `a_b` are agents, each call means one of them exactly.

**How to fix it.** Write all names with the same sign, or call the agents something else.

```md .codex/.agents/api-code_review.md
---
description: Reviews the code of the interface.
---
You review the code of the interface.
```

```md .codex/.agents/api_code-review.md
---
description: Reviews the interface.
---
You review the interface.
```

```text
.codex/.agents/api-code_review.md:1:1 information[ambiguous-name] a call for `api-code-review`
    fails with `ambiguous agent_type`: it can mean `api-code_review` and `api_code-review`
```

```md .codex/.agents/code-review.md
---
description: Reviews code.
---
You review code.
```

```md .codex/.agents/code_review.md
---
description: Reviews code, too.
---
You review code.
```

```text
clean
```
"""

from collections.abc import Iterator
from itertools import islice

from agent_lsp.analysis.rules import header
from agent_lsp.analysis.rules.model import Finding, Related, Rule
from agent_lsp.analysis.rules.wording import code, listed
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject, in_reach

# A name with eight signs has as many spellings; nobody calls an agent like that.
_MOST_SPELLINGS = 256


def check(of: Subject) -> Iterator[Finding]:
    """Yields one finding for all agents of one name, on the first file that a session finds."""
    if of.name is None or of.dialect.spellings is None or not header.is_seen(of):
        return
    spelt = tuple(islice(of.dialect.spellings(of.name), _MOST_SPELLINGS))
    # With two spellings an agent has each of them, or there is only one agent.
    if len(spelt) <= 2:  # noqa: PLR2004
        return
    alike = in_reach(of, spelt)
    names = {found.name for found in alike}
    asked = next((name for name in spelt if name not in names), None)
    if len(alike) <= 1 or asked is None or alike[0].path != of.path:
        return
    which = f"it can mean {listed(sorted(names), 'and')}"
    related = tuple(
        Related(other.path, Span(0, 0), f"this is {code(other.name)}") for other in alike[1:]
    )
    message = f"a call for {code(asked)} fails with `ambiguous agent_type`: {which}"
    yield Finding(header.opening(of), message, related=related)


RULE = Rule("ambiguous-name", __doc__, check)
