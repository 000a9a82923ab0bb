"""# header-unclosed: a header has no closing line.

The file starts with `---`, and no later line is `---` again. To the runtime this is no header,
but text. Blanks around the three hyphens do not matter; any other character does.

**Why it matters.** The whole file becomes the prompt, settings included. The agent is started
with all tools and with the sandbox of its caller, and `list_agents` fails.

In `codex-subagents` the runtime skips the file instead: a file of the same name in a lower scope
stays in force, or there is no such agent.

**How to fix it.** Write a line `---` below the last setting.

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
read_only: true

You review changes.
```

```text
.codex/.agents/reviewer.md:1:1 error[header-unclosed] the header is not closed: write a line
    `---` below the last setting, or the whole file becomes the prompt, without model, sandbox
    or tool policy; `list_agents` fails for want of a description
```

A line of four hyphens closes nothing:

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
read_only: true
----
You review changes.
```

```text
.codex/.agents/reviewer.md:1:1 error[header-unclosed] the header is not closed: write a line
    `---` below the last setting, or the whole file becomes the prompt, without model, sandbox
    or tool policy; `list_agents` fails for want of a description
```

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
read_only: true
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
from agent_lsp.analysis.rules.model import Finding, Related, Rule
from agent_lsp.analysis.rules.wording import absent, code
from agent_lsp.syntax import markdown
from agent_lsp.syntax.markdown import Fence
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject

_LOOKS_LIKE_A_FENCE = re.compile(r"[ \t]*(?:[-–—]+|\.\.\.|[+*=_~]{3,}|---.*)[ \t]*")


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding on the opening fence of a header that is not closed."""
    cut = of.document.cut
    if not header.is_seen(of) or cut.fence is not Fence.UNCLOSED:
        return
    message = absent(of, "the header is not closed", "write a line `---` below the last setting")
    yield Finding(cut.open, message, related=tuple(_end(of)))


def _end(of: Subject) -> Iterator[Related]:
    text, cut = of.document.text, of.document.cut
    rows = list(markdown.lines(text, cut.inner.start))
    alike = next((row for row in rows if _LOOKS_LIKE_A_FENCE.fullmatch(row.of(text))), None)
    if alike is not None:
        yield Related(of.path, alike, f"{code(alike.of(text))} does not close it, only `---` does")
    elif cut.inner.of(text).strip():
        last = [row for row in rows if row.start < cut.inner.end][-1]
        yield Related(of.path, Span(last.start, last.end), "the header seems to end with this line")


RULE = Rule("header-unclosed", __doc__, check)
