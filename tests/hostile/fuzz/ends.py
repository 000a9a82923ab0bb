"""What is compared when nothing is under way: findings with those of a new server, and fixes.

What is outdated does not last until the end of a round, since the next scan would put it right.
Therefore, findings are compared again and again, and after a single line has changed in files that
are as they should be: a random edit mostly spoils a text. The new server counts columns in another
encoding, so a wrong count is a difference.
"""

import json
import re
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.hostile.answers import (
    WHOLE,
    Answer,
    Lines,
    Wrong,
    WrongPlaceError,
    edits_in,
    places,
    ranges,
)
from tests.hostile.fuzz.client import Client
from tests.hostile.fuzz.documents import Document, TextsThen
from tests.hostile.fuzz.session import (
    Session,
    alike,
    errors,
    in_another_encoding,
    is_agent,
    with_pull,
)

# By URI, each as JSON.
_Findings = Mapping[str, list[str]]
# What still differs after so many tries, seconds apart, is not on its way any more.
_TRIES, _GRACE = 3, 1.0
_QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"|\d+")


def compare(session: Session) -> None:
    """Compares the findings with those of a new server about the same files and texts."""
    client, chance = session.client, session.random
    session.tell_late()
    session.leave_text()
    able = in_another_encoding(session.able, chance)
    able = with_pull(able, is_pulled=chance.random() < 0.3)
    client.settle()
    new = session.start(session.other)
    try:
        session.introduce(new, able)
        new.disk = client.disk
        for document in session.opened():
            own = new.documents[document.uri] = Document(document.uri, is_open=True)
            own.hold(document.text, 1)
            session.did_open(new, own)
        new.settle()
        found, expected = _norm(client), _norm(new)
        for _ in range(_TRIES):
            if found == expected:
                break
            time.sleep(_GRACE)
            client.settle()
            new.settle()
            found, expected = _norm(client), _norm(new)
        for wrong in _differences(session, found, expected):
            session.complain(wrong)
        client.figures["compared"] += 1
        _check_last(session)
        _compare_places(session, new)
        new.leave()
    finally:
        new.close()


def _check_last(session: Session) -> None:
    """The findings that the server has told by itself are those on the last version."""
    for document in session.opened():
        said = session.client.published.get(document.uri)
        if said is not None and said.items and said.version != document.version:
            told = f"the last findings on {document.uri} are on version {said.version}"
            wrong = f"{told}, the text has {document.version}"
            session.complain(Wrong("version", wrong, "last"))


def _compare_places(session: Session, new: Client) -> None:
    """What is asked about a whole text has the same places in each encoding."""
    document = session.document()
    # It may have been opened just now.
    if document.is_loose or document.uri not in new.documents:
        return
    params = {"textDocument": {"uri": document.uri}}
    for method in (f"textDocument/{one}" for one in WHOLE):
        said = []
        for one in (session.client, new):
            texts = TextsThen(one, is_search=False)
            answer = Answer(method, params, one.asked(method, params), texts)
            said.append(sorted(map(repr, places(answer))))
        old, other = said
        if old != other:
            encodings = f"{session.client.encoding}, and {new.encoding} in a new server"
            wrong = f"{method}: {old[:9]}, {other[:9]} in {encodings}: {document.text[:500]!r}"
            session.complain(Wrong("inconsistent", wrong, method))


def _norm(client: Client) -> _Findings:
    """The findings in a form that can be compared, whatever their order and their encoding."""
    texts = TextsThen(client, is_search=False)
    return {
        uri: sorted(json.dumps(_located(one, uri, texts), sort_keys=True) for one in found)
        for uri, found in client.findings().items()
    }


def _located(finding: Mapping[str, Any], uri: str, texts: TextsThen) -> dict[str, Any]:
    """A finding with columns in characters; without columns in a text that nobody knows."""
    copied = {**finding, "data": None}
    located: dict[str, Any] = json.loads(json.dumps(copied))
    for other, where in ranges(located, uri):
        lines = texts.lines(other)
        for place in where.values():
            before = {"line": place["line"], "character": 0}
            try:
                column = lines.offset(place) - lines.offset(before) if lines is not None else 0
            except WrongPlaceError:
                column = -1
            place["character"] = column
    return located


def _differences(session: Session, before: _Findings, after: _Findings) -> list[Wrong]:
    wrong = []
    for uri in sorted({*before, *after}):
        lost = _short(set(after.get(uri, ())) - set(before.get(uri, ())))
        extra = _short(set(before.get(uri, ())) - set(after.get(uri, ())))
        if lost or extra:
            document = session.client.documents.get(uri)
            name = uri.removeprefix(f"{session.root.as_uri()}/")
            state = "open" if document is not None and document.is_open else "closed"
            said = f"{name} ({state}) lacks {lost[:3]}, has {extra[:3]}"
            codes = sorted({one.split()[1] for one in (*lost, *extra)})
            wrong.append(Wrong("inconsistent", said, f"{codes} {bool(lost)} {bool(extra)} {state}"))
    return wrong


def _short(findings: set[str]) -> list[str]:
    """Findings as a reader wants them: the place, the code and the message."""
    found = []
    for one in map(json.loads, sorted(findings)):
        start = one["range"]["start"]
        place = f"{start['line']}:{start['character']}"
        found.append(f"{place} {one.get('code')} {one['message'][:120]}")
    return found


def fix(session: Session) -> None:
    """Carries out a fix, looks at the findings, and takes it back."""
    document, client, chance = session.document(), session.client, session.random
    session.leave_text()
    before = client.finding_on(document)
    if not before:
        return
    for finding in chance.sample(before, min(2, len(before))):
        only = chance.choice(("quickfix", "quickfix", "source.fixAll"))
        actions = _actions(client, document, finding, only)
        if actions:
            _try(session, document, finding, chance.choice(actions))


def _actions(
    client: Client, document: Document, finding: Mapping[str, Any], only: str
) -> list[dict[str, Any]]:
    context = {"diagnostics": [finding], "only": [only]}
    about = {"uri": document.uri}
    params = {"textDocument": about, "range": finding["range"], "context": context}
    return client.asked("textDocument/codeAction", params) or []


def _try(
    session: Session, document: Document, finding: Mapping[str, Any], action: Mapping[str, Any]
) -> None:
    """Does what `action` says, if it is about this text, and checks what comes of it."""
    client, old = session.client, document.text
    edits = [
        one
        for uri, _, every in edits_in(action.get("edit"))
        if uri == document.uri
        for one in every
    ]
    before = client.finding_on(document)
    if not edits or before is None:
        return
    try:
        now = Lines(old, client.encoding).edited(edits)
    except WrongPlaceError:
        # That was told when the answer came.
        return
    client.figures["fixes"] += 1
    session.change(document, now)
    session.leave_text()
    after = client.finding_on(document)
    name = f"`{action['title']}` for {finding['code']}"
    sign = f"{_QUOTED.sub('#', action['title'])} {finding['code']}"
    said = f"{name} ({finding['message'][:200]})"
    texts = f": {old[:1500]!r} becomes {now[:1500]!r}"
    if now == old:
        session.complain(Wrong("fix", f"{said} changes nothing{texts}", f"nothing {sign}"))
    elif action.get("kind") == "source.fixAll":
        if _actions(client, document, finding, "source.fixAll"):
            session.complain(Wrong("fix", f"{said} has more to do{texts}", f"again {sign}"))
    elif after is not None and action.get("diagnostics"):
        is_left = alike(after, finding) >= alike(before, finding)
        if is_left:
            session.complain(Wrong("fix", f"{said} leaves it{texts}", f"left {sign}"))
    # What a header is refused for hides what else is wrong with it.
    is_hidden = errors(before) or any(one["code"] == "agent-name" for one in before)
    if after is not None and not is_hidden and errors(after):
        brings = dict(errors(after))
        session.complain(Wrong("fix", f"{said} brings {brings}{texts}", f"{[*brings]} {sign}"))
    session.change(document, old)


def change_lines(session: Session) -> None:
    """Changes a line of each project in the editor, when the rest is as it should be.

    A file that is no agent may have all files looked at again, so its project has a turn alone. Of
    two projects with a file in common, one is left as it is.
    """
    alone = [one for one in session.together if not all(map(is_agent, one))]
    several = [one for one in session.together if one not in alone]
    if session.random.random() < 0.3:
        several = [session.random.choice(alone)]
    chosen, seen = dict[Path, str](), set[Path]()
    for one in session.random.sample(several, len(several)):
        if seen.isdisjoint(one):
            seen.update(one)
            for path, text in one.items():
                _make_whole(session, path, text)
            path = session.random.choice(sorted(one))
            session.hold(path, one[path])
            chosen[path] = one[path]
    session.tell_late()
    session.client.settle()
    for path, text in chosen.items():
        session.hold(path, session.typist.with_another_line(text))


def _make_whole(session: Session, path: Path, text: str) -> None:
    """Gives the file `text`, in the editor if it is open there."""
    if session.document_at(path).is_open:
        session.hold(path, text)
    else:
        session.put(path, text)
        session.changed(path, is_told=False)
