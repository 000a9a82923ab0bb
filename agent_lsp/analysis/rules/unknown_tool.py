"""# unknown-tool: a tool policy has an entry that covers no known tool.

An entry is the name of a tool, or a pattern in which `*` stands for any number of characters and
`?` for one. It has to cover the whole name, and case matters. An entry that covers nothing is not
reported by the runtime.

**Why it matters.** In `allow_list` the agent does not get the tool that the author had in mind;
in `deny_list` it keeps it, which is worse. It is a warning where the entry is certainly a mistake:
a slip away from a known tool, in another case or in quotes of its own, several tools in one entry,
or a regular expression. Any other unknown name is information, for a runtime may have tools that
are not known here. Nothing is said about names and patterns that an MCP server could give a
meaning to (`mcp__github__*`), and about an entry that another one of its list covers: that is
`redundant-entry`. If no entry of `allow_list` is known, `no-tools` says so once.

**How to fix it.** Correct the entry. Tools that you know to exist go into the settings, as extra
tools of the dialect.

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
allow_list:
  - aply_patch
  - Exec_Command
  - ^list_.*$
  - exec_command, write_stdin
  - send_email
  - mcp__github__*
deny_list:
  - Web*
  - "!update_plan"
  - email_*
---
You review changes.
```

```text
.codex/.agents/reviewer.md:4:5 warning[unknown-tool] unknown tool `aply_patch`: it allows
    nothing; did you mean `apply_patch`?
.codex/.agents/reviewer.md:5:5 warning[unknown-tool] unknown tool `Exec_Command`: it allows
    nothing; case matters, did you mean `exec_command`?
.codex/.agents/reviewer.md:6:5 warning[unknown-tool] no known tool matches `^list_.*$`: it
    allows nothing; regular expressions are not understood, did you mean `list_*`?
.codex/.agents/reviewer.md:7:5 warning[unknown-tool] unknown tool `exec_command, write_stdin`:
    it allows nothing; write each tool as an item of its own
.codex/.agents/reviewer.md:8:5 information[unknown-tool] unknown tool `send_email`: it allows
    nothing, unless the runtime has more tools than are known here
.codex/.agents/reviewer.md:11:5 warning[unknown-tool] no known tool matches `Web*`: it denies
    nothing; case matters, did you mean `web*`?
.codex/.agents/reviewer.md:12:5 warning[unknown-tool] unknown tool `!update_plan`: it denies
    nothing; a leading `!` negates nothing
.codex/.agents/reviewer.md:13:5 information[unknown-tool] no known tool matches `email_*`: it
    denies nothing, unless the runtime has more tools than are known here
```

A denied tool that is misspelt stays:

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
deny_list:
  - aply_patch
  - Web_Search
  - “exec_command”
---
You review changes.
```

```text
.codex/.agents/reviewer.md:4:5 warning[unknown-tool] unknown tool `aply_patch`: it denies
    nothing, so the agent keeps the tool; did you mean `apply_patch`?
.codex/.agents/reviewer.md:5:5 warning[unknown-tool] unknown tool `Web_Search`: it denies
    nothing, so the agent keeps the tool; case matters, did you mean `web_search`?
.codex/.agents/reviewer.md:6:5 warning[unknown-tool] unknown tool `“exec_command”`: it denies
    nothing, so the agent keeps the tool; the quotes are part of the name, write `exec_command`
```

An item that is indented deeper than the one above it is no item, but continues that one:

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
allow_list:
  - exec_command
    - write_stdin
---
You review changes.
```

```text
.codex/.agents/reviewer.md:4:5 warning[unknown-tool] unknown tool `exec_command - write_stdin`:
    it allows nothing, so the agent has no tools; the `-` before `write_stdin` is indented
    deeper, so this is one item; put the items in line
```

```md .codex/.agents/reviewer.md
---
description: Reviews a change.
allow_list:
  - apply_patch
  - exec_command
  - list_*
  - mcp__github__*
deny_list:
  - web_*
---
You review changes.
```

```text
clean
```

In Claude Code, `*` stands for every tool in `tools` only, and for all tools of one server at the
end of `mcp__<server>__*`. In `disallowedTools` a `*` denies nothing and takes the effect of all
other entries with it; `mcp__*` is every server there, and none in `tools`.

```md .claude/agents/reviewer.md
---
name: reviewer
description: Reviews a change.
tools: Read, mcp__*, mcp__github__get_*
disallowedTools: Write, *
---
You review changes.
```

```text
.claude/agents/reviewer.md:4:14 warning[unknown-tool] `mcp__*` allows nothing in `tools`: it
    counts in `disallowedTools` only; name the servers, as in `mcp__github`
.claude/agents/reviewer.md:4:22 warning[unknown-tool] unknown tool `mcp__github__get_*`: it
    allows nothing; `*` stands for all tools of a server, as in `mcp__github__*`, and no less
.claude/agents/reviewer.md:5:25 warning[unknown-tool] `*` denies nothing in `disallowedTools`,
    and neither do the entries beside it; remove it, or write `tools: []` for an agent without
    tools
```
"""

from collections.abc import Iterator
from functools import cached_property

from agent_lsp.analysis.latest import of_latest
from agent_lsp.analysis.rules import header, policy, remainder
from agent_lsp.analysis.rules.model import Finding, Rule, Tag
from agent_lsp.analysis.rules.slips import Slip, slip
from agent_lsp.analysis.rules.wording import code
from agent_lsp.dialects.template import Reading, Value
from agent_lsp.dialects.vocabulary import Holds, Severity
from agent_lsp.text import Span
from agent_lsp.workspace.index import Subject

_DOES = {Holds.ALLOW: "allows", Holds.DENY: "denies"}


def check(of: Subject) -> Iterator[Finding]:
    """Yields a finding for each entry that covers no known tool and might have been meant to."""
    if not header.parses(of):
        return
    left = _Left(of)
    for holds in policy.LISTS:
        entries = policy.entries(of, holds)
        found = (said for entry in entries if (said := _say(left, holds, entry)))
        yield from (said for said in found if said.span not in _superfluous(of, holds))


@of_latest
def _superfluous(of: Subject, holds: Holds) -> frozenset[Span]:
    """Where entries stand that another one makes superfluous."""
    return frozenset(entry.span for entry, _ in policy.covering(of, holds))


class _Left:
    """What the policy leaves, looked at once for all of its entries, and only if need be."""

    def __init__(self, of: Subject) -> None:
        self.of = of

    @cached_property
    def nothing(self) -> bool:
        """Whether there are allowed entries, of which no tool is left."""
        return remainder.denier(self.of) is None and remainder.allows_nothing(self.of)

    @cached_property
    def is_reported(self) -> bool:
        """Whether that is a finding of its own."""
        return remainder.is_reported(self.of)


def _say(left: _Left, holds: Holds, entry: Value) -> Finding | None:
    """What there is to say about an entry, taken for itself."""
    of = left.of
    heir = of.dialect.retired.get(entry.text)
    if heir is not None and not (holds is Holds.ALLOW and left.is_reported):
        message = f"there is no {code(entry.text)} any more: {code(heir)} does it"
        tags = (Tag.DEPRECATED,)
        return Finding(entry.span, message, Severity.HINT, tags, meant=(heir,))
    found = slip(of, entry) if heir is None else None
    if found is not None:
        message = f"{_thing(of, entry.text)}: {_effect(left, holds, found)}; {found.fix}"
        is_fatal = of.dialect.nothing_left and holds is Holds.ALLOW and left.nothing
        severity = Severity.ERROR if is_fatal else None
        return Finding(entry.span, message, severity, meant=found.meant)
    if policy.is_known(of, entry.text) or policy.cannot_tell(of, entry.text):
        return None
    if holds is Holds.ALLOW and left.is_reported:
        return None
    unless = "unless the runtime has more tools than are known here"
    message = f"{_thing(of, entry.text)}: it {_DOES[holds]} nothing, {unless}"
    return Finding(entry.span, message, Severity.INFORMATION)


def _thing(of: Subject, entry: str) -> str:
    if of.dialect.is_pattern(entry):
        return f"no known tool matches {code(entry)}"
    return f"unknown tool {code(entry)}"


def _effect(left: _Left, holds: Holds, found: Slip) -> str:
    """What the mistake does to the agent's tools."""
    effect = f"it {_DOES[holds]} nothing"
    if holds is Holds.ALLOW:
        loss = left.of.dialect.nothing_left or "the agent has no tools"
        return f"{effect}, so {loss}" if left.nothing else effect
    kept = _kept(left.of, found)
    if not kept:
        return effect
    return f"{effect}, so the agent keeps the {'tool' if kept == 1 else 'tools'}"


def _kept(of: Subject, found: Slip) -> int:
    """How many of the tools that were meant to be denied the agent has."""
    matches, written = of.dialect.matches, of.reading.written
    names = policy.names(of)
    meant = tuple(name for name in names if any(matches(entry, name) for entry in found.meant))
    return len(of.dialect.toolset(Reading(written, written), meant, 1).kept)


RULE = Rule("unknown-tool", __doc__, check)
