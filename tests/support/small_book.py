"""A book of three pages, built as somebody else would build it, to test its addresses."""

import os
import subprocess
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["book/bibliography", "notebooks/05_attention", "book/changes"]
ENVIRONMENT_PREFIXES = ("BOOK_", "GITHUB_", "CI_")


def build(folder: Path, **environment: str) -> Path:
    """Build the small book with the settings and extensions of the whole one.

    Args:
        folder: a new folder to build in.
        environment: what the builder says about repository and address, and nothing else.

    Returns:
        the folder of its pages.
    """
    folder.mkdir()
    config = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))
    config["execute"]["execute_notebooks"] = "off"
    root, *others = PAGES
    toc = {"format": "jb-book", "root": root, "chapters": [{"file": name} for name in others]}
    for name, content in (("_config.yml", config), ("_toc.yml", toc)):
        (folder / name).write_text(yaml.safe_dump(content), encoding="utf-8")
    kept = {
        name: text for name, text in os.environ.items() if not name.startswith(ENVIRONMENT_PREFIXES)
    }
    paths = [str(ROOT), str(ROOT / "book/extensions")]
    done = subprocess.run(
        [
            *(Path(sys.executable).with_name("jupyter-book"), "build", ROOT),
            *("--config", folder / "_config.yml", "--toc", folder / "_toc.yml"),
            *("--path-output", folder),
        ],
        env=kept | {"PYTHONPATH": os.pathsep.join(paths)} | environment,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(f"the small book cannot be built: {done.stderr[-2000:]}")
    return folder / "_build/html"
