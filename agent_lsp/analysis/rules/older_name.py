"""# older-name: a capability has a newer name.

In `vuhlp` the capability to manage the graph was called `spawn_nodes` before `edge_management_all`.
Shipped templates still have the older name, and both are taken for a declaration here.

**Why it matters.** The document of the system knows only the newer name.

**How to fix it.** Write the newer name. A quick fix does it.

```md docs/templates/helper.md
[template]
capabilities = ["spawn_nodes"]

You are a helper. Always report what you did, and never hide an error.
```

```text
docs/templates/helper.md:2:18 information[older-name] `spawn_nodes` is the older name of
    `edge_management_all`
```

```md docs/templates/helper.md
[template]
capabilities = ["edge_management_all"]

You are a helper. Always report what you did, and never hide an error.
```

```text
clean
```
"""

from agent_lsp.analysis.rules.model import Rule, told

RULE = Rule("older-name", __doc__, told, of_tables=True)
