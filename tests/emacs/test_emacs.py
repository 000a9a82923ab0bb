"""A person opens a template in Emacs, set up as the docs say."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.editor import ROOT, environment
from tests.systems import DIALECTS

TEMPLATE = """\
---
description: Reviews changes.
model: gpt-5.1-codex-m
allow_list: [exec_comand]
---
Review.
"""
# What a person sees there, as one line of JSON.
LOOK = """
(setq eglot-sync-connect 30)
(find-file (getenv "TEMPLATE"))
(run-hooks 'post-command-hook)
(let ((left 300))
  (while (and (> left 0) (not (and (eglot-managed-p) (flymake-diagnostics))))
    (accept-process-output nil 0.1)
    (setq left (1- left))))
(goto-char (point-min))
(search-forward "gpt-5.1-codex-m")
(let ((completion (eglot-completion-at-point))
      (said (mapcar #'flymake-diagnostic-text (flymake-diagnostics))))
  (let ((offered (all-completions "gpt-5.1-codex-m" (nth 2 completion))))
    (search-forward "exec_co")
    (princ (concat "SEEN " (json-encode
      (list :said (vconcat said)
            :offered (vconcat (mapcar #'substring-no-properties offered))
            :fixes (vconcat (mapcar (lambda (one) (plist-get one :title))
                                    (eglot-code-actions (point) (point))))))
      "\\n"))))
(find-file (getenv "OTHER"))
(run-hooks 'post-command-hook)
(accept-process-output nil 1)
(princ (format "OTHER %s\\n" (flymake-diagnostics)))
"""


def emacs() -> str:
    """An Emacs with eglot and markdown-mode; without one the test is skipped."""
    found = shutil.which("emacs")
    ready = "(package-initialize) (require 'eglot) (require 'markdown-mode)"
    if found is None:
        pytest.skip("no emacs on PATH")
    probe = [found, "--batch", "--eval", f"(progn {ready})"]
    if subprocess.run(probe, capture_output=True, check=False).returncode:
        pytest.skip("this emacs lacks eglot or markdown-mode")
    return found


def test_the_pattern_of_the_docs_fits_the_folder_of_each_system() -> None:
    """Those of a project that are hidden, and those below the home."""
    page = (ROOT / "docs/editors.md").read_text("utf-8")
    [written] = re.findall(r'string-match-p\s+"(.*?)"', page)
    pattern = written.replace("\\\\", "\\")
    for emacs_has, python_has in (("\\(", "("), ("\\)", ")"), ("\\|", "|"), ("\\'", r"\Z")):
        pattern = pattern.replace(emacs_has, python_has)
    fits = re.compile(pattern)
    folders = {
        (folder.removeprefix("~/"), rule.deep)
        for dialect in DIALECTS
        for rule in dialect.system.scopes
        for folder in rule.folders
        if folder.startswith((".", "~/")) and not dialect.system.files and not rule.marker
    }
    assert len(folders) > 4
    for folder, is_deep in folders:
        assert fits.search(f"/home/ann/{folder}/reviewer.md")
        assert not is_deep or fits.search(f"/home/ann/{folder}/more/reviewer.md")
    assert not fits.search("/home/ann/agents/reviewer.md")


@pytest.mark.editors
def test_a_template_is_served_and_nothing_is_said_of_other_markdown(tmp_path: Path) -> None:
    program = emacs()
    page = (ROOT / "docs/editors.md").read_text("utf-8")
    [init] = re.findall(r"(?ms)^```elisp\n(.*?)^```", page)
    inherited = environment(tmp_path)
    Path(inherited["HOME"]).mkdir(exist_ok=True)
    (tmp_path / "workspace/.git").mkdir(parents=True)
    template = tmp_path / "workspace/.codex/.agents/reviewer.md"
    template.parent.mkdir(parents=True)
    template.write_text(TEMPLATE, encoding="utf-8")
    other = tmp_path / "workspace/README.md"
    other.write_text(TEMPLATE, encoding="utf-8")
    commands = tmp_path / "bin"
    commands.mkdir()
    command = commands / "agent-template-lsp"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m agent_lsp "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    script = tmp_path / "look.el"
    script.write_text(
        f"(package-initialize)\n(require 'markdown-mode)\n{init}{LOOK}", encoding="utf-8"
    )
    ran = subprocess.run(
        [program, "--batch", "-l", str(script)],
        env={
            **inherited,
            "PATH": os.pathsep.join((str(commands), inherited["PATH"])),
            "TEMPLATE": str(template),
            "OTHER": str(other),
        },
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    seen = json.loads(re.findall(r"(?m)^SEEN (.*)$", ran.stdout)[0])
    assert len(seen["said"]) == 1
    assert "did you mean `exec_command`?" in seen["said"][0]
    assert seen["offered"] == ["gpt-5.1-codex-max", "gpt-5.1-codex-mini"]
    assert "Replace `exec_comand` with `exec_command`" in seen["fixes"]
    assert "OTHER nil" in ran.stdout
