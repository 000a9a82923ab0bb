"""# persona-without-block: a declared persona has no block in the body.

Each name in `agent_names` needs a line `<!-- agent_name: NAME -->` in the body, with the persona's
prompt below. The line has to be written exactly like this, one blank included: with
`<!--agent_name: NAME-->` or `<!-- Agent_Name: NAME -->` it is ordinary text. If there is such a
line, it is the one to correct, and is reported in place of the declaration.

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
.codex/.agents/reviewer.md:6:11 error[persona-without-block] persona `quick` has no block: add
    `<!-- agent_name: quick -->` with its prompt below, or the whole file becomes the prompt and
    `model`, `read_only`, `allow_list` and `deny_list` are lost at spawn; `list_agents` fails
.codex/.agents/reviewer.md:11:1 error[persona-without-block] `<!--agent_name: strict-->` starts
    no block, and persona `strict` has no other: write `<!-- agent_name: strict -->`, or the
    whole file becomes the prompt and `model`, `read_only`, `allow_list` and `deny_list` are
    lost at spawn; `list_agents` fails
```

A name that is left empty, or that YAML takes for a comment, is one mistake together with the block
that was meant for it:

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
agent_names:
  - name:
    description: Reports every risk.
---
You review changes.

<!-- agent_name: strict -->
Report every risk.
```

```text
.codex/.agents/reviewer.md:4:5 error[persona-without-block] the name of this persona is blank:
    write `strict`, or the whole file becomes the prompt and `model`, `read_only`, `allow_list`
    and `deny_list` are lost at spawn; `list_agents` fails
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

from agent_lsp.analysis.rules import header, personas, taken
from agent_lsp.analysis.rules.lookalikes import by_persona
from agent_lsp.analysis.rules.model import Finding, Related, Rule
from agent_lsp.analysis.rules.wording import code, listed, refused
from agent_lsp.dialects.template import Fault
from agent_lsp.syntax.nodes import Scalar, Style, resolve
from agent_lsp.syntax.yaml_quote import quote
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject

_NULLS = ("~", "null", "Null", "NULL")


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding for each persona without a block: on a line meant for it, or on its name."""
    lacking = personas.lacking(of)
    meant, unnamed = by_persona(of), personas.unnamed(of) if lacking else {}
    for fault in lacking:
        alike = meant.get(fault)
        marker = code(of.dialect.marker(fault.got)) if of.dialect.marker else ""
        if alike is None:
            thing, fix = _unmarked(of, fault, marker, unnamed.get(fault, ()))
            related = _repeated(of, fault) if len(lacking) == 1 else ()
            yield Finding(_place(of, fault), refused(of, thing, fix), related=related)
            continue
        written = code(alike.span.of(of.document.text))
        thing = f"{written} starts no block, and persona {code(fault.got)} has no other"
        fix = f"write {marker}{'' if alike.alone else ' on a line of its own'}"
        related = (Related(of.path, fault.span, "this persona has no block"),)
        yield Finding(alike.span, refused(of, thing, fix), related=related)


def _place(of: Subject, fault: Fault) -> Span:
    """The name of a persona, or its key where nothing is written behind it."""
    node, entry = header.node_at(of, fault.span)
    return entry.key.span if entry is not None and header.is_empty(node) else fault.span


def _unmarked(of: Subject, fault: Fault, marker: str, unnamed: tuple[str, ...]) -> tuple[str, str]:
    """What is wrong with a persona for which no line was meant, and what to write."""
    node = resolve(header.node_at(of, fault.span)[0])
    names = [quote(name) for name in unnamed]
    comment = taken.comment(of, node)
    if not fault.got:
        fix = f"write {listed(names)}" if names else "write one"
        return f"the name of this persona is {taken.blank(of, node)}", fix
    if names and comment is not None:
        words = code(comment.of(of.document.text))
        thing = f"unquoted, {words} is a comment, and this persona is called {code(fault.got)}"
        return thing, f"write {listed(names)}"
    if isinstance(node, Scalar) and node.style is Style.PLAIN and node.value in _NULLS:
        return f"{code(node.value)} is a name here, and no null: it has no block", "write a name"
    return f"persona {code(fault.got)} has no block", f"add {marker} with its prompt below"


def _repeated(of: Subject, fault: Fault) -> tuple[Related, ...]:
    """The further marker of another persona that may be a copy with the old name."""
    blocks = of.reading.written.blocks
    copies = [(span, block.name) for block in blocks for span in block.markers[1:]]
    if len(copies) != 1:
        return ()
    span, name = copies[0]
    message = f"continues the block of {code(name or '')}; is it meant for {code(fault.got)}?"
    return (Related(of.path, span, message),)


RULE = Rule("persona-without-block", __doc__, check)
