"""# agent-name: the header gives the agent no name that it can have.

In some systems an agent is called what its header says, whatever the file is called.

**Why it matters.** Claude Code takes a file without a `name` for documentation and says nothing:
there is no such agent, also if all the rest of the header is there. A name that holds a `:` or
begins with `-` makes it skip the file, with a line in its debug log.

A header that is no YAML has no name, either; that is said of the header, and not again here.

**How to fix it.** Add a `name`, in lower-case letters with hyphens; a quick fix writes the name of
the file, if an agent can have it and no other has it. If the file is meant as
documentation, nothing has to be done; it is nicer without a header.

```md .claude/agents/reviewer.md
---
description: Reviews a change.
tools: Read, Grep
---
You review changes.
```

```text
.claude/agents/reviewer.md:1:1 information[agent-name] no `name` in the header: the runtime
    takes the file for documentation, and it defines no agent
```

```md .claude/agents/reviewer.md
---
Name: reviewer
description: Reviews a change.
---
You review changes.
```

```text
.claude/agents/reviewer.md:2:1 warning[agent-name] no `name`, but `Name` in the header: the
    runtime takes the file for documentation, and it defines no agent; did you mean `name`?
```

```md .claude/agents/reviewer.md
---
name: "team:reviewer"
description: Reviews a change.
---
You review changes.
```

```text
.claude/agents/reviewer.md:2:7 error[agent-name] `team:reviewer` is no name for an agent: the
    runtime skips the file
```

```md .claude/agents/reviewer.md
---
name: reviewer
description: Reviews a change.
---
You review changes.
```

```text
clean
```
"""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header, keys
from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.analysis.rules.wording import code
from agent_lsp.dialects.vocabulary import Holds, Severity
from agent_lsp.syntax.nodes import Mapping, Sequence, resolve
from agent_lsp.workspace.index import Subject

_LOST = "the runtime takes the file for documentation, and it defines no agent"
_NONE = Severity.INFORMATION


def check(of: Subject) -> Iterator[Finding]:
    """Yields one finding on an agent without a name, or with one that the runtime refuses."""
    key, top = of.dialect.key_holding(Holds.AGENT), header.root(of)
    if of.dialect.names_in is None or key is None or of.name is not None or top is None:
        return
    if of.stray is not None or of.file.problem is not None or header.hides_name(of):
        return
    value = of.reading.written.settings.get(key.name)
    if value is not None and value.text:
        loss = of.dialect.consequence.header_refused
        yield Finding(value.span, f"{code(value.text)} is no name for an agent: {loss}")
        return
    entry, slip = top.get(key.name), keys.misspelt(of, header.Level(top, of.dialect.keys), key.name)
    node = resolve(entry.value) if entry is not None else None
    if isinstance(node, Mapping | Sequence):
        got = "a mapping" if isinstance(node, Mapping) else "a list"
        lost = _LOST.replace("takes", "may take", 1)
        message = f"{code(key.name)} must be text, not {got}: {lost}"
        yield Finding(node.span, message, Severity.WARNING)
    elif entry is not None:
        yield Finding(entry.key.span, f"{code(key.name)} has no value: {_LOST}", _NONE)
    elif slip is not None:
        thing = f"no {code(key.name)}, but {code(slip.name or '')} in the header"
        message = f"{thing}: {_LOST}; did you mean {code(key.name)}?"
        yield Finding(slip.key.span, message, Severity.WARNING, meant=(key.name,))
    else:
        yield Finding(header.opening(of), f"no {code(key.name)} in the header: {_LOST}", _NONE)


RULE = Rule("agent-name", __doc__, check)
