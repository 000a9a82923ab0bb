"""# header-missing: a template does not start with a header.

A header is YAML between two lines `---`, and the first of them has to be the very first line of
the file. Without it the file has a prompt, which is its whole text, and nothing else.

**Why it matters.** `spawn_agent` starts the agent with all tools and with the sandbox of its
caller. `list_agents` needs a description: it refuses this file, and because of it every call
that does not ask for a single agent.

In `codex-subagents` the runtime skips the file instead: a file of the same name in a lower scope
stays in force, or there is no such agent. Blank lines above the header do no harm there.

**How to fix it.** Begin the file with a header that has a `description`. If the header is
there, move it to the first line, or write the missing `---` above it. Move notes such as a
`README.md` elsewhere, for to the runtime they are agents like all others.

```md .codex/.agents/reviewer.md
You review changes.
```

```text
.codex/.agents/reviewer.md:1:1 error[header-missing] no header: start the file with `---`,
    `description: …` and `---`, or the whole file becomes the prompt, without model, sandbox or
    tool policy; `list_agents` fails for want of a description
```

A blank line above the header is enough to hide it:

```md .codex/.agents/reviewer.md

---
description: Reviews a change.
allow_list: [exec_command]
---
You review changes.
```

```text
.codex/.agents/reviewer.md:1:1 error[header-missing] the header is not on the first line: remove
    what stands above `---`, or the whole file becomes the prompt, without model, sandbox or
    tool policy; `list_agents` fails for want of a description
```

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
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
from agent_lsp.analysis.rules.wording import absent, code
from agent_lsp.dialects.model import Refused
from agent_lsp.syntax.markdown import Fence
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding for a file that is nothing but a prompt."""
    if not header.is_seen(of) or of.document.cut.fence is not Fence.ABSENT:
        return
    yield Finding(header.first_line(of), _message(of))


def _message(of: Subject) -> str:
    text = of.document.text
    if not text.strip("\ufeff \t\r\n"):
        if of.dialect.consequence.file is Refused.SKIPPED:
            return absent(of, "empty file", "write a header and a prompt")
        listing, spawning = code(of.dialect.list_call), code(of.dialect.spawn_call)
        return f"empty file: {listing} finds no description in it and {spawning} no prompt"
    first = header.first_line(of).of(text).strip()
    if not first and of.dialect.cut(text.lstrip(), False).fence is not Fence.ABSENT:
        return absent(of, "the header is not on the first line", "remove what stands above `---`")
    if re.fullmatch(r"[-–—+=~*_.]{2,}", first):
        return absent(of, f"{code(first)} opens no header", "write `---`")
    word = first.partition(":")[0]
    if ":" in first and of.dialect.key(word) is not None:
        return absent(of, f"no `---` above {code(word)}", "write it on a line of its own")
    if header.is_note(of):
        thing = f"no header: to the runtime this file is the agent {code(of.name or '')}"
        return absent(of, thing, "move it to another folder")
    return absent(of, "no header", "start the file with `---`, `description: …` and `---`")


RULE = Rule("header-missing", __doc__, check)
