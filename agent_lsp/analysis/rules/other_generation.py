"""# other-generation: a key or a tool belongs to another generation of the runtime.

The presets' document describes the runtime of February 2026. When presets came to the main line in
March 2026, some keys went and others came. Which of the two a file is written for is told by its
keys: one that only today's runtime has is enough, else one that only the document has. Where
nothing tells, nothing is said.

**Why it matters.** A runtime ignores the keys of the other generation without a word.

**How to fix it.** Write what this generation has for it, or remove the key.

```toml moltis.toml
[agents.presets.scout]
delegate_only = false
identity.vibe = "calm"
```

```text
moltis.toml:3:10 information[other-generation] `identity.vibe` belongs to the runtime of the
    presets' document, where it is the style of the sub-agent, as the prompt says it; today's
    runtime, which reads this file, ignores it and has `identity.theme`
```

```toml moltis.toml
[agents.presets.scout]
identity.vibe = "calm"
```

```text
clean
```

A whole file may be of today's runtime only, as a Markdown definition is:

```md .moltis/agents/scout.md
---
name: scout
---
You look around.
```

```toml moltis.toml
[agents]
default = "lens"

[agents.presets.lens]
model = "gpt-5.2"
```

```text
.moltis/agents/scout.md:1:1 information[other-generation] no session that starts in `workspace`
    reads this file: its configuration is written for a runtime that has no files of this form
```
"""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header
from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.analysis.rules.wording import code, shown
from agent_lsp.workspace.index import Subject, candidates, catalog


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding on a file of a form that the runtime of its sessions does not read."""
    # What a configuration has of the other generation the dialect itself remarks.
    if of.dialect.forms is None or of.dialect.keys_at is not None or of.name is None:
        return
    chain = candidates(of.workspace, of.dialect, of.root, of.name)
    used = catalog(of.workspace, of.dialect, of.root).candidates(of.name)
    if of.path in {one.path for one in chain} - {one.path for one in used}:
        where = code(shown(of, of.root))
        message = (
            f"no session that starts in {where} reads this file: its configuration is written for "
            "a runtime that has no files of this form"
        )
        yield Finding(header.first_line(of), message)


RULE = Rule("other-generation", __doc__, check, of_tables=None)
