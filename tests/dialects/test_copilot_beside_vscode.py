"""What VS Code marks in an editor is told in every other place, and is left to it there."""

from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.dialects.copilot.dialect import DIALECT
from tests.fixture import fixture

# Each message of the editor of VS Code 1.139.1 on an agent, in its order: what it is about, the
# header that has it, the place that it marks, and the code and the place of our finding. Left out
# is what depends on a session: which models, extensions and servers there are.
TARGET = "target: github-copilot\n"
GO = "label: Go, agent: agent, prompt: x"
RUN = "type: command, command: x"
MARKED = (
    ("name: [a]", "wrong-type [a]"),
    ("name: ''", "agent-name name"),
    ("description: [a]", "wrong-type [a]"),
    ("description: ''", "no-effect ''"),
    ("argument-hint: [a]", "wrong-type [a]"),
    ("argument-hint: ''", "no-effect ''"),
    ("argument-hint:", "no-effect argument-hint"),
    ("description: a\nargument-hint: a\n  b: c", "header-invalid b: c"),
    ("description: a\ndescription: b", "duplicate-key description"),
    ("- a", "header-invalid - a"),
    ("tools: [read", "header-invalid [read"),
    ("tools: [read, , edit]", "header-invalid ,"),
    ("tools: {{ X }}", "header-invalid {"),
    ("model: {a: b}", "wrong-type {a: b}"),
    ("model: ''", "no-effect ''"),
    ("model: []", "invalid-value []"),
    ("model: [[a]]", "wrong-type [a]"),
    ("model: [a, '']", "invalid-value [a, '']"),
    ("tools: {a: b}", "wrong-type {a: b}"),
    ("tools: [read, [a]]", "wrong-type [a]"),
    ("tools: [codebase]", "renamed-tool codebase"),
    ("tools: [runTasks]", "renamed-tool runTasks"),
    ("tools: [read, foo]", "unknown-tool foo"),
    ("target: [a]", "wrong-type [a]"),
    ("target: ''", "no-effect ''"),
    ("target: x", "unknown-value x"),
    ("infer: true", "older-name infer"),
    ("user-invocable: no", "unknown-value no"),
    ("user-invocable: 'true'", "wrong-type 'true'"),
    ("disable-model-invocation: [a]", "wrong-type [a]"),
    ("agents: a", "wrong-type a"),
    ("agents: [[a]]", "wrong-type [a]"),
    ("agents: [foo]", "unknown-agent foo"),
    ("agents: ['*']\ntools: [read]", "futile-delegation agents"),
    ("handoffs: x", "wrong-type x"),
    ("handoffs: [x]", "wrong-type x"),
    ("handoffs: [{label: '', agent: agent, prompt: x}]", "missing-part label"),
    ("handoffs: [{label: '-', agent: agent, prompt: x}]", "missing-part '-'"),
    ("handoffs: [{label: a, agent: '', prompt: x}]", "missing-part label"),
    ("handoffs: [{label: a, agent: foo, prompt: x}]", "unknown-agent foo"),
    ("handoffs: [{label: a, agent: agent, prompt: [x]}]", "missing-part label"),
    ("handoffs: [{label: a, agent: agent}]", "missing-part label"),
    (f"handoffs: [{{{GO}, send: maybe}}]", "unknown-value maybe"),
    (f"handoffs: [{{{GO}, send: 'true'}}]", "unknown-value 'true'"),
    (f"handoffs: [{{{GO}, showContinueOn: [a]}}]", "unknown-value [a]"),
    (f"handoffs: [{{{GO}, model: [m]}}]", "wrong-type [m]"),
    (f"handoffs: [{{{GO}, foo: y}}]", "unknown-key foo"),
    (f"handoffs: [{{{GO}}}, {{{GO.replace('Go', 'GO')}}}]", "missing-part GO"),
    ("hooks: x", "wrong-type x"),
    ("hooks: {Foo: []}", "unknown-key Foo"),
    ("hooks: {Stop: x}", "wrong-type x"),
    ("hooks: {Stop: [x]}", "wrong-type x"),
    ("hooks: {Stop: [{hooks: x}]}", "wrong-type x"),
    ("hooks: {Stop: [{hooks: [x]}]}", "wrong-type x"),
    ("hooks: {Stop: [{foo: y, hooks: []}]}", "unknown-key foo"),
    (f"hooks: {{Stop: [{{{RUN}, foo: y}}]}}", "unknown-key foo"),
    ("hooks: {Stop: [{type: x, command: y}]}", "unknown-value x"),
    ("hooks: {Stop: [{type: [a], command: y}]}", "wrong-type [a]"),
    ("hooks: {Stop: [{type: command, command: [a]}]}", "wrong-type [a]"),
    ("hooks: {Stop: [{type: command, command: ''}]}", "missing-part type"),
    (f"hooks: {{Stop: [{{{RUN}, cwd: [a]}}]}}", "wrong-type [a]"),
    (f"hooks: {{Stop: [{{{RUN}, env: a}}]}}", "wrong-type a"),
    (f"hooks: {{Stop: [{{{RUN}, env: {{A: [b]}}}}]}}", "wrong-type [b]"),
    (f"hooks: {{Stop: [{{{RUN}, timeout: soon}}]}}", "wrong-type soon"),
    (f"hooks: {{Stop: [{{{RUN}, timeoutSec: 5}}]}}", "unknown-key timeoutSec"),
    ("hooks: {Stop: [{command: y}]}", "missing-part command"),
    ("hooks: {Stop: [{type: command}]}", "missing-part type"),
    ("hooks: {Stop: [{}]}", "missing-part {}"),
    (f"target: vscode\nhooks: {{SessionEnd: [{{{RUN}}}]}}", "unknown-key SessionEnd"),
    (f"{TARGET}hooks: {{Stop: [{{{RUN}}}]}}", "unknown-key Stop"),
    (f"{TARGET}hooks: {{agentStop: [{{{RUN}}}]}}", "unknown-key command"),
    (f"{TARGET}hooks: {{agentStop: [{{{RUN}}}]}}", "missing-part type"),
    (f"{TARGET}hooks: {{agentStop: [{{bash: x, timeout: 5}}]}}", "unknown-key timeout"),
    ("github: x", "wrong-type x"),
    ("github: {foo: x}", "unknown-key foo"),
    ("github: {permissions: x}", "wrong-type x"),
    ("github: {permissions: {foo: read}}", "unknown-key foo"),
    ("github: {permissions: {contents: [a]}}", "wrong-type [a]"),
    ("github: {permissions: {contents: foo}}", "unknown-value foo"),
    ("github: {permissions: {contents: ''}}", "unknown-value ''"),
    ("foo: x", "unknown-key foo"),
    ("metadata: {}", "unknown-key metadata"),
    *((f"{key}: x", f"no-effect {key}") for key in ("mcp-servers", "deferred-tool-loading")),
    *(
        (f"{TARGET}{line}", f"no-effect {line.partition(':')[0]}")
        for line in (
            *("argument-hint: x", "handoffs: []", "agents: []", "user-invocable: true"),
            *("disable-model-invocation: true", "hooks: {}", "advancedOptions: {}", "skills: [a]"),
        )
    ),
)


@pytest.mark.parametrize(("lines", "said"), MARKED)
def test_what_vs_code_marks_in_a_header_is_told_elsewhere(
    lines: str, said: str, tmp_path: Path
) -> None:
    own = "" if lines.startswith(("description", "-")) else "description: d\n"
    made = fixture(tmp_path, f"//- .github/agents/a.agent.md\n---\n{own}{lines}\n---\nWork.\n")
    source = made.path.read_text()
    found = diagnostics(made.workspace, made.path)
    assert said in [f"{one.code} {one.span.of(source)}" for one in found]
    # What the CLI refuses as well is told of it, and stays; VS Code knows nothing of it.
    first = next(one for one in found if f"{one.code} {one.span.of(source)}" == said)
    if first.programs != ("Copilot CLI",) and first.code != "header-invalid":
        assert first.code in {key.partition("/")[0] for key in DIALECT.findings.left_to_vscode}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("#tool:foo", "unknown-tool foo"),
        ("#tool:codebase", "renamed-tool codebase"),
        ("#tool:web/fetch", "unavailable-tool web/fetch"),
        ("[a](b.md)", "missing-file b.md"),
    ],
)
def test_what_vs_code_marks_in_a_prompt_is_told_elsewhere(
    body: str, said: str, tmp_path: Path
) -> None:
    header = "---\ndescription: d\ntools: [read]\n---\n"
    made = fixture(tmp_path, f"//- .github/agents/a.agent.md\n{header}Use {body} now.\n")
    source = made.path.read_text()
    found = diagnostics(made.workspace, made.path)
    assert [f"{one.code} {one.span.of(source)}" for one in found] == [said]


def test_the_move_that_vs_code_asks_for_is_told_elsewhere(tmp_path: Path) -> None:
    made = fixture(tmp_path, "//- .github/chatmodes/a.chatmode.md\n---\ndescription: d\n---\nB\n")
    (found,) = diagnostics(made.workspace, made.path)
    assert found.code == "misplaced"
