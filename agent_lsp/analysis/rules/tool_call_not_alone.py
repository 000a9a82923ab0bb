"""# tool-call-not-alone: there is something else on the line of a tool call.

An agent of `vuhlp` calls a tool with a line that is JSON and nothing else: no list sign, no
quotation marks, no words. Inline code among words is left alone, since it only speaks of a call.

**Why it matters.** The runtime takes such a line for text, and runs nothing.

**How to fix it.** Put the call on a line of its own.

```md docs/templates/helper.md
[template]
capabilities = ["edge_management_all"]

You are a helper. Always report what you did, and never hide an error.

- Say: {"tool_call":{"name":"send_handoff","args":{"to":"lead","message":"Done."}}}
```

```text
docs/templates/helper.md:6:8 warning[tool-call-not-alone] vuhlp runs a tool call only if nothing
    else is on its line
```

```md docs/templates/helper.md
[template]
capabilities = ["edge_management_all"]

You are a helper. Always report what you did, and never hide an error.

Say:
{"tool_call":{"name":"send_handoff","args":{"to":"lead","message":"Done."}}}
```

```text
clean
```
"""

from agent_lsp.analysis.rules.model import Rule, told

RULE = Rule("tool-call-not-alone", __doc__, told, of_tables=True)
