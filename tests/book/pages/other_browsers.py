"""Firefox and WebKit as Debian packages them, controlled with only a websocket library.

Firefox speaks WebDriver BiDi itself; WebKit has a driver that is spoken to over http.
"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import websocket

PATIENCE = 60  # seconds for one command
SIZE = (1280, 900)
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
WEBKIT = shutil.which("WebKitWebDriver")
PREFERENCES = """user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("toolkit.telemetry.reportingpolicy.firstRun", false);
user_pref("browser.startup.homepage_override.mstone", "ignore");
"""
# Every page keeps what goes wrong from its first script on, where the browser allows it.
LISTEN = """() => {
  window.wentWrong ??= [];
  addEventListener("error", ({ message }) => message && wentWrong.push(message));
  addEventListener("unhandledrejection", ({ reason }) => wentWrong.push(`${reason}`));
}"""


class Firefox:
    """Firefox over WebDriver BiDi."""

    keeps_f = False  # whether F may end the full screen without the page being asked

    def __init__(self, address: str) -> None:
        self.socket = websocket.create_connection(
            f"{address}/session", timeout=PATIENCE, suppress_origin=True
        )
        self.count = 0
        self.call("session.new", {"capabilities": {}})
        self.page = self.call("browsingContext.create", {"type": "tab"})["context"]
        size = {"width": SIZE[0], "height": SIZE[1]}
        self.call("browsingContext.setViewport", {"context": self.page, "viewport": size})
        self.call("script.addPreloadScript", {"functionDeclaration": LISTEN})

    def call(self, method: str, params: dict[str, Any]) -> Any:
        """Send a command and return its result; ignore events in between."""
        self.count += 1
        self.socket.send(json.dumps({"id": self.count, "method": method, "params": params}))
        while True:
            told = json.loads(self.socket.recv())
            if told.get("id") != self.count:
                continue
            if told["type"] == "error":
                raise RuntimeError(f"{method}: {told['error']}: {told['message']}")
            return told["result"]

    def open(self, url: str) -> None:
        """Go to an address, and wait until it has loaded."""
        told = {"context": self.page, "url": url, "wait": "complete"}
        self.call("browsingContext.navigate", told)
        self.call("browsingContext.activate", {"context": self.page})  # it gets the keys

    def run(self, function: str, *values: Any) -> Any:
        """Call a JavaScript function, which may be asynchronous; return what it returns."""
        code = f"async () => JSON.stringify(await ({function})(...{json.dumps(values)}) ?? null)"
        told = self.call(
            "script.callFunction",
            {
                "functionDeclaration": code,
                "target": {"context": self.page},
                "awaitPromise": True,
                "userActivation": True,
            },
        )
        if told["type"] == "exception":
            raise RuntimeError(told["exceptionDetails"]["text"])
        return json.loads(told["result"]["value"])

    def press(self, *keys: str) -> None:
        """Press keys one after the other, as a person would."""
        steps = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        actions = [{"type": "key", "id": "keyboard", "actions": steps}]
        self.call("input.performActions", {"context": self.page, "actions": actions})


class WebKit:
    """WebKitGTK over WebDriver. On a full screen it takes F for itself, unless it is still busy
    with getting there.
    """

    keeps_f = True

    def __init__(self, address: str) -> None:
        self.address = address
        binary = next(iter(sorted(Path("/usr/lib").glob("*/webkit2gtk-4*/MiniBrowser"))))
        options = {"binary": str(binary), "args": ["--automation"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        self.session = self.call("session", {"capabilities": wanted})["sessionId"]
        self.send("timeouts", {"script": 1000 * PATIENCE, "pageLoad": 1000 * PATIENCE})
        self.send("window/rect", {"width": SIZE[0], "height": SIZE[1]})

    def call(self, path: str, told: dict[str, Any]) -> Any:
        """Post a command, and return its value."""
        request = urllib.request.Request(
            f"{self.address}/{path}",
            json.dumps(told).encode(),
            {"Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=2 * PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{path}: {error.read().decode()[:300]}") from None

    def send(self, path: str, told: dict[str, Any]) -> Any:
        """Post a command to the session."""
        return self.call(f"session/{self.session}/{path}", told)

    def open(self, url: str) -> None:
        self.send("url", {"url": url})
        self.run(LISTEN)

    def run(self, function: str, *values: Any) -> Any:
        code = f"""const done = arguments[arguments.length - 1];
        (async () => JSON.stringify(await ({function})(...{json.dumps(values)}) ?? null))()
          .then((text) => done({{ text }}), (error) => done({{ error: `${{error}}` }}));"""
        told = self.send("execute/async", {"script": code, "args": []})
        if "error" in told:
            raise RuntimeError(told["error"])
        return json.loads(told["text"])

    def press(self, *keys: str) -> None:
        steps = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.send("actions", {"actions": [{"type": "key", "id": "keyboard", "actions": steps}]})


@contextmanager
def running(*command: str) -> Iterator[Callable[[], str]]:
    """Run a program and its children; yield a function that returns their output so far."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as said:
        run = subprocess.Popen(command, stdout=said, stderr=said, start_new_session=True)

        def told() -> str:
            said.seek(0)
            text = said.read()
            if run.poll() is not None:
                raise RuntimeError(f"{command[0]} ended with {run.returncode}: {text[-500:]}")
            return text

        try:
            yield told
        finally:
            for how in (signal.SIGTERM, signal.SIGKILL):
                with suppress(ProcessLookupError, subprocess.TimeoutExpired):
                    os.killpg(run.pid, how)
                    run.wait(10)


@contextmanager
def firefox() -> Iterator[Firefox]:
    """Yield Firefox with a new profile."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        Path(profile, "user.js").write_text(PREFERENCES, "utf-8")
        options = ["--headless", "--no-remote", "--profile", profile]
        with running(str(FIREFOX), *options, "--remote-debugging-port", "0") as told:
            while not (found := re.search(r"BiDi listening on (ws://\S+)", told())):
                time.sleep(0.05)
            browser = Firefox(found[1])
            yield browser
            browser.socket.close()


@contextmanager
def webkit() -> Iterator[WebKit]:
    """Yield WebKit on a screen of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with running("xvfb-run", "-a", str(WEBKIT), f"--port={port}") as told:
        address = f"http://127.0.0.1:{port}"
        while told() is not None:
            with suppress(OSError), urllib.request.urlopen(f"{address}/status"):
                break
            time.sleep(0.05)
        yield WebKit(address)


BROWSERS = {"firefox": firefox, "webkit": webkit}
