"""# role-not-found: a node is spawned with a role that has no template.

`vuhlp` looks for a role in `docs/templates` of the repository, and then among those that it ships:
`orchestrator`, `planner`, `implementer`, `reviewer` and `investigator`.

**Why it matters.** The node starts all the same, and `Role template not found: …` is all that its
prompt says of the role.

**How to fix it.** Correct the name, whose case matters, or write the template.

```md docs/templates/helper.md
[template]
capabilities = ["edge_management_all"]

You are a helper. Always report what you did, and never hide an error.

{"tool_call":{"name":"spawn_node","args":{"label":"Docs","roleTemplate":"planer"}}}
```

```text
docs/templates/helper.md:6:74 warning[role-not-found] Role template not found: planer; did you
    mean `planner`?
```

```md docs/templates/helper.md
[template]
capabilities = ["edge_management_all"]

You are a helper. Always report what you did, and never hide an error.

{"tool_call":{"name":"spawn_node","args":{"label":"Docs","roleTemplate":"poet"}}}
```

```md docs/templates/poet.md
You are a helper. Always report what you did, and never hide an error.
```

```text
clean
```
"""

from agent_lsp.analysis.rules.model import Rule, told

RULE = Rule("role-not-found", __doc__, told, of_tables=True)
