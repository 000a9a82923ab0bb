"""What the planted system's files may hold, and what its programs do with them."""

from collections.abc import Iterator
from pathlib import Path

from agent_lsp.analysis.checks import OF_FILES, OF_HEADERS
from agent_lsp.analysis.checks.values import WRONG_KIND
from agent_lsp.data_classes import replace
from agent_lsp.model.dialect import (
    Calls,
    Dialect,
    FileFormat,
    Findings,
    Models,
    Names,
    Notation,
    Reader,
    Schema,
    Tools,
    Variants,
)
from agent_lsp.model.runtime import (
    Call,
    Candidate,
    Catalog,
    ChainStep,
    DefinedName,
    Origin,
    PromptPart,
    ResolvedSetting,
    RuntimeRefusal,
    Scope,
    Spawn,
    Toolset,
    Verdict,
)
from agent_lsp.model.schema import (
    Choice,
    Consequence,
    IfWrong,
    Key,
    KeyRole,
    Model,
    Parameter,
    RefusedFile,
    Severity,
    Source,
    Tool,
    ValueKind,
    When,
    dotted,
    every,
    place_at,
)
from agent_lsp.model.template import Block, LoadError, LoadErrorKind, Reading, Template, Value
from agent_lsp.syntax import frontmatter, json, toml
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.nodes import Mapping, Node, Scalar, Sequence, resolve
from agent_lsp.text import Span
from tests.planted import CONFIG, SYSTEMS, TOML_CONFIG

SOURCE = Source("nowhere", "2026-11-28")
_LOCAL = When("kind", ("local",), default="local")
_REMOTE = When("kind", ("remote",), default="local")
_RUN, _ASK = When("type", ("run",), default="run"), When("type", ("ask",), default="run")
_HOOK = (
    Key("on", ValueKind.CHOICE, "when it runs", "never", choices=(Choice("start", "at first"),)),
    Key(
        "do",
        ValueKind.RECORDS,
        "what it does",
        "nothing",
        items=(
            Key(
                "type",
                ValueKind.CHOICE,
                "the kind of step",
                "`run`",
                choices=(Choice("run", "runs a command"), Choice("ask", "asks a person")),
            ),
            Key("command", ValueKind.TEXT, "what is run", "nothing", when=When("type", ("run",))),
            Key(
                "question", ValueKind.TEXT, "what is asked", "nothing", when=When("type", ("ask",))
            ),
        ),
    ),
)
KEYS = (
    Key(
        "description",
        ValueKind.TEXT,
        "what the agent is for",
        "nobody can choose it",
        role=KeyRole.DESCRIPTION,
        required_by="the runtime",
    ),
    Key(
        "kind",
        ValueKind.CHOICE,
        "where the agent runs",
        "`local`",
        choices=(Choice("local", "here"), Choice("remote", "on a server")),
    ),
    Key("model", ValueKind.TEXT, "its model", "`small`", role=KeyRole.MODEL, when=_LOCAL),
    Key(
        "tools",
        ValueKind.LIST,
        "the only tools that it has",
        "every tool",
        role=KeyRole.ALLOW,
        when=_LOCAL,
        if_wrong=IfWrong.EVERYTHING,
    ),
    Key("url", ValueKind.TEXT, "its server", "no server", when=_REMOTE),
    Key(
        "limits",
        ValueKind.TABLE,
        "what it may use",
        "no limits",
        items=(
            Key("steps", ValueKind.NUMBER, "steps", "10", if_wrong=IfWrong.IGNORED),
            Key("seconds", ValueKind.NUMBER, "seconds", "60", if_wrong=IfWrong.CALL_FAILS),
        ),
    ),
    Key("hooks", ValueKind.RECORDS, "what runs beside it", "nothing", items=_HOOK),
    Key("after", ValueKind.TEXT, "the next agent", "none", role=KeyRole.OTHER_AGENT),
    Key("badge", ValueKind.TEXT, "a sign", "none", no_effect="no version shows it"),
)
_AGENTS = Key(
    "agents",
    ValueKind.TABLE,
    "the agents",
    "none",
    is_named=True,
    items=KEYS,
    if_wrong=IfWrong.IGNORED,
)
# The other program has no hooks.
_OF_WINDOW = tuple(key for key in KEYS if key.name != "hooks")
NAMED = tuple(key for key in every(KEYS) if key.name in ("steps", "seconds"))
# The keys by the names that settings have.
SETTINGS = (*KEYS, *(replace(key, name=f"limits.{key.name}") for key in NAMED))

_NOTHING = Template({}, (), (Block(None, "", Span(0, 0)),))


def split(text: str, bom: bool) -> frontmatter.Frontmatter:
    """Splits a Markdown file at its lines `---`."""
    return frontmatter.split(text, lambda line: line.rstrip() == "---", bom=bom)


def read_file(document: Document, _name: str) -> Reading:
    """A Markdown file, which the runtime skips if its header is no mapping."""
    body = document.frontmatter.body
    written = _template(document.tree.root, Block(None, body.of(document.text).strip(), body))
    errors = tuple(_errors(document, document.tree.root))
    return Reading(written, _NOTHING if errors else written, errors)


def read_table(document: Document, name: str) -> Reading:
    """The table of one agent."""
    root = resolve(document.tree.root)
    for step in ("agents", name):
        entry = root.get(step) if isinstance(root, Mapping) else None
        root = resolve(entry.value) if entry is not None else None
    written = _template(root, Block(None, "", Span(0, 0)))
    errors = tuple(_errors(document, root))
    return Reading(written, _NOTHING if errors else written, errors)


def _errors(document: Document, table: Node | None) -> Iterator[LoadError]:
    if document.frontmatter.fence is not frontmatter.FenceKind.CLOSED:
        yield LoadError(LoadErrorKind.UNSEEN, Span(0, 0), "no header")
    elif document.tree.problem is not None:
        problem = document.tree.problem
        yield LoadError(LoadErrorKind.SYNTAX, problem.span, problem.message)
    yield from _wrong(KEYS, table)


def _wrong(keys: tuple[Key, ...], table: Node | None, above: str = "") -> Iterator[LoadError]:
    """The values for which an agent does not load; those of keys with `if_wrong` are no errors."""
    node = resolve(table)
    for entry in node.entries if isinstance(node, Mapping) else ():
        key = next((one for one in keys if one.name == entry.name), None)
        value, path = entry.node, f"{above}{entry.name}"
        if key is None or key.if_wrong is not None or value is None:
            continue
        if key.kind is ValueKind.CHOICE and isinstance(value, Scalar):
            if value.value not in [choice.name for choice in key.choices]:
                message, got = f"unknown {key.name}", value.value
                yield LoadError(LoadErrorKind.CHOICE, value.span, message, path, got=got)
        elif not isinstance(value, _SHAPES[key.kind]):
            yield LoadError(LoadErrorKind.TYPE, value.span, "wrong type", path)
        if isinstance(value, Mapping):
            yield from _wrong(key.items, value, f"{path}.")
        for number, item in enumerate(value.items if isinstance(value, Sequence) else ()):
            yield from _wrong(key.items, item, f"{path}[{number}].")


_SHAPES: dict[ValueKind, type[Node]] = {
    **dict.fromkeys((ValueKind.LIST, ValueKind.RECORDS), Sequence),
    **dict.fromkeys((ValueKind.TEXT, ValueKind.CHOICE), Scalar),
    ValueKind.TABLE: Mapping,
}


def _template(table: Node | None, prompt: Block) -> Template:
    keys = place_at(KEYS, table, ()).keys
    settings = {
        name: value
        for name, entry in dotted(keys, table)
        if any(key.name == name for key in SETTINGS)
        and (value := _value(resolve(entry.value), entry.key.span)) is not None
    }
    return Template(settings, (), (prompt,))


def _value(node: Node | None, key: Span) -> Value | None:
    if isinstance(node, Scalar):
        return Value(node.value, node.span, key)
    if isinstance(node, Sequence):
        items = (item for item in map(resolve, node.items) if isinstance(item, Scalar))
        return Value(tuple(Value(item.value, item.span) for item in items), node.span, key)
    return None


def stem(file_name: str) -> str | None:
    """The name of a Markdown file without its extension."""
    return file_name.removesuffix(".md") or None


def config_name(file_name: str) -> str | None:
    """A name for the file of tables, whose agents have others."""
    return "planted" if file_name in (CONFIG, TOML_CONFIG) else None


def names_in(document: Document, _scope: Scope, _path: Path) -> tuple[DefinedName, ...]:
    """The agents of a file of tables."""
    root = resolve(document.tree.root)
    entry = root.get("agents") if isinstance(root, Mapping) else None
    table = resolve(entry.value) if entry is not None else None
    entries = table.entries if isinstance(table, Mapping) else ()
    return tuple(DefinedName(one.name, one.key.span) for one in entries if one.name)


def toolset(reading: Reading, tools: tuple[str, ...], _depth: int) -> Toolset:
    """The tools that the agent names, or all of them."""
    allow = reading.effective.settings.get("tools")
    # A text means everything.
    names = {item.text for item in allow.items} if allow and not allow.text else set(tools)
    verdicts = tuple(Verdict(tool, tool in names, "`tools` decides") for tool in tools)
    return Toolset(verdicts, allow is not None)


def list_agents(catalog: Catalog, _call: Call) -> object | RuntimeRefusal:
    """The agents with their descriptions."""
    agents = [{"name": name, "description": _described(catalog, name)} for name in catalog.names]
    return {"agents": agents}


def _described(catalog: Catalog, name: str) -> str:
    winner = catalog.winner(name)
    settings = catalog.read(winner).effective.settings if winner is not None else {}
    return settings["description"].text if "description" in settings else ""


def spawn(catalog: Catalog, call: Call) -> Spawn | RuntimeRefusal:
    """The agent that the call names."""
    name = call.text("agent")
    winner = catalog.winner(name) if name is not None else None
    if name is None or winner is None:
        return RuntimeRefusal("no such agent")
    reading = catalog.read(winner)
    prompt = reading.effective.default
    settings = tuple(
        _setting(key.name, reading.effective.settings.get(key.name), winner)
        for key in SETTINGS
        if key.role is KeyRole.MODEL or key.name.startswith("limits.")
    )
    origin = Origin("the file", prompt.path or winner.path, prompt.span)
    parts = (PromptPart("prompt", prompt.text, True, origin),)
    return Spawn(name, None, winner, settings, toolset(reading, call.tools, 1), parts, 1)


def _setting(name: str, value: Value | None, winner: Candidate) -> ResolvedSetting:
    text = value.text if value is not None else None
    origin = Origin("the runtime")
    if value is not None:
        origin = Origin("the agent", value.path or winner.path, value.span)
    return ResolvedSetting(name, text, origin, (ChainStep(origin, text, wins=True),))


_CONSEQUENCE = Consequence(
    header_refused="the runtime skips the file",
    header_absent="the runtime skips the file",
    file=RefusedFile.SKIPPED,
)


_GUIDE = Template(
    {"description": Value("Shows the way.", Span(0, 0))}, (), (Block(None, "Guide.", Span(0, 0)),)
)


def _window() -> Dialect:
    return replace(FILE, schema=replace(FILE.schema, keys=_OF_WINDOW))


FILE: Dialect = Dialect(
    system=SYSTEMS[1],
    source=SOURCE,
    format=FileFormat(consequence=_CONSEQUENCE, split=split, read=read_file),
    names=Names(name_of=stem, is_merged=True, own={"guide": _GUIDE}),
    schema=Schema(keys=KEYS, if_wrong=IfWrong.LOST),
    tools=Tools(
        listed=(Tool("read", "reads", "files"), Tool("write", "writes", "files")),
        globs=(),
        matches=str.__eq__,
        is_pattern=lambda _: False,
        cannot_tell=lambda _: False,
        toolset=toolset,
    ),
    models=Models(listed=(Model("small", ()), Model("large", ()))),
    calls=Calls(
        list_call="agents",
        list_parameters=(),
        list_agents=list_agents,
        spawn_call="start",
        spawn_parameters=(Parameter("agent", str, "the agent", role=KeyRole.AGENT),),
        spawn=spawn,
    ),
    variants=Variants(
        readers=(Reader("the terminal", lambda: FILE), Reader("the window", _window)),
        forms=lambda: (TABLE, TOML_TABLE, FILE),
    ),
    findings=Findings(
        checks=(*OF_FILES, *OF_HEADERS, WRONG_KIND),
        severities={
            "header-invalid": Severity.ERROR,
            "header-missing": Severity.ERROR,
            "wrong-type": Severity.ERROR,
            "invalid-value": Severity.ERROR,
            "unknown-key": Severity.WARNING,
            "missing-description": Severity.ERROR,
            "unknown-tool": Severity.WARNING,
            "no-effect": Severity.WARNING,
            "shadowed": Severity.INFORMATION,
        },
    ),
)
TABLE: Dialect = replace(
    FILE,
    system=SYSTEMS[0],
    format=FileFormat(
        consequence=Consequence(
            header_refused="Planted does not start",
            header_absent="the file has no agents",
            file=RefusedFile.CATALOG,
        ),
        split=frontmatter.whole,
        syntax=json.parse,
        notation=Notation.JSON,
        read=read_table,
    ),
    names=Names(name_of=config_name, names_in=names_in, is_merged=True, own={"guide": _GUIDE}),
    schema=Schema(
        keys=SETTINGS,
        if_wrong=IfWrong.STOPS,
        of_file=lambda _: (_AGENTS,),
        templates=(("agents",),),
    ),
    variants=Variants(forms=lambda: (TABLE, TOML_TABLE, FILE)),
)
TOML_TABLE: Dialect = replace(
    TABLE,
    system=SYSTEMS[2],
    format=replace(
        TABLE.format,
        syntax=toml.parse,
        notation=Notation.TOML,
        consequence=Consequence(
            header_refused="no agent of the file has settings",
            header_absent="the file has no agents",
        ),
    ),
    schema=replace(TABLE.schema, if_wrong=IfWrong.REFUSED),
)
