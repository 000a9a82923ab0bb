"""The keys of an agent's header, for people and for the parser.

Facts: `markdownFrontMatter` in internal/agent/markdown.go of sageil/kodacode at aa5479acbe0f and
the document on agents, read 2026-11-27.
"""

from agent_lsp.decoders.yaml_v3 import Field, Plain, Slice, Struct
from agent_lsp.model.schema import Choice, Key, KeyRole, ValueKind

PRIMARY, SUBAGENT, ALL = "primary", "subagent", "all"
MODES = (
    Choice(PRIMARY, "people pick it; no agent can delegate to it"),
    Choice(SUBAGENT, "other agents delegate to it; the picker does not show it"),
    Choice(ALL, "people pick it, and other agents delegate to it"),
)

_PROVIDES = Key(
    "provides",
    ValueKind.RECORDS,
    "the kinds of results that the agent hands on",
    "the agent's result is of no kind",
    items=(
        Key("kind", ValueKind.TEXT, "what the result is called", "the entry has no effect"),
        Key("description", ValueKind.TEXT, "what the result is", "the result is not described"),
    ),
    record="markdownFrontMatter",
)
_CONSUMES = Key(
    "consumes",
    ValueKind.RECORDS,
    "the kinds of results that the agent wants from handoffs before it",
    "no result is handed to the agent",
    items=(
        Key("kind", ValueKind.TEXT, "what the result is called", "the entry has no effect"),
        Key(
            "required",
            ValueKind.BOOL,
            "whether a call without such a result is refused",
            "`false`: the agent starts without it",
            choices=(Choice("true", "refused"), Choice("false", "started all the same")),
        ),
        Key(
            "from",
            ValueKind.TEXT,
            "which results are used; any other word than `latest` is refused at the call",
            "`latest`",
            choices=(Choice("latest", "the latest results of that kind"),),
        ),
        Key("max_sources", ValueKind.NUMBER, "how many results at most", "1, as for any less"),
        Key(
            "missing",
            ValueKind.TEXT,
            "`reject` refuses a call without such a result, as `required` does",
            "`required` alone decides",
            choices=(Choice("reject", "a call without such a result is refused"),),
        ),
    ),
    record="markdownFrontMatter",
)

KEYS = (
    Key(
        "description",
        ValueKind.TEXT,
        "what the agent is for, as the picker and the catalog show it",
        "the agent's id",
        role=KeyRole.DESCRIPTION,
    ),
    Key(
        "model",
        ValueKind.TEXT,
        "the model that the agent runs on, as `provider/model`, cut at the first `/`",
        "the model of the session; for a delegated agent, the model of the turn that delegates",
        role=KeyRole.MODEL,
        example="openai/gpt-5-mini",
    ),
    Key(
        "mode",
        ValueKind.CHOICE,
        "where the agent may appear: in the picker, as a target of `delegate`, or both",
        f"`{PRIMARY}`: selectable, not delegatable",
        role=KeyRole.AVAILABILITY,
        choices=MODES,
        example=ALL,
    ),
    Key(
        "hidden",
        ValueKind.BOOL,
        "`true` removes the agent from the picker; it can still be delegated to",
        "`false`: the mode alone decides",
        role=KeyRole.AVAILABILITY,
        choices=(
            Choice("true", "the picker does not show it"),
            Choice("false", "the picker shows it if its mode allows"),
        ),
        example="true",
    ),
    Key(
        "AllowTools",
        ValueKind.LIST,
        "the only tools that the agent gets, by exact name; `mcp:*` is every MCP tool and "
        "`[]` is none",
        "every tool of the turn",
        role=KeyRole.ALLOW,
    ),
    Key(
        "DisallowedTools",
        ValueKind.LIST,
        "tools to remove, whatever `AllowTools` says, by exact name; `mcp:*` is every MCP tool",
        "nothing is removed",
        role=KeyRole.DENY,
    ),
    Key(
        "handoff",
        ValueKind.TABLE,
        "what kinds of results the agent hands on when it was delegated to, and which it wants "
        "from handoffs before it",
        "no contract: the result is of no kind, and nothing is handed to the agent",
        items=(_PROVIDES, _CONSUMES),
    ),
)

_PROVIDE = Struct(
    (Field("kind", "Kind", Plain.STRING), Field("description", "Description", Plain.STRING))
)
_CONSUME = Struct(
    (
        Field("kind", "Kind", Plain.STRING),
        Field("required", "Required", Plain.BOOL),
        Field("from", "From", Plain.STRING),
        Field("max_sources", "MaxSources", Plain.INT),
        Field("missing", "Missing", Plain.STRING),
    )
)
RECORD = Struct(
    (
        Field("description", "Description", Plain.STRING),
        Field("model", "Model", Plain.STRING),
        Field("mode", "Mode", Plain.STRING),
        Field("hidden", "Hidden", Plain.BOOL),
        Field("AllowTools", "AllowTools", Slice(Plain.STRING)),
        Field("DisallowedTools", "DisallowedTools", Slice(Plain.STRING)),
        Field(
            "handoff",
            "Handoff",
            Struct(
                (
                    Field("provides", "Provides", Slice(_PROVIDE)),
                    Field("consumes", "Consumes", Slice(_CONSUME)),
                )
            ),
        ),
    )
)

# Present in any form, null too, it fails the whole catalog.
FORBIDDEN = "fallback_models"
FORBIDDEN_TEXT = "agent fallback models are not supported"
