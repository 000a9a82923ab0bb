"""The tables of `vuhlp`: keys, words for capabilities and constraints, roles, severities, calls.

Invariant: no severity is an error, since the runtime reads nothing of a template.
Facts: the document of the system, section "Prompts and Agent Templates", and Volpestyle/vuhlp-code
at d6c289510 (packages/daemon/src/runtime, packages/daemon/src/api/server.ts and
packages/daemon/docs/templates), read 2026-11-27.
"""

from collections.abc import Mapping
from types import MappingProxyType

from agent_lsp.dialects.vuhlp import ORCHESTRATOR
from agent_lsp.model.schema import Choice, Key, KeyRole, Parameter, Severity, Source, ValueKind

SOURCE = Source("Volpestyle/vuhlp-code d6c289510, packages/daemon/docs/templates", "2026-11-27")

KEYS = (
    Key(
        "name",
        ValueKind.TEXT,
        "the name in the template; the file name is used",
        "the template is called after its file",
        role=KeyRole.AGENT,
        nullable=False,
    ),
    Key("version", ValueKind.TEXT, "a version for people", "no version", nullable=False),
    Key(
        "capabilities",
        ValueKind.LIST,
        "what the role does; it grants nothing",
        "none are declared",
        nullable=False,
    ),
    Key(
        "constraints",
        ValueKind.LIST,
        "the rules of the role; nothing enforces them",
        "none are declared",
        nullable=False,
    ),
)

MANAGES_EDGES = "edge_management_all"
OLDER_NAME = "spawn_nodes"

CAPABILITIES = (
    Choice(MANAGES_EDGES, "spawn nodes, and create edges between any two of them"),
    Choice(OLDER_NAME, f"the older name of `{MANAGES_EDGES}`, as shipped roles still have it"),
    Choice("delegate", "hand work to other nodes"),
    Choice("review_diffs", "judge the diffs of other nodes"),
    Choice("approve_spawns", "decide whether other nodes may spawn"),
    Choice("read_repo", "read the repository"),
    Choice("write_docs", "write below `docs/`"),
    Choice("edit_code", "change code"),
    Choice("run_commands", "run commands"),
    Choice("write_tests", "write tests"),
    Choice("summarize", "sum up what it has found"),
    Choice("creative_writing", "write prose"),
)

CONSTRAINTS = (
    Choice("log_decisions", "write down what is decided"),
    Choice("respect_mode_gates", "keep to what the mode allows"),
    Choice("avoid_unlogged_edits", "make no change that nobody can see"),
    Choice("planning_only", "plan, and change no code"),
    Choice("no_code_edits", "change no code"),
    Choice("produce_diffs", "show each change as a diff"),
    Choice("no_unlogged_edits", "make no change that nobody can see"),
    Choice("report_risks", "name the risks"),
    Choice("report_findings", "report what was found"),
    Choice("produce_artifacts", "keep results as artifacts"),
)

# A constraint, and the capability that says the opposite.
CONTRADICTIONS = (("planning_only", "edit_code"), ("no_code_edits", "edit_code"))

# The names of texts that explain a folder; the runtime lists them as well.
OTHERS = frozenset({"readme", "changelog", "contributing", "license", "agents", "claude", "index"})

PLANNING, IMPLEMENTATION = "PLANNING", "IMPLEMENTATION"

LIST_PARAMETERS = (Parameter("name", str, "the role, called after its file", role=KeyRole.AGENT),)

SPAWN_PARAMETERS = (
    Parameter("roleTemplate", str, "the role, called after its file", role=KeyRole.AGENT),
    Parameter("label", str, "how the node is called for people"),
    Parameter("alias", str, "a name for the node, unique within the run"),
    Parameter("instructions", str, "the task of the node", content=True),
    Parameter("input", dict, "more for the node, as an object", content=True),
    Parameter("provider", str, "the program that runs the node: claude, codex, gemini or custom"),
    Parameter("capabilities", dict, "settings of the node such as `edgeManagement`"),
    Parameter("permissions", dict, "settings of the node such as `cliPermissionsMode`"),
    Parameter("session", dict, "settings of the node's session, such as `resume`"),
    Parameter(
        "mode",
        str,
        f"{PLANNING} or {IMPLEMENTATION}",
        role=KeyRole.MODE,
        choices=(
            Choice(PLANNING, "the repository is there to be read"),
            Choice(IMPLEMENTATION, "the node may change the repository"),
        ),
    ),
    Parameter("task", str, "the objective of the turn", role=KeyRole.TASK, content=True),
    Parameter("user_override", str, "the last layer of the prompt", content=True),
    Parameter("customSystemPrompt", str, "replaces the role's file", content=True),
)

NODE_CAPABILITIES: dict[str, object] = {
    "edgeManagement": "none",
    "runCommands": True,
    "writeCode": True,
    "writeDocs": True,
    "delegateOnly": False,
}
NODE_PERMISSIONS: dict[str, object] = {
    "cliPermissionsMode": "skip",
    "agentManagementRequiresApproval": True,
}
EDGES = ("none", "self", "all")
PROVIDERS = ("claude", "codex", "gemini", "custom")
# The settings that the role name alone decides, trimmed and in any case.
ORCHESTRATOR_CAPABILITIES: dict[str, object] = {"edgeManagement": "all"}
ORCHESTRATOR_PERMISSIONS: dict[str, object] = {"agentManagementRequiresApproval": False}

DECLARED_ONLY = (
    "a declaration grants nothing: the document wants it declared, set for the node and approved "
    "by the user; the code at d6c289510 looks at the last two, and at the role name "
    f"`{ORCHESTRATOR}`"
)


NOTES = {
    "project": (
        "a run looks only in `docs/templates` of its repository; the text of a role that it has "
        "read, or not found, stays until vuhlp is started again"
    ),
}


def not_found(role: str) -> str:
    """The text in the prompt for a role that has no file."""
    return f"Role template not found: {role}"


def is_orchestrator(role: str) -> bool:
    """Whether the role name is the one that the runtime knows."""
    return role.strip().lower() == ORCHESTRATOR


SEVERITIES: Mapping[str, Severity] = MappingProxyType(
    {
        "file-name": Severity.WARNING,
        "unreadable": Severity.INFORMATION,
        "preamble-place": Severity.WARNING,
        "preamble-syntax": Severity.WARNING,
        "wrong-type": Severity.WARNING,
        "name-mismatch": Severity.WARNING,
        "unknown-key": Severity.HINT,
        "unknown-capability": Severity.HINT,
        "unknown-constraint": Severity.HINT,
        "contradiction": Severity.WARNING,
        "older-name": Severity.INFORMATION,
        "missing-part": Severity.HINT,
        "tool-call-json": Severity.WARNING,
        "tool-call-not-alone": Severity.WARNING,
        "tool-call-echoed": Severity.WARNING,
        "tool-call-fenced": Severity.HINT,
        "tool-call-name": Severity.WARNING,
        "tool-call-native": Severity.INFORMATION,
        "tool-call-edges": Severity.WARNING,
        "tool-call-wrapper": Severity.INFORMATION,
        "tool-call-params": Severity.WARNING,
        "tool-call-argument": Severity.WARNING,
        "tool-call-id": Severity.WARNING,
        "role-not-found": Severity.WARNING,
    }
)
