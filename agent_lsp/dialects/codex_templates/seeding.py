"""Whether the runtime copies its built-in templates into the user's folder when it starts.

Facts: codex-rs/core/src/agent/role_templates.rs at 9f82deac0f1b, read 2026-11-27: before the
first read the folder is created; if none of the names is in it, all files are written.
"""

from collections.abc import Callable, Iterable


def kept_by(builtin: Iterable[str], exists: Callable[[str], bool]) -> tuple[str, ...]:
    """Those of the `builtin` file names that keep the runtime from copying any; none: it copies."""
    return tuple(name for name in builtin if exists(name))
