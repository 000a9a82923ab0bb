"""The others that use the agents of a system, beside the calls that spawn them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reach:
    """Where what does nothing for a spawned agent may do something all the same.

    `readers` are other systems that read files in the same places, and `session` is what starts a
    main session with an agent, where that can be.
    """

    readers: tuple[str, ...] = ()
    session: str = ""
