"""Where a key belongs that the runtime knows under another table or another name.

Invariant: only a key that the file's generation has is pointed to.
"""

from agent_lsp.dialects.moltis import generation as generations
from agent_lsp.dialects.moltis import policy
from agent_lsp.dialects.moltis.generation import Generation

# What people call the policy in other systems, without case and separators.
_BORROWED = {
    policy.ALLOW: "allow allowed allowlist allowtools allowedtools toolsallow toolsallowed "
    "enabledtools whitelist",
    policy.DENY: "deny denied denylist denytools deniedtools disallowedtools toolsdeny "
    "toolsdenied disabledtools excludedtools blacklist blockedtools",
    "system_prompt_suffix": "prompt systemprompt instructions suffix",
    "max_iterations": "maxturns maxsteps iterations",
    "timeout_secs": "timeout timeoutseconds",
}
_SEPARATORS = str.maketrans("", "", "-_ .")
_LOST = {policy.ALLOW: ", so it restricts no tools", policy.DENY: ", so it restricts no tools"}


def known(generation: Generation | None) -> tuple[str, ...]:
    """The dotted names of the keys of a preset; of an unknown generation those of both."""
    if generation is not None:
        return tuple(generations.SEED if generation is Generation.SEED else generations.TODAY)
    return (*generations.SEED, *generations.TODAY)


def belongs(name: str, generation: Generation | None) -> str | None:
    """The dotted name of the key that `name`, a dotted name too, is in the wrong place."""
    table, _, last = name.rpartition(".")
    names = known(generation)
    # The policy comes first of all tables that have the same key.
    at_top = [other for other in names if other == last and table]
    inside = [other for other in names if "." in other and other.rpartition(".")[2] == last]
    preferred = [policy.ALLOW, policy.DENY, "identity.name"]
    found = (*at_top, *(one for one in preferred if one in inside), *inside, "")[0]
    if not found:
        folded = last.casefold().translate(_SEPARATORS)
        found = next((key for key, words in _BORROWED.items() if folded in words.split()), "")
        if found.rpartition(".") == (table, "." * bool(table), folded):
            # Another spelling of a key of this table is no key of another one.
            return None
    return found if found and found != name else None


def place(found: str, table: str) -> str:
    """What is lost, and how the key `found` is written that now stands in `table`."""
    inner, _, last = found.rpartition(".")
    if inner == table:
        how = f"it is called `{last}` here"
    elif inner:
        how = f"of a preset it is `{found}`"
    else:
        how = f"`{last}` is a key of the preset itself, not of `{table}`"
    return f"{_LOST.get(found, '')}; {how}"
