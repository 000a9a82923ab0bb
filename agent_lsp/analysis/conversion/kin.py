"""Copies the keys of a template to another form of the same runtime's files, unchanged."""

from collections.abc import Mapping

from agent_lsp.analysis.conversion.pair import ConversionPair
from agent_lsp.analysis.conversion.tools import Granted
from agent_lsp.analysis.conversion.writing import Value
from agent_lsp.model import template
from agent_lsp.model.schema import Key, KeyRole
from agent_lsp.workspace.snapshot import TemplateFile

# The roles that have a key of their own in every file.
_SAID = frozenset({KeyRole.AGENT, KeyRole.DESCRIPTION, KeyRole.ALLOW, KeyRole.DENY})


def keys(pair: ConversionPair, file: TemplateFile) -> Mapping[str, Key]:
    """Maps the keys of this form to those of the other one."""
    names = pair.before.kin(file.reading, pair.target.id) if pair.before.kin is not None else {}
    found = ((name, pair.target.key(other)) for name, other in names.items())
    return {name: key for name, key in found if key is not None}


def values(pair: ConversionPair, file: TemplateFile) -> dict[str, tuple[str, Value]]:
    """Maps the keys of this form to the key and the value in the other one."""
    settings = file.reading.effective.settings
    found = {}
    for name, key in keys(pair, file).items():
        said = _said(key, settings[name]) if name in settings and key.role not in _SAID else None
        if said is not None:
            found[name] = (key.name, said)
    return found


def lists(pair: ConversionPair, file: TemplateFile) -> Granted | None:
    """The tool lists, unchanged; None if they mean something else there or cannot be written."""
    mine = {key.role: name for name, key in keys(pair, file).items()}
    found: dict[KeyRole, tuple[str, ...] | None] = {}
    for holds in (KeyRole.ALLOW, KeyRole.DENY):
        name, key = mine.get(holds), pair.target.key_with_role(holds)
        if name is None or key is None:
            return None
        value = file.reading.effective.settings.get(name)
        said = _said(key, value) if value is not None and value.items else None
        if value is not None and value.items and not isinstance(said, tuple):
            return None
        found[holds] = said if isinstance(said, tuple) else None
    return Granted(found[KeyRole.ALLOW], found[KeyRole.DENY], pair.tools, ())


def _said(key: Key, value: template.Value) -> Value | None:
    """A value in the other form, or None if it cannot be expressed there."""
    if isinstance(value.value, bool | int):
        return value.value
    if isinstance(value.value, str):
        words = [choice.name for choice in key.choices]
        is_said = value.text in words if words else bool(value.text.strip())
        return value.text if is_said else None
    items = tuple(item.text for item in value.items)
    # In the other form, a blank list sets nothing, and a comma ends a name.
    is_plain = all(item.strip() == item and item and "," not in item for item in items)
    return items if items and is_plain else None
