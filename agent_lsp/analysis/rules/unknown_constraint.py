"""# unknown-constraint: a constraint is none that the shipped templates use.

The list `constraints` of a role template of `vuhlp` is open: any word may stand there, and the
runtime reads none of them. This is said as a hint, for a slip of the fingers looks the same.

**Why it matters.** A constraint shows people what a role keeps to, and is a part of its prompt.

**How to fix it.** Correct it if it is a slip. A word of your own is fine.

```md docs/templates/helper.md
[template]
constraints = ["log_decision"]

You are a helper. Always report what you did, and never hide an error.
```

```text
docs/templates/helper.md:2:17 hint[unknown-constraint] `log_decision` is not among the
    constraints that vuhlp's own templates use; did you mean `log_decisions`?
```

```md docs/templates/helper.md
[template]
constraints = ["log_decisions"]

You are a helper. Always report what you did, and never hide an error.
```

```text
clean
```
"""

from agent_lsp.analysis.rules.model import Rule, told

RULE = Rule("unknown-constraint", __doc__, told, of_tables=True)
