"""A box in which a reader of a live notebook types, and a model answers; silent elsewhere."""

from __future__ import annotations

from collections.abc import Callable

from transformer_lite.progress_bar import show_live

LONGEST = 500


def prompt_box(answer: Callable[[str], str], prompt: str = "") -> None:
    """Show a line to type into, a button, and what `answer` makes of the line.

    It needs a kernel: the published page says so in its place, and a script shows nothing. What is
    typed and what is answered are plain text. Nothing of either is read as markup, as a formula or
    as code. A line is cut after 500 characters. An error in `answer` is shown as its message.

    Args:
        answer: called with the line; returns the text to show.
        prompt: what stands in the line at first.

    Raises:
        TypeError: `answer` cannot be called, or `prompt` is no string.

    >>> prompt_box(str.upper, "the cat")
    """
    if not callable(answer):
        raise TypeError(f"answer must be a function, got {type(answer).__name__}: {answer!r:.60}")
    if not isinstance(prompt, str):
        raise TypeError(f"prompt must be a string, got {type(prompt).__name__}: {prompt!r:.60}")
    show_live(lambda: _box(answer, prompt))


def _box(answer: Callable[[str], str], prompt: str):  # type: ignore[no-untyped-def] # of a notebook
    from ipywidgets import Button, Layout, Text, Textarea, VBox

    wide = Layout(width="auto")
    line = Text(value=prompt, description="Prompt", layout=wide)
    button = Button(description="Go on")
    said = Textarea(description="Answer", disabled=True, rows=4, layout=wide)

    def go_on(_: object) -> None:
        try:
            said.value = answer(line.value[:LONGEST])
        except Exception as error:  # a notebook would swallow it
            said.value = f"{type(error).__name__}: {error}"

    button.on_click(go_on)
    return VBox([line, button, said])
