"""VS Code's front end for widgets, as npm has it, in a browser with a real kernel.

The kernel's connection is JupyterLab's own; all else of its page is hidden.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anywidget
from conftest import listened
from playwright.sync_api import Browser, Page, Route

FOLDER = Path(os.environ.get("VSCODE", "."), "package")  # `make nightly` fetches and names it
FILES = {
    "require.js": FOLDER / "require.js",
    "ipywidgets.js": FOLDER / "dist/ipywidgets.js",
    "anywidget.js": Path(anywidget.__file__).parent / "nbextension/index.js",
}
# What VS Code's notebook does: it makes the manager, finds modules of widgets for it, and shows a
# widget below the cell that returned it. `run` runs a cell and returns what it prints or raises.
NOTEBOOK = """async () => {
  const VIEW = "application/vnd.jupyter.widget-view+json";
  const script = document.createElement("script");
  script.src = "/vscode/require.js";
  await new Promise((done) => document.head.append(Object.assign(script, { onload: done })));
  const { activate } = await import("/vscode/ipywidgets.js");
  activate();
  vscIPyWidgets8.load();
  await jupyterapp.restored;
  jupyterapp.shell.hide();
  window.wentWrong = [];
  const kernel = await jupyterapp.serviceManager.kernels.startNew({ name: "python3", path: "a" });
  const manager = new vscIPyWidgets.WidgetManager(kernel, document.body, {
    widgetsRegisteredInRequireJs: new Set(),
    loadWidgetScript: async (name) => requirejs.config({ paths: { [name]: `/vscode/${name}` } }),
    errorHandler: (...told) => wentWrong.push(told.join(" ")),
    successHandler() {},
  }, () => {});
  const show = async (data) => {
    const node = document.body.appendChild(document.createElement("div"));
    const model = await manager.get_model(data[VIEW].model_id);
    await manager.display_view(data, await manager.create_view(model, { el: node }), { node });
  };
  window.run = async (code) => {
    let printed = "";
    const shown = [];
    const cell = kernel.requestExecute({ code });
    cell.onIOPub = ({ header, content }) => {
      if (header.msg_type === "stream") printed += content.text;
      if (header.msg_type === "error") printed += content.evalue;
      if (content.data?.[VIEW]) shown.push(show(content.data));
    };
    await cell.done;
    await Promise.all(shown);
    return printed.trim();
  };
}"""


@contextmanager
def notebook(browser: Browser, address: str) -> Iterator[Page]:
    """Yield a page of VS Code's front end, in touch with a new kernel of a JupyterLab."""
    wrong: list[str] = []

    def serve(route: Route) -> None:
        route.fulfill(path=FILES[route.request.url.rpartition("/")[2]])

    with browser.new_context(viewport={"width": 1280, "height": 2400}) as context:
        page = listened(context).new_page()
        page.goto(f"{address}/lab")
        page.wait_for_function("window.jupyterapp?.serviceManager.isReady")
        page.route("**/vscode/*", serve)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.evaluate(NOTEBOOK)
        yield page
        if wrong := [*wrong, *page.evaluate("wentWrong")]:
            raise AssertionError(wrong)
