"""# unreadable: a template cannot be read as text.

The file is not UTF-8, or the system does not let anybody read it. Or there is no file behind the
name: it is a link that leads nowhere, a pipe or a device.

**Why it matters.** The runtime passes over such a file without a word: the agent does not exist,
or a file of the same name in a lower scope is used in its place. Of a configuration with many
agents all are gone.

**How to fix it.** Save the file as UTF-8, give yourself the right to read it, or let the link lead
to a file that exists.

Here `<FF>` is the byte 0xFF:

```md .codex/.agents/reviewer.md
---
description: Reviews caf<FF>s.
---
You review changes.
```

```text
.codex/.agents/reviewer.md:1:1 error[unreadable] not UTF-8: byte 28 does not decode: the runtime
    passes over the file, and it defines no `reviewer`
```

```md .codex/.agents/reviewer.md
---
description: Reviews cafés.
---
You review changes.
```

```text
clean
```

A file of more than 1 MB, or whose header does not end within 100 kB, is read by the runtime, but
not here, and neither is a `moltis.toml` of more than 250 kB: that is an information, and nothing
else is said about the file.
"""

from collections.abc import Iterator

from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.analysis.rules.wording import code
from agent_lsp.dialects.vocabulary import Refused, Severity
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding for a file without text."""
    # Names that stand in a text cannot be known where there is none.
    is_table, is_named = of.dialect.keys_at is not None, of.dialect.names_in is None
    if of.file.problem is None or (of.name is None and is_named):
        return
    place = Span(0, 0)
    if of.file.too_large:
        yield Finding(place, f"{of.file.problem}: not checked", Severity.INFORMATION)
        return
    if not of.dialect.is_yaml and not is_table:
        # To the runtime all of the file is a text, and what it makes of such bytes is not known.
        return
    if of.dialect.consequence.file is not Refused.CATALOG and not is_table:
        what = code(of.name or "") if is_named else "agent"
        lost = f"the runtime passes over the file, and it defines no {what}"
        yield Finding(place, f"{of.file.problem}: {lost}")
        return
    loss = of.dialect.consequence.header_refused
    if of.file.unsure and not is_table:
        message = f"{of.file.problem}: if the runtime stumbles over that in the header, {loss}"
        yield Finding(place, message, Severity.WARNING)
        return
    yield Finding(place, f"{of.file.problem}: {loss}")


RULE = Rule("unreadable", __doc__, check, of_tables=None)
