"""The agents that a file names: in hand-offs, in `agents`, and in the words of its prompt.

Facts: VS Code 1.139.1, run 2026-11-28: names are compared exactly. `agent`, `ask` and `edit` in a
hand-off are VS Code's own, and no file.
"""

from collections.abc import Iterator

from agent_lsp.dialects.copilot import reading
from agent_lsp.dialects.copilot.cli_tools import EVERY
from agent_lsp.dialects.copilot.facts import MODES
from agent_lsp.dialects.copilot.vs_tools import AGENT
from agent_lsp.model.availability import Availability, Delegation, Mention, Spelling, in_prompts
from agent_lsp.model.runtime import Scope
from agent_lsp.model.template import Reading
from agent_lsp.syntax.document import Document
from agent_lsp.text import Span


def mentions(document: Document) -> tuple[Mention, ...]:
    """The agents in the header: those of hand-offs, and those that the agent may call."""
    return tuple(_in_header(document))


def _in_header(document: Document) -> Iterator[Mention]:
    found = reading.settings(document)
    handoffs, agents = found.get("handoffs"), found.get("agents")
    for one in handoffs.records if handoffs is not None else ():
        goal = one.values["agent"]
        if goal.text not in MODES:
            yield Mention(goal.text, goal.span, is_call=True)
    for item in agents.items if agents is not None else ():
        if item.text != EVERY:
            yield Mention(item.text, item.span, is_call=True)


_SPELLING = Spelling("runSubagent", "agentName", None)


def _in_prompt(prompt: str) -> Iterator[Span]:
    return (one.span for one in in_prompts(prompt, 0, _SPELLING))


def _refused(_reading: Reading) -> str | None:
    # A call by its name gets every agent, whatever its switches say.
    return None


DELEGATION = Delegation(_in_prompt, AGENT, _refused)


def availability(found: Reading, _: Scope) -> tuple[Availability, ...]:
    """Whether people can select the agent in VS Code, and whether models see it in their list."""
    return _people(found), _models(found, ("infer", _SWITCH), "VS Code")


def availability_for_cli(found: Reading, _: Scope) -> tuple[Availability, ...]:
    """As `availability`, for Copilot CLI, which prefers the switch to `infer`."""
    return _people(found), _models(found, (_SWITCH, "infer"), "Copilot CLI")


_SWITCH = "disable-model-invocation"


def _people(found: Reading) -> Availability:
    value = found.effective.settings.get("user-invocable")
    reason = "`user-invocable`" if value is not None else "nothing hides it"
    return Availability("people", value is None or value.value is not False, reason)


def _models(found: Reading, keys: tuple[str, str], program: str) -> Availability:
    """Whether models see the agent; the first of `keys` with a truth value decides it."""
    settings = found.effective.settings
    said = [key for key in keys if key in settings and isinstance(settings[key].value, bool)]
    if not said:
        return Availability("models", True, "nothing hides it")
    is_listed = settings[said[0]].value is (said[0] == "infer")
    over = f", which {program} prefers to `{said[1]}`" if len(said) > 1 else ""
    return Availability("models", is_listed, f"`{said[0]}`{over}")
