"""The tables of `qwen`: keys, words, models, call parameters and what else to know.

Facts: Qwen Code 0.24.4 (npm @qwen-code/qwen-code), measured headless against a stub, and read in
its bundle, which is not minified: subagents/{subagent-manager,validation,agent-frontmatter-schema}
and utils/modelId; 2026-11-28. Where its page features/sub-agents says otherwise, it is wrong.
"""

from agent_lsp.dialects.qwen.hooks import EVENTS
from agent_lsp.model.availability import Reach
from agent_lsp.model.schema import (
    Choice,
    IfWrong,
    Key,
    KeyRole,
    Model,
    Parameter,
    Renamed,
    Source,
    ValueKind,
)

SOURCE = Source("Qwen Code 0.24.4, measured", "2026-11-28")
MEASURED = "0.24.4"
# Where npm puts the program.
_PACKAGE = "node_modules/@qwen-code/qwen-code/package.json"
PACKAGES = (
    _PACKAGE,
    f"~/.npm-global/lib/{_PACKAGE}",
    f"/usr/local/lib/{_PACKAGE}",
    f"/usr/lib/{_PACKAGE}",
    f"/opt/homebrew/lib/{_PACKAGE}",
    f"~/AppData/Roaming/npm/{_PACKAGE}",
)

SKIPPED = "the runtime skips the file"
ALLOW, DENY = "tools", "disallowedTools"
LEAST_NAME, MOST_NAME, LEAST_PROMPT = 2, 50, 10
RESERVED = frozenset({"self", "system", "user", "model", "tool", "config", "default", "main"})

# In the order in which the runtime lists them when it refuses another one.
APPROVALS = (
    Choice("plan", "reads and plans, and changes nothing"),
    Choice("default", "asks before each action that needs a permission"),
    Choice("auto-edit", "edits files without asking"),
    Choice("auto", "lets a classifier decide when to ask"),
    Choice("yolo", "never asks"),
    Choice("bubble", "asks as `default` does, and passes the questions to the session"),
)
PERMISSIONS = (
    Choice("default", "`approvalMode: default`"),
    Choice("plan", "`approvalMode: plan`"),
    Choice("acceptEdits", "`approvalMode: auto-edit`"),
    Choice("auto", "`approvalMode: auto-edit`"),
    Choice("bypassPermissions", "`approvalMode: yolo`"),
    Choice("dontAsk", "`approvalMode: default`"),
)
AS_APPROVAL = {
    "default": "default",
    "plan": "plan",
    "acceptEdits": "auto-edit",
    "auto": "auto-edit",
    "bypassPermissions": "yolo",
    "dontAsk": "default",
}
COLORS = tuple(
    Choice(name, "the colour in which the agent is shown")
    for name in ("red", "blue", "green", "yellow", "purple", "orange", "pink", "cyan", "auto")
)
INHERIT, FAST = "inherit", "fast"
# The providers that may stand before a model's id and a colon.
PROVIDERS = ("openai", "openai-responses", "anthropic", "qwen-oauth", "gemini", "vertex-ai")
MODELS = (
    Model(INHERIT, ()),
    Model(FAST, (), note="the setting `fastModel`; without it the model of the session"),
)
_TRUTH = (Choice("true", "yes"), Choice("false", "no"))
_BY_SESSION = "the session and the folder's trust decide"

_RUN_CONFIG = (
    Key(
        "max_turns",
        ValueKind.NUMBER,
        "the number of turns after which the agent stops; `maxTurns` has precedence",
        "no limit",
        if_wrong=IfWrong.LOST,
    ),
    Key(
        "max_time_minutes",
        ValueKind.NUMBER,
        "the number of minutes after which the agent stops; fractions are allowed",
        "no limit",
        has_fraction=True,
        if_wrong=IfWrong.LOST,
    ),
)
_EXECUTOR = (
    Key(
        "kind",
        ValueKind.CHOICE,
        "the protocol of the program",
        SKIPPED,
        required_by="the runtime",
        choices=(
            Choice("acp", "by the Agent Client Protocol"),
            Choice("codex", "as Codex CLI is"),
        ),
        if_wrong=IfWrong.LOST,
    ),
    Key(
        "command",
        ValueKind.TEXT,
        "the program",
        SKIPPED,
        required_by="the runtime",
        if_wrong=IfWrong.LOST,
    ),
    Key("args", ValueKind.LIST, "its arguments", "none", if_wrong=IfWrong.LOST),
)

# Required keys, then those that authors write most: counted in 222 public files, 2026-11-29.
KEYS = (
    Key(
        "name",
        ValueKind.TEXT,
        "the name of the agent, whatever its file is called: 2 to 50 letters, digits, `-` and `_`",
        SKIPPED,
        role=KeyRole.AGENT,
        required_by="the runtime",
        mandatory=True,
        example="reviewer",
        if_wrong=IfWrong.LOST,
    ),
    Key(
        "description",
        ValueKind.TEXT,
        "when to delegate to the agent; the session's model reads it to choose one",
        SKIPPED,
        role=KeyRole.DESCRIPTION,
        required_by="the runtime",
        mandatory=True,
        if_wrong=IfWrong.LOST,
    ),
    Key(
        ALLOW,
        ValueKind.LIST,
        "the only tools that the agent gets: a list, or a string with commas; an empty list is "
        "every tool",
        "every tool of the session that sub-agents can have",
        role=KeyRole.ALLOW,
        in_text=True,
        if_wrong=IfWrong.EVERYTHING,
    ),
    Key(
        "color",
        ValueKind.CHOICE,
        "the colour of the agent's name",
        "`auto`: the runtime chooses one",
        choices=COLORS,
    ),
    Key(
        "model",
        ValueKind.TEXT,
        "the model, sent to the provider unchanged; `provider:model` chooses the provider",
        "the model of the session",
        role=KeyRole.MODEL,
        example="inherit",
        if_wrong=IfWrong.LOST,
    ),
    Key(
        DENY,
        ValueKind.LIST,
        "tools to remove, whatever `tools` says",
        "nothing is removed",
        role=KeyRole.DENY,
        in_text=True,
    ),
    Key(
        "approvalMode",
        ValueKind.CHOICE,
        "what the agent may do without asking, unless the session asks less; with any other "
        "word, the runtime skips the file",
        _BY_SESSION,
        choices=APPROVALS,
        example="default",
        if_wrong=IfWrong.LOST,
    ),
    Key(
        "permissionMode",
        ValueKind.CHOICE,
        "the same, with the values of Claude Code; `approvalMode` has precedence",
        _BY_SESSION,
        choices=PERMISSIONS,
    ),
    Key(
        "maxTurns", ValueKind.NUMBER, "the number of turns after which the agent stops", "no limit"
    ),
    Key(
        "background",
        ValueKind.BOOL,
        "whether the agent always runs in the background",
        "the call decides",
        choices=_TRUTH,
    ),
    Key(
        "mcpServers",
        ValueKind.TABLE,
        "MCP servers for this agent alone: a mapping from a name to its settings",
        "the session's",
        is_named=True,
    ),
    Key(
        "hooks",
        ValueKind.TABLE,
        "hooks of the whole session while the agent runs: a mapping from an event to a list",
        "the session's",
        items=EVENTS,
    ),
    Key(
        "runConfig",
        ValueKind.TABLE,
        "limits of a run; with a wrong number in it, the runtime skips the file",
        "no limits",
        items=_RUN_CONFIG,
    ),
    Key(
        "executor",
        ValueKind.TABLE,
        "another program that is the agent: `kind`, `command` and `args`",
        "the agent runs in Qwen Code",
        nullable=False,
        items=_EXECUTOR,
        if_wrong=IfWrong.LOST,
    ),
    Key(
        "executionBackend",
        ValueKind.CHOICE,
        "`container` runs the agent in a container, if the host can",
        "the agent runs where the session does",
        nullable=False,
        choices=(Choice("container", "in a container; an ordinary host refuses the call"),),
        if_wrong=IfWrong.LOST,
    ),
    Key(
        "modelConfig",
        ValueKind.TABLE,
        "an older form: only its `model` is used, if there is no `model`",
        "the model of the session",
        items=(Key("model", ValueKind.TEXT, "the model", "the model of the session"),),
    ),
)

_NO_KEY = "no key of a file does this"
# Keys of Claude Code, of Gemini CLI and of plans in the runtime's own documents.
IGNORED = {
    "effort": f"the session decides how long the model thinks; {_NO_KEY}",
    "temperature": f"the model's settings in `settings.json` decide; {_NO_KEY}",
    "skills": "the agent sees all skills if it has the tool `skill`",
    "memory": f"the agent keeps no notes; {_NO_KEY}",
    "isolation": "the call chooses a worktree, with its argument `isolation`",
    "initialPrompt": "a session calls the agent; the agent cannot be the session",
    "systemPrompt": "the text below the header is the prompt",
    "prompt": "the text below the header is the prompt",
    "kind": "every file is an agent of Qwen Code; `executor` names another program",
    "extends": f"a file inherits nothing; {_NO_KEY}",
    "timeout_mins": "the limit is `runConfig: {max_time_minutes: …}`",
}
# Keys of other systems, and the key here that does the same.
ELSEWHERE = {
    **dict.fromkeys(("allowed-tools", "allowedTools", "allowed_tools"), ALLOW),
    **dict.fromkeys(
        ("disallowed-tools", "disallowed_tools", "excludeTools", "exclude_tools"), DENY
    ),
}
RENAMED = {
    **{
        name: Renamed(None, "it restricts nothing; use `tools` and `disallowedTools`")
        for name in (
            *("sandbox_mode", "sandbox", "sandbox-mode", "sandboxMode"),
            *("read_only", "readonly", "readOnly", "read-only"),
        )
    },
    "max_turns": Renamed("maxTurns", "nothing limits the number of turns"),
}

REACH = Reach()

# In the order of the runtime's list.
BUILTIN = (
    *("general-purpose", "Explore", "statusline-setup", "review-agent", "claude-code", "codex"),
)

_AGENT = Parameter("subagent_type", str, "the agent, by its name", role=KeyRole.AGENT)
LIST_PARAMETERS = (Parameter("name", str, "show only this agent", role=KeyRole.AGENT),)
SPAWN_PARAMETERS = (
    _AGENT,
    Parameter("prompt", str, "the task of the agent", content=True, role=KeyRole.TASK),
    Parameter("description", str, "a few words about the task", content=True),
    Parameter("run_in_background", bool, "whether it runs in the background; `true` by default"),
    Parameter(
        "model",
        str,
        "a grade of the setting `agents.modelGrades`; the model in the file has precedence",
    ),
)

NOTES = {
    "project": (
        "a session looks only in the folder in which it starts, and not above or below it; in "
        "the home folder there is no project, only the user"
    ),
    "user": "`QWEN_HOME` replaces `~/.qwen`",
    "extension": (
        "an agent has no prefix here; those of the project and the user have precedence, and "
        "`${extensionPath}` in the prompt is not replaced: it fails each call"
    ),
    "tools": (
        "names and display names both work (`read_file`, `ReadFile`), exactly as they are; an "
        "entry that is neither is dropped, which may leave the agent without tools"
    ),
    "model": (
        "names such as `sonnet` are not aliases here: the provider gets the word unchanged, and "
        "fails if it does not know it"
    ),
    "approvalMode": (
        "in a session with `yolo`, `auto-edit` or `auto` the agent has the same, whatever the "
        "file says"
    ),
}
