"""Reads the pages of the rules, as they ship in `docs/rules`.

Invariant: a page is read when it is asked for, and never before.
"""

from agent_lsp.cli.command_error import CommandError
from agent_lsp.cli.terminal import visible
from agent_lsp.installed import installed


def page(code: str) -> str:
    """The page of the rule `code`, whose first line is `# code: claim.`."""
    path = installed(f"docs/rules/{code}.md")
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        reason = f"cannot read {visible(str(path))}: {error.strerror}"
        raise CommandError(f"{reason}\n  it comes with this tool: install it again") from error


def claim(text: str) -> str:
    """The claim in the first line of a rule page, without the code and the full stop."""
    return text.partition("\n")[0].partition(": ")[2].removesuffix(".")
