"""The files that are measured on: one template, and workspaces full of its likes."""

from collections.abc import Iterator
from pathlib import Path

SAMPLE = (Path(__file__).parent / "sample.md").read_text(encoding="utf-8")
FOLDER = Path(".codex/.agents")
_OF_SYSTEMS = (
    *(".claude/agents/one.md", ".github/agents/one.agent.md", ".cursor/agents/one.md"),
    *(".factory/droids/one.md", ".gemini/agents/one.md", ".opencode/agents/one.md"),
    *(".qwen/agents/one.md", ".codex/agents/one.toml", ".kodacode/agents/one.md"),
    *(".moltis/agents/one.md", "docs/templates/one.md"),
)
_TOML = 'name = "one"\ndescription = "Reviews."\ndeveloper_instructions = "Look."\n'
_AGENT = (Path(__file__).parent / "agent.md").read_text(encoding="utf-8")


def write(root: Path, count: int) -> tuple[Path, Path]:
    """Fills `root` with `count` templates; returns the sample's path and that of the last one.

    All stand in one folder, so that each of them could define any name, and each text is
    another one. The last one has a fault, so that something is said about it.
    """
    folder = root / FOLDER
    folder.mkdir(parents=True)
    (root / ".git").mkdir()
    sample, last = folder / "release.md", folder / "zz-last.md"
    sample.write_text(SAMPLE, encoding="utf-8")
    last.write_text("A prompt without a header.\n", encoding="utf-8")
    for number in range(count - 2):
        text = SAMPLE.replace("a release", f"release {number}", 1)
        (folder / f"role-{number:05}.md").write_text(text, encoding="utf-8")
    return sample, last


def write_systems(root: Path) -> None:
    """Adds to `root` an agent of each system that does not have one there."""
    for place in _OF_SYSTEMS:
        path = root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        is_toml = path.suffix == ".toml"
        path.write_text(_TOML if is_toml else _AGENT.replace("NUMBER", "1"), encoding="utf-8")


def write_agents(root: Path, count: int) -> Path:
    """Fills `root` with `count` sound agents of Claude Code; returns the last one's path."""
    folder = root / ".claude/agents"
    folder.mkdir(parents=True)
    (root / ".git").mkdir()
    path = folder
    for number in range(count):
        path = folder / f"release-{number:05}.md"
        path.write_text(_AGENT.replace("NUMBER", f"{number:05}"), encoding="utf-8")
    return path


def typed(anchor: str, words: str) -> Iterator[str]:
    """The sample's text after each letter of `words` typed behind `anchor`, again and again.

    No text comes twice: what has been read once is remembered, and a person types new things.
    """
    before, found, after = SAMPLE.partition(anchor)
    if not found:
        raise ValueError(f"the sample has no {anchor!r}")
    number = 0
    while True:
        number += 1
        line = f"{words[0]}{number}{words[1:]}"
        for end in range(1, len(line) + 1):
            yield f"{before}{found}{line[:end]}{after}"


def place(anchor: str) -> tuple[int, int]:
    """The line and the column behind `anchor` in the sample."""
    before, found, _ = SAMPLE.partition(anchor)
    lines = f"{before}{found}".split("\n")
    return len(lines) - 1, len(lines[-1])
