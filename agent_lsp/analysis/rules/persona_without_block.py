"""# persona-without-block: a declared persona has no block in the body.

Each name in `agent_names` needs a line `<!-- agent_name: NAME -->` in the body, with the persona's
prompt below. The line has to be written exactly like this, one blank included: with
`<!--agent_name: NAME-->` or `<!-- Agent_Name: NAME -->` it is ordinary text.

**Why it matters.** The runtime refuses the whole header, for all personas: the file becomes the
prompt, the policy in it has no effect, and `list_agents` fails.

**How to fix it.** Add the block, correct its line, or remove the declaration.

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
agent_names:
  - name: strict
    description: Reports every risk.
  - name: quick
    description: Reports what would break.
---
You review changes.

<!--agent_name: strict-->
Report every risk.
```

```text
.codex/.agents/reviewer.md:4:11 error[persona-without-block] persona `strict` has no block:
    write `<!-- agent_name: strict -->` instead of `<!--agent_name: strict-->`, or the whole
    file becomes the prompt and `model`, `read_only`, `allow_list` and `deny_list` are lost at
    spawn; `list_agents` fails
.codex/.agents/reviewer.md:6:11 error[persona-without-block] persona `quick` has no block: add
    `<!-- agent_name: quick -->` with its prompt below, or the whole file becomes the prompt and
    `model`, `read_only`, `allow_list` and `deny_list` are lost at spawn; `list_agents` fails
```

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
agent_names:
  - name: strict
    description: Reports every risk.
---
You review changes.

<!-- agent_name: strict -->
Report every risk.
```

```text
clean
```
"""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header, personas
from agent_lsp.analysis.rules.model import Finding, Related, Rule
from agent_lsp.analysis.rules.wording import code, refused
from agent_lsp.dialects.template import FaultKind
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding on the name of each persona without a block."""
    if of.dialect.marker is None:
        return
    elsewhere = set(personas.pairs(of).values())
    for fault in header.faults(of, FaultKind.BLOCKLESS):
        if fault in elsewhere:
            continue
        marker = code(of.dialect.marker(fault.got))
        thing = f"persona {code(fault.got)} has no block"
        alike = personas.lookalike(of, fault.got)
        if alike is None:
            yield Finding(fault.span, refused(of, thing, f"add {marker} with its prompt below"))
            continue
        written = code(alike.of(of.document.text).strip())
        related = (Related(of.path, alike, f"this is text, since it is not {marker}"),)
        fix = f"write {marker} instead of {written}"
        yield Finding(fault.span, refused(of, thing, fix), related=related)


RULE = Rule("persona-without-block", __doc__, check)
