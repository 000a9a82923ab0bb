"""# allowed-and-denied: a tool is allowed and denied at the same time.

Where both lists cover a tool, `deny_list` wins. An entry of `allow_list` whose tools are all
denied has no effect.

**Why it matters.** It is allowed, and documented, to take single tools out of a pattern:
`mcp__github__*` may be allowed and `mcp__github__merge` denied. Where nothing is left of the
entry, one of the two lists is not what the author meant.

**How to fix it.** Remove the entry from the list in which it is wrong.

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
allow_list:
  - exec_command
  - web_search
  - mcp__github__*
deny_list:
  - web_*
  - mcp__github__merge
---
You review changes.
```

```text
.codex/.agents/reviewer.md:5:5 hint[allowed-and-denied] `web_search` is denied by `web_*`, and
    deny wins: this entry has no effect
```

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
allow_list:
  - exec_command
  - mcp__github__*
deny_list:
  - mcp__github__merge
---
You review changes.
```

```text
clean
```
"""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header, policy, remainder
from agent_lsp.analysis.rules.model import Finding, Related, Rule, Tag
from agent_lsp.analysis.rules.wording import code
from agent_lsp.dialects.vocabulary import Holds
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a hint on each allowed entry of which the denied ones leave nothing."""
    if not header.parses(of) or remainder.is_reported(of):
        return
    lost = remainder.denied(of)
    for allowed in policy.entries(of, Holds.ALLOW):
        deny = lost.get(allowed.text)
        if deny is None:
            continue
        by = "" if deny.text == allowed.text else f" by {code(deny.text)}"
        message = f"{code(allowed.text)} is denied{by}, and deny wins: this entry has no effect"
        related = (Related(of.path, deny.span, "denied here"),)
        yield Finding(allowed.span, message, tags=(Tag.UNNECESSARY,), related=related)


RULE = Rule("allowed-and-denied", __doc__, check)
