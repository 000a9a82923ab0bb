"""# tool-call-name: a tool call names a tool that there is not.

`vuhlp` has the tools `spawn_node`, `create_edge`, `send_handoff`, `command`, `read_file`,
`write_file`, `list_files` and `delete_file`.

**Why it matters.** The runtime refuses the call.

**How to fix it.** Correct the name.

```md docs/templates/helper.md
[template]
capabilities = ["edge_management_all"]

You are a helper. Always report what you did, and never hide an error.

{"tool_call":{"name":"send_handof","args":{"to":"lead","message":"Done."}}}
```

```text
docs/templates/helper.md:6:23 warning[tool-call-name] vuhlp has no tool `send_handof`; did you
    mean `send_handoff`?
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

RULE = Rule("tool-call-name", __doc__, told, of_tables=True)
