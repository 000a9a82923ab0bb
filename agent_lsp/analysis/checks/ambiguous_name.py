"""A call can mean two agents, and the runtime refuses it."""

from collections.abc import Iterator
from itertools import islice

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, listed
from agent_lsp.analysis.checks.model import Finding, Related, Rule
from agent_lsp.text import Span
from agent_lsp.workspace.snapshot import TemplateFile, in_reach

# A name with eight signs has as many spellings; nobody calls an agent like that.
_MOST_SPELLINGS = 256


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding for all agents of one name, on the first file that a session finds."""
    if file.name is None or file.dialect.spellings is None or not header.is_seen(file):
        return
    spelt = tuple(islice(file.dialect.spellings(file.name), _MOST_SPELLINGS))
    # With two spellings an agent has each of them, or there is only one agent.
    if len(spelt) <= 2:  # noqa: PLR2004
        return
    alike = in_reach(file, spelt)
    names = {found.name for found in alike}
    asked = next((name for name in spelt if name not in names), None)
    if len(alike) <= 1 or asked is None or alike[0].path != file.path:
        return
    which = f"it can mean {listed(sorted(names), 'and')}"
    related = tuple(
        Related(other.path, Span(0, 0), f"this is {code(other.name)}") for other in alike[1:]
    )
    message = f"a call for {code(asked)} fails with `ambiguous agent_type`: {which}"
    yield Finding(header.opening(file), message, related=related)


RULE = Rule("ambiguous-name", check)
