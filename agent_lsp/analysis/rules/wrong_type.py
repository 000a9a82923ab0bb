"""# wrong-type: a value has another shape than its key wants.

The parser of this runtime converts nothing. A list has to be a list, even if it has one item; a
truth value is `true` or `false`, for YAML 1.2 reads `yes`, `on` and `"true"` as text; and a key
that takes a truth value may not be left empty.

**Why it matters.** The runtime refuses the whole header, not just the one key: the file becomes
the prompt, the policy in it has no effect, and `list_agents` fails.

In `codex-subagents` the runtime skips the file instead: a file of the same name in a lower scope
stays in force, or there is no such agent.

**How to fix it.** Write the value in the shape that the message asks for. What it proposes can be
written as it stands, unless there is a `…` in it.

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
read_only: yes
allow_list: exec_command, update_plan
---
You review changes.
```

```text
.codex/.agents/reviewer.md:3:12 error[wrong-type] `read_only` must be `true` or `false`, not
    `yes`: write `true`, or the whole file becomes the prompt and `model`, `read_only`,
    `allow_list` and `deny_list` are lost at spawn; `list_agents` fails
.codex/.agents/reviewer.md:4:13 error[wrong-type] `allow_list` must be a list, not
    `exec_command, update_plan`: write `[exec_command, update_plan]`, or the whole file becomes
    the prompt and `model`, `read_only`, `allow_list` and `deny_list` are lost at spawn;
    `list_agents` fails
```

A list item that ends with a colon is a mapping, as is text in braces; brackets make a list:

```md .codex/.agents/reviewer.md
---
description: {{summary}}
model: [gpt-5.3-codex]
agent_names: [strict]
deny_list:
  - mcp__github__push:
---
You review changes.
```

```text
.codex/.agents/reviewer.md:2:14 error[wrong-type] `description` must be text, not a mapping: put
    the value in quotes, or the whole file becomes the prompt and `model`, `read_only`,
    `allow_list` and `deny_list` are lost at spawn; `list_agents` fails
.codex/.agents/reviewer.md:3:8 error[wrong-type] `model` must be text, not a list: write
    `gpt-5.3-codex`, or the whole file becomes the prompt and `model`, `read_only`, `allow_list`
    and `deny_list` are lost at spawn; `list_agents` fails
.codex/.agents/reviewer.md:4:15 error[wrong-type] an item of `agent_names` must be a mapping,
    not `strict`: write `{name: strict, description: …}`, or the whole file becomes the prompt
    and `model`, `read_only`, `allow_list` and `deny_list` are lost at spawn; `list_agents`
    fails
.codex/.agents/reviewer.md:6:5 error[wrong-type] an item of `deny_list` must be text, not a
    mapping: write `- mcp__github__push`, or the whole file becomes the prompt and `model`,
    `read_only`, `allow_list` and `deny_list` are lost at spawn; `list_agents` fails
```

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
read_only: true
allow_list: [exec_command, update_plan]
deny_list:
  - mcp__github__*
---
You review changes.
```

```text
clean
```
"""

import re
from collections.abc import Iterator

from agent_lsp.analysis.rules import header, instead
from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.analysis.rules.wording import code, refused
from agent_lsp.dialects.template import Fault, FaultKind
from agent_lsp.dialects.vocabulary import Holds, Key, Kind, Severity
from agent_lsp.syntax.nodes import Mapping, Node, Scalar, Sequence, Style, resolve
from agent_lsp.workspace.index import Subject

_WANTED = {
    Kind.TEXT: "text",
    Kind.BOOL: "`true` or `false`",
    Kind.CHOICE: "one word",
    Kind.LIST: "a list",
    Kind.NUMBER: "a whole number",
    Kind.RECORDS: "a list of mappings",
    Kind.TABLE: "a mapping",
}
# What a fault expects whose cause is an explicit tag.
_UNDER_A_TAG = ("null", "nothing after the tag")


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding for each value whose shape makes the runtime refuse the header."""
    for fault in header.faults(of, FaultKind.TYPE):
        written, entry = header.node_at(of, fault.span)
        span = fault.span
        if header.is_empty(written) and entry is not None:
            span = entry.key.span
        thing, fix = _explain(of, fault, written)
        yield Finding(span, refused(of, thing, fix))
    for doubt in header.doubts(of, FaultKind.TYPE):
        written, _ = header.node_at(of, doubt.span)
        got = doubt.got or _found(resolve(written), doubt.span.of(of.document.text))
        thing = f"{code(doubt.key)} must be {doubt.expected}, not {got}"
        if doubt.got == "none":
            thing = f"{code(doubt.key)} needs {doubt.expected}"
        yield Finding(doubt.span, f"{thing}: {doubt.message}", Severity.WARNING)


def _explain(of: Subject, fault: Fault, written: Node | None) -> tuple[str, str]:
    """What is wrong with `written`, the value that the fault is about, and what to write."""
    source, node = fault.span.of(of.document.text), resolve(written)
    key = header.key_of(of, fault.key)
    if fault.expected == "a name":
        return f"a key must be text, not {_found(node, source)}", "write a plain word"
    if fault.expected in _UNDER_A_TAG:
        return f"the tag does not fit {code(source)}", "remove the tag"
    if key is None:
        thing = f"the header must be a mapping, not {_found(node, source)}"
        return thing, _as_mapping(of, node, source)
    if fault.key.endswith("]"):
        wanted = "a mapping" if key.kind is Kind.RECORDS else "text"
        thing = f"an item of {code(key.name)} must be {wanted}, not {_found(node, source)}"
        flow = _is_in_brackets(of, key)
        return thing, instead.of_item(of, key, written, source, flow=flow)
    if header.is_empty(node):
        return f"{code(key.name)} has no value", f"write {_WANTED[key.kind]}, or remove the key"
    wanted, fix = _WANTED[key.kind], instead.of_node(key, node, source)
    thing = f"{code(key.name)} must be {wanted}, not {_found(node, source)}"
    return thing, "write one of them" if key.kind is Kind.BOOL and fix == f"write {wanted}" else fix


def _found(node: Node | None, source: str) -> str:
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list"
    if isinstance(node, Scalar) and node.style in (Style.LITERAL, Style.FOLDED):
        return "text"
    return code(source) if source.strip() else "empty"


def _is_in_brackets(of: Subject, key: Key) -> bool:
    top = header.root(of)
    entry = top.get(key.name) if top else None
    node = resolve(entry.value) if entry else None
    return isinstance(node, Sequence) and node.flow


def _as_mapping(of: Subject, node: Node | None, source: str) -> str:
    items = node.items if isinstance(node, Sequence) and not node.flow else ()
    if items and all(isinstance(resolve(item), Mapping) for item in items):
        return "remove each `- ` in front of a key"
    glued = re.match(r"[\w-]+:(?=\S)", source)
    if glued:
        return f"write a blank after {code(glued[0])}"
    key = of.dialect.key_holding(Holds.DESCRIPTION)
    if key is not None and isinstance(node, Scalar) and len(node.value.split()) > 1:
        return f"write {code(f'{key.name}: …')} and a line `---` above it"
    return "write lines `key: value`"


RULE = Rule("wrong-type", __doc__, check)
