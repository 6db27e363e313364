"""A progress bar for the chapters that train: live in a notebook, silent elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from ipywidgets import IntProgress, Widget

Item = TypeVar("Item")

STEPS = 20
_VIEW = "application/vnd.jupyter.widget-view+json"


def progress(items: Sequence[Item], label: str) -> Iterator[Item]:
    """Yield the items, and show a progress bar in a notebook.

    Args:
        items: the items, such as `range(200)`; they must have a length.
        label: the label of the bar, such as "training".

    Raises:
        TypeError: `items` has no length.

    >>> sum(progress(range(4), "adding"))
    6
    """
    if not hasattr(items, "__len__"):
        raise TypeError(f"items must have a length, got {type(items).__name__}: {items!r:.60}")
    return _progress(items, label)


def _progress(items: Sequence[Item], label: str) -> Iterator[Item]:
    total = len(items)
    bar = _bar(label, total) if _in_notebook() else None
    for done, item in enumerate(items, start=1):
        yield item
        # At most twenty messages to the page, however many items there are: a client that reads
        # them late, after the cell, loses some of thousands, and with them the word that it ended.
        if bar and done * STEPS // total > (done - 1) * STEPS // total:
            with bar.hold_sync():
                bar.value, bar.description = done, f"{label}: {done} of {total}"


def _in_notebook() -> bool:
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    return hasattr(shell, "kernel")


def _bar(label: str, total: int) -> IntProgress:
    """Show a bar and return it."""
    from ipywidgets import IntProgress

    style = {"description_width": "initial"}
    bar = IntProgress(max=total, description=f"{label}: 0 of {total}", style=style)
    _show(bar)
    return bar


def _show(widget: Widget) -> None:
    from IPython.display import display

    # Only the view, without its text, so that a notebook does not store it.
    view = {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}
    display({_VIEW: view}, raw=True)
