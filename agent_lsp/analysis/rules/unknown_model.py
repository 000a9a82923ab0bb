"""# unknown-model: a model's name is a slip, or cannot be a name.

`spawn_agent` refuses a model that is not in the list of the provider. The runtime ships a part of
that list; the rest is known to nobody but the provider.

**Why it matters.** The template is fine until somebody spawns the agent; then the call fails with
`unknown model …`. Since new models appear all the time, nothing is said about a name that is
merely unknown (`gpt-5.3-codex-spark`). It is a hint if the name differs from a known model in its
spelling only; another number is never a slip. It is a warning if it is no name at all: in quotes
that YAML does not take for quotes, with dashes or blanks that only look right, on several lines,
or the word `null` in quotes.

Claude Code knows aliases and hands any other id on to the provider: an agent with a model that
nobody has ends at its first request, with an error of the API. In an id such as
`claude-sonet-4-5` only `claude` and the family can be misspelt; new numbers, families, regions
and what gateways write around an id are names like all others.

**How to fix it.** Correct the name. Models that you know to exist go into the settings, as extra
models of the dialect.

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
model: GPT-5-codx
agent_names:
  - name: strict
    description: Reports every risk.
    model: “gpt-5.3-codex”
  - name: quick
    description: Reports what would break.
    model: "null"
---
You review changes.

<!-- agent_name: strict -->
Report every risk.

<!-- agent_name: quick -->
Report what would break.
```

```text
.codex/.agents/reviewer.md:3:8 hint[unknown-model] unknown model `GPT-5-codx`: unless the
    provider has it, `spawn_agent` refuses the agent; did you mean `gpt-5-codex`?
.codex/.agents/reviewer.md:7:12 warning[unknown-model] unknown model `“gpt-5.3-codex”`:
    `spawn_agent` refuses persona `strict`; the quotes are part of the name, write
    `gpt-5.3-codex`
.codex/.agents/reviewer.md:10:12 warning[unknown-model] unknown model `null`: `spawn_agent`
    refuses persona `quick`; in quotes it is a name, write it without them
```

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
model: gpt-5.3-codex-spark
agent_names:
  - name: strict
    description: Reports every risk.
    model: gpt-5-codex
---
You review changes.

<!-- agent_name: strict -->
Report every risk.
```

```text
clean
```

```md .claude/agents/reviewer.md
---
name: reviewer
description: Reviews a change.
model: claude-sonet-4-5
---
You review changes.
```

```text
.claude/agents/reviewer.md:4:8 warning[unknown-model] unknown model `claude-sonet-4-5`: unless
    the provider has it, the agent ends at its first request; did you mean `claude-sonnet-4-5`?
```

```md .claude/agents/reviewer.md
---
name: reviewer
description: Reviews a change.
model: claude-sonnet-9-9
---
You review changes.
```

```text
clean
```
"""

import re
from collections.abc import Iterator

from agent_lsp.analysis.models import known_models, near_id, near_miss
from agent_lsp.analysis.rules import header
from agent_lsp.analysis.rules.model import Finding, Rule
from agent_lsp.analysis.rules.wording import code, unquoted
from agent_lsp.dialects.template import Value
from agent_lsp.dialects.vocabulary import Holds, Key, Severity
from agent_lsp.workspace.index import Subject

_NULLS = ("null", "Null", "NULL", "~")
_DASHES = re.compile("[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding for each model whose name is certainly or probably a mistake."""
    key = of.dialect.key_holding(Holds.MODEL)
    if key is None or not header.parses(of):
        return
    yield from _model(of, key, of.reading.written.settings.get(key.name), "the agent")
    for persona in of.reading.written.personas:
        yield from _model(of, key, persona.settings.get(key.name), f"persona {code(persona.name)}")


def _model(of: Subject, key: Key, value: Value | None, whom: str) -> Iterator[Finding]:
    models = known_models(of.dialect, of.options)
    if value is None or value.text in models:
        return
    refuses = of.dialect.unknown_model or f"{code(of.dialect.spawn_call)} refuses {whom}"
    thing = f"unknown {key.name} {code(value.text)}"
    mistake, word = _mistake(of, value)
    if mistake:
        message = f"{thing}: {refuses}; {mistake}"
        yield Finding(value.span, message, Severity.WARNING, meant=(word,) if word else ())
        return
    words = of.dialect.model_words
    meant = near_miss(value.text, models)
    if meant is None and words is not None:
        meant = near_id(value.text, words(value.text))
    if meant is not None:
        message = f"{thing}: unless the provider has it, {refuses}; did you mean {code(meant)}?"
        yield Finding(value.span, message, meant=(meant,))


def _mistake(of: Subject, value: Value) -> tuple[str, str]:
    """Why the value cannot be the name of a model, and what to write if that is one word."""
    name = value.text
    if name in _NULLS:
        return "in quotes it is a name, write it without them", ""
    bare = unquoted(name)
    if bare != name:
        return f"the quotes are part of the name, write {code(bare)}", bare
    if "\n" in value.span.of(of.document.text).strip() and re.search(r"\s", name):
        return "its lines are one name, write one model on one line", ""
    dash = _DASHES.search(name)
    if dash is not None:
        plain = _DASHES.sub("-", name)
        return f"U+{ord(dash[0]):04X} only looks like `-`, write {code(plain)}", plain
    hidden = next((sign for sign in name if not sign.isprintable()), None)
    if hidden is not None:
        return f"U+{ord(hidden):04X} is part of the name, remove it", name.replace(hidden, "")
    return "", ""


RULE = Rule("unknown-model", __doc__, check)
