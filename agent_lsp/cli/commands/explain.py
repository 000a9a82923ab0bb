"""`explain`: prints the page of one rule, or the list of all rules."""

from argparse import ArgumentParser, Namespace

from agent_lsp.analysis.checks import codes as all_codes
from agent_lsp.cli.arguments import CommandError, examples
from agent_lsp.cli.resolve import did_you_mean
from agent_lsp.cli.terminal import visible
from agent_lsp.environment import SYSTEMS
from agent_lsp.installed import installed


def add_arguments(command: ArgumentParser) -> None:
    """Adds the arguments and the help text of `explain`."""
    command.description = (
        "Explains what a rule reports and how to fix it.\nWithout CODE, lists all rules."
    )
    command.epilog = examples("explain", "explain unknown-tool")
    command.add_argument(
        "code", metavar="CODE", nargs="?", help="the code of a rule, as in `warning[unknown-tool]`"
    )


def run(arguments: Namespace) -> int:
    """Prints the page of a rule, or every code with the claim of its page."""
    codes = all_codes(SYSTEMS)
    code = arguments.code
    if code is None:
        width = max(map(len, codes))
        for known in codes:
            print(f"{known:{width}}  {claim(page(known))}")
        return 0
    if code not in codes:
        raise CommandError(f"there is no rule `{visible(code)}`{did_you_mean(code, codes)}")
    print(page(code).strip())
    return 0


def page(code: str) -> str:
    """The page of the rule `code`, whose first line is `# code: claim.`.

    Raises `CommandError` if the file cannot be read.
    """
    path = installed(f"docs/rules/{code}.md")
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        reason = f"cannot read {visible(str(path))}: {error.strerror}"
        raise CommandError(
            f"{reason}\n  it is part of this tool: install the tool again"
        ) from error


def claim(text: str) -> str:
    """The claim in the first line of a rule page, without the full stop."""
    return text.partition("\n")[0].partition(": ")[2].removesuffix(".")
