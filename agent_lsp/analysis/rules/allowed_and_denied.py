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
from itertools import product

from agent_lsp.analysis.rules import header, policy
from agent_lsp.analysis.rules.model import Finding, Related, Rule, Tag
from agent_lsp.analysis.rules.wording import code
from agent_lsp.dialects.model import Holds
from agent_lsp.workspace.index import Subject

# Stands for any character in a name that a pattern covers; no entry contains it.
_ANY = "\x00"
_MOST_STARS = 3


def check(of: Subject) -> Iterator[Finding]:
    """Yields a hint on each allowed entry of which the denied ones leave nothing."""
    if not header.parses(of):
        return
    denied = policy.entries(of, Holds.DENY)
    for allowed in policy.entries(of, Holds.ALLOW):
        deny = next((deny for deny in denied if _covers(of, deny.text, allowed.text)), None)
        if deny is None:
            continue
        by = "" if deny.text == allowed.text else f" by {code(deny.text)}"
        message = f"{code(allowed.text)} is denied{by}, and deny wins: this entry has no effect"
        related = (Related(of.path, deny.span, "denied here"),)
        yield Finding(allowed.span, message, tags=(Tag.UNNECESSARY,), related=related)


def _covers(of: Subject, deny: str, allow: str) -> bool:
    """Whether each name that `allow` covers is covered by `deny`, too."""
    if deny == allow:
        return True
    if not of.dialect.is_pattern(allow):
        return of.dialect.matches(deny, allow)
    pieces = allow.replace("?", _ANY).split("*")
    if len(pieces) > _MOST_STARS + 1:
        return False
    # Nothing, one and more characters than `deny` has places for: what holds for these fillings
    # holds for all.
    fillings = ("", _ANY, _ANY * (len(deny) + 1))
    return all(
        of.dialect.matches(deny, _filled(pieces, filling))
        for filling in product(fillings, repeat=len(pieces) - 1)
    )


def _filled(pieces: list[str], filling: tuple[str, ...]) -> str:
    pairs = zip((*filling, ""), pieces, strict=True)
    return "".join(piece + fill for fill, piece in pairs)


RULE = Rule("allowed-and-denied", __doc__, check)
