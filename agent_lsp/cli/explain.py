"""`explain`: the page of one diagnostic, or the list of all."""

from argparse import Namespace

from agent_lsp.analysis.rules import RULES
from agent_lsp.cli.failure import Failure
from agent_lsp.cli.named import meant
from agent_lsp.cli.terminal import visible


def run(arguments: Namespace) -> int:
    """Prints the page of the rule `code`, or every code with the first line of its page."""
    pages = {rule.code: rule.page for rule in RULES}
    code = arguments.code
    if code is None:
        width = max(map(len, pages))
        for known, page in pages.items():
            print(f"{known:{width}}  {_summary(known, page)}")
        return 0
    if code not in pages:
        raise Failure(f"there is no diagnostic `{visible(code)}`{meant(code, pages)}")
    print(pages[code].strip())
    return 0


def _summary(code: str, page: str) -> str:
    """What the first line of a page, `# code: claim.`, says of the rule."""
    title = page.strip().partition("\n")[0]
    return title.removeprefix("# ").removeprefix(f"{code}: ").removesuffix(".")
