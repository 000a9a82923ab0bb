"""# marker-lookalike: a comment looks like the start of a persona's block and is prompt text.

The line that starts a block has to be `<!-- agent_name: NAME -->`, in these letters and with one
blank before and after the key, and nothing else may stand on it. Only the blanks around it and
around the name are free.

**Why it matters.** The runtime does not say that it knows no such line. It takes the comment and
all text below it for a part of the block above: an agent gets a prompt that was meant for
another one.

**How to fix it.** Write the line as the message shows it. A line that shall stay text is not
reported if it stands in a code block or between backticks.

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

<!--agent_name: quick-->
Report what would break.
```

```text
.codex/.agents/reviewer.md:12:1 warning[marker-lookalike] `<!--agent_name: quick-->` starts no
    block, and it and the text below go to the prompt of `strict`; did you mean
    `<!-- agent_name: quick -->`?
```

A persona that lacks its block because of such a line is one mistake, of which
`persona-without-block` tells.

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
---
You review changes, and write templates with lines like `<!--agent_name: quick-->`.

<!-- Below is what every reviewer should know. -->
You know the house style.
```

```text
clean
```
"""

from collections.abc import Iterator

from agent_lsp.analysis.rules import header, personas
from agent_lsp.analysis.rules.lookalikes import Lookalike, by_persona, lookalikes
from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.analysis.rules.wording import code
from agent_lsp.workspace.index import Subject


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding for each comment that was meant to start a block and harms no header."""
    if not header.is_decoded(of):
        return
    elsewhere = set(by_persona(of).values())
    for alike in lookalikes(of):
        if alike not in elsewhere:
            yield Finding(alike.span, _message(of, alike))


def _message(of: Subject, alike: Lookalike) -> str:
    block = personas.block_at(of, alike.span.start)
    above = "the default prompt" if block is None else f"the prompt of {code(block)}"
    written = code(alike.span.of(of.document.text))
    thing = f"{written} starts no block, and it and the text below go to {above}"
    marker = code(of.dialect.marker(alike.name or "NAME")) if of.dialect.marker else ""
    if not alike.name:
        return f"{thing}; write the name of a persona into it, as in {marker}"
    return f"{thing}; did you mean {marker}{'' if alike.alone else ' on a line of its own'}?"


RULE = Rule("marker-lookalike", __doc__, check)
