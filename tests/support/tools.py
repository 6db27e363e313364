"""Tools that some tests need and not every machine has, and how they are found.

A test needs a tool if it has the mark of that name or asks for a fixture of that name. Where the
tool is missing, the test is skipped, and the summary of the run gives the reason.
"""

import functools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path

import pytest
import torch
from chromium import browser_skip_reason, chromium
from playwright.sync_api import Error
from sandboxed import sandbox_skip_reason

from transformer_lite.models import pretrained

ROOT = Path(__file__).parents[2]


def program(*names: str) -> Callable[[], str]:
    """Return a search that gives a reason if none of these programs is on the PATH."""
    return lambda: "" if any(map(shutil.which, names)) else f"{names[0]} is not installed"


def text_fragments_skip_reason() -> str:
    """Return why no browser follows a link to words of a page: that from npm does not."""
    if reason := browser_skip_reason():
        return reason
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        path = Path(folder, "page.html")
        path.write_text("<p style='height: 9000px'></p>some words", encoding="utf-8")
        page = browser.new_page()
        page.goto(f"{path.as_uri()}#:~:text=some%20words")
        try:
            page.wait_for_function("scrollY > 0", timeout=5_000)
        except Error:
            return f"Chromium {browser.version} does not follow links to words (#:~:text=)"
    return ""


def git_skip_reason() -> str:
    """Return why git cannot list the files of the project, such as those of a downloaded zip."""
    if not shutil.which("git"):
        return "git is not installed"
    asked = ["git", "rev-parse", "--show-toplevel"]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True)
    return done.stderr.strip() if done.returncode else ""


def minilm_skip_reason() -> str:
    """Return why the weights of all-MiniLM-L6-v2 are missing."""
    try:
        metadata.distribution(pretrained.DISTRIBUTION)
    except metadata.PackageNotFoundError:
        return f"the weights of all-MiniLM-L6-v2 are missing: {pretrained.INSTALL}"
    return ""


#: Each tool with a function that returns why it is missing, or an empty text.
TOOLS: dict[str, Callable[[], str]] = {
    "browser": browser_skip_reason,
    "ffmpeg": program("ffmpeg"),
    "firefox": program("firefox-esr", "firefox"),
    "git": git_skip_reason,
    "gpu": lambda: "" if torch.cuda.is_available() else "PyTorch finds no GPU",
    "java": program("java"),
    "minilm": minilm_skip_reason,
    "nbgrader": program(os.environ.get("NBGRADER", "nbgrader")),
    "sandbox": sandbox_skip_reason,
    "text_fragments": text_fragments_skip_reason,
    "webkit": program("WebKitWebDriver"),
}


@functools.cache
def skip_reason(tool: str) -> str:
    """Return why a tool is missing; an empty text means that it is there."""
    return TOOLS[tool]()


def skip_without_tools(item: pytest.Item) -> None:
    """Mark a test to be skipped if a tool that it needs is missing."""
    asked = {mark.name for mark in item.iter_markers()} | {*getattr(item, "fixturenames", ())}
    for tool in sorted(asked & TOOLS.keys()):
        if reason := skip_reason(tool):
            item.add_marker(pytest.mark.skip(reason=reason))
