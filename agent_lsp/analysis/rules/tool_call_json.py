"""# tool-call-json: a tool call is no JSON on one line.

An agent of `vuhlp` calls a tool with a line that is JSON and nothing else:
`{"tool_call":{"name":…,"args":{…}}}`. What a template shows is what its agent will write. A call
with a placeholder in it is a hint only.

**Why it matters.** The runtime runs no call that it cannot parse, and one that goes over several
lines is none.

**How to fix it.** Write the call on one line, with quotes around names and texts and no comma at
the end.

```md docs/templates/helper.md
[template]
capabilities = ["edge_management_all"]

You are a helper. Always report what you did, and never hide an error.

{"tool_call":{"name":"spawn_node","args":{"label":"Docs","roleTemplate":"planner",}}}
```

```text
docs/templates/helper.md:6:1 warning[tool-call-json] vuhlp does not run this tool call: it has
    to be JSON on one line
```

```md docs/templates/helper.md
[template]
capabilities = ["edge_management_all"]

You are a helper. Always report what you did, and never hide an error.

{"tool_call":{"name":"spawn_node","args":{"label":"Docs","roleTemplate":"planner"}}}
```

```text
clean
```
"""

from agent_lsp.analysis.rules.model import Rule, told

RULE = Rule("tool-call-json", __doc__, told, of_tables=True)
