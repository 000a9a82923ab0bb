"""The tables of `moltis` beside keys and tools: models, built-in presets, places, calls, limits.

Facts: docs/src/agent-presets.md and crates/{config,tools,agents} of moltis-org/moltis at
33737298547866 (seed) and 6bd2d118 (today), read 2026-11-27.
"""

from agent_lsp.data_classes import dataclass, replace
from agent_lsp.model.schema import KeyRole, Model, Parameter, Source

SOURCE = Source("moltis-org/moltis 33737298547866, docs/src/agent-presets.md", "2026-11-27")

# The registry's raw ids; calls and presets may put a provider before them.
RAW_MODELS = (
    "claude-opus-4-5-20251101",
    "claude-sonnet-4-5-20250929",
    "claude-haiku-4-5-20251001",
    "claude-opus-4-1-20250805",
    "claude-opus-4-20250514",
    "claude-sonnet-4-20250514",
    "claude-3-7-sonnet-20250219",
    "claude-3-haiku-20240307",
    "gpt-4o",
    "gpt-4o-mini",
    "gpt-4-turbo",
    "o3",
    "o3-mini",
    "o4-mini",
    "gpt-5.2",
    "gpt-5.2-codex",
    "gpt-5.1-codex-max",
    "gpt-5.1-codex-mini",
    "mistral-large-latest",
    "codestral-latest",
    "kimi-k2.5",
)
# The document writes models so, and it says that they are ids.
DOCUMENT_MODELS = (
    "anthropic/claude-haiku-3-5-20241022",
    "anthropic/claude-sonnet-4-20250514",
)
_WITH_PROVIDER = (
    "the documentation of presets writes models like this; the code of that time uses ids without "
    "the provider"
)
_FAMILIES = {
    "claude": "anthropic",
    "gpt": "openai",
    "o3": "openai",
    "o4": "openai",
    "mistral": "mistral",
    "codestral": "mistral",
    "kimi": "moonshot",
}


def qualified(model: str, mark: str) -> str:
    """A raw id with the provider that it comes from; `mark` is `/` or `::`."""
    family = next((name for name in _FAMILIES if model.startswith(name)), None)
    return model if family is None else f"{_FAMILIES[family]}{mark}{model}"


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """A preset that the current runtime brings along; it has neither a model nor a tool policy."""

    name: str
    iterations: int
    delegate_only: bool = False


BUILT_IN = (
    BuiltIn("research", 16),
    BuiltIn("coder", 25),
    BuiltIn("reviewer", 14),
    BuiltIn("qa", 16),
    BuiltIn("ux", 14),
    BuiltIn("docs", 14),
    BuiltIn("coordinator", 18, delegate_only=True),
)
DEFAULT_PRESET = "research"

ITERATIONS = 25
TIMEOUT = 600
DEEPEST = 3
TOO_DEEP = f"maximum sub-agent nesting depth ({DEEPEST}) exceeded"
NO_TASK = "missing required parameter: task"

SPAWN_PARAMETERS = (
    Parameter("task", str, "the task of the sub-agent", role=KeyRole.TASK),
    Parameter("context", str, "additional context"),
    Parameter("model", str, "the model, whatever the preset says", role=KeyRole.MODEL),
    Parameter("preset", str, "the preset to use", role=KeyRole.AGENT),
)
LIST_PARAMETERS = (Parameter("preset", str, "only the preset of this name", role=KeyRole.AGENT),)

# The current runtime writes a provider so; the raw ids resolve as well.
TODAY_MODELS = tuple(
    Model(name, ()) for name in (*(qualified(name, "::") for name in RAW_MODELS), *RAW_MODELS)
)
_OF_DOCUMENT = (*DOCUMENT_MODELS, *(qualified(name, "/") for name in RAW_MODELS))
MODELS = (
    *(
        Model(name, (), _WITH_PROVIDER, "SEED")
        for name in dict.fromkeys(_OF_DOCUMENT)
        if name not in RAW_MODELS
    ),
    *(replace(model, generation="TODAY") for model in TODAY_MODELS if "::" in model.name),
    *(Model(name, ()) for name in RAW_MODELS),
)

NOTES = {
    "user": (
        "a session that starts in a folder with a `moltis.toml` reads that one and nothing of this"
    ),
    "tools": "names are compared exactly when a sub-agent is spawned",
}
