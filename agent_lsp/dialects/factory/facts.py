"""The tables of `factory`: keys, tools and categories of tools.

Facts: docs.factory.ai/cli/configuration/custom-droids as of 2026-01-13, read 2026-11-28. An unknown
model or tool is an error there, and the file does not load.
"""

from agent_lsp.model.schema import IfWrong, Key, KeyRole, Model, Source, Tool, ValueKind

SOURCE = Source("docs.factory.ai, custom droids", "2026-11-28")
INHERIT, ALLOW = "inherit", "tools"
NO_NAME = "the header needs a `name` of lower-case letters, digits, `-` and `_`"
NO_PROMPT = "the droid needs a prompt below the header"

KEYS = (
    Key(
        "name",
        ValueKind.TEXT,
        "the name of the droid: lower-case letters, digits, `-` and `_`",
        "the file does not load",
        role=KeyRole.AGENT,
        required_by="the runtime",
        mandatory=True,
        if_wrong=IfWrong.LOST,
    ),
    Key(
        "description",
        ValueKind.TEXT,
        "what the droid is for; at most 500 characters",
        "Factory warns",
        role=KeyRole.DESCRIPTION,
    ),
    Key(
        "model",
        ValueKind.TEXT,
        "`inherit`, the id of a model, or `custom:` and a model of your own",
        "not documented",
        role=KeyRole.MODEL,
        example=INHERIT,
    ),
    Key(
        "reasoningEffort",
        ValueKind.TEXT,
        "how much the model thinks; ignored with `model: inherit`",
        "the model's",
        role=KeyRole.EFFORT,
        example="high",
    ),
    Key(
        ALLOW,
        ValueKind.LIST,
        "the only tools that the droid gets: a list of names, or one category as a string",
        "every tool",
        role=KeyRole.ALLOW,
    ),
)
TOOLS = (
    Tool("Read", "reads a file", "read-only"),
    Tool("LS", "lists a folder", "read-only"),
    Tool("Grep", "searches the contents of files", "read-only"),
    Tool("Glob", "finds files by patterns", "read-only"),
    Tool("Create", "writes a new file", "edit"),
    Tool("Edit", "changes a part of a file", "edit"),
    Tool("ApplyPatch", "changes files by a patch", "edit"),
    Tool("Execute", "runs a command", "execute"),
    Tool("WebSearch", "searches the web", "web"),
    Tool("FetchUrl", "fetches a page from the web", "web"),
)
NAMES = frozenset(tool.name for tool in TOOLS)
# The servers' tools are a category, too, and their names are not known.
MCP = "mcp"
CATEGORIES = frozenset({tool.group for tool in TOOLS} | {MCP})
MODELS = (Model(INHERIT, ()),)
