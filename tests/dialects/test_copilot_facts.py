"""What VS Code and Copilot CLI make of a file, a sentence of what is known at a time."""

from pathlib import Path
from typing import Any

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.fixes import repaired
from tests.fixture import fixture
from tests.recorded import each

REFUSED = "or Copilot CLI does not load the agent"


def case(name: str, header: str, *said: str) -> dict[str, Any]:
    """A header below a description, and the begin of each finding and a part of it."""
    return {"id": name, "text": f"---\ndescription: Works.\n{header}---\nWork.\n", "said": said}


def whole(name: str, text: str, *said: str) -> dict[str, Any]:
    return {"id": name, "text": text, "said": said}


LOST = "`tools` is lost, and the agent has every tool"
HEADERS = (
    whole(
        "keys below a fence in a text are in the prompt",
        "---\ndescription: |\n  a\n---\n  b\ntools: [read]\n---\nWork.\n",
        "4 warning[header-cut-short] this `---` closes the header, even inside `description`: ",
    ),
    whole(
        "a key is indented less than the first one",
        "---\n  description: Works.\ntools: [read]\n---\nWork.\n",
        f"3 error[header-invalid] for VS Code: `tools` is indented less than … {LOST}",
        "3 error[header-invalid] for Copilot CLI: `tools: [read]` is indented less",
    ),
    whole(
        "the first line decides whether there are keys",
        "---\n# Note\n- a\ntools: [read]\n---\nWork.\n",
        f"3 error[header-invalid] for VS Code: the header begins with `- a`, … {LOST}",
        "3 error[header-invalid] for Copilot CLI: `- a` does not belong to a list",
    ),
    whole(
        "line ends of CR alone are line ends in VS Code",
        "---\rdescription: Works.\r---\rWork.\r",
        f"1 error[header-missing] for Copilot CLI: the lines end in CR … LF or CRLF, {REFUSED}",
    ),
    case(
        "a second document",
        "--- x\nname: One\n",
        "3 error[header-invalid] for VS Code: `--- x` is not `key: value` … `name` is lost",
        "3 error[header-invalid] for Copilot CLI: `--- x` ends the YAML",
    ),
    case(
        "an anchor is text in VS Code",
        "tools: &t [read]\n",
        "3 warning[no-tools] for VS Code: no entry of `tools` is the name of a tool: the agent has",
    ),
    case(
        "an item that is indented more is text of the one above",
        "tools:\n  - read\n    - edit\n",
        "3 warning[no-tools] for VS Code: no entry of `tools` is the name of a tool",
        "3 warning[no-tools] for Copilot CLI: ",
    ),
)
VALUES = (
    case(
        "tools that are a mapping are every tool in VS Code",
        "tools: {read: true}\n",
        "3 error[wrong-type] for Copilot CLI: `tools` must be a list",
        "3 warning[wrong-type] for VS Code: `tools` must be a list of tools … gets every tool",
    ),
    case(
        "lists in lists are dropped",
        "model: [[a], b]\n",
        "3 error[wrong-type] for Copilot CLI: an item of `model` must be a string",
        "3 warning[wrong-type] for VS Code: an item of `model` is a name: VS Code drops",
    ),
    case(
        "a name that is a list is that of the file",
        "name: [x]\n",
        "3 error[wrong-type] for Copilot CLI: `name` must be a string",
        "3 warning[wrong-type] for VS Code: `name` must be a string: the agent has the name of its",
    ),
    case(
        "a switch is exactly true or false in VS Code",
        "user-invocable: False\ndisable-model-invocation: TRUE\n",
        "3 warning[unknown-value] for VS Code: … reads it as `true`; write `false`",
        "4 warning[unknown-value] for VS Code: … reads it as `false`; write `true`",
    ),
    case(
        "an empty text counts for nothing",
        "argument-hint: ''\nmodel: ''\ntarget: ''\n",
        "3 information[no-effect] for VS Code: `argument-hint` is empty, and VS Code marks it",
        "4 information[no-effect] for VS Code: `model` is empty",
        "5 information[no-effect] for VS Code: `target` is empty",
    ),
    case(
        "the name that a model knows is none in a file",
        "tools: [read_file, run_in_terminal, list_dir]\n",
        "3 information[unknown-tool] for VS Code: … write `read/readFile`, which both",
        "3 warning[unknown-tool] unknown tool `run_in_terminal` … write that, which both",
        "3 warning[unknown-tool] unknown tool `list_dir` … `search/listDirectory`; write that",
    ),
    case(
        "what is behind the name of an older set counts alone",
        "tools: [runCell]\n",
        "3 information[no-tools] for Copilot CLI: ",
        "3 hint[renamed-tool] for VS Code: … the current name is `execute/runNotebookCell`",
    ),
    case(
        "an older name may stand for several tools",
        "tools: [runTasks]\n",
        "3 information[no-tools] for Copilot CLI: ",
        "3 hint[renamed-tool] … the current names are `execute/createAndRunTask`",
    ),
    case(
        "a blank entry is no tool for either",
        "tools: ['']\n",
        "3 warning[no-tools] for VS Code: `tools` has blank entries only",
        "3 warning[no-tools] for Copilot CLI: no entry of `tools` names a tool",
    ),
    case(
        "a tag that its value does not fit",
        "other: {deep: [1, !!int one]}\n",
        "3 hint[unknown-key] unknown key `other`",
        "3 error[wrong-type] for Copilot CLI: `other.deep[1]` must be an integer, not `!!int one`",
    ),
    case(
        "a tag decides the type, whatever the quotes",
        "name: !!int '12'\nmodel: !!str 12\n",
        "3 error[wrong-type] for Copilot CLI: `name` must be a string, not `!!int '12'`",
    ),
    case(
        "blanks belong to a name",
        "tools: ['read ', edit]\n",
        "3 warning[unknown-tool] … the blanks belong to the name; write `read`",
    ),
)


BODY = "---\ndescription: Works.\ntools: [read, web/fetch]\n---\n"
BODIES = (
    whole(
        "a reference that has not the whole name of a tool is text",
        f"{BODY}#tool:serach, #tool:fetch, #tool:web/fetch. `#tool:x` #tool:own.server/do\n",
        "5 hint[unknown-tool] … `#tool:serach` is only text … did you mean `search`?",
        "5 hint[renamed-tool] … `#tool:fetch` is only text … the complete name is `web/fetch`",
        "5 hint[unknown-tool] … `#tool:web/fetch.` is only text … the full stop belongs to",
    ),
    whole(
        "a whole name or a set that is not among the tools",
        f"{BODY}#tool:read/readFile #tool:edit #tool:search/codebase #tool:read\n",
        "5 warning[unavailable-tool] for VS Code: `tools` has no `edit`",
        "5 warning[unavailable-tool] for VS Code: `tools` has no `search/codebase`",
    ),
    whole(
        "a server whose name is similar to that of a configured one",
        f"{BODY}#tool:githb/issues #tool:github/issues #tool:other/do\n"
        '//- .vscode/mcp.json\n{"servers": {"GitHub": {"command": "server"}}}\n',
        "5 hint[unknown-tool] … no configuration has an MCP server `githb`; did you mean `github`?",
    ),
)


PLACES = (
    {
        "id": "an extension in another case is none",
        "path": ".github/agents/WORKER.AGENT.MD",
        "said": ("1 error[file-name] VS Code and Copilot CLI ignore … call it `WORKER.agent.md`",),
    },
    {
        "id": "the CLI takes no hidden file",
        "path": ".github/agents/.worker.agent.md",
        "said": ("1 information[out-of-reach] Copilot CLI does not load `.worker.agent.md`",),
    },
    {
        "id": "a chat mode is read where agents are",
        "path": ".github/agents/worker.chatmode.md",
        "said": ("1 hint[older-name] … `worker.agent.md` … is `worker.chatmode` unless",),
    },
)


def told(folder: Path, text: str, path: str = ".github/agents/worker.agent.md") -> list[str]:
    made = fixture(folder, f"//- {path}\n{text}")
    return [
        f"{text.replace(chr(13), chr(10)).count(chr(10), 0, one.span.start) + 1} "
        f"{one.severity.name.lower()}[{one.code}] {one.message}"
        for one in diagnostics(made.workspace, made.path)
    ]


@each((*HEADERS, *VALUES, *BODIES, *PLACES))
def test_each_program_is_told_of(case: dict[str, Any], tmp_path: Path) -> None:
    text = case.get("text", "---\ndescription: Works.\n---\nWork.\n")
    found = told(tmp_path, text, case.get("path", ".github/agents/worker.agent.md"))
    assert len(found) == len(case["said"]), found
    for said, want in zip(found, case["said"], strict=True):
        begin, *parts = want.split(" … ")
        assert said.startswith(begin), (said, begin)
        assert all(part in said for part in parts), (said, parts)


def test_a_reference_to_a_tool_gets_its_whole_name(tmp_path: Path) -> None:
    text = f"{BODY}Look with #tool:web/fetch. Then #tool:fetch it.\n"
    made = fixture(tmp_path, f"//- .github/agents/worker.agent.md\n{text}")
    assert (
        repaired(made.workspace, made.path, unsafe=True)
        == f"{BODY}Look with #tool:web/fetch . Then #tool:web/fetch it.\n"
    )
