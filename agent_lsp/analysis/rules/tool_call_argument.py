"""# tool-call-argument: an argument of a tool call is missing, unknown or of another type.

Each tool of `vuhlp` has its arguments: some are required, each has a type, and for a few only
certain words will do. An argument that the tool does not have is an information.

**Why it matters.** The runtime refuses the call, or does something else than the template says.

**How to fix it.** Add what is missing, and give each argument the type that the message names.
`spawn_node` takes `role` for `roleTemplate`, too.

```md docs/templates/helper.md
[template]
capabilities = ["edge_management_all"]

You are a helper. Always report what you did, and never hide an error.

{"tool_call":{"name":"send_handoff","args":{"to":7,"mesage":"Done."}}}
{"tool_call":{"name":"create_edge","args":{"from":"a","to":"b","type":"handof"}}}
```

```text
docs/templates/helper.md:6:44 warning[tool-call-argument] `send_handoff` needs `message`, a
    string
docs/templates/helper.md:6:50 warning[tool-call-argument] `to` has to be a string
docs/templates/helper.md:6:53 information[tool-call-argument] `send_handoff` has no argument
    `mesage`; did you mean `message`?
docs/templates/helper.md:7:72 warning[tool-call-argument] `type` has to be `handoff` or
    `report`; did you mean `handoff`?
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

RULE = Rule("tool-call-argument", __doc__, told, of_tables=True)
