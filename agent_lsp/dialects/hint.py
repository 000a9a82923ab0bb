"""How much a spawn call's own description says of the agents that there are."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RoleHint:
    """What the spawn call's own description tells an agent of the roles that there are.

    The first `roles` by name, each with its description, trimmed, up to `longest` characters; of
    a longer one all but the last of so many are left, and `…` stands for the rest.
    """

    roles: int
    longest: int
