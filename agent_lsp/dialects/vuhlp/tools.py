"""The tools of vuhlp, which of them a node has, and the `tool_call` lines that name them."""

import json
import re
from enum import Enum

from agent_lsp.data_classes import dataclass
from agent_lsp.dialects.vuhlp import ORCHESTRATOR
from agent_lsp.dialects.vuhlp.preamble import within_quotes
from agent_lsp.model.availability import Mention
from agent_lsp.model.runtime import Toolset, Verdict
from agent_lsp.model.schema import Tool
from agent_lsp.model.template import Reading
from agent_lsp.patterns import regex
from agent_lsp.syntax import frontmatter, yaml
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Entry, Mapping, Node, Scalar, Style
from agent_lsp.text import Span


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


_WRAPPERS = ("tool_call", "toolCall")
_MARK = regex(r'"tool_?[cC]all"\s*:')
# Text in the syntax of a program, with other quotes or none, is an intended call.
_LOOSE = regex(r"^\s*\{\s*('?)tool_?[cC]all\1\s*:")
_QUOTE = regex(r'(?<!\\)"')
_BARE = regex(rf'"(?:tool|name)"\s*:\s*"\s*(?:{"|".join(one.name for one in TOOL_SCHEMAS)})\s*"')
_FORBIDDEN = regex(
    r"\b(?:never|not|avoid|cannot|wrong|bad|incorrect|invalid)\b|n['\u2019]t\b|[❌✗✘✖🚫⛔]",
    re.IGNORECASE,
)
# A line above that is only about what not to do; one that goes on may end with what to do.
_BAD_ABOVE = regex(
    r"[\W_]*(?:(?:an? |the )?(?:wrong|bad|incorrect|invalid|never|avoid|don['\u2019]t)\b"
    r"|(?:do|should|must) not\b"
    r"|(?:examples? of )?(?:what not to|mistakes?|anti-?patterns?)\b)[^.;!?]*",
    re.IGNORECASE,
)
_SIGNS_BAD = regex(r"\s*[-*>#\s]*[❌✗✘✖🚫⛔]")
_INSTEAD = regex(r"\b(?:but|instead|emit|rather|simply|just)\b", re.IGNORECASE)
_SHELL = regex(r"\b(?:echo|printf|cat)\b[^{]*\{")


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A line with a tool call.

    `span` is the JSON in it without the text around it; `value` what it says, None where it is no
    JSON; `inner` is the value of `tool_call` with its places, as far as it can be read; `fenced`
    says that it stands in code, `alone` that nothing else is on the line. A `bare` one has
    its members where `tool_call` belongs.
    """

    span: Span
    value: dict[str, object] | None
    inner: Mapping | None
    fenced: bool
    alone: bool
    echoed: bool
    bare: bool = False

    @property
    def name(self) -> Scalar | None:
        """The name of the tool."""
        return (text_of(self.inner, "tool") if self.bare else None) or text_of(self.inner, "name")

    @property
    def entry(self) -> Entry | None:
        """The arguments, under whichever key."""
        return get(self.inner, "args") or get(self.inner, "params")


def tool_calls(text: str) -> tuple[ToolCall, ...]:
    """The lines of `text` that call a tool or were meant to."""
    if "tool" not in text and '"name"' not in text:
        return ()
    fences = frontmatter.code_blocks(text)
    found, before, said = [], "", ""
    for row in frontmatter.lines(text):
        line = row.of(text)
        span = _call(row, line, is_begun=before.rstrip().endswith("{"))
        before = line
        bare = _bare(row, line) if span is None else None
        if span is None and bare is None:
            is_prose = line.strip() and not line.lstrip().startswith(("```", "~~~"))
            said = line if is_prose else said
            continue
        if _is_bad(said):
            continue
        fenced = any(fence.start <= row.start < fence.end for fence in fences)
        if bare is not None and not fenced:
            found.append(bare)
        elif span is not None and not _is_spoken_of(row, span, text):
            fenced = fenced or _is_inline(span, text)
            # In code it is an example, whatever it is an item of.
            alone = fenced or span.of(text) == line.strip()
            echoed = _SHELL.search(line) is not None
            found.append(ToolCall(span, *_parsed(span, text), fenced, alone, echoed))
    return tuple(found)


def role_of(call: ToolCall) -> Scalar | None:
    """The role that a call spawns a node with."""
    if call.name is None or call.name.value != "spawn_node":
        return None
    held = call.entry.value if call.entry else None
    return text_of(held, "roleTemplate") or text_of(held, "role")


def get(node: Node | None, name: str) -> Entry | None:
    """The member `name` of an object."""
    return node.get(name) if isinstance(node, Mapping) else None


def text_of(node: Node | None, name: str) -> Scalar | None:
    """The text that the member `name` of an object is."""
    entry = get(node, name)
    value = entry.value if entry else None
    return value if isinstance(value, Scalar) and value.style is Style.DOUBLE else None


def _call(row: Span, line: str, *, is_begun: bool) -> Span | None:
    """The call on a line, as far as it stands there; `is_begun` if the line above opens it."""
    mark = _MARK.search(line) or _LOOSE.search(line)
    if mark is None:
        return None
    if line.lstrip().startswith("{"):
        start = len(line) - len(line.lstrip())
    else:
        start = line.rfind("{", 0, mark.start())
    if start < 0:
        is_first = is_begun and not line[: mark.start()].strip()
        return Span(row.start + mark.start(), row.start + len(line.rstrip())) if is_first else None
    end = line.rfind("}") + 1
    return Span(row.start + start, row.start + (end if end > start else len(line.rstrip())))


def _is_spoken_of(row: Span, span: Span, text: str) -> bool:
    """Whether a line only speaks of a call: in inline code among words, or to forbid it."""
    before, after = text[row.start : span.start], text[span.end : row.end]
    has_words = bool(before.strip("` \t-*>") or after.strip("` \t"))
    return (_is_inline(span, text) and has_words) or _FORBIDDEN.search(before) is not None


def are_several(source: str) -> bool:
    """Whether more than one call stands in `source`, each by itself."""
    try:
        _, end = json.JSONDecoder().raw_decode(source)
    except (ValueError, RecursionError):
        return False
    return _MARK.search(source, end) is not None


def json_of(source: str) -> object:
    """The JSON value of a text, or None if it is not JSON."""
    try:
        return json.loads(source)
    except (ValueError, RecursionError):
        return None


def _is_inline(span: Span, text: str) -> bool:
    return text[max(0, span.start - 1) : span.start] == text[span.end : span.end + 1] == "`"


def _is_bad(said: str) -> bool:
    """Whether the line of words above shows that what follows is not to be done."""
    is_title = said.rstrip(" \t*_`").endswith(":") or said.lstrip().startswith("#")
    is_title = is_title or said.strip().startswith("**")
    if not is_title:
        return _SIGNS_BAD.match(said) is not None
    is_about = _BAD_ABOVE.fullmatch(said.rstrip()) is not None and not _INSTEAD.search(said)
    return is_about or _SIGNS_BAD.match(said) is not None


def _bare(row: Span, line: str) -> ToolCall | None:
    """The call on a line that is the object which belongs under `tool_call`."""
    source = line.strip()
    if not source.startswith("{") or not _BARE.search(source):
        return None
    value = json_of(source)
    if not isinstance(value, dict) or not any(
        isinstance(value.get(name), dict) for name in ("args", "params")
    ):
        return None
    start = row.start + line.index("{")
    span = Span(start, start + len(source))
    inner = yaml.parse(source, start).root
    if not isinstance(inner, Mapping):
        return None
    call = ToolCall(span, value, inner, False, True, False, bare=True)
    # A list of names or an example of data may have a tool's name somewhere inside.
    names = {one.name for one in TOOL_SCHEMAS}
    return call if call.name is not None and call.name.value.strip() in names else None


def _parsed(span: Span, text: str) -> tuple[dict[str, object] | None, Mapping | None]:
    """The JSON of a line, and the inner object with its places.

    JSON is YAML, whose reader has the places and also reads what is half typed; only a text that
    is still open has to be closed, one character behind the end.
    """
    line = span.of(text)
    is_open = len(_QUOTE.findall(line)) % 2 == 1
    root = yaml.parse(line + '"' * is_open, span.start).root
    entry = get(root, _WRAPPERS[0]) or get(root, _WRAPPERS[1])
    inner = entry.value if entry else None
    value = json_of(line)
    is_call = isinstance(value, dict) and any(
        isinstance(value.get(wrapper), dict) for wrapper in _WRAPPERS
    )
    said = value if isinstance(value, dict) and is_call else None
    return said, inner if isinstance(inner, Mapping) else None


def mentions(document: Document) -> tuple[Mention, ...]:
    """The roles that nodes are spawned with, in the order of the text."""
    found = []
    for call in tool_calls(document.text):
        role = role_of(call)
        span = within_quotes(role) if role is not None else None
        # A name with escapes is not written as it is called.
        if role is not None and span is not None and span.of(document.text) == role.value:
            found.append(Mention(role.value, span, is_call=True))
    return tuple(found)
