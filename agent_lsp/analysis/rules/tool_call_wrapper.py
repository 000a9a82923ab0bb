"""# tool-call-wrapper: a tool call has no `tool_call` around it.

A tool call of `vuhlp` is an object with one member, `tool_call`, in which name and `args` stand.

**Why it matters.** The code that was read runs a line without it as well, and writes a warning into
its log, unless it is told to be strict. The document knows only the form with `tool_call`.

**How to fix it.** Put `{"tool_call":` and `}` around the object. A quick fix does it.

```md docs/templates/helper.md
[template]
capabilities = ["edge_management_all"]

You are a helper. Always report what you did, and never hide an error.

{"name":"send_handoff","args":{"to":"lead","message":"Done."}}
```

```text
docs/templates/helper.md:6:1 information[tool-call-wrapper] vuhlp runs this with a warning in its
    log: a call belongs under `tool_call`
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

RULE = Rule("tool-call-wrapper", __doc__, told, of_tables=True)
