"""# marker-in-code: a line in a code block starts a persona's block all the same.

The runtime looks for lines `<!-- agent_name: NAME -->` and knows nothing of Markdown: in a
fenced code block they count like everywhere else.

**Why it matters.** A line that was meant as an example ends the prompt above it in the middle
of the code block. All that stands below it belongs to the persona.

**How to fix it.** Put other text on the line, such as a number before it, or take the fences
away if the persona's block is meant to start here.

```md .codex/.agents/writer.md
---
description: Writes templates.
agent_names:
  - name: brief
    description: Writes short ones.
---
You write templates. A persona starts like this:

~~~md
<!-- agent_name: brief -->
~~~

You never write more than two pages.

<!-- agent_name: brief -->
You write short templates.
```

```text
.codex/.agents/writer.md:10:18 warning[marker-in-code] a marker counts in a code block, too: the
    text from here on is the prompt of `brief`; put other text on the line if it is an example
```

If no persona of the name is declared, `block-without-persona` tells of it.

```md .codex/.agents/writer.md
---
description: Writes templates.
---
You write templates. A persona starts like this:

~~~md
1: <!-- agent_name: brief -->
~~~
```

```text
clean
```
"""

from collections.abc import Iterator

from agent_lsp.analysis.rules import personas
from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.analysis.rules.wording import code
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding on each marker of a declared persona in a fenced code block."""
    in_code = personas.markers_in_code(of)
    for block in personas.declared_blocks(of) if in_code else ():
        thing = "a marker counts in a code block, too: the text from here on is the prompt of"
        message = f"{thing} {code(block.name or '')}; {personas.EXAMPLE}"
        for span in block.markers:
            if span in in_code:
                yield Finding(span, message)


RULE = Rule("marker-in-code", __doc__, check)
