"""JupyterLab and Jupyter Notebook, run for real, and their notebooks in a browser."""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import nbformat
from conftest import listened
from jupyter_servers import served
from nbformat import v4
from playwright.sync_api import Browser, Page, Route

NEWS = {"fetchNews": "false", "checkForUpdates": False}
# Where each opens a notebook.
OPENS = {
    "jupyterlab": "lab/workspaces/{stem}/tree/{stem}.ipynb",
    "notebook": "notebooks/{stem}.ipynb",
}
# A kernel has its name when it comes, and is not idle yet; before, its absence is called idle.
READY = ".jp-Toolbar:has(.jp-KernelName:has-text('ipykernel'))"
READY += " .jp-Notebook-ExecutionIndicator[data-status='idle']"


def write_notebook(path: Path, sources: list[str]) -> None:
    """Write a notebook of these cells."""
    cells = [v4.new_code_cell(source, id=f"cell-{i}") for i, source in enumerate(sources)]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}), path)


def write_settings(folder: Path) -> None:
    """Write settings without the question about news."""
    settings = folder / "settings/@jupyterlab/apputils-extension"
    settings.mkdir(parents=True)
    path = settings / "notification.jupyterlab-settings"
    path.write_text(json.dumps(NEWS), encoding="utf-8")


@contextmanager
def serving(app: str, folder: Path) -> Iterator[str]:
    """Yield the address of one of them, which serves a folder and has settings of its own."""
    write_settings(folder)
    options = {
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.port": "0",  # whichever is free
        "ServerApp.root_dir": str(folder),
        "IdentityProvider.token": "",
        "LabApp.extension_manager": "readonly",
        "LabApp.expose_app_in_browser": "True",
    }
    names = ["HOME", "IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"]
    own = {name: str(folder / name.lower()) for name in names}
    own |= {
        "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(folder / "workspaces"),
    }
    command = [sys.executable, "-m", app, "--no-browser", "--allow-root"]
    command += [f"--{name}={value}" for name, value in options.items()]
    with served(command, env=os.environ | own) as address:
        yield address


@contextmanager
def running(browser: Browser, app: str, address: str, stem: str, height: int) -> Iterator[Page]:
    """Yield a notebook, opened and run in a browser that reaches nothing but this server."""
    outside = []

    def guard(route: Route) -> None:
        if route.request.url.startswith((f"{address}/", "data:", "blob:")):
            route.continue_()
        else:
            outside.append(route.request.url)
            route.abort()

    with browser.new_context(viewport={"width": 1280, "height": height}) as context:
        listened(context).route("**/*", guard)
        page = context.new_page()
        page.goto(f"{address}/{OPENS[app].format(stem=stem)}")
        page.locator(READY).wait_for()
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_text("Run All Cells", exact=True).click()
        yield page
    assert outside == []
