/**
 * Where agent systems keep their templates: the extension's one table of them.
 *
 * It only says which files are worth a look. What is a template, and what is in it, the server
 * knows.
 */

/** The places of one agent system, as glob patterns. */
export interface Place {
  /** The server's id of the agent system. */
  readonly dialect: string;
  /** What the runtime's spawn call calls the agent; absent where a file defines several. */
  readonly agent?: string;
  /** Files at any depth; a user's own folder lies at some depth, too. */
  readonly patterns: readonly string[];
  /** An environment variable that names another user folder, and the files in that folder. */
  readonly user?: { readonly variable: string; readonly pattern: string };
}

/** All places. The server's list of dialects has the same ids. */
export const PLACES: readonly Place[] = [
  {
    dialect: "codex-templates",
    agent: "agent_type",
    patterns: ["**/.codex/.agents/*.[mM][dD]"],
    user: { variable: "CODEX_HOME", pattern: ".agents/*.[mM][dD]" },
  },
  { dialect: "codex-subagents", agent: "name", patterns: ["**/.codex/agents/*.md"] },
  {
    dialect: "codex-agents",
    agent: "agent_type",
    patterns: ["**/.codex/agents/**/*.toml"],
    user: { variable: "CODEX_HOME", pattern: "agents/**/*.toml" },
  },
  {
    dialect: "codex-config",
    patterns: ["**/.codex/config.toml"],
    user: { variable: "CODEX_HOME", pattern: "config.toml" },
  },
  {
    dialect: "kodacode",
    agent: "agent_id",
    patterns: ["**/.kodacode/agents/*.[mM][dD]", "**/.config/kodacode/agents/*.[mM][dD]"],
    user: { variable: "XDG_CONFIG_HOME", pattern: "kodacode/agents/*.[mM][dD]" },
  },
  { dialect: "moltis", patterns: ["**/moltis.toml"] },
  { dialect: "moltis-agents", agent: "preset", patterns: ["**/.moltis/agents/*.md"] },
  {
    dialect: "claude",
    agent: "subagent_type",
    patterns: ["**/.claude/agents/**/*.[mM][dD]"],
    user: { variable: "CLAUDE_CONFIG_DIR", pattern: "agents/**/*.[mM][dD]" },
  },
  {
    dialect: "copilot",
    agent: "agentName",
    patterns: ["**/.github/agents/**/*.md", "**/.copilot/agents/**/*.md"],
    user: { variable: "COPILOT_HOME", pattern: "agents/**/*.md" },
  },
  {
    dialect: "cursor",
    agent: "subagent_type",
    patterns: ["**/.cursor/agents/*.md", "**/.cursor/plugins/local/*/agents/*.md"],
  },
  {
    dialect: "gemini",
    agent: "agent_name",
    patterns: ["**/.gemini/agents/*.md", "**/.gemini/extensions/*/agents/*.md"],
    user: { variable: "GEMINI_CLI_HOME", pattern: ".gemini/{agents,extensions/*/agents}/*.md" },
  },
  {
    dialect: "qwen",
    agent: "subagent_type",
    patterns: ["**/.qwen/agents/*.md"],
    user: { variable: "QWEN_HOME", pattern: "agents/*.md" },
  },
  {
    dialect: "opencode",
    agent: "subagent_type",
    patterns: [
      "**/.opencode/{agent,agents}/**/*.md",
      "**/.opencode/{mode,modes}/*.md",
      "**/.config/opencode/{agent,agents}/**/*.md",
    ],
    user: { variable: "OPENCODE_CONFIG_DIR", pattern: "{agent,agents}/**/*.md" },
  },
  { dialect: "opencode-config", patterns: ["**/opencode.{json,jsonc}"] },
  // The name is a common one; the server is silent about files that are somebody else's.
  { dialect: "vuhlp", agent: "roleTemplate", patterns: ["**/docs/templates/*.md"] },
];
