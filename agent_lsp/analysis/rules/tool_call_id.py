"""# tool-call-id: an id or an alias of a tool call is used twice.

In `vuhlp` the `id` of a tool call is a short text that no other call has, or it is left out; the
alias of a node is unique within the run.

**Why it matters.** The results of two calls cannot be told apart, or a name means the wrong node.

**How to fix it.** Leave `id` out, or give each call its own; call each node something else.

```md docs/templates/helper.md
[template]
capabilities = ["edge_management_all"]

You are a helper. Always report what you did, and never hide an error.

{"tool_call":{"id":"one","name":"spawn_node","args":{"alias":"docs","label":"Docs","roleTemplate":"planner"}}}
{"tool_call":{"id":"one","name":"spawn_node","args":{"alias":"docs","label":"Docs","roleTemplate":"planner"}}}
```

```text
docs/templates/helper.md:7:20 warning[tool-call-id] `one` is the id of another call
docs/templates/helper.md:7:62 warning[tool-call-id] `docs` is the alias of another call
```

```md docs/templates/helper.md
[template]
capabilities = ["edge_management_all"]

You are a helper. Always report what you did, and never hide an error.

{"tool_call":{"name":"spawn_node","args":{"label":"Docs","roleTemplate":"planner"}}}
{"tool_call":{"name":"send_handoff","args":{"to":"lead","message":"Done."}}}
```

```text
clean
```
"""

from agent_lsp.analysis.rules.model import Rule, told

RULE = Rule("tool-call-id", __doc__, told, of_tables=True)
