"""# unused-suppression: a comment suppresses nothing.

A comment on a line of its own in the header keeps findings from being reported:

| comment | what it keeps quiet |
|---|---|
| `# agent-template-lsp: ignore[CODE]` | findings of this code on the next line that is no comment |
| `# agent-template-lsp: ignore-file[CODE]` | findings of this code in the whole file |

Several codes are separated by commas, and a reason may follow after the bracket. The runtime sees
nothing but a comment. In a block text (`|` or `>`) there are no comments, so there it is text, and
counts for nothing. What is suppressed is still counted by `check`.

**Why it matters.** A comment that suppresses nothing may be left over from a mistake that has been
put right, and would hide the next one. Or it never worked, because its code is misspelt.

**How to fix it.** Remove it, or correct the code. In the settings the severity of a rule can be
changed for all files.

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
# agent-template-lsp: ignore[unknown-tool] the runtime gets it next week
allow_list: [exec_command, send_email]
# agent-template-lsp: ignore[unknown-tool, unknown-modl]
model: gpt-5
# agent-template-lsp: ignore
read_only: true
reasoning_effort: high  # agent-template-lsp: ignore[unsupported-effort]
---
You review changes.
```

```text
.codex/.agents/reviewer.md:5:30 hint[unused-suppression] `unknown-tool` is not found on the next
    line: this comment suppresses nothing
.codex/.agents/reviewer.md:5:44 hint[unused-suppression] no rule is called `unknown-modl`; did you
    mean `unknown-model`?
.codex/.agents/reviewer.md:7:1 hint[unused-suppression] the comment is not understood: write
    `ignore[CODE]` or `ignore-file[CODE]` behind the colon
.codex/.agents/reviewer.md:9:25 hint[unused-suppression] the comment counts only on a line of its
    own, above what it is about
```

```md .codex/.agents/reviewer.md
---
# agent-template-lsp: ignore-file[unknown-key]
description: Reviews a change.
color: blue
---
You review changes.
```

```text
clean
```
"""

from collections.abc import Iterable, Iterator

from agent_lsp.analysis.nearest import nearest
from agent_lsp.analysis.rules.model import Finding, Rule, Tag
from agent_lsp.analysis.rules.wording import code
from agent_lsp.analysis.suppression import FILE, LINE, Suppression, comments
from agent_lsp.dialects.vocabulary import Severity
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding for each comment that says nothing.

    Those that say something of no use are told by `unused`, which takes what the rules have found.
    """
    forms = f"{code(f'{LINE}[CODE]')} or {code(f'{FILE}[CODE]')}"
    said = comments(of)
    for span in said.odd:
        message = f"the comment is not understood: write {forms} behind the colon"
        yield Finding(span, message)
    for span in said.behind:
        yield Finding(span, "the comment counts only on a line of its own, above what it is about")


def unused(left: Iterable[Suppression], codes: Iterable[str]) -> Iterator[Finding]:
    """A finding for each suppression that is `left` over; `codes` are those of all rules."""
    known = tuple(codes)
    for one in left:
        name = code(one.code)
        if one.code in known:
            where = "in this file" if one.line is None else "on the next line"
            message = f"{name} is not found {where}: this comment suppresses nothing"
            yield Finding(one.span, message, tags=(Tag.UNNECESSARY,))
            continue
        meant = nearest(one.code, known)
        guess = f"; did you mean {code(meant)}?" if meant else ": this comment suppresses nothing"
        words = (meant,) if meant else ()
        tags = () if meant else (Tag.UNNECESSARY,)
        yield Finding(one.span, f"no rule is called {name}{guess}", tags=tags, meant=words)


RULE = Rule("unused-suppression", __doc__, check, severity=Severity.HINT)
