"""# hides-builtin: a preset replaces one that is built in.

Today's runtime brings the presets `research`, `coder`, `reviewer`, `qa`, `ux`, `docs` and
`coordinator` along. A preset of such a name replaces the built-in one wholly.

**Why it matters.** What the preset does not set itself is gone, too: the prompt, the identity, the
limit of iterations, and for `coordinator` that it only delegates.

**How to fix it.** Nothing, if that is meant. Else give the preset another name.

```toml moltis.toml
[agents.presets.coder]
identity.theme = "brisk"
```

```text
moltis.toml:1:17 information[hides-builtin] `coder` replaces the built-in preset of this name
    wholly: what it does not set itself, as the prompt and the identity, is lost
```

```toml moltis.toml
[agents.presets.builder]
identity.theme = "brisk"
```

```text
clean
```
"""

from agent_lsp.analysis.rules.model import Rule, told

RULE = Rule("hides-builtin", __doc__, told, of_tables=True)
