"""`convert --write` keeps copies, and overwrites nothing that somebody else has written."""

import json

import pytest

from tests.cli.shell import Shell

SOURCE = ".claude/agents/herald.md"
COPY = ".opencode/agents/herald.md"
LOCK = "agent-template-lsp.lock.json"
HERALD = """\
---
name: herald
description: Announces what was decided.
tools: Read
---
Announce it.
"""


@pytest.fixture
def copied(shell: Shell) -> Shell:
    shell.write(SOURCE, HERALD)
    ran = shell.run("convert", ".claude/agents", "--write", "opencode,copilot-cli")
    assert (ran.code, ran.out) == (0, "")
    assert ran.err.splitlines()[:2] == [
        "wrote .github/agents/herald.agent.md",
        f"wrote {COPY}",
    ]
    return shell


def text(shell: Shell, name: str) -> str:
    return (shell.root / name).read_text("utf-8")


def test_copies_are_current_after_a_run_and_a_second_run_writes_nothing(copied: Shell) -> None:
    before = text(copied, LOCK)
    assert set(json.loads(before)["files"]) == {COPY, ".github/agents/herald.agent.md"}
    assert copied.run("convert", "--check").out == "2 derived files are current\n"
    ran = copied.run("convert", "--write")
    assert "wrote" not in ran.err
    assert text(copied, LOCK) == before


def test_a_changed_source_makes_the_copies_stale_until_they_are_written_again(
    copied: Shell,
) -> None:
    copied.write(SOURCE, HERALD.replace("Announce it.", "Announce it twice."))
    ran = copied.run("convert", "--check")
    assert ran.code == 1
    assert f"{COPY} is stale\n" in ran.out
    assert "\n-Announce it.\n+Announce it twice.\n" in ran.out
    assert "twice" not in text(copied, COPY)
    assert copied.run("convert", "--write").code == 0
    assert "twice" in text(copied, COPY)
    assert copied.run("convert", "--check").code == 0


def test_a_copy_that_was_edited_is_refused_with_the_difference(copied: Shell) -> None:
    copied.write(SOURCE, HERALD.replace("Announce it.", "Announce it twice."))
    edited = text(copied, COPY) + "By hand.\n"
    copied.write(COPY, edited)
    ran = copied.run("convert", "--check")
    assert (ran.code, "overwrites edited copies" in ran.err) == (1, True)
    ran = copied.run("convert", "--write")
    assert ran.code == 2
    assert f"{COPY} was edited by hand\n" in ran.out
    assert "-By hand." in ran.out
    assert text(copied, COPY) == edited
    # All or nothing.
    assert "twice" not in text(copied, ".github/agents/herald.agent.md")
    assert copied.run("convert", "--write", "--force").code == 0
    assert "By hand" not in text(copied, COPY)


def test_a_file_of_somebody_else_is_refused(shell: Shell) -> None:
    shell.write(SOURCE, HERALD)
    shell.write(COPY, "---\ndescription: Mine.\n---\nMine.\n")
    ran = shell.run("convert", SOURCE, "--write", "opencode")
    assert ran.code == 2
    assert f"{COPY} exists, and was not written by this command" in ran.out
    assert "Mine." in text(shell, COPY)
    assert not (shell.root / LOCK).exists()


def test_a_copy_without_a_source_goes_away_unless_it_was_edited(copied: Shell) -> None:
    (copied.root / SOURCE).unlink()
    assert f"{COPY} no longer has a source" in copied.run("convert", "--check").out
    copied.write(COPY, text(copied, COPY) + "By hand.\n")
    assert copied.run("convert", "--write").code == 2
    assert (copied.root / COPY).exists()
    assert copied.run("convert", "--write", "--force").code == 0
    assert not (copied.root / COPY).exists()


def test_line_ends_of_a_checkout_do_not_matter(copied: Shell) -> None:
    path = copied.root / COPY
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert copied.run("convert", "--check").code == 0
    assert copied.run("convert", SOURCE, "--write", "cursor").code == 0
    path = copied.root / ".cursor/agents/herald.md"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    ran = copied.run("convert", "--write")
    assert (ran.code, ran.err) == (0, "")


@pytest.mark.parametrize(
    "name",
    [
        "../outside.md",
        "/outside.md",
        "a/../../outside.md",
        ".git/config",
        # Most disks of macOS and Windows find the same file by these names.
        ".GIT/config",
        ".git./config",
        "git~1/config",
        "a\0b",
        "",
    ],
)
def test_a_lock_file_cannot_name_a_file_outside(name: str, copied: Shell) -> None:
    good = json.loads(text(copied, LOCK))
    outside = copied.root.parent / "outside.md"
    outside.write_text(text(copied, COPY), "utf-8")
    entry = good["files"][COPY] | {"source": ".claude/agents/gone.md"}
    for data in (
        good | {"files": good["files"] | {name: entry}},
        good | {"derivations": [{"source": name, "targets": ["opencode"]}]},
    ):
        copied.write(LOCK, json.dumps(data))
        ran = copied.run("convert", "--write")
        assert (ran.code, "is not a path below" in ran.err) == (2, True)
    assert outside.exists()


def test_what_no_conversion_has_written_is_not_removed(copied: Shell) -> None:
    data = json.loads(text(copied, LOCK))
    copied.write("app.py", text(copied, COPY))
    data["files"]["app.py"] = data["files"][COPY] | {"source": ".claude/agents/gone.md"}
    copied.write(LOCK, json.dumps(data))
    ran = copied.run("convert", "--write")
    assert (ran.code, "app.py, which is not a file that `convert` writes" in ran.err) == (2, True)
    assert (copied.root / "app.py").exists()


def test_nothing_is_written_through_a_link_out_of_the_repository(shell: Shell) -> None:
    shell.write(SOURCE, HERALD)
    outside = shell.root.parent / "outside"
    outside.mkdir()
    try:
        (shell.root / ".opencode").symlink_to(outside, target_is_directory=True)
    except OSError:
        pytest.skip("no links on this system")
    ran = shell.run("convert", ".claude/agents", "--write", "opencode")
    assert (ran.code, "points outside the repository" in ran.err) == (2, True)
    assert list(outside.iterdir()) == []


def names(shell: Shell) -> set[str]:
    return set(json.loads(text(shell, LOCK))["files"])


def test_a_later_call_adds_systems_and_only_drop_removes_them(copied: Shell) -> None:
    assert copied.run("convert", SOURCE, "--write", "gemini").code == 0
    assert copied.run("convert", ".claude/agents", "--write", "qwen").code == 0
    here = {COPY, ".github/agents/herald.agent.md", ".gemini/agents/herald.md"}
    here.add(".qwen/agents/herald.md")
    assert copied.run("convert", ".claude/agents", "--write").err == ""
    assert names(copied) == here
    ran = copied.run("convert", "--drop", "gemini,opencode")
    assert (ran.code, set(ran.err.splitlines())) == (
        0,
        {f"removed {COPY}", "removed .gemini/agents/herald.md"},
    )
    assert names(copied) == {".github/agents/herald.agent.md", ".qwen/agents/herald.md"}
    assert copied.run("convert", "--check").code == 0
    ran = copied.run("convert", SOURCE, "--drop", "gemini")
    assert (ran.code, "no source is converted to gemini" in ran.err) == (2, True)
    assert copied.run("convert", "--drop", "copilot,qwen").code == 0
    assert not (copied.root / LOCK).exists()


def test_a_copy_that_may_do_more_is_reported_and_is_no_failure(shell: Shell) -> None:
    shell.write(SOURCE, HERALD)
    ran = shell.run("convert", SOURCE, "--write", "cursor")
    assert (ran.code, f"{SOURCE} to cursor: 1 may do more" in ran.err) == (0, True)
    # It is said when a copy is written, and not each time.
    assert shell.run("convert", "--write").err == ""


def test_one_bad_file_stops_no_other_and_keeps_its_copy(copied: Shell) -> None:
    copied.write(".claude/agents/bad.md", "---\nname: bad\n---\nNo description.\n")
    copied.write(".claude/agents/README.md", "# What these are\n")
    copied.write(SOURCE, HERALD.replace("Announce it.", "Announce it twice."))
    ran = copied.run("convert", "--write")
    assert ran.code == 2
    assert ".claude/agents/bad.md cannot be converted to opencode: " in ran.err
    assert "README" not in ran.err
    assert "twice" in text(copied, COPY)
    assert copied.run("convert", "--check").code == 2

    (copied.root / ".claude/agents/bad.md").unlink()
    copied.write(SOURCE, "The header is gone.\n")
    ran = copied.run("convert", "--write")
    assert (ran.code, f"{SOURCE} is no longer an agent" in ran.err) == (2, True)
    assert (copied.root / COPY).exists()


def test_what_a_run_wrote_before_it_failed_is_in_the_lock_file(shell: Shell) -> None:
    shell.write(SOURCE, HERALD)
    shell.write(".opencode", "In the way.\n")
    ran = shell.run("convert", ".claude/agents", "--write", "gemini,opencode")
    assert (ran.code, "cannot write" in ran.err) == (2, True)
    assert names(shell) == {".gemini/agents/herald.md"}
    (shell.root / ".opencode").unlink()
    assert shell.run("convert", "--write").code == 0
    assert names(shell) == {".gemini/agents/herald.md", COPY}


def test_a_copy_is_no_source_and_no_source_becomes_a_copy(copied: Shell) -> None:
    ran = copied.run("convert", COPY, "--write", "gemini")
    assert (ran.code, f"{COPY} is a copy of {SOURCE}" in ran.err) == (2, True)
    ran = copied.run("convert", ".opencode/agents", "--write", "gemini")
    assert (ran.code, "there is no template to convert to gemini" in ran.err) == (2, True)
    copied.write(".gemini/agents/herald.md", HERALD.replace("Read", "[read_file]"))
    ran = copied.run("convert", ".", "--write", "qwen")
    assert (ran.code, "would both become .qwen/agents/herald.md" in ran.err) == (2, True)
    assert copied.run("convert", ".", "--write", "claude,gemini", "--force").code == 2
    assert text(copied, SOURCE) == HERALD
    assert names(copied) == {COPY, ".github/agents/herald.agent.md"}


def test_a_later_source_takes_no_copy_of_another(copied: Shell) -> None:
    other = ".gemini/agents/other.md"
    copied.write(other, HERALD.replace("Read", "[read_file]").replace("Announce it", "Whisper"))
    before = text(copied, COPY), text(copied, LOCK)
    ran = copied.run("convert", ".gemini/agents", "--write", "opencode", "--force")
    said = f"{other} would become {COPY}, which is a copy of {SOURCE}"
    assert (ran.code, said in ran.err) == (2, True)
    assert (text(copied, COPY), text(copied, LOCK)) == before
    (copied.root / SOURCE).unlink()
    assert copied.run("convert", ".gemini/agents", "--write", "opencode").code == 0
    assert "Whisper" in text(copied, COPY)


def test_names_that_differ_in_case_only_are_one_name_on_some_disks(copied: Shell) -> None:
    copied.write(".claude/agents/other.md", HERALD.replace("herald", "Herald"))
    ran = copied.run("convert", ".claude/agents", "--write", "opencode")
    said = f"{SOURCE} and .claude/agents/other.md would both become .opencode/agents/Herald.md"
    assert (ran.code, said in ran.err) == (2, True)
    assert copied.run("convert", "--check").code == 2


def test_a_link_to_the_sources_makes_no_source_of_its_copy(shell: Shell) -> None:
    shell.write(SOURCE, HERALD)
    try:
        for folder in (".cursor", ".github"):
            (shell.root / folder).mkdir()
            (shell.root / folder / "agents").symlink_to("../.claude/agents")
    except OSError:
        pytest.skip("no links on this system")
    ran = shell.run("convert", ".claude/agents", "--write", "cursor", "--force")
    assert (ran.code, f"which is the source {SOURCE}" in ran.err) == (2, True)
    assert shell.run("convert", ".claude/agents", "--write", "copilot").code == 0
    assert shell.run("convert", ".claude/agents", "--write", "gemini").code == 0
    assert names(shell) == {".github/agents/herald.agent.md", ".gemini/agents/herald.md"}
    assert text(shell, SOURCE) == HERALD


def test_each_preset_of_a_file_has_a_copy(shell: Shell) -> None:
    presets = ("[agents.presets.one]\nsystem_prompt_suffix = 'Do.'\ntools.allow = ['Read']\n", "")
    shell.write("moltis.toml", "".join((*presets, presets[0].replace("one", "two"))))
    assert shell.run("convert", "moltis.toml", "--write", "claude").code == 0
    assert names(shell) == {".claude/agents/one.md", ".claude/agents/two.md"}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"version": 2}, "`version` is 2, and this program writes 1"),
        ({"files": []}, "`files` must be an object"),
        ({"derivations": {}}, "`derivations` must be a list"),
        ({"derivations": [{"source": ".", "targets": "x"}]}, "must be a list of systems"),
        ({"derivations": [{"source": ".", "targets": []}]}, "must be a list of systems"),
        ({"derivations": [{"source": ".", "targets": ["vuhlp"]}]}, "names 'vuhlp', to which"),
        ({"derivations": [{"source": 1, "targets": ["qwen"]}]}, "[0].source` must be a string"),
        ({"files": {COPY: {"source": SOURCE, "target": "qwen", "hash": 1}}}, "must be a string"),
        ({"files": {f"{COPY}/": {"source": SOURCE}}}, "is not a path below"),
    ],
)
def test_an_odd_lock_file_says_what_is_odd(
    wrong: dict[str, object], said: str, copied: Shell
) -> None:
    good = json.loads(text(copied, LOCK))
    if isinstance(odd := wrong.get("files"), dict):
        entry = good["files"][COPY]
        wrong = {"files": {name: entry | one for name, one in odd.items()}}
    copied.write(LOCK, json.dumps(good | wrong))
    for call in (("--write",), ("--check",), ("--drop", "opencode")):
        ran = copied.run("convert", *call)
        assert (ran.code, ran.out, said in ran.err) == (2, "", True), ran.err
    assert (copied.root / COPY).exists()


def test_a_folder_in_the_place_of_a_copy_is_refused(copied: Shell) -> None:
    (copied.root / COPY).unlink()
    copied.write(f"{COPY}/more.txt", "Mine.\n")
    ran = copied.run("convert", "--write", "--force")
    assert (ran.code, f"would become {COPY}, which is a folder" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (("--write",), "--write: name the systems"),
        ((".claude/agents", "--write", "opencod"), "did you mean `opencode`?"),
        ((".claude/agents", "--write", "vuhlp"), "nothing can be converted to vuhlp"),
        (("nowhere", "--write", "opencode"), "there is no file or folder nowhere"),
        (("--write", "opencode"), "name the files or folders to convert"),
        ((".claude/agents", "--write", ","), "--write: name at least one system"),
        ((".claude/agents", "--drop", ","), "is not a source in"),
        ((".claude/agents", "--write", "claude"), "no template to convert to claude in"),
        ((".claude/agents", "--write", "qwen", "--scope", "user"), "--scope cannot be used with"),
        ((".claude/agents", "--write", "qwen", "--format", "json"), "--format cannot be used"),
        (("--drop", ""), "--drop: name at least one system"),
        (("--check", "--force"), "--force cannot be used with `--check`"),
        ((".claude/agents",), "one of the arguments --to --write --drop --check is required"),
    ],
)
def test_a_wrong_call_says_what_is_wrong(call: tuple[str, ...], said: str, shell: Shell) -> None:
    shell.write(SOURCE, HERALD)
    ran = shell.run("convert", *call)
    assert ran.code == 2
    assert said in ran.err


def test_a_broken_lock_file_is_an_error_and_none_is_nothing_to_check(shell: Shell) -> None:
    shell.write(SOURCE, HERALD)
    ran = shell.run("convert", "--check")
    assert (ran.code, ran.err) == (0, f"nothing to check: there is no {LOCK}\n")
    shell.write(LOCK, "{")
    assert shell.run("convert", "--check").code == 2


def test_a_folder_is_converted_file_by_file(shell: Shell) -> None:
    shell.write(SOURCE, HERALD)
    shell.write(".claude/agents/scout.md", HERALD.replace("herald", "scout"))
    ran = shell.run("convert", ".claude/agents", "--to", "opencode")
    assert ran.code == 0
    assert [line for line in ran.out.splitlines() if line.startswith("==>")] == [
        f"==> {COPY} <==",
        "==> .opencode/agents/scout.md <==",
    ]
    call = ("convert", ".claude/agents", "--to", "opencode", "--scope", "project")
    assert shell.run(*call).code == 0
    assert shell.run(*call).code == 2

    shell.write(".claude/agents/bad.md", "---\nname: bad\n---\nNo description.\n")
    ran = shell.run("convert", ".claude/agents", "--to", "gemini", "--scope", "project")
    assert (ran.code, "bad.md cannot be converted to gemini: " in ran.err) == (2, True)
    assert "wrote .gemini/agents/scout.md" in ran.err


def test_droids_of_factory_are_converted_from_and_to(shell: Shell) -> None:
    shell.write(SOURCE, HERALD.replace("tools: Read", "tools: Read, WebSearch"))
    ran = shell.run("convert", SOURCE, "--to", "factory")
    assert ran.code == 0
    assert "name: herald\n" in ran.out
    assert "tools:\n  - Read\n  - WebSearch\n---\n" in ran.out
    droid = "---\nname: scout\ndescription: Looks.\ntools: read-only\n---\nLook around.\n"
    shell.write(".factory/droids/scout.md", droid)
    ran = shell.run("convert", ".factory/droids", "--to", "claude")
    assert "tools: Read, Glob, Grep\n" in ran.out
    # The tool does not check them.
    said = shell.run("check", "--if-any", ".factory/droids").out
    assert said == "checked 0 templates: nothing to report\n"
