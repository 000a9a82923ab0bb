"""Prints the tests of what has changed, for `make quick`: a path a word.

Changed is what differs from the last commit that this branch shares with `main`, committed or not.
The first row of AREAS that fits says where the tests of a file are. Where it names a folder with
tests that are called after the changed module, or after a folder that it is in, those are enough.
"""

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[1]
# What a path begins with, and where its tests are. Of those without, `make` has targets.
AREAS = (
    ("agent_lsp/syntax/", "tests/syntax"),
    ("agent_lsp/text", "tests/syntax/test_text.py tests/syntax/test_yaml_edit.py"),
    (
        "agent_lsp/model/",
        "tests/dialects tests/planted tests/test_consequences.py tests/analysis/test_listing.py",
    ),
    ("agent_lsp/decoders/", "tests/dialects tests/test_conformance.py"),
    ("agent_lsp/dialects/codex_agents/", "tests/dialects/test_codex_agents*"),
    ("agent_lsp/dialects/codex_subagents/", "tests/dialects/test_subagents*"),
    ("agent_lsp/dialects/codex_templates/", "tests/test_conformance.py tests/analysis"),
    ("agent_lsp/dialects/__init__", "tests/test_lazy_dialects.py tests/test_dialect_docs.py"),
    (
        "agent_lsp/dialects/",
        "tests/dialects tests/test_conformance.py tests/test_consequences.py",
    ),
    ("agent_lsp/workspace/", "tests/workspace tests/planted"),
    ("agent_lsp/analysis/checks/", "tests/checks"),
    ("agent_lsp/analysis/fixes/", "tests/fixes"),
    ("agent_lsp/analysis/agents_diff", "tests/cli/test_diff.py"),
    ("agent_lsp/analysis/", "tests/analysis"),
    ("agent_lsp/settings/", "tests/test_settings.py"),
    ("agent_lsp/server/", "tests/server"),
    ("agent_lsp/cli/comparing/", "tests/cli/test_diff.py"),
    ("agent_lsp/cli/", "tests/cli"),
    ("agent_lsp/", "tests/test_environment.py tests/test_installed.py tests/cli/test_main.py"),
    ("tests/vscode/", ""),
    ("tests/runtimes/", "tests/dialects/test_claude_runtime.py"),
    ("tests/conformance/claude", "tests/dialects/test_claude_runtime.py"),
    ("tests/conformance/", "tests/test_conformance.py"),
    ("tests/agreement.py", "tests/test_conformance.py"),
    ("tests/batches.py", "tests/test_together.py tests/test_recorded.py"),
    # What all tests share is tested by some of them; `make test` runs them all.
    ("tests/conftest.py", "tests/test_together.py tests/checks"),
    ("tests/conversion_page.py", "tests/test_conversion_page.py"),
    ("tests/dialect_pages.py", "tests/test_dialect_docs.py"),
    ("tests/effort.py", "tests/syntax"),
    ("tests/fixture.py", "tests/checks"),
    ("tests/forked.py", "tests/test_lazy_dialects.py tests/cli/test_explain.py"),
    ("tests/import_log.py", "tests/test_lazy_dialects.py"),
    ("tests/recorded.py", "tests/test_recorded.py tests/test_conformance.py"),
    ("tests/systems.py", "tests/checks"),
    ("tests/together.py", "tests/test_together.py"),
    ("tests/typescript.py", "tests/test_vscode_words.py"),
    ("tests/vscode_words.py", "tests/test_vscode_words.py"),
    ("tests/write_conversion.py", "tests/test_conversion_page.py"),
    ("tests/write_overviews.py", "tests/checks/test_pages.py tests/test_dialect_docs.py"),
    ("tests/write_settings.py", "tests/test_settings.py"),
    ("tests/write_words.py", "tests/test_vscode_words.py"),
    ("tests/wrong_values.py", "tests/test_consequences.py"),
    ("docs/rules/", "tests/checks/test_pages.py tests/test_links.py"),
    ("docs/how-we-know.md", "tests/test_dialect_docs.py tests/test_links.py"),
    ("docs/dialects/", "tests/test_dialect_docs.py tests/test_links.py"),
    ("docs/code-actions.md", "tests/fixes/test_page.py tests/test_links.py"),
    ("docs/commands.md", "tests/analysis/test_commands_page.py tests/test_links.py"),
    ("docs/features.md", "tests/server/test_features_page.py tests/test_links.py"),
    ("docs/security.md", "tests/test_security_page.py tests/test_links.py"),
    ("docs/vscode.md", "tests/test_vscode_page.py tests/test_links.py"),
    ("docs/settings", "tests/test_settings.py tests/cli/test_docs.py tests/test_links.py"),
    ("docs/glossary.md", "tests/test_architecture.py tests/test_links.py"),
    ("docs/", "tests/cli/test_docs.py tests/test_links.py"),
    ("README.md", "tests/cli/test_docs.py tests/test_links.py"),
    ("templates/", "tests/analysis/test_shipped.py"),
    ("examples/faults/", "tests/fixes/test_every_fix.py"),
    ("examples/", "tests/test_links.py"),
    ("benchmarks/", "tests/test_links.py"),
    ("vscode-client/", "tests/test_vscode_page.py tests/test_vscode_words.py"),
    (".pre-commit-hooks.yaml", "tests/cli/test_hooks.py"),
    ("action.yml", "tests/cli/test_hooks.py"),
    ("scripts/changed_tests.py", "tests/test_changed_tests.py"),
    ("scripts/release.py", "tests/test_release.py"),
    ("scripts/", "tests/test_published.py tests/test_links.py"),
    ("pyproject.toml", "tests/test_published.py tests/test_i*.py"),
    ("", "tests/test_links.py"),
)


def changed() -> list[str]:
    """The files that differ from `main`, and those that Git does not know yet."""
    base = _git("merge-base", "main", "HEAD") or ["HEAD"]
    return [
        *_git("diff", "--name-only", *base),
        *_git("ls-files", "--others", "--exclude-standard"),
    ]


def covering(name: str) -> list[str]:
    """The tests of the file `name`, each of which is there."""
    path = PurePosixPath(name)
    if name.startswith("tests/") and path.match("test_*.py"):
        return [name] if (ROOT / name).exists() else []
    start, areas = next(row for row in AREAS if name.startswith(row[0]))
    if name.startswith("tests/") and not start:
        return [path.parent.as_posix()]
    found = [test for area in areas.split() for test in _named(area, name.removeprefix(start))]
    return [*found, "tests/test_architecture.py"] if name.startswith("agent_lsp/") else found


def _named(area: str, rest: str) -> list[str]:
    """The tests in `area` that are called after a part of `rest`, or all of them."""
    *folders, file = PurePosixPath(rest or ".").parts or ("",)
    words = (file.partition(".")[0], *(folder.removesuffix("s") for folder in folders))
    closest = (sorted((ROOT / area).glob(f"test_{word}*.py")) for word in words if word)
    paths = next(filter(None, closest), sorted(ROOT.glob(area)))
    return [found.relative_to(ROOT).as_posix() for found in paths]


def _git(*arguments: str) -> list[str]:
    done = subprocess.run(
        ["git", *arguments],  # noqa: S607 # the one on PATH is the one meant
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.split("\n")[:-1]


def main(names: Iterable[str]) -> None:
    """Prints what tests `names`, or what has changed if none are given."""
    tests = {test for name in names or changed() for test in covering(name)}
    print(*sorted(tests))


if __name__ == "__main__":
    main(sys.argv[1:])
