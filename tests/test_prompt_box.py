"""The prompt box: what is typed goes to the function as it is, and comes back as plain text."""

import subprocess
import sys

import pytest

from transformer_lite.prompt_box import LONGEST, _box, prompt_box

HOSTILE = "<img src=x onerror=alert(1)> $\\href{x}{y}$ {{7*7}} __import__('os')"


def press(answer, typed: str) -> str:
    from ipywidgets import Textarea

    line, button, said = _box(answer, "the cat").children
    assert line.value == "the cat"
    line.value = typed
    button.click()
    assert type(said) is Textarea and said.disabled  # HTML and Label would read markup, formulas
    return said.value


@pytest.mark.parametrize("typed", [HOSTILE, "", "é 猫 \u202e", "the softmax"])
def test_what_is_typed_reaches_the_function_and_the_answer_the_reader_unchanged(typed):
    assert press(lambda text: f"{text}!", typed) == f"{typed}!"


def test_a_long_line_is_cut():
    assert press(str, "a" * (LONGEST + 9)) == "a" * LONGEST


def test_an_error_is_shown_as_its_message():
    def refuse(text):
        raise ValueError("prompt must be short, got <b>")

    assert press(refuse, "x") == "ValueError: prompt must be short, got <b>"


def test_a_wrong_function_or_prompt_is_refused():
    with pytest.raises(TypeError, match="answer must be a function, got int: 3"):
        prompt_box(3)
    with pytest.raises(TypeError, match="prompt must be a string, got int: 3"):
        prompt_box(str, 3)


def test_a_script_shows_nothing_and_loads_no_widget():
    code = "from transformer_lite.prompt_box import prompt_box; prompt_box(str); import sys; "
    code += "print('ipywidgets' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("False\n", "")
