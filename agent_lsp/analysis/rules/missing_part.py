"""# missing-part: a role template does not say all that a role should.

The document of `vuhlp` wants four things in a role template: who the agent is, what is expected of
it, what it must not do, and how its answer shall look. This is told by the words that people use
for them, so it is a hint and no more.

**Why it matters.** The text of the role is nearly all that an agent knows of itself.

**How to fix it.** Add a sentence about what is missing, if it is.

```md docs/templates/helper.md
[template]
version = "1"

You are a helper. Always be quick.
```

```text
docs/templates/helper.md:1:1 hint[missing-part] the prompt does not seem to say its constraints,
    output style
```

```md docs/templates/helper.md
[template]
version = "1"

You are a helper. Always report what you did, and never hide an error.
```

```text
clean
```
"""

from agent_lsp.analysis.rules.model import Rule, told

RULE = Rule("missing-part", __doc__, told, of_tables=True)
