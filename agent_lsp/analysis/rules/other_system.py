"""# other-system: a file in a shared folder is another system's.

Several agent systems keep their files in `.codex/agents`. A file there is taken for one of another
system if it has no header, if it is a note such as `README.md`, or if its header has keys, models
or tools that only other systems have. Nothing else is reported for such a file.

If other files of the folder are agents of this system, the folder is its own: then all but the
notes are judged by its rules. The settings can claim a folder for this system, or disown it.

**Why it matters.** It does not, as long as nobody expects the agent from this system. What the
runtime makes of the file is in the message: most of the time it skips it.

**How to fix it.** If the file is meant for this system, write a header with a `description`, and
without the keys that the message names.

```md .codex/agents/reviewer.md
---
name: reviewer
description: Reviews a change.
tools: Read, Grep
model: sonnet
---
You review changes.
```

```md .codex/agents/planner.md
You plan changes.
```

```md .codex/agents/triage.md
---
description: Sorts reports.
color: blue
tools: [shell]
---
You sort reports.
```

```text
.codex/agents/reviewer.md:4:1 information[other-system] `tools` and `model` are of another
    system: this one skips the file: Failed to parse YAML frontmatter for agent 'reviewer':
    tools: invalid type: string "Read, Grep", expected a sequence at line 3 column 8
.codex/agents/planner.md:1:1 information[other-system] a file without a header: this system
    skips it: Agent 'planner' missing YAML frontmatter (must start with '---')
.codex/agents/triage.md:3:1 information[other-system] `color` is of another system: this one
    loads the file all the same, as `triage` with 4 of the tools that are known here
```

Beside an agent of this system, a file without a header is a mistake:

```md .codex/agents/reviewer.md
---
description: Reviews a change.
---
You review changes.
```

```md .codex/agents/planner.md
You plan changes.
```

```md .codex/agents/README.md
What the agents of this folder are for.
```

```text
.codex/agents/planner.md:1:1 error[header-missing] no header: start the file with `---`,
    `description: …` and `---`, or the runtime skips the file and there is no `planner`
.codex/agents/README.md:1:1 information[other-system] a note by its name: this system skips it:
    Agent 'README' missing YAML frontmatter (must start with '---')
```
"""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header
from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.analysis.rules.wording import code, listed
from agent_lsp.analysis.tools import known_tools
from agent_lsp.text import Span
from agent_lsp.workspace.foreign import Foreign
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields one finding on a file that is another system's, with what this one makes of it."""
    if of.foreign is None or not header.is_seen(of):
        return
    thing, runtime, file = _words(of.foreign)
    if of.reading.faults:
        said = f"{runtime} skips {file}: {of.reading.faults[0].message}"
    else:
        tools = of.dialect.toolset(of.reading, known_tools(of.dialect, of.options), 1)
        has = f"with {len(tools.kept)} of the" if tools.kept else "without any of the"
        name = code(of.name or "")
        said = f"{runtime} loads {file} all the same, as {name} {has} tools that are known here"
    yield Finding(_place(of, of.foreign), f"{thing}: {' '.join(said.split())}")


def _words(told: Foreign) -> tuple[str, str, str]:
    """What tells that it is another system's, and words for this one and for the file."""
    if told.is_note:
        return "a note by its name", "this system", "it"
    if not told.has_header:
        return "a file without a header", "this system", "it"
    is_ = "is" if len(told.keys) == 1 else "are"
    return f"{listed(told.keys, 'and')} {is_} of another system", "this one", "the file"


def _place(of: Subject, told: Foreign) -> Span:
    top = header.root(of)
    entry = top.get(told.keys[0]) if top and told.keys and not told.is_note else None
    return entry.key.span if entry is not None else header.opening(of)


RULE = Rule("other-system", __doc__, check, of_foreign=True)
