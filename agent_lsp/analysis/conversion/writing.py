"""Writes the new file: its header in the key order of its system, or copied, and the prompt."""

from collections.abc import Iterator, Mapping

from agent_lsp.analysis.conversion.pair import ConversionPair
from agent_lsp.analysis.conversion.tools import Granted
from agent_lsp.model import template
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.schema import Key, KeyRole
from agent_lsp.syntax.toml import edit
from agent_lsp.syntax.yaml.edit import quote, quote_key
from agent_lsp.workspace.snapshot import TemplateFile

Value = str | tuple[str, ...] | bool | int
Rules = Mapping[str, str]


def written(
    dialect: Dialect,
    values: Mapping[KeyRole, Value],
    prompt: str,
    more: Mapping[str, Value],
    rules: Mapping[str, Rules],
) -> str:
    """A file of `dialect` with `values` by role, `more` by name, and `rules`; then `prompt`."""
    if dialect.is_toml:
        return _toml(dialect, values, prompt, more)
    always = dialect.conversion.always if dialect.conversion is not None else {}
    lines: list[str] = []
    for key in dialect.schema.keys:
        value = values.get(key.role) if key.role is not None else None
        value = more.get(key.name) if value is None else value
        value = always.get(key.name) if value is None else value
        lines += _lines(key, value) if value is not None else ()
        lines += _rules(key, rules.get(key.name, {}))
    return "\n".join(("---", *lines, "---", "", prompt.strip("\r\n"), ""))


def _rules(key: Key, rules: Rules) -> Iterator[str]:
    if rules:
        yield f"{key.name}:"
        yield from (f"  {quote_key(name)}: {action}" for name, action in rules.items())


def _toml(
    dialect: Dialect, values: Mapping[KeyRole, Value], prompt: str, more: Mapping[str, Value]
) -> str:
    """A file that is all TOML, with the prompt as the value of its last key."""
    lines: list[str] = []
    last = ""
    for key in dialect.schema.keys:
        value = values.get(key.role) if key.role is not None else None
        value = more.get(key.name) if value is None else value
        if key.role is KeyRole.PROMPT:
            last = f"{key.name} = {edit.quote_lines(prompt.strip(_LINE_ENDS))}"
        elif value is not None:
            lines.append(f"{key.name} = {edit.quote(value)}")
    return "\n".join((*lines, last, ""))


_LINE_ENDS = "\r\n"


def _lines(key: Key, value: Value) -> Iterator[str]:
    if isinstance(value, str):
        yield f"{key.name}: {quote(value)}"
    elif isinstance(value, bool | int):
        yield f"{key.name}: {str(value).lower()}"
    elif not value:
        yield f"{key.name}: []"
    elif key.in_text:
        yield f"{key.name}: {quote(', '.join(value))}"
    else:
        yield f"{key.name}:"
        yield from (f"  - {quote(item)}" for item in value)


# The roles that have a key of their own in every file.
_SAID = frozenset({KeyRole.AGENT, KeyRole.DESCRIPTION, KeyRole.ALLOW, KeyRole.DENY})


def kin_keys(pair: ConversionPair, file: TemplateFile) -> Mapping[str, Key]:
    """Maps the keys of this form to those of the other one."""
    names = pair.before.kin(file.reading, pair.target.id) if pair.before.kin is not None else {}
    found = ((name, pair.target.key(other)) for name, other in names.items())
    return {name: key for name, key in found if key is not None}


def kin_values(pair: ConversionPair, file: TemplateFile) -> dict[str, tuple[str, Value]]:
    """Maps the keys of this form to the key and the value in the other one."""
    settings = file.reading.effective.settings
    found = {}
    for name, key in kin_keys(pair, file).items():
        said = _said(key, settings[name]) if name in settings and key.role not in _SAID else None
        if said is not None:
            found[name] = (key.name, said)
    return found


def lists(pair: ConversionPair, file: TemplateFile) -> Granted | None:
    """The tool lists, unchanged; None if they mean something else there or cannot be written."""
    mine = {key.role: name for name, key in kin_keys(pair, file).items()}
    found: dict[KeyRole, tuple[str, ...] | None] = {}
    for holds in (KeyRole.ALLOW, KeyRole.DENY):
        name, key = mine.get(holds), pair.target.schema.by_role.get(holds)
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
