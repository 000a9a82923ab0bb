"""# tool-call-edges: a role calls a tool that needs edge management, and declares none.

In `vuhlp` `spawn_node` and `create_edge` are for nodes that manage edges. The document wants that
declared in the template, with `edge_management_all` (or `spawn_nodes`, its older name). The role
`orchestrator` has it by its name.

**Why it matters.** By default a node of such a role may do neither: the runtime answers
`edgeManagement=all required to spawn nodes` or `edgeManagement capability is disabled`. A
declaration alone does not change that: the node's settings and the user's approval count.

**How to fix it.** Declare the capability if the role is to manage the graph; else let it ask its
supervisor.

```md docs/templates/helper.md
[template]

You are a helper. Always report what you did, and never hide an error.

{"tool_call":{"name":"spawn_node","args":{"label":"Docs","roleTemplate":"planner"}}}
```

```text
docs/templates/helper.md:5:22 warning[tool-call-edges] `spawn_node` needs edge management, which
    `helper` does not declare: add `edge_management_all` to its capabilities
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

RULE = Rule("tool-call-edges", __doc__, told, of_tables=True)
