"""The tables of `opencode`: keys, tools, permissions, built-in agents, call parameters and notes.

Facts: OpenCode 1.18.33 (npm `opencode-ai`), measured 2026-11-28 (`tests/conformance`), with what
its program text and the pages opencode.ai/v1/docs, agents and permissions, say beside it, read on
the same day.
"""

from agent_lsp.data_classes import replace
from agent_lsp.model.schema import (
    Choice,
    IfWrong,
    Key,
    KeyRole,
    Parameter,
    Source,
    Tool,
    ValueKind,
    with_consequence,
)

MEASURED = "1.18.33"
SOURCE = Source(f"opencode-ai {MEASURED}, measured", "2026-11-28")
PACKAGES = (
    "node_modules/opencode-ai/package.json",
    "~/.npm-global/lib/node_modules/opencode-ai/package.json",
    "/usr/local/lib/node_modules/opencode-ai/package.json",
    "/usr/lib/node_modules/opencode-ai/package.json",
)

# How deep sub-agents may be nested: a key of the configuration of a project.
DEPTH = "subagent_depth"
# The agent with which a session begins.
DEFAULT_AGENT = "default_agent"
FIRST, SECOND = "1", "2"
GENERATIONS = (
    Choice(FIRST, "OpenCode 1, npm `opencode-ai`"),
    Choice(SECOND, "OpenCode 2, since autumn 2026"),
)
SUBAGENT, PRIMARY, ALL = "subagent", "primary", "all"
MODES = (SUBAGENT, PRIMARY, ALL)
ALLOW, ASK, DENY = "allow", "ask", "deny"
ACTIONS = (ASK, ALLOW, DENY)
# Every name, and every use.
EVERY = "*"
COLORS = ("primary", "secondary", "accent", "success", "warning", "error", "info")
# The names that the schema of `permission` knows, in its order. Any other name is taken as well.
PERMISSIONS = (
    *("read", "edit", "glob", "grep", "list", "bash", "task", "external_directory", "todowrite"),
    *("question", "webfetch", "websearch", "lsp", "doom_loop", "skill"),
)
# Those that take an action and no patterns.
ACTION_ONLY = frozenset({"todowrite", "question", "webfetch", "websearch", "doom_loop"})
EDITING = frozenset({"edit", "write", "apply_patch"})
# What the older `tools` means by each of these.
AS_EDIT = frozenset({"edit", "write", "patch"})
# Both are taken from a sub-agent unless a rule of it has exactly this name.
WITHHELD_FROM_SUBAGENTS = frozenset({"todowrite", "task"})

STOPS = "OpenCode does not start in this project"
LOST = (
    "the whole file becomes the prompt, the agent gets every tool, and all of its settings are "
    "lost, `permission` too"
)
SKIPPED = "OpenCode silently skips the file"
# Case c528 of `tests/conformance/opencode.jsonl`, in both generations.
ALWAYS_PRIMARY = "a file in a folder of modes is always a primary agent"
UNDESCRIBED = "This subagent should only be called manually by the user."

_ACTIONS = (
    Choice(ALLOW, "without a question"),
    Choice(ASK, "after a person has agreed; a session without a terminal refuses it"),
    Choice(DENY, "never; a tool that is denied for everything is not offered"),
)
_PATTERNS = {
    "read": "reading files, by their paths",
    "edit": "`edit`, `write` and `apply_patch`, by the paths of files",
    "glob": "finding files, by the patterns that it looks for",
    "grep": "searching files, by the expressions that it looks for",
    "list": "nothing: there is no longer such a tool",
    "bash": "shell commands, by their text: `git *` is `git` with any arguments or none",
    "task": "starting sub-agents, by their names; a denied one is not listed either",
    "external_directory": "paths outside of the project",
    "todowrite": "the list of tasks",
    "question": "asking the user",
    "webfetch": "getting pages",
    "websearch": "searching the web",
    "lsp": "asking a language server",
    "doom_loop": "three equal calls in a row",
    "skill": "loading skills, by their names",
}
_UNRULED = "the project's rules, else the program's"
# Patterns that people write, our choice. `*` stands for any characters, also for `/`.
_OF_PATHS = {"*": "every path", "*.md": "files in Markdown", "*.env": "files with secrets"}
_USES = {
    "read": _OF_PATHS,
    "edit": {**_OF_PATHS, "docs/*": "all below a folder"},
    "glob": {"*": "every pattern"},
    "grep": {"*": "every expression"},
    "bash": {
        "*": "every command",
        "git *": "`git`, with any arguments or none",
        "git push *": "one command of a program",
        "npm test *": "the tests",
        "rm *": "`rm`, with any arguments",
    },
    "task": {"*": "every agent"},
    "external_directory": {
        "*": "every path outside",
        "~/*": "the home folder",
        "/var/log/*": "all below a folder",
    },
    "lsp": {"*": "every question"},
    "skill": {"*": "every skill"},
}


def _rule(name: str, meaning: str) -> Key:
    """A key that takes an action."""
    return Key(name, ValueKind.CHOICE, meaning, _UNRULED, nullable=False, choices=_ACTIONS)


# What becomes of a name that is not listed.
RULE = "a rule for each tool with such a name, in which `*` and `?` stand for any characters"
_ANY = _rule("", RULE)
_USE = _rule("", "a rule for each use that matches, in which `*` and `?` stand for any characters")
# What the names below a permission are the names of.
_NAMING = {"task": KeyRole.OTHER_AGENT, "skill": KeyRole.SKILL}
PERMISSION_KEYS = (
    _rule(EVERY, "everything: write it first"),
    *(
        replace(
            _rule(name, meaning),
            role=_NAMING.get(name),
            items=tuple(_rule(*use) for use in _USES.get(name, {}).items()),
            others=_USE if name in _USES else None,
            example=ASK,
        )
        for name, meaning in _PATTERNS.items()
    ),
)

_FILES, _SHELL, _WEB, _AGENTS, _SESSION = "files", "shell", "web", "agents", "session"
_NOT_GPT = "the model is no `gpt-…`, which gets `apply_patch`"
_SHELL_ONLY = "the client is a terminal, a desktop or an app"
TOOLS = (
    Tool("bash", "runs a command in a shell", _SHELL),
    Tool("read", "reads a file", _FILES),
    Tool("glob", "finds files by a pattern", _FILES),
    Tool("grep", "searches files", _FILES),
    Tool("edit", "replaces text in a file", _FILES, _NOT_GPT),
    Tool("write", "writes a whole file", _FILES, _NOT_GPT),
    Tool("apply_patch", "changes files by a patch", _FILES, "the model is a `gpt-…` since 5"),
    Tool("task", "starts a sub-agent", _AGENTS),
    Tool("webfetch", "gets a page", _WEB),
    Tool(
        "websearch", "searches the web", _WEB, "the provider is `opencode`, or a variable allows it"
    ),
    Tool("todowrite", "keeps a list of tasks", _SESSION),
    Tool("skill", "loads a skill", _SESSION),
    Tool("question", "asks the user", _SESSION, _SHELL_ONLY),
    Tool(
        "lsp",
        "asks a language server",
        _SESSION,
        "`OPENCODE_EXPERIMENTAL_LSP_TOOL` is set",
    ),
    Tool(
        "plan_exit",
        "ends the planning",
        _SESSION,
        "`OPENCODE_EXPERIMENTAL_PLAN_MODE` is set",
    ),
    Tool(
        "execute",
        "runs code that calls tools",
        _SESSION,
        "`OPENCODE_EXPERIMENTAL_CODE_MODE` is set",
    ),
)


def _switch(name: str, meaning: str) -> Key:
    """A key that allows or denies a tool."""
    return Key(name, ValueKind.BOOL, meaning, "allowed", nullable=False)


_OLDER_TOOLS = (
    _switch(EVERY, "every tool: write it first"),
    *(_switch(tool.name, tool.meaning) for tool in TOOLS if tool.name != "apply_patch"),
)

KEYS = (
    Key(
        "description",
        ValueKind.TEXT,
        "what the agent is for; the model that may start it gets it word for word",
        f"listed as `{UNDESCRIBED}`",
        role=KeyRole.DESCRIPTION,
        nullable=False,
        example="Reviews a change for mistakes.",
    ),
    Key(
        "mode",
        ValueKind.CHOICE,
        "who starts it",
        "`all`",
        role=KeyRole.MODE,
        nullable=False,
        choices=(
            Choice(SUBAGENT, "other agents, with `task`, or people with `@`"),
            Choice(PRIMARY, "people; it is not offered to `task`, and a call by its name works"),
            Choice(ALL, "both"),
        ),
    ),
    Key(
        "model",
        ValueKind.TEXT,
        "the model as `provider/model`; without a `/` each use fails",
        "the model of the caller",
        role=KeyRole.MODEL,
        nullable=False,
        example="anthropic/claude-sonnet-4-5",
    ),
    Key(
        "variant",
        ValueKind.TEXT,
        "a variant of the model; it applies only with a `model` that has it",
        "none",
        nullable=False,
    ),
    Key(
        "temperature",
        ValueKind.NUMBER,
        "a number that is sent unchanged",
        "the model's",
        nullable=False,
        has_fraction=True,
    ),
    Key(
        "top_p",
        ValueKind.NUMBER,
        "a number that is sent unchanged",
        "none",
        nullable=False,
        has_fraction=True,
    ),
    Key(
        "steps",
        ValueKind.NUMBER,
        "the number of the request from which the agent is asked to finish",
        "no limit",
        nullable=False,
    ),
    Key(
        "permission",
        ValueKind.TABLE,
        "what the agent may do, rule by rule: the last one that matches decides",
        _UNRULED,
        # The names below it may be those of tools of servers.
        role=KeyRole.SERVER,
        nullable=False,
        choices=_ACTIONS,
        items=PERMISSION_KEYS,
        others=_ANY,
    ),
    Key(
        "tools",
        ValueKind.TABLE,
        "names of tools with `true` or `false`; deprecated, because `permission` can do the same",
        "every tool",
        nullable=False,
        items=_OLDER_TOOLS,
        others=_switch(
            "", "every tool with such a name, in which `*` and `?` stand for any characters"
        ),
    ),
    Key("hidden", ValueKind.BOOL, "hides the agent from `@`; a model still sees it", "`false`"),
    Key("disable", ValueKind.BOOL, "disables the agent", "`false`", nullable=False),
    Key(
        "color",
        ValueKind.TEXT,
        "`#rrggbb` in quotes, or a colour of the theme",
        "one is chosen",
        nullable=False,
        choices=tuple(Choice(name, "a colour of the theme") for name in COLORS),
        example='"#ff8800"',
    ),
    Key("options", ValueKind.TABLE, "options of the model", "none", nullable=False),
    Key(
        "maxSteps",
        ValueKind.NUMBER,
        "the older name of `steps`, which overrides it",
        "no limit",
        nullable=False,
    ),
    Key(
        "name",
        ValueKind.TEXT,
        "the name by which the agent is called",
        "the path of the file below the folder of agents",
        role=KeyRole.AGENT,
        if_wrong=IfWrong.LIST_FAILS,
    ),
    Key(
        "prompt",
        ValueKind.TEXT,
        "nothing in a Markdown file, whose body is the prompt",
        "the body",
        no_effect="the body of the file is the prompt, also an empty one",
        if_wrong=IfWrong.IGNORED,
    ),
)
_PROMPT = next(key for key in KEYS if key.name == "prompt")
# A table has no body, and its key is the name of the agent.
_IN_TABLE = {
    "prompt": replace(
        _PROMPT,
        role=KeyRole.PROMPT,
        meaning="the prompt; `{file:…}` is the text of a file",
        default="the default prompt of the provider",
        if_wrong=None,
        no_effect="",
    ),
    "name": Key(
        "name",
        ValueKind.TEXT,
        "the name that models see; a call finds the agent by the key of its table alone",
        "the key of its table",
        if_wrong=IfWrong.LIST_FAILS,
        no_effect="the key of its table is the name by which an agent is called",
    ),
}
TABLE_KEYS = tuple(_IN_TABLE.get(key.name, key) for key in KEYS)
# What the first generation reads of an agent in the table of the second one.
_OF_NEWER = ("description", "mode", "model", "hidden", "color", "steps")
NEWER_KEYS = with_consequence(
    (
        *(key for key in TABLE_KEYS if key.name in _OF_NEWER),
        Key("disabled", ValueKind.BOOL, "disables the agent", "`false`"),
        Key("system", ValueKind.TEXT, "the prompt", "the default prompt of the provider"),
    ),
    IfWrong.LEFT_OUT,
)
# An agent of the older table is always a primary one.
OLDER_KEYS = tuple(key for key in TABLE_KEYS if key.name != "mode")
FILE_KEYS = (
    Key(
        "mode",
        ValueKind.TABLE,
        "primary agents by their names, in the older form, which overrides `agent`",
        "none",
        items=OLDER_KEYS,
        is_named=True,
    ),
    Key(
        "agents",
        ValueKind.TABLE,
        "agents of OpenCode 2 by their names; OpenCode 1 reads some of their keys, and no rules",
        "none",
        items=NEWER_KEYS,
        is_named=True,
        if_wrong=IfWrong.IGNORED,
    ),
    Key("agent", ValueKind.TABLE, "agents by their names", "none", items=TABLE_KEYS, is_named=True),
    Key(
        "permission",
        ValueKind.TABLE,
        "rules for every agent, before its own",
        "none",
        role=KeyRole.SERVER,
        choices=_ACTIONS,
        items=PERMISSION_KEYS,
        others=_ANY,
    ),
    Key(DEPTH, ValueKind.NUMBER, "how deep sub-agents may be nested", "1"),
    Key(
        DEFAULT_AGENT,
        ValueKind.TEXT,
        "the agent that gets each message for which a person chooses none",
        "`build`",
        role=KeyRole.OTHER_AGENT,
    ),
)
SECOND_KEYS = (
    *(replace(key, if_wrong=IfWrong.IGNORED if key.if_wrong else None) for key in KEYS),
    Key("permissions", ValueKind.RECORDS, "rules, the last one that matches decides", "none: ask"),
    Key("disabled", ValueKind.BOOL, "disables the agent", "`false`"),
    *with_consequence(
        (
            Key("request", ValueKind.TABLE, "headers and body of each request", "none"),
            Key("system", ValueKind.TEXT, "nothing in a Markdown file", "the body"),
        ),
        IfWrong.IGNORED,
    ),
)
# The second generation drops a whole file for a value of any agent in it.
SECOND_FILE_KEYS = tuple(
    replace(key, items=tuple(replace(one, if_wrong=None) for one in key.items)) for key in FILE_KEYS
)
OWN = frozenset(key.name for key in KEYS)

# Tools of older versions, and what took their place.
RETIRED = {
    "list": "read",
    "ls": "read",
    "todoread": "todowrite",
    "multiedit": "edit",
    "patch": "edit",
    "codesearch": "websearch",
}

# What begins the name of a setting that is an option of the model.
OPTION = "options."
# How options are called in a request in OpenAI's form, and those that it does not have.
SENT_AS = {"reasoningEffort": "reasoning_effort", "textVerbosity": "verbosity"}
UNSENT = frozenset(
    (
        *("stream", "stream_options", "tools", "tool_choice", "messages", "strictJsonSchema"),
        *SENT_AS.values(),
    )
)
# What becomes of a key that the program does not know.
SENT = "it is sent to the model as an option"
BUILT_IN = {
    "build": (PRIMARY, "the default agent"),
    "plan": (PRIMARY, "plans, and edits nothing but its plan"),
    "general": (
        SUBAGENT,
        "General-purpose agent for researching complex questions and executing multi-step tasks",
    ),
    "explore": (SUBAGENT, "searches and reads, and changes nothing"),
    "compaction": (PRIMARY, "shortens a long session"),
    "title": (PRIMARY, "names a session"),
    "summary": (PRIMARY, "summarizes a session"),
}
HIDDEN = frozenset({"compaction", "title", "summary"})

# The rules of the built-in agents that a file may change, behind those of all agents.
# Each a permission, a pattern and an action. The plans of `plan` also lie in the user's folder of
# data, for which there is one more rule like the last one. The name `task` gives it that tool.
BUILT_IN_RULES = {
    "build": (("question", EVERY, ALLOW), ("plan_enter", EVERY, ALLOW)),
    "plan": (
        ("question", EVERY, ALLOW),
        ("plan_exit", EVERY, ALLOW),
        ("task", "general", DENY),
        ("edit", EVERY, DENY),
        ("edit", ".opencode/plans/*.md", ALLOW),
    ),
    "general": (("todowrite", EVERY, DENY),),
    "explore": (
        (EVERY, EVERY, DENY),
        *(
            (name, EVERY, ALLOW)
            for name in ("grep", "glob", "list", "bash", "webfetch", "websearch", "read")
        ),
        ("external_directory", EVERY, ASK),
    ),
    **dict.fromkeys(("compaction", "title", "summary"), ((EVERY, EVERY, DENY),)),
}

_NAME = Parameter("subagent_type", str, "the agent, by its name", role=KeyRole.AGENT)
LIST_PARAMETERS = (Parameter("name", str, "only the agent of this name", role=KeyRole.AGENT),)
SPAWN_PARAMETERS = (
    Parameter("description", str, "what the task is, in a few words", content=True),
    Parameter("prompt", str, "the task, the agent's first message", content=True),
    _NAME,
    Parameter("task_id", str, "the session of an earlier call to continue", content=True),
    Parameter("command", str, "the command that led to the call", content=True),
)

NOTES = {
    "project": (
        "the outermost `.opencode` wins, and the home folder wins over the project: settings of "
        "several files of one name are merged key by key"
    ),
    "steps": (
        "from this request on, the model gets the message that it has reached the maximum; its "
        "tools are still sent"
    ),
    "permission": (
        "the order matters: write the general rule first. A name is the whole name of a tool, with "
        "`*` and `?`, and case matters"
    ),
    "tools": "its rules come before those of `permission`; `write` and `patch` mean `edit`",
}
