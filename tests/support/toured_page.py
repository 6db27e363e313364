"""A page of one figure with its tour and its real scripts, as the build leaves it."""

from pathlib import Path

from lessons.kit.figures import LiveFigure
from lessons.kit.figures.live_figure import (
    core_files,
    core_script,
    kit_files,
    kit_script,
    page_script,
    stylesheet,
)
from lessons.kit.figures.registry import FIGURES

PAGE = "notebooks/02_toured"
ORDER = [("Start", PAGE)]


def write_toured(html: Path, figure: LiveFigure) -> Path:
    """Write the page into the folder of a book, and return the folder."""
    name = figure.name
    module = FIGURES[name].script
    kit = [kit_script(p) for n, p in kit_files(module).items() if n not in core_files()]
    scripts = [core_script(), *kit, page_script(module)]
    run = "".join(f"<script>{script}</script>" for script in scripts)
    body = f"<h1>A tour</h1>{figure.to_html()}<p>What follows.</p>"
    (html / f"{PAGE}.html").parent.mkdir(exist_ok=True)
    (html / f"{PAGE}.html").write_text(
        f'<!doctype html><html lang="en" data-theme="light"><meta charset="utf-8">'
        f"<style>{stylesheet(module)}</style><body><article class='bd-article'>"
        f"<section id='a-tour'>{body}</section></article>{run}</body></html>",
        encoding="utf-8",
    )
    return html
