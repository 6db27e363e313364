"""Without a browser the press says so in a line."""

import shutil

import pytest
from chromium import chromium


def test_a_browser_that_is_not_there_is_told_in_a_line(monkeypatch, tmp_path):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    told = r"^a browser is needed: install chromium, or Chrome$"
    with pytest.raises(ValueError, match=told), chromium():
        raise AssertionError("a browser came from nowhere")
