"""The tools that a `tool_call` line can name, their arguments, and which of them a node has.

No template decides about any of them.
Facts: "Tool schemas" in the document of the system, and
packages/daemon/src/runtime/{tool-call-parser,tool-protocols,runtime}.ts of Volpestyle/vuhlp-code at
d6c289510, read 2026-11-27.
"""

from dataclasses import dataclass
from enum import Enum

from agent_lsp.dialects.vuhlp import ORCHESTRATOR
from agent_lsp.model.runtime import Toolset, Verdict
from agent_lsp.model.schema import Tool
from agent_lsp.model.template import Reading


class Shape(Enum):
    """The JSON type of an argument."""

    STRING = "a string"
    BOOLEAN = "true or false"
    OBJECT = "an object"
    ARRAY = "an array"


@dataclass(frozen=True, slots=True)
class Argument:
    """A member of `args`, or of an object in it; `members` are those of an object.

    `each` are those of the objects in an array; `other` is a second name that the code accepts.
    """

    name: str
    shape: Shape
    meaning: str
    required: bool = False
    choices: tuple[str, ...] = ()
    members: "tuple[Argument, ...]" = ()
    each: "tuple[Argument, ...]" = ()
    other: str = ""


@dataclass(frozen=True, slots=True)
class ToolSchema:
    """A tool; `native` ones are for nodes whose provider has none of its own."""

    name: str
    meaning: str
    arguments: tuple[Argument, ...]
    native: bool = False


_STRING, _OBJECT = Shape.STRING, Shape.OBJECT
_PATH = Argument("path", _STRING, "a path in the repository", required=True)

TOOL_SCHEMAS = (
    ToolSchema(
        "spawn_node",
        "adds a node to the graph; the node needs `edgeManagement=all`",
        (
            Argument("label", _STRING, "how the node is called for people", required=True),
            Argument("alias", _STRING, "a name for the node, unique within the run"),
            Argument("roleTemplate", _STRING, "the role", required=True, other="role"),
            Argument("instructions", _STRING, "the task of the node"),
            Argument("input", _OBJECT, "more for the node"),
            Argument("provider", _STRING, "the program that runs the node"),
            Argument("capabilities", _OBJECT, "settings of the node such as `edgeManagement`"),
            Argument("permissions", _OBJECT, "settings such as `cliPermissionsMode`"),
            Argument("session", _OBJECT, "settings of the node's session"),
            Argument("customSystemPrompt", _STRING, "replaces the role's file"),
        ),
    ),
    ToolSchema(
        "create_edge",
        "connects two nodes; with `edgeManagement=self` the caller has to be one of them",
        (
            Argument("from", _STRING, "the id or the alias of a node", required=True),
            Argument("to", _STRING, "the id or the alias of a node", required=True),
            Argument("bidirectional", Shape.BOOLEAN, "both ways, which is the default"),
            Argument("type", _STRING, "`handoff` by default", choices=("handoff", "report")),
            Argument("label", _STRING, "`task` or `report` by default"),
        ),
    ),
    ToolSchema(
        "send_handoff",
        "sends a message along an edge; there has to be one",
        (
            Argument("to", _STRING, "the id or the alias of a node", required=True),
            Argument("message", _STRING, "the message", required=True),
            Argument("structured", _OBJECT, "data in addition to the message"),
            Argument(
                "artifacts",
                Shape.ARRAY,
                "what goes with it",
                each=(
                    Argument("type", _STRING, "what it is", required=True),
                    Argument("ref", _STRING, "where it is", required=True),
                ),
            ),
            Argument(
                "status",
                _OBJECT,
                "how it went",
                members=(
                    Argument("ok", Shape.BOOLEAN, "whether it went well", required=True),
                    Argument("reason", _STRING, "why"),
                ),
            ),
            Argument(
                "response",
                _OBJECT,
                "what answer is wanted",
                members=(
                    Argument(
                        "expectation",
                        _STRING,
                        "whether one is wanted",
                        required=True,
                        choices=("none", "optional", "required"),
                    ),
                    Argument("replyTo", _STRING, "the id or the alias of a node"),
                ),
            ),
            Argument("contextRef", _STRING, "a reference to context"),
        ),
    ),
    ToolSchema(
        "command",
        "runs a command",
        (
            Argument("cmd", _STRING, "the command", required=True),
            Argument("cwd", _STRING, "where"),
        ),
        native=True,
    ),
    ToolSchema("read_file", "reads a file", (_PATH,), native=True),
    ToolSchema(
        "write_file",
        "writes a file",
        (_PATH, Argument("content", _STRING, "the new content", required=True)),
        native=True,
    ),
    ToolSchema(
        "list_files",
        "lists files",
        (Argument("path", _STRING, "a path in the repository"),),
        native=True,
    ),
    ToolSchema("delete_file", "deletes a file", (_PATH,), native=True),
)

# Tools that need edge management.
MANAGING = ("spawn_node", "create_edge")


def tool(name: str) -> ToolSchema | None:
    """The tool called `name`, or None."""
    return next((known for known in TOOL_SCHEMAS if known.name == name), None)


TOOLS = tuple(
    Tool(one.name, one.meaning, "for other providers" if one.native else "vuhlp only")
    for one in TOOL_SCHEMAS
)


def is_pattern(_entry: str) -> bool:
    """No entry is a pattern."""
    return False


def matches(entry: str, name: str) -> bool:
    """Whether an entry is the name of a tool."""
    return entry == name


def cannot_tell(_entry: str) -> bool:
    """All tools that a `tool_call` can name are known."""
    return False


def toolset(_reading: Reading, tools: tuple[str, ...], _depth: int) -> Toolset:
    """The toolset of a role without its node: edges depend on the node's settings."""
    return Toolset(tuple(map(_verdict, tools)), restricted=False)


def _verdict(tool: str) -> Verdict:
    if tool in MANAGING:
        reason = f"needs `edgeManagement`, which only the role name `{ORCHESTRATOR}` has by itself"
        return Verdict(tool, False, reason, certain=False)
    return Verdict(tool, True, "a template restricts no tools")
