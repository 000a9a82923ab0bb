"""# contradiction: a constraint says the opposite of a capability.

In `vuhlp` a role with the constraint `planning_only` or `no_code_edits` changes no code, and one
with the capability `edit_code` does.

**Why it matters.** Both words are a part of the prompt, so that the agent is told two things. The
runtime looks at neither.

**How to fix it.** Remove the one that is not meant.

```md docs/templates/helper.md
[template]
capabilities = ["read_repo", "edit_code"]
constraints = ["no_code_edits"]

You are a helper. Always report what you did, and never hide an error.
```

```text
docs/templates/helper.md:3:16 warning[contradiction] `no_code_edits` says the opposite of the
    capability `edit_code`
```

```md docs/templates/helper.md
[template]
capabilities = ["read_repo"]
constraints = ["no_code_edits"]

You are a helper. Always report what you did, and never hide an error.
```

```text
clean
```
"""

from agent_lsp.analysis.rules.model import Rule, told

RULE = Rule("contradiction", __doc__, told, of_tables=True)
