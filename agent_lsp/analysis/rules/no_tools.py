"""# no-tools: the tool policy leaves the agent no tool at all.

Either everything is denied, or `allow_list` has entries and none of them covers a tool. Nothing is
said if an entry could admit a tool that cannot be known here, as one of an MCP server.

**Why it matters.** The agent can answer, and that is all: it runs no command, reads no file and
reports to nobody. Most of the time one of the lists is not what the author meant; a
`deny_list` with `"*"` is not the ground on which `allow_list` builds, since deny wins. An agent
of which only `deny_list` says that it gets nothing was probably meant that way: this is
information, everything else a warning.

**How to fix it.** Correct the entries. To let an agent have a few tools and no others, name them
in `allow_list`, and deny nothing.

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
allow_list:
  - exec_command
deny_list:
  - "*"
---
You review changes.
```

```text
.codex/.agents/reviewer.md:6:5 warning[no-tools] `*` denies every tool, whatever `allow_list`
    says: the agent has no tools; remove it, for what is not in `allow_list` is denied anyway
```

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
allow_list: [exec_command, write_stdin]
deny_list: [write_stdin, exec_*]
---
You review changes.
```

```text
.codex/.agents/reviewer.md:3:1 warning[no-tools] each entry of `allow_list` is denied, and deny
    wins: the agent has no tools
```

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
allow_list: [Bash, Read]
---
You review changes.
```

```text
.codex/.agents/reviewer.md:3:1 warning[no-tools] no entry of `allow_list` covers a known tool:
    the agent has no tools, unless the runtime has more than are known here
```

Claude Code does not run such an agent. A list without entries is another matter: there the agent
runs, without tools. A key without a value is such a list, too, though it looks as if it were not
set: `tools:`, `tools: ~` and `tools: ''` take all tools away, those of MCP servers as well. Nothing
is said about `tools: []`, which says what it does.

```md .claude/agents/reviewer.md
---
name: reviewer
description: Reviews a change.
tools:
---
You review changes.
```

```text
.claude/agents/reviewer.md:4:1 warning[no-tools] `tools` has no value: the agent has no tools;
    write `[]` if that is meant, or remove the key for all tools
```

```md .claude/agents/reviewer.md
---
name: reviewer
description: Reviews a change.
tools: []
---
You answer from what you know.
```

```text
clean
```

```md .claude/agents/reviewer.md
---
name: reviewer
description: Reviews a change.
tools: view_file, list_dir
---
You review changes.
```

```text
.claude/agents/reviewer.md:4:1 error[no-tools] no entry of `tools` covers a known tool: the
    runtime refuses to launch the agent
```

```md .codex/.agents/reviewer.md
---
description: Answers without tools.
deny_list: ["*"]
---
You answer questions.
```

```text
.codex/.agents/reviewer.md:3:13 information[no-tools] `*` denies every tool: the agent has no
    tools
```

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
allow_list: [mcp__github__*]
deny_list: [exec_command]
---
You review changes.
```

```text
clean
```
"""

from collections.abc import Iterator, Mapping

from agent_lsp.analysis.rules import header, policy, remainder, taken
from agent_lsp.analysis.rules.model import Finding, Related, Rule
from agent_lsp.analysis.rules.wording import code
from agent_lsp.dialects.template import Value
from agent_lsp.dialects.vocabulary import Holds, Key, Severity
from agent_lsp.syntax.nodes import Node, Scalar, resolve
from agent_lsp.workspace.index import Subject

_NONE = "the agent has no tools"


def check(of: Subject) -> Iterator[Finding]:
    """Yields one finding where no tool is left, unless a misspelt entry is the cause."""
    key = of.dialect.key_holding(Holds.ALLOW)
    if key is None or not header.parses(of):
        return
    if _is_without_entries(of, key):
        yield _nothing_written(of, key)
        return
    if not remainder.is_reported(of):
        return
    denier = remainder.denier(of)
    yield _nothing_allowed(of, key) if denier is None else _all_denied(of, key, denier)


def _is_without_entries(of: Subject, key: Key) -> bool:
    """Whether an allow list is one without entries to the runtime, and is not written as one."""
    value = of.reading.held.settings.get(key.name)
    items = policy.items(of, Holds.ALLOW)
    # What is blank for the sake of a tag, or of a shape that does not fit, is told as such.
    is_told = any(doubt.key == key.name for doubt in of.reading.doubts)
    if value is None or value.items or is_told or any(taken.tag(of, item) for item in items):
        return False
    return bool(items) or isinstance(_node(of, key), Scalar)


def _node(of: Subject, key: Key) -> Node | None:
    top = header.root(of)
    entry = top.get(key.name) if top else None
    return resolve(entry.value) if entry is not None else None


def _nothing_written(of: Subject, key: Key) -> Finding:
    """That a list means no tools which looks as if it were not set, or begun."""
    if policy.items(of, Holds.ALLOW):
        thing = f"{code(key.name)} has blank entries only, which are dropped"
    elif header.is_empty(_node(of, key)):
        thing = f"{code(key.name)} has no value"
    else:
        thing = f"{code(key.name)} has no entries"
    # Another key may give some tools whatever the list says.
    kept = [
        code(verdict.tool) for verdict in of.dialect.toolset(of.reading, policy.names(of), 1).kept
    ]
    left = f"the agent has no tools but {', '.join(kept)}" if kept else _NONE
    fix = "write `[]` if that is meant, or remove the key for all tools"
    span = of.reading.held.settings[key.name].key or header.opening(of)
    return Finding(span, f"{thing}: {left}; {fix}")


def _all_denied(of: Subject, key: Key, denier: Value) -> Finding:
    thing = f"{code(denier.text)} denies every tool"
    if not policy.entries(of, Holds.ALLOW):
        return Finding(denier.span, f"{thing}: {_NONE}", Severity.INFORMATION)
    allow = code(key.name)
    fix = f"remove it, for what is not in {allow} is denied anyway"
    return Finding(denier.span, f"{thing}, whatever {allow} says: {_NONE}; {fix}")


def _nothing_allowed(of: Subject, key: Key) -> Finding:
    allowed = policy.entries(of, Holds.ALLOW)
    span = of.reading.written.settings[key.name].key or allowed[0].span
    lost = remainder.denied(of)
    denied = [lost[entry.text] for entry in allowed if entry.text in lost]
    places = dict.fromkeys(by.span for by in denied)
    related = tuple(Related(of.path, place, "denied here") for place in places)
    if len(denied) == len(allowed) and of.dialect.nothing_left and _in_part(lost, allowed):
        thing = f"each entry of {code(key.name)} is denied, if only for some uses"
        message = f"{thing}: {of.dialect.nothing_left}"
        return Finding(span, message, Severity.ERROR, related=related)
    if len(denied) == len(allowed):
        thing = f"each entry of {code(key.name)} is denied, and deny wins"
        return Finding(span, f"{thing}: {_NONE}", related=related)
    thing = f"no entry of {code(key.name)} covers a known tool"
    if denied:
        thing += " that is not denied"
    elif of.dialect.nothing_left:
        return Finding(span, f"{thing}: {of.dialect.nothing_left}", Severity.ERROR)
    unless = "unless the runtime has more than are known here"
    return Finding(span, f"{thing}: {_NONE}, {unless}", related=related)


def _in_part(lost: Mapping[str, Value], allowed: tuple[Value, ...]) -> bool:
    """Whether some tool is only gone since some of its uses are denied."""
    by = [lost[entry.text] for entry in allowed]
    return any("(" in one.written for one in by)


RULE = Rule("no-tools", __doc__, check)
