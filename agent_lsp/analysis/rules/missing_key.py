"""# missing-key: a mapping lacks a key that the parser insists on.

A persona in `agent_names` without a `name` cannot be selected, and the parser does not let it
pass. An item that is empty lacks everything.

**Why it matters.** The runtime refuses the whole header: the file becomes the prompt, the policy
in it has no effect, and `list_agents` fails.

In `codex-subagents` the runtime skips the file instead: a file of the same name in a lower scope
stays in force, or there is no such agent.

**How to fix it.** Add the key. If it is there under another spelling, correct it; a misspelt key
is reported here, and not a second time as an unknown one.

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
agent_names:
  - description: Reports every risk.
  - nmae: quick
    description: Reports what would break.
---
You review changes.

<!-- agent_name: strict -->
Report every risk.

<!-- agent_name: quick -->
Report what would break.
```

```text
.codex/.agents/reviewer.md:4:5 error[missing-key] this item of `agent_names` has no `name`: add
    it, or the whole file becomes the prompt and `model`, `read_only`, `allow_list` and
    `deny_list` are lost at spawn; `list_agents` fails
.codex/.agents/reviewer.md:5:5 error[missing-key] this item of `agent_names` has `nmae` and
    lacks `name`: write `name`, or the whole file becomes the prompt and `model`, `read_only`,
    `allow_list` and `deny_list` are lost at spawn; `list_agents` fails
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

from agent_lsp.analysis.rules import header, keys
from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.analysis.rules.wording import code, refused
from agent_lsp.dialects.template import FaultKind
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding for each mapping that the parser refuses for want of a key."""
    for fault in header.faults(of, FaultKind.MISSING):
        list_name, _, name = fault.key.rpartition(".")
        if not list_name and keys.stands_below(of, name):
            continue
        place = f"this item of {code(list_name.partition('[')[0])}" if list_name else "the header"
        level = header.level_at(of, fault.span)
        misspelt = keys.misspelt(of, level, name) if level is not None else None
        if misspelt is not None:
            thing = f"{place} has {code(misspelt.name or '')} and lacks {code(name)}"
            message = refused(of, thing, f"write {code(name)}")
            yield Finding(misspelt.key.span, message, meant=(name,))
            continue
        thing = f"{place} has no {code(name)}"
        where = _place(of, level, fault.span) if list_name else header.opening(of)
        is_bare = bool(list_name) and (level is None or not level.mapping.entries)
        yield Finding(where, refused(of, thing, "remove it" if is_bare else "add it"))


def _place(of: Subject, level: header.Level | None, span: Span) -> Span:
    """The first key of the mapping, or the dash of an item in which there is none."""
    if level is not None:
        return level.mapping.entries[0].key.span if level.mapping.entries else span
    text = of.document.text
    dash = text.rfind("-", of.document.cut.inner.start, span.start)
    is_before = dash >= 0 and not text[dash + 1 : span.start].strip()
    return Span(dash, dash + 1) if is_before else span


RULE = Rule("missing-key", __doc__, check)
