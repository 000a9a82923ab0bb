"""# tool-call-fenced: a tool call stands in a code fence.

The document of `vuhlp` tells agents not to wrap a tool call in Markdown. In a template a fence
around an example is common, and an agent may copy it with the call; hence a hint.

**Why it matters.** A model repeats the form that it has seen.

**How to fix it.** Take the fence away if the call is meant to be emitted like this.

```md docs/templates/helper.md
[template]
capabilities = ["edge_management_all"]

You are a helper. Always report what you did, and never hide an error.

~~~
{"tool_call":{"name":"send_handoff","args":{"to":"lead","message":"Done."}}}
~~~
```

```text
docs/templates/helper.md:7:1 hint[tool-call-fenced] a tool call is not to be written in a code
    fence; agents may copy this one so
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

RULE = Rule("tool-call-fenced", __doc__, told, of_tables=True)
