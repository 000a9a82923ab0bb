"""Writes the new file: a header in the key order of the other system, and the prompt."""

from collections.abc import Iterator, Mapping

from agent_lsp.model.dialect import Dialect
from agent_lsp.model.schema import Key, KeyRole
from agent_lsp.syntax.toml import edit
from agent_lsp.syntax.yaml.edit import quote, quote_key

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
