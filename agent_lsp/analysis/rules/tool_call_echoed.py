"""# tool-call-echoed: a shell command prints a tool call.

An agent of `vuhlp` emits a tool call in its answer. A call in the output of a command is treated as
an error.

**Why it matters.** The call does not run, and the agent is told that it has made a mistake.

**How to fix it.** Show the call as a line of its own, and leave the command out.

```md docs/templates/helper.md
[template]
capabilities = ["edge_management_all"]

You are a helper. Always report what you did, and never hide an error.

echo '{"tool_call":{"name":"send_handoff","args":{"to":"lead","message":"Done."}}}'
```

```text
docs/templates/helper.md:6:7 warning[tool-call-echoed] a tool call that a shell command prints
    is an error for vuhlp: write it yourself
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

RULE = Rule("tool-call-echoed", __doc__, told, of_tables=True)
