"""What the VS Code extension says, apart from how: for those who translate it.

The texts of the manifest are in `package.nls.json`, and those of the code in
`l10n/bundle.l10n.json`. A translation stands beside each: `package.nls.de.json`,
`l10n/bundle.l10n.de.json`.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.typescript import HOLE, Literal, literals

CLIENT = Path(__file__).parents[1] / "vscode-client"
MANIFEST = CLIENT / "package.json"
WORDS = CLIENT / "package.nls.json"
BUNDLE = CLIENT / "l10n" / "bundle.l10n.json"

# The functions that translate their first argument.
TRANSLATE = ("vscode.l10n.t", "t", "rich")
# What VS Code shows of a manifest, wherever it stands.
_SHOWN = {
    *("title", "displayName", "description", "markdownDescription", "enumDescriptions"),
    *("category", "contents", "name", "contextualTitle", "altText"),
}
# Of these a part is for programs.
_NOT_SHOWN = {"name", "prettier", "scripts", "dependencies", "devDependencies", "engines"}
# One text for all: it is that of the product.
_SHARED = {"category", "contextualTitle"}
# The product's own name and others', codes of icons, and what is put in later.
_NO_WORDS = re.compile(rf"Agent Templates|Python|JSON|\$\([\w-]+\)|command:|{HOLE}")
_LETTERS = re.compile(r"[^\W\d_]{2}")
_SENTENCE = re.compile(r"^\s*[A-Z][a-z]+(?![\w.])|[^\W\d_]{2,}[,:;]? +[^\W\d_]{2,}")
# What is written into the log is the same in each language, for who gets a report.
_LOGGED = {"note", "this.log.info", "this.log.warn", "this.log.error"}
_FOR_PROGRAMS = {"class", "contextValue", "kind"}
# What stands after these is compared, imported, or one of the values of a type.
_NO_VALUE = {"===", "!==", "case", "from", "import", "|"}
# A page around its script, a program for Python, and selectors of elements.
_CODE = re.compile(r"<!doctype |import |[a-z]+(, [a-z]+)+$")
_SAYING = {"button", "summary", "empty", "fromSettings"}
_SEEN = {
    *("title", "label", "description", "detail", "placeHolder", "placeholder", "prompt"),
    *("tooltip", "message", "text", "textContent", "aria-label", "aria-description"),
    *("problem", "origin", "validationMessage"),
}
_NAMED = re.compile(r"^%(.+)%$")


def main() -> None:
    """Gives the texts of the manifest their names, and writes them and those of the code."""
    write(manifest())


def manifest() -> dict[str, Any]:
    """The manifest as VS Code shows it, in English."""
    words: Mapping[str, str] = json.loads(WORDS.read_text("utf-8")) if WORDS.exists() else {}
    found: dict[str, Any] = _resolved(json.loads(MANIFEST.read_text("utf-8")), words)
    return found


def split(shown: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """A manifest with names in the place of its texts, and the texts by their names."""
    words: dict[str, str] = {}
    made = {
        key: value if key in _NOT_SHOWN else _named(value, key, [key], words)
        for key, value in shown.items()
    }
    return made, words


def messages() -> dict[str, str]:
    """What the code of the extension says, each text as its own name."""
    found = {
        one.text for path in sources() for one in literals(path.read_text("utf-8")) if is_said(one)
    }
    return {text: text for text in sorted(found)}


def sources() -> list[Path]:
    """The code of the extension."""
    return sorted((CLIENT / "src").rglob("*.ts"))


def is_said(one: Literal) -> bool:
    """Whether a text is one that is translated."""
    return one.call in TRANSLATE and one.argument == 0


def write(shown: Mapping[str, Any]) -> None:
    """Writes the manifest, its texts and the messages of the code."""
    made, words = split(shown)
    BUNDLE.parent.mkdir(exist_ok=True)
    for path, data in ((MANIFEST, made), (WORDS, words), (BUNDLE, messages())):
        text = json.dumps(data, indent=2, ensure_ascii=False) + "\n"
        path.write_text(text, encoding="utf-8", newline="\n")


def _named(value: Any, key: str, path: list[str], words: dict[str, str]) -> Any:
    if isinstance(value, dict):
        # The name of a setting may be one of those words, and is none then.
        inner = "" if key == "properties" else None
        return {
            name: _named(one, name if inner is None else inner, [*path, name], words)
            for name, one in value.items()
        }
    if isinstance(value, list):
        steps = (_step(one, at) for at, one in enumerate(value))
        return [
            _named(one, key, [*path, step], words) for step, one in zip(steps, value, strict=True)
        ]
    if key not in _SHOWN or not isinstance(value, str):
        return value
    name = key if path[-1] in _SHARED else ".".join(path)
    name = name.replace("agentTemplates.", "").removeprefix("contributes.")
    words[name] = value
    return f"%{name}%"


def _step(one: Any, at: int) -> str:
    """What an item of a list is called: it keeps its name when others come and go."""
    names = (one.get(key) for key in ("id", "command")) if isinstance(one, dict) else iter(())
    return next((name for name in names if isinstance(name, str)), str(at))


def _resolved(value: Any, words: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _resolved(one, words) for key, one in value.items()}
    if isinstance(value, list):
        return [_resolved(one, words) for one in value]
    named = _NAMED.match(value) if isinstance(value, str) else None
    return words[named[1]] if named else value


def unsaid(source: str) -> list[Literal]:
    """The texts of a file that a person sees, and that nobody can translate."""
    return [one for one in literals(source) if not is_said(one) and _is_seen(one)]


def _is_seen(one: Literal) -> bool:
    """Whether a text is a sentence, or becomes what VS Code or a page shows."""
    text = _NO_WORDS.sub("", one.text)
    is_key = one.after == ":" and one.before in {"", ","}
    if is_key or one.before in _NO_VALUE or _CODE.match(text):
        return False
    if one.call in _LOGGED or one.name in _FOR_PROGRAMS:
        return False
    if one.call == "element":
        # A name, attributes, and what is in it.
        return one.argument > 1 and bool(_LETTERS.search(text))
    if one.call in _SAYING or one.name in _SEEN:
        return bool(_LETTERS.search(text))
    return bool(_SENTENCE.search(text))
