"""What a file of another form of the same runtime says in its own keys, word for word."""

from collections.abc import Mapping

from agent_lsp.analysis.conversion.granting import Granted
from agent_lsp.analysis.conversion.way import Way
from agent_lsp.analysis.conversion.writing import Value
from agent_lsp.dialects import template
from agent_lsp.dialects.vocabulary import Holds, Key
from agent_lsp.workspace.index import Subject

# What has a place of its own in every file.
_SAID = frozenset({Holds.AGENT, Holds.DESCRIPTION, Holds.ALLOW, Holds.DENY})


def keys(way: Way, of: Subject) -> Mapping[str, Key]:
    """The keys of the other form by those of this one."""
    names = way.before.kin(of.reading, way.target.id) if way.before.kin is not None else {}
    found = ((name, way.target.key(other)) for name, other in names.items())
    return {name: key for name, key in found if key is not None}


def values(way: Way, of: Subject) -> dict[str, tuple[str, Value]]:
    """By keys of this form, what is said there and by which key."""
    settings = of.reading.held.settings
    found = {}
    for name, key in keys(way, of).items():
        said = _said(key, settings[name]) if name in settings and key.holds not in _SAID else None
        if said is not None:
            found[name] = (key.name, said)
    return found


def lists(way: Way, of: Subject) -> Granted | None:
    """The same lists as here, or None if they do not mean the same, or cannot be written."""
    mine = {key.holds: name for name, key in keys(way, of).items()}
    found: dict[Holds, tuple[str, ...] | None] = {}
    for holds in (Holds.ALLOW, Holds.DENY):
        name, key = mine.get(holds), way.target.key_holding(holds)
        if name is None or key is None:
            return None
        value = of.reading.held.settings.get(name)
        said = _said(key, value) if value is not None and value.items else None
        if value is not None and value.items and not isinstance(said, tuple):
            return None
        found[holds] = said if isinstance(said, tuple) else None
    return Granted(found[Holds.ALLOW], found[Holds.DENY], way.known, ())


def _said(key: Key, value: template.Value) -> Value | None:
    """A value in the other form, or None where it cannot say that."""
    if isinstance(value.value, bool | int):
        return value.value
    if isinstance(value.value, str):
        words = [choice.name for choice in key.choices]
        is_said = value.text in words if words else bool(value.text.strip())
        return value.text if is_said else None
    items = tuple(item.text for item in value.items)
    # A blank list sets nothing there, and a comma ends a name.
    is_plain = all(item.strip() == item and item and "," not in item for item in items)
    return items if items and is_plain else None
