"""# header-cut-short: a line closes the header above a part of it.

The first line `---` below the opening one closes the header. The runtime looks for it before it
reads any YAML, so it does not matter whether the line is indented, stands in a text after
`description: |`, or between two settings. What follows is the prompt, up to the end of the file.

**Why it matters.** Nothing is reported, since both parts are in order. The settings below the line
are sentences of the prompt: a tool policy that everybody can see in the file limits nothing.

**How to fix it.** Remove the line, or the second header. In a text, write something else, such as
`***`. A prompt that shall begin with settings, as an example, has them in a code block or below a
sentence.

In `codex-subagents` a `description` below the line is missing above it, and the runtime skips the
file.

Claude Code may close the header at `---` inside of a line, too: in a sentence, in a table, in a
comment. That is a warning if settings follow, and information if only the rest of a text is lost.

It is an error if another line `---` follows the settings and the header lacks one of them, and a
warning otherwise.

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
---
allow_list: [exec_command]
read_only: true
---
You review changes.
```

```text
.codex/.agents/reviewer.md:3:1 error[header-cut-short] this `---` closes the header: `allow_list`
    and `read_only` below it are text of the prompt and have no effect; remove the line
```

```md .codex/.agents/reviewer.md
---
description: |
  Reviews a change.
  ---
  Reports what would break.
allow_list:
  - exec_command
---
You review changes.
```

```text
.codex/.agents/reviewer.md:4:3 error[header-cut-short] this `---` closes the header, also inside
    of `description`: the rest of it and `allow_list` are text of the prompt and have no effect;
    write something else on the line
```

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
---
deny_list: [apply_patch]

You review changes.
```

```text
.codex/.agents/reviewer.md:3:1 warning[header-cut-short] this `---` closes the header:
    `deny_list` below it is text of the prompt and has no effect; move the line below the last
    setting
```

Tools that add a header to a file may overlook that there is one:

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
---

---
description: Reviews a change.
allow_list: [exec_command]
---
You review changes.
```

```text
.codex/.agents/reviewer.md:3:1 error[header-cut-short] a second header follows this `---`, and
    only the first counts: `description` and `allow_list` in the second are text of the prompt
    and have no effect; make one of the two
```

Rules between paragraphs and examples are fine:

```md .codex/.agents/writer.md
---
description: |
  Writes templates.
  ***
  Asks before it overwrites one.
---
You write templates such as this:

---
description: Reviews a change.
allow_list: [exec_command]
---
```

```text
clean
```

```md .claude/agents/reviewer.md
---
name: reviewer
description: Reviews a change --- and reports what would break.
tools: Read, Grep
---
You review changes.
```

```text
.claude/agents/reviewer.md:3:31 warning[header-cut-short] `---` may end the header here, also
    inside of a line: the rest of `description` and `tools` would be text of the prompt; write
    something else, such as `–`
```
"""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header
from agent_lsp.analysis.rules.model import Finding, Related, Rule
from agent_lsp.analysis.rules.too_early import Early, lacking, too_early
from agent_lsp.analysis.rules.wording import code, listed, refused
from agent_lsp.dialects.template import FaultKind
from agent_lsp.dialects.vocabulary import Severity
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject

_ELSE = "write something else on the line"


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding on the line that closes the header above a part of it."""
    early = too_early(of)
    if early is None:
        return
    line = early.close.of(of.document.text)
    start = early.close.start + len(line) - len(line.lstrip())
    place = Span(start, start + len(line.strip()))
    related = (Related(of.path, early.below, "this is below the header"),) if early.below else ()
    thing, fix = _words(early, line.strip())
    if _is_cause(of, early):
        thing = f"{_closes(early, line.strip())}, and more of the header follows"
        yield Finding(place, refused(of, thing, fix), Severity.ERROR, related=related)
        return
    is_lost = early.closed and lacking(of, early.names)
    severity = None if is_lost else Severity.WARNING
    yield Finding(place, f"{thing}; {fix}", severity, related=related)


def _is_cause(of: Subject, early: Early) -> bool:
    """Whether the runtime refuses the header for what the line cuts off."""
    lacks = (fault.key in early.names for fault in header.faults(of, FaultKind.MISSING))
    return any(lacks) or (early.within is not None and not header.loads(of))


def _words(early: Early, line: str) -> tuple[str, str]:
    """What the line does, with what is lost, and what to do."""
    names = listed(early.names, "and") if early.names else ""
    are = "is" if len(early.names) == 1 else "are"
    lost = f"{are} text of the prompt and {'has' if are == 'is' else 'have'} no effect"
    closes = _closes(early, line)
    if early.within is not None:
        if not names:
            return f"{closes}: the rest of it is text of the prompt", _ELSE
        rest = "the rest of it and" if len(early.names) == 1 else "the rest of it,"
        return f"{closes}: {rest} {names} are text of the prompt and have no effect", _ELSE
    if early.second:
        thing = f"a second header follows this {code(line)}, and only the first counts"
        return f"{thing}: {names} in the second {lost}", "make one of the two"
    fix = "remove the line" if early.closed else "move the line below the last setting"
    return f"{closes}: {names} below it {lost}", fix


def _closes(early: Early, line: str) -> str:
    within = f", also inside of {code(early.within)}" if early.within is not None else ""
    return f"this {code(line)} closes the header{within}"


RULE = Rule("header-cut-short", __doc__, check)
