"""# redundant-entry: an entry adds nothing to its list.

The same entry stands twice in one list, or a pattern of the list covers everything that the entry
covers.

**Why it matters.** It changes nothing for the agent, hence only a hint. But who removes the
entry later, in order to take the tool away, is in for a surprise: the pattern still covers it.

Claude Code takes a text with commas or blanks for a list, too. What stands in parentheses is part
of an entry: `Bash(git log *)` is no repetition of `Bash`. Beside `mcp__*` in `tools`, and `*` in
`disallowedTools`, no entry is superfluous, for these may cover nothing there.

**How to fix it.** Remove the entry, or the pattern if it is wider than it should be.

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
allow_list:
  - list_agents
  - list_*
  - list_a*
  - exec_command
  - exec_command
---
You review changes.
```

```text
.codex/.agents/reviewer.md:4:5 hint[redundant-entry] `list_agents` is covered by `list_*`: this
    entry changes nothing
.codex/.agents/reviewer.md:6:5 hint[redundant-entry] `list_a*` is covered by `list_*`: this
    entry changes nothing
.codex/.agents/reviewer.md:8:5 hint[redundant-entry] `exec_command` stands twice in this list:
    this entry changes nothing
```

Two patterns that only overlap are both needed:

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
allow_list:
  - list_*
  - "*_agents"
  - exec_command
---
You review changes.
```

```text
clean
```

```md .claude/agents/reviewer.md
---
name: reviewer
description: Reviews a change.
tools: Read, Grep, Bash(git log *), Bash(git diff *), Read  # reads only
---
You review changes.
```

```text
.claude/agents/reviewer.md:4:55 hint[redundant-entry] `Read` stands twice in this list: this
    entry changes nothing
```
"""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header, policy
from agent_lsp.analysis.rules.model import Finding, Related, Rule, Tag
from agent_lsp.analysis.rules.wording import code
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a hint on each entry that another one of its list makes superfluous."""
    if not header.parses(of):
        return
    for holds in policy.LISTS:
        for entry, other in policy.covering(of, holds):
            if entry.text == other.text:
                thing, where = f"{code(entry.text)} stands twice in this list", "the first time"
            else:
                thing = f"{code(entry.text)} is covered by {code(other.text)}"
                where = "covered here"
            related = (Related(of.path, other.span, where),)
            message = f"{thing}: this entry changes nothing"
            yield Finding(entry.span, message, tags=(Tag.UNNECESSARY,), related=related)


RULE = Rule("redundant-entry", __doc__, check)
