"""The tools that an agent of `codex-templates` can have, and when a session has them.

Facts: `build_specs` and `ToolsConfig::new` in codex-rs/core/src/tools/spec.rs, agent/guards.rs and
config/mod.rs at 9f82deac0f1b, read 2026-11-27.
"""

from agent_lsp.model.schema import Choice, Tool

COLLABORATION = "collaboration"
_EXECUTION = "execution"
_RESOURCES = "MCP resources"
_EXPERIMENTAL = "experimental"

MAX_DEPTH = 2
MAX_THREADS = 12

# The two facts about `spawn_agent` that no template shows.
ESCAPE = (
    "an agent that it starts has the tools that its own template leaves, not the tools of "
    "this one: an agent with few tools can start one with all of them"
)
LIMIT = (
    f"a session has at most {MAX_THREADS} spawned agents open at a time, unless "
    "`agents.max_threads` of the configuration says otherwise; one more is refused"
)

_ONE_OF_FOUR = (
    "; a session offers only one of `exec_command`, `shell`, `shell_command` and `local_shell`"
)
_UNIFIED = f"unified exec is on, by the feature `unified_exec` or by the model{_ONE_OF_FOUR}"
_SHELL = f"unified exec is off and the model expects its commands in this form{_ONE_OF_FOUR}"
_COLLAB = "the feature `collab` is on"
_LISTED = "the model lists it among its experimental tools"
_JAVASCRIPT = "the feature `js_repl` is on"

TOOLS = (
    Tool(
        "exec_command",
        "starts a command in a terminal and returns its output",
        _EXECUTION,
        _UNIFIED,
    ),
    Tool(
        "write_stdin", "writes to a command that `exec_command` left running", _EXECUTION, _UNIFIED
    ),
    Tool("shell", "runs a command given as an argument list", _EXECUTION, _SHELL),
    Tool("shell_command", "runs a command line", _EXECUTION, _SHELL),
    Tool("local_shell", "runs a command through the model's own shell tool", _EXECUTION, _SHELL),
    Tool(
        "container.exec",
        "is another name under which the runtime accepts shell calls",
        _EXECUTION,
        "the feature `shell_tool` is on; no session offers it, but a call by this name is accepted",
    ),
    Tool(
        "apply_patch",
        "edits files",
        _EXECUTION,
        "the model comes with it, or the feature `apply_patch_freeform` is on",
    ),
    Tool("update_plan", "keeps the visible plan up to date", _EXECUTION),
    Tool("view_image", "shows an image file to the model", _EXECUTION),
    Tool(
        "web_search",
        "searches the web",
        _EXECUTION,
        "`web_search` is not `disabled` in the configuration",
    ),
    Tool(
        "request_user_input",
        "asks the user a question",
        _EXECUTION,
        "the feature `collaboration_modes` is on",
    ),
    Tool("js_repl", "runs JavaScript in a session that keeps its state", _EXECUTION, _JAVASCRIPT),
    Tool("js_repl_reset", "starts the JavaScript session afresh", _EXECUTION, _JAVASCRIPT),
    Tool(
        "search_tool_bm25",
        "finds tools by their descriptions",
        _EXECUTION,
        "the feature `apps` is on",
    ),
    Tool("list_mcp_resources", "lists what MCP servers offer to read", _RESOURCES),
    Tool(
        "list_mcp_resource_templates",
        "lists the parameterised resources of MCP servers",
        _RESOURCES,
    ),
    Tool("read_mcp_resource", "reads one resource of an MCP server", _RESOURCES),
    Tool("grep_files", "searches file contents", _EXPERIMENTAL, _LISTED),
    Tool("read_file", "reads a file", _EXPERIMENTAL, _LISTED),
    Tool("list_dir", "lists a folder", _EXPERIMENTAL, _LISTED),
    Tool("test_sync_tool", "serves the runtime's own tests", _EXPERIMENTAL, _LISTED),
    Tool("list_agents", "lists the roles and personas that can be spawned", COLLABORATION, _COLLAB),
    Tool("list_active_agents", "lists the agents that run now", COLLABORATION, _COLLAB),
    Tool("spawn_agent", "starts another agent", COLLABORATION, _COLLAB, (ESCAPE, LIMIT)),
    Tool("send_input", "sends a message to a running agent", COLLABORATION, _COLLAB),
    Tool("resume_agent", "takes up a closed agent again", COLLABORATION, _COLLAB),
    Tool("wait", "waits for agents, 10 s to 30 min, 5 min unless set", COLLABORATION, _COLLAB),
    Tool("close_agent", "ends an agent", COLLABORATION, _COLLAB),
    Tool(
        "set_thread_note",
        "sets the note by which an agent's thread is known",
        COLLABORATION,
        _COLLAB,
    ),
)

CONDITIONS = {tool.name: tool.condition for tool in TOOLS if tool.condition}

GLOBS = (
    Choice("mcp__*", "every tool of every MCP server"),
    Choice("*_agent", "`spawn_agent`, `resume_agent`, `close_agent`"),
    Choice("list_*", "every tool that lists something"),
)
