"""`explain`: the page of one diagnostic, or the list of all."""

from argparse import Namespace

from agent_lsp.analysis.checks import codes as all_codes
from agent_lsp.cli.command_error import CommandError
from agent_lsp.cli.pages import claim, page
from agent_lsp.cli.resolve import did_you_mean
from agent_lsp.cli.terminal import visible
from agent_lsp.environment import SYSTEMS


def run(arguments: Namespace) -> int:
    """Prints the page of the rule `code`, or every code with the first line of its page."""
    codes = all_codes(SYSTEMS)
    code = arguments.code
    if code is None:
        width = max(map(len, codes))
        for known in codes:
            print(f"{known:{width}}  {claim(page(known))}")
        return 0
    if code not in codes:
        raise CommandError(f"there is no diagnostic `{visible(code)}`{did_you_mean(code, codes)}")
    print(page(code).strip())
    return 0
