"""# preamble-syntax: the `[template]` block is no TOML.

The block of a role template of `vuhlp` is a table of TOML: a key, `=` and a text in quotes or a
list of such texts in brackets on each line.

**Why it matters.** The runtime sends the block as it is, and reads none of it; whoever reads it as
TOML gets nothing.

**How to fix it.** Close what is open, or put the value in quotes. The block ends with the next
blank line.

```md docs/templates/helper.md
[template]
version = 1.0.2

You are a helper. Always report what you did, and never hide an error.
```

```text
docs/templates/helper.md:2:11 warning[preamble-syntax] this is not TOML: expected newline, `#`;
    the runtime sends it as it is
```

```md docs/templates/helper.md
[template]
version = "1.0.2"

You are a helper. Always report what you did, and never hide an error.
```

```text
clean
```
"""

from agent_lsp.analysis.rules.model import Rule, told

RULE = Rule("preamble-syntax", __doc__, told, of_tables=True)
