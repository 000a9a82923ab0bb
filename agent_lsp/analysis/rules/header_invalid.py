"""# header-invalid: a header is no valid YAML.

The runtime reads the header with a YAML parser, and that parser gives up.

**Why it matters.** A header with a single fault is lost as a whole: the file, header included,
becomes the prompt, and `spawn_agent` starts the agent without its model, its sandbox and its tool
policy. It says nothing. `list_agents` fails with `invalid YAML: …`.

In `codex-subagents` the runtime skips the file instead: a file of the same name in a lower scope
stays in force, or there is no such agent.

**How to fix it.** The message names the mistake and the way out. Most of the time it is a value
that needs quotes. These characters have a meaning of their own at the start of a value:
`*` `&` `!` `|` `>` `@` `%` `[` `{` and the backtick, and so have `: ` and ` #` inside of it.

```md .codex/.agents/reviewer.md
---
description: Use this: a review of one change
allow_list: [exec_command]
---
You review changes.
```

```text
.codex/.agents/reviewer.md:2:14 error[header-invalid] unquoted `: ` in the value of
    `description`: put the value in quotes, or the whole file becomes the prompt and `model`,
    `read_only`, `allow_list` and `deny_list` are lost at spawn; `list_agents` fails
```

A star at the start is a reference to be resolved, unless it is quoted:

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
deny_list:
  - *_agent
---
You review changes.
```

```text
.codex/.agents/reviewer.md:4:5 error[header-invalid] unquoted, `*_agent` is an alias, and no
    anchor has that name: write `"*_agent"`, or the whole file becomes the prompt and `model`,
    `read_only`, `allow_list` and `deny_list` are lost at spawn; `list_agents` fails
```

What the message proposes fits the key. A list that is no YAML gets brackets as well as quotes:

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
deny_list: *_agent, wait
---
You review changes.
```

```text
.codex/.agents/reviewer.md:3:12 error[header-invalid] the value ends at `*_agent`, and `, wait`
    follows: write `["*_agent", wait]`, or the whole file becomes the prompt and `model`,
    `read_only`, `allow_list` and `deny_list` are lost at spawn; `list_agents` fails
```

Only the first mistake is reported, at the place where it was made:

```md .codex/.agents/reviewer.md
---
description: "Reviews a change.
allow_list:
  - exec_command
 - write_stdin
---
You review changes.
```

```text
.codex/.agents/reviewer.md:2:14 error[header-invalid] a quote is opened here and never closed:
    close it with `"`, or the whole file becomes the prompt and `model`, `read_only`,
    `allow_list` and `deny_list` are lost at spawn; `list_agents` fails
```

A header is a mapping. One that is a list, or a text in quotes, is refused with all keys behind it.
Claude Code takes such a file for no agent at all, and says nothing:

```md .claude/agents/reviewer.md
---
[name: reviewer]
description: Reviews a change.
---
You review changes.
```

```text
.claude/agents/reviewer.md:2:1 error[header-invalid] YAML takes `[name: reviewer]` for the whole
    header, and more follows: remove the brackets, or the runtime skips the file
```

```md .codex/.agents/reviewer.md
---
description: "Use this: a review of one change"
allow_list: [exec_command]
deny_list:
  - "*_agent"
---
You review changes.
```

```text
clean
```
"""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header, unquoted_text
from agent_lsp.analysis.rules.mistakes import explain
from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.analysis.rules.too_early import too_early
from agent_lsp.analysis.rules.too_late import too_late
from agent_lsp.analysis.rules.wording import refused
from agent_lsp.dialects.template import FaultKind
from agent_lsp.dialects.vocabulary import Severity
from agent_lsp.syntax import yaml
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields one finding, on the first mistake that keeps the header from being YAML."""
    doubt = next(header.doubts(of, FaultKind.SYNTAX), None)
    if doubt is None and not any(header.faults(of, FaultKind.SYNTAX)):
        return
    if unquoted_text.is_said(of) or too_early(of) or too_late(of):
        return
    document = of.document
    inner = {key.name: key for outer in of.dialect.keys for key in outer.items}
    known = inner | {key.name: key for key in of.dialect.keys}
    text, tree = document.text, document.tree
    if unquoted_text.RULE.code in of.dialect.severities:
        # What the runtime mends by itself is not the mistake.
        text = unquoted_text.without_colons(of)
        tree = yaml.parse(document.cut.inner.of(text), document.cut.inner.start)
    mistake = explain(text, document.cut.inner, tree, known)
    if doubt is None:
        yield Finding(mistake.span, refused(of, mistake.thing, mistake.fix))
        return
    message = f"{mistake.thing}: {mistake.fix}, or {doubt.message}"
    yield Finding(mistake.span, message, None if doubt.certain else Severity.WARNING)


RULE = Rule("header-invalid", __doc__, check)
