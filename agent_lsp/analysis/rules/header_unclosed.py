"""# header-unclosed: a header has no closing line.

The file starts with `---`, and no later line is `---` again. To the runtime this is no header,
but text. Blanks around the three hyphens do not matter; any other character does. If the prompt
has a line `---` as a rule, that one closes the header, with the prompt down to there in it.

**Why it matters.** The whole file becomes the prompt, settings included. The agent is started
with all tools and with the sandbox of its caller, and `list_agents` fails. Where the prompt
happens to be YAML, too, the header is used, and the agent gets only what is left of the prompt.

In `codex-subagents` the runtime skips the file instead: a file of the same name in a lower scope
stays in force, or there is no such agent.

Claude Code ends a header at a line that only begins with `---`, and takes what follows on it for
the first words of the prompt. That is information.

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

Here the rule closes the header:

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
read_only: true

You review changes.

---

Report every risk.
```

```text
.codex/.agents/reviewer.md:5:1 error[header-unclosed] `You review changes.` is in the header,
    which goes on to the next `---`: write a line `---` above it, or the whole file becomes the
    prompt and `model`, `read_only`, `allow_list` and `deny_list` are lost at spawn;
    `list_agents` fails
```

A comment and something that looks like a key are YAML, so that the header is used:

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
read_only: true

# Role
You review: each change, and all of it.

---

Report every risk.
```

```text
.codex/.agents/reviewer.md:5:1 warning[header-unclosed] `# Role` is in the header, which goes on
    to the next `---`: write a line `---` above it, or the runtime ignores the text down to
    there, and the prompt is only what follows
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

```md .claude/agents/reviewer.md
---
name: reviewer
description: Reviews a change.
-----
You review changes.
```

```text
.claude/agents/reviewer.md:4:1 information[header-unclosed] `-----` may end the header with `--`
    as the first words of the prompt; write `---`
```
"""

import re
from collections.abc import Iterator

from agent_lsp.analysis.rules import header, unquoted_text
from agent_lsp.analysis.rules.model import Finding, Related, Rule
from agent_lsp.analysis.rules.too_late import Late, too_late
from agent_lsp.analysis.rules.wording import code, lone_cr, refused, unclosed
from agent_lsp.dialects.vocabulary import Holds, Severity
from agent_lsp.syntax import markdown
from agent_lsp.syntax.markdown import Fence
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject

_LOOKS_LIKE_A_FENCE = re.compile(r"[ \t]*(?:[-–—]+|\.\.\.|[+*=_~]{3,}|---.*)[ \t]*")


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding where the line is missing: on the opening one, or on the prompt below it."""
    cut = of.document.cut
    late = too_late(of)
    if late is not None and not unquoted_text.is_said(of):
        yield _late(of, late)
    elif header.is_seen(of) and cut.fence is Fence.UNCLOSED:
        if header.ends_lines_in_cr(of):
            yield Finding(cut.open, lone_cr(of))
            return
        if _is_empty(of):
            thing = "the header is empty, and the runtime takes the line below it for no end"
            yield Finding(cut.open, unclosed(of, thing, "remove both lines, or set a key"))
            return
        fix = "write a line `---` below the last setting"
        message = unclosed(of, "the header is not closed", fix)
        yield Finding(cut.open, message, related=tuple(_end(of)))


def _is_empty(of: Subject) -> bool:
    """Whether the line right below the opening one is the same again."""
    text, cut = of.document.text, of.document.cut
    row = next(markdown.lines(text, cut.inner.start), None)
    return row is not None and row.of(text).strip() == cut.open.of(text).strip()


def _late(of: Subject, late: Late) -> Finding:
    """The finding on a prompt in a header that only a rule in that prompt closes."""
    thing = f"{code(late.start.of(of.document.text))} is in the header, which goes on to the next"
    thing += f" {code(late.close.of(of.document.text))}"
    key = of.dialect.key_holding(Holds.DESCRIPTION)
    settings = f"{code(f'{key.name}: …')} and " if key and late.bare else ""
    fix = f"write {settings}a line `---` above it"
    if late.attached:
        fix += " if the prompt begins there, else indent it"
    related = (Related(of.path, late.close, "this line closes the header"),)
    if not header.parses(of):
        return Finding(late.start, refused(of, thing, fix), related=related)
    loss = "the runtime ignores the text down to there, and the prompt is only what follows"
    return Finding(late.start, f"{thing}: {fix}, or {loss}", Severity.WARNING, related=related)


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
