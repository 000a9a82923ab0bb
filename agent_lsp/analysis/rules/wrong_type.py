"""# wrong-type: a value has another shape than its key wants.

The parser of this runtime converts nothing. A list has to be a list, even if it has one item; a
truth value is `true` or `false`, for YAML 1.2 reads `yes`, `on` and `"true"` as text; and a key
that takes a truth value may not be left empty.

**Why it matters.** The runtime refuses the whole header, not just the one key: the file becomes
the prompt, the policy in it has no effect, and `list_agents` fails.

In `codex-subagents` the runtime skips the file instead: a file of the same name in a lower scope
stays in force, or there is no such agent.

**How to fix it.** Write the value in the shape that the message asks for.

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

A list item that ends with a colon is a mapping, and so is text in braces:

```md .codex/.agents/reviewer.md
---
description: {{summary}}
agent_names: [strict]
deny_list:
  - mcp__github:
---
You review changes.
```

```text
.codex/.agents/reviewer.md:2:14 error[wrong-type] `description` must be text, not a mapping: put
    the value in quotes, or the whole file becomes the prompt and `model`, `read_only`,
    `allow_list` and `deny_list` are lost at spawn; `list_agents` fails
.codex/.agents/reviewer.md:3:15 error[wrong-type] an item of `agent_names` must be a mapping,
    not `strict`: write `- name: strict`, or the whole file becomes the prompt and `model`,
    `read_only`, `allow_list` and `deny_list` are lost at spawn; `list_agents` fails
.codex/.agents/reviewer.md:5:5 error[wrong-type] an item of `deny_list` must be text, not a
    mapping: put it in quotes, or the whole file becomes the prompt and `model`, `read_only`,
    `allow_list` and `deny_list` are lost at spawn; `list_agents` fails
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

from agent_lsp.analysis.rules import header
from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.analysis.rules.wording import code, listed, refused, unquoted
from agent_lsp.dialects.model import Key, Kind
from agent_lsp.dialects.template import Fault, FaultKind
from agent_lsp.syntax.nodes import Mapping, Node, Scalar, Sequence, Style, resolve
from agent_lsp.workspace.index import Subject

_WANTED = {
    Kind.TEXT: "text",
    Kind.BOOL: "`true` or `false`",
    Kind.CHOICE: "one word",
    Kind.LIST: "a list",
    Kind.RECORDS: "a list of mappings",
}
# What a fault expects whose cause is an explicit tag.
_UNDER_A_TAG = ("null", "nothing after the tag")
_YES = ("yes", "y", "on", "true", "1")
_NO_NAMES = ("true", "false", "null", "yes", "no", "all", "none", "any")
_SHORT = 40
_NO = ("no", "n", "off", "false", "0")


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding for each value whose shape makes the runtime refuse the header."""
    for fault in header.faults(of, FaultKind.TYPE):
        written, entry = header.node_at(of, fault.span)
        span = fault.span
        if header.is_empty(written) and entry is not None:
            span = entry.key.span
        thing, fix = _explain(of, fault, resolve(written))
        yield Finding(span, refused(of, thing, fix))


def _explain(of: Subject, fault: Fault, node: Node | None) -> tuple[str, str]:
    """What is wrong with `node`, the value that the fault is about, and what to write."""
    source = fault.span.of(of.document.text)
    key = header.key_of(of, fault.key)
    if fault.expected == "a name":
        return f"a key must be text, not {_found(node, source)}", "write a plain word"
    if fault.expected in _UNDER_A_TAG:
        return f"the tag does not fit {code(source)}", "remove the tag"
    if key is None:
        return f"the header must be a mapping, not {_found(node, source)}", _as_mapping(source)
    if fault.key.endswith("]"):
        wanted = "a mapping" if key.kind is Kind.RECORDS else "text"
        thing = f"an item of {code(key.name)} must be {wanted}, not {_found(node, source)}"
        return thing, _as_record(key, source) if key.kind is Kind.RECORDS else "put it in quotes"
    if header.is_empty(node):
        return f"{code(key.name)} has no value", f"write {_WANTED[key.kind]}, or remove the key"
    thing = f"{code(key.name)} must be {_WANTED[key.kind]}, not {_found(node, source)}"
    return thing, _fix(key, node)


def _found(node: Node | None, source: str) -> str:
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list"
    if isinstance(node, Scalar) and node.style in (Style.LITERAL, Style.FOLDED):
        return "text"
    return code(source) if source.strip() else "empty"


def _fix(key: Key, node: Node | None) -> str:
    text = node.value if isinstance(node, Scalar) else ""
    match key.kind:
        case Kind.BOOL if unquoted(text).lower() in _YES:
            return "write `true`"
        case Kind.BOOL if unquoted(text).lower() in _NO:
            return "write `false`"
        case Kind.BOOL:
            return "write one of them"
        case Kind.LIST:
            return _as_list(text)
        case Kind.RECORDS:
            return f"write each one after `- `, beginning with {code(_first_key(key))}"
        case Kind.CHOICE:
            return f"write {listed(choice.name for choice in key.choices)}"
        case Kind.TEXT:
            return "put the value in quotes"


def _as_list(text: str) -> str:
    if text.startswith("-"):
        return "write a blank after each `-`"
    names = [name for name in re.split(r"[,\s]+", text.strip("[] ")) if name]
    inline = ", ".join(f'"{name}"' if name[0] in "*?" else name for name in names)
    if inline and len(inline) < _SHORT and all(map(_is_entry, names)):
        return f"write `[{inline}]`"
    return "write each item on a line of its own, after `- `"


def _is_entry(name: str) -> bool:
    """Whether a list of this name would be what the author meant."""
    return bool(re.fullmatch(r"[a-zA-Z_*?][\w*?.:-]*", name)) and name.lower() not in _NO_NAMES


def _as_record(key: Key, source: str) -> str:
    return f"write {code(f'- {_first_key(key)}: {source}')}" if source.isprintable() else ""


def _as_mapping(source: str) -> str:
    glued = re.match(r"[\w-]+:(?=\S)", source)
    return f"write a blank after {code(glued[0])}" if glued else "write lines `key: value`"


def _first_key(key: Key) -> str:
    names = sorted(key.items, key=lambda inner: not inner.mandatory)
    return names[0].name if names else "key"


RULE = Rule("wrong-type", __doc__, check)
