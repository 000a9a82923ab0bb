"""# unknown-capability: a capability is none that the shipped templates use.

The list `capabilities` of a role template of `vuhlp` is open: any word may stand there, and the
runtime reads none of them. This is said as a hint, for a slip of the fingers looks the same.

**Why it matters.** A capability shows people what a role is for. One that nobody else uses shows
them little, and this program takes a role for one that spawns nodes by such words only.

**How to fix it.** Correct it if it is a slip. A word of your own is fine.

```md docs/templates/helper.md
[template]
capabilities = ["edit_cod"]

You are a helper. Always report what you did, and never hide an error.
```

```text
docs/templates/helper.md:2:18 hint[unknown-capability] `edit_cod` is not among the capabilities
    that vuhlp's own templates use; did you mean `edit_code`?
```

```md docs/templates/helper.md
[template]
capabilities = ["edit_code"]

You are a helper. Always report what you did, and never hide an error.
```

```text
clean
```
"""

from agent_lsp.analysis.rules.model import Rule, told

RULE = Rule("unknown-capability", __doc__, told, of_tables=True)
