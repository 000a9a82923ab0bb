"""The blocks that a prompt of vuhlp is built of, each a text of its own.

Invariant: equal blocks have equal hashes, whenever and wherever they are made.

Facts: "Prompt architecture" and "Prompt logging requirements" in the document of the system, and
packages/daemon/src/runtime/prompt-builder.ts of Volpestyle/vuhlp-code at d6c289510, read
2026-11-27. What is not verbatim is said here in other words.
"""

from dataclasses import dataclass

from agent_lsp.dialects.answers import Origin
from agent_lsp.dialects.vuhlp.facts import IMPLEMENTATION, PLANNING

SEPARATOR = "\n\n"
LAYERS = ("system", "role", "mode", "task", "override")


@dataclass(frozen=True, slots=True)
class PromptBlock:
    """One layer; `verbatim` False means that the text is ours and stands for the runtime's."""

    name: str
    text: str
    verbatim: bool
    origin: Origin

    @property
    def is_blank(self) -> bool:
        """Whether the runtime leaves the block out."""
        return not self.text.strip()


SYSTEM = """\
(in our words) You are a node in a graph of agents, and work flows along its edges: think of the
graph first, not of a single conversation.
Everything you do has to be visible: log what you decide, what you run and what you change.
In planning mode nothing but documents may change; code changes wait for implementation mode.
Do not go around in circles: when nothing new comes of a step, stop and report that you are stuck.
Tools of vuhlp are called with one line of JSON each, `{"tool_call": …}`, and nothing else on it."""

_MODES = {
    PLANNING: """\
(in our words) Mode: PLANNING. The repository is there to be read.
Only files below docs/ may be written.
If code has to change, ask for implementation mode.""",
    IMPLEMENTATION: """\
(in our words) Mode: IMPLEMENTATION. Code may be changed, and documents as well.
Run tests or other checks where they fit.""",
}


def system() -> PromptBlock:
    """The first layer: what the whole system expects."""
    return PromptBlock("system", SYSTEM, False, Origin("the runtime"))


def mode(name: str) -> PromptBlock:
    """The third layer: what the mode allows."""
    return PromptBlock("mode", _MODES[name], False, Origin("the mode of the run"))


def joined(blocks: tuple[PromptBlock, ...]) -> str:
    """The prompt that `blocks` make."""
    return SEPARATOR.join(block.text for block in blocks if not block.is_blank)


def delta(blocks: tuple[PromptBlock, ...]) -> str:
    """What a node that goes on with its session is sent: only the mode and the task."""
    return joined(tuple(block for block in blocks if block.name in ("mode", "task")))


def digest(text: str) -> str:
    """The hash by which a repeated prompt is recognised."""
    from hashlib import sha256  # noqa: PLC0415 - seldom, and not to start

    return sha256(text.encode(errors="surrogatepass")).hexdigest()
