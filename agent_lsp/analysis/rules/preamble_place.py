"""# preamble-place: the `[template]` block is not at the top of the file.

In `vuhlp` a role template begins with a small block that says what the role means to do.

**Why it matters.** People and tools look for the block at the top. The runtime sends the whole
file, wherever the block stands.

**How to fix it.** Move the block to the first line. A quick fix does it.

```md docs/templates/helper.md
# Helper

[template]
version = "1"

You are a helper. Always report what you did, and never hide an error.
```

```text
docs/templates/helper.md:3:1 warning[preamble-place] the `[template]` block belongs at the top
    of the file
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

RULE = Rule("preamble-place", __doc__, told, of_tables=True)
