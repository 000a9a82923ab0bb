"""# misplaced: a template lies where the runtime does not look.

The runtime takes the files `*.md` that lie directly in `.codex/.agents`, in the project or in the
user's own folder. It does not look into folders below, nor into folders of another name.

A file elsewhere is reported only if its header is that of a template, with keys that the runtime
knows and no others. In a folder that other programs use as well (`.agents`, `.codex`,
`.codex/agents`) one of the keys has to be `agent_names`, `allow_list` or `deny_list`.

**Why it matters.** The agent does not exist, and nobody says so: `list_agents` does not show it,
and `spawn_agent` answers `missing agent template`. Nothing else is reported for the file, since
nothing in it has an effect yet.

**How to fix it.** Move the file to the place that the message names, or rename it.

```md .codex/.agents/review/security.md
---
description: Looks for what an attacker could use.
---
You look for what an attacker could use.
```

```md .codex/.agents/reviewer.markdown
---
description: Reviews a change.
---
You review changes.
```

```md .agents/planner.md
---
description: Plans a change.
deny_list: [apply_patch]
---
You plan changes.
```

```text
.codex/.agents/review/security.md:1:1 information[misplaced] the runtime does not read this
    file, since it takes none from folders below `.codex/.agents`: move it to
    `.codex/.agents/security.md`
.codex/.agents/reviewer.markdown:1:1 information[misplaced] the runtime does not read this file,
    since it takes only `*.md`: rename it to `.codex/.agents/reviewer.md`
.agents/planner.md:1:1 information[misplaced] the runtime does not read this file, which is a
    template by its header, since it does not look into `.agents`: move it to
    `.codex/.agents/planner.md`
```

Everything else in these places is none of its business:

```md .codex/.agents/review/notes.md
What to look for in a review.
```

```md .codex/agents/planner.md
---
name: planner
description: An agent of another system.
tools: [shell]
---
You plan changes.
```

```text
clean
```
"""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header, naming
from agent_lsp.analysis.rules.model import Finding, Related, Rule
from agent_lsp.analysis.rules.wording import code, shown
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject
from agent_lsp.workspace.strays import Reason, Stray


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding on the first line of a template in a wrong place."""
    if of.stray is None:
        return
    thing, verb = _words(of, of.stray)
    name = naming.proposal(of, "md")
    target = of.stray.belongs if name is None else of.stray.belongs / name
    place = code(shown(of, target))
    if name is None or of.workspace.files.read(target) is None:
        yield Finding(header.opening(of), f"{thing}: {verb} {place}")
        return
    related = (Related(target, Span(0, 0), "this is the file that the runtime reads"),)
    yield Finding(header.opening(of), f"{thing}; {place} is there already", related=related)


def _words(of: Subject, at: Stray) -> tuple[str, str]:
    """What is wrong with the place of the file, and what to do with it."""
    thing, folder = "the runtime does not read this file", code(shown(of, of.path.parent))
    if at.reason is Reason.EXTENSION:
        return f"{thing}, since it takes only `*.md`", "rename it to"
    if at.reason is Reason.BELOW:
        above = code(shown(of, at.belongs))
        return f"{thing}, since it takes none from folders below {above}", "move it to"
    thing += ", which is a template by its header"
    return f"{thing}, since it does not look into {folder}", "move it to"


RULE = Rule("misplaced", __doc__, check)
