"""The words of a model's full id that can be only one of a few, and where they stand in it.

Invariants: an id may have anything before it that ends in `.` or `/`, as Bedrock's and those of
gateways have, and anything behind its family; the number may stand on either side of it.
Facts: code.claude.com/docs/model-config as of 2026-08-22, read 2026-11-28. Any other id is passed
to the provider as it is; there an agent of an unknown model ends at its first request with
`There's an issue with the selected model (…)`: anthropics/claude-code 92715, read 2026-11-28.
"""

import re

from agent_lsp.dialects.vocabulary import PartialWord
from agent_lsp.text import Span

FAMILIES = ("sonnet", "opus", "haiku", "fable")
UNKNOWN = "the agent ends at its first request"
_MAKER = ("claude",)
_ID = re.compile(
    r"(?:^|(?<=[./]))(?P<maker>[a-z]{5,7})-(?:\d[\d.]*-)*(?P<family>[a-z]{3,8})(?![a-z])"
)


def words(name: str) -> tuple[PartialWord, ...]:
    """The maker and the family in the last id that `name` holds, or nothing."""
    ids = tuple(_ID.finditer(name))
    if not ids:
        return ()
    maker, family = ids[-1].span("maker"), ids[-1].span("family")
    return (PartialWord(Span(*maker), _MAKER), PartialWord(Span(*family), FAMILIES))
