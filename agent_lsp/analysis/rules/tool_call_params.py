"""# tool-call-params: the arguments of a tool call are under another key.

In a tool call of `vuhlp` the arguments are called `args`.

**Why it matters.** The runtime takes `params` as well and writes a warning into its log; the
document forbids it.

**How to fix it.** Write `args`. A quick fix does it.

```md docs/templates/helper.md
[template]
capabilities = ["edge_management_all"]

You are a helper. Always report what you did, and never hide an error.

{"tool_call":{"name":"send_handoff","params":{"to":"lead","message":"Done."}}}
```

```text
docs/templates/helper.md:6:38 warning[tool-call-params] `params` is accepted with a warning in
    the log; the key is `args`
```

```md docs/templates/helper.md
[template]
capabilities = ["edge_management_all"]

You are a helper. Always report what you did, and never hide an error.

{"tool_call":{"name":"send_handoff","args":{"to":"lead","message":"Done."}}}
```

```text
clean
```
"""

from agent_lsp.analysis.rules.model import Rule, told

RULE = Rule("tool-call-params", __doc__, told, of_tables=True)
