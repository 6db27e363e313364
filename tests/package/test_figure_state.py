"""The Python side of the live figures: state, static picture, page and what is refused."""

import html
import json
import math
import re
from html.parser import HTMLParser

import pytest
import torch
from specs import SPECS
from specs.attention_explorer import make as explorer
from specs.mask_lab import make as lab
from traitlets import TraitError

from transformer_lite.figures import LiveFigure, Question, predict, question
from transformer_lite.figures._base import number, picture_table

SCRIPT = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


def quiz(prompt: str = "What is softmax of zeros?") -> Question:
    return question(prompt, right=("uniform", "All equal."), wrong=[("zeros", "They sum to 1.")])


FIGURES = [*(spec.make for spec in SPECS), quiz]
every_figure = pytest.mark.parametrize("make", FIGURES, ids=lambda make: make.__module__)


class Page(HTMLParser):
    """What a browser would see: the tags, and the text inside each of them."""

    def __init__(self, text: str):
        super().__init__()
        self.tags, self.text = [], {}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        if self.tags:
            self.text.setdefault(self.tags[-1], []).append(data)


@every_figure
def test_a_figure_made_again_from_its_state_is_the_same(make):
    figure = make()
    state = json.loads(json.dumps(figure.state()))
    again = type(figure)(**state)
    assert again.state() == figure.state()
    assert again.picture() == figure.picture()


@every_figure
def test_to_html_carries_the_state_and_the_picture(make):
    figure = make()
    page = Page(figure.to_html())
    assert page.tags.count("script") == 1
    assert json.loads("".join(page.text["script"])) == figure.state()
    assert figure.picture() in figure.to_html()
    assert f'data-figure="{figure.name}"' in figure.to_html()


@pytest.mark.parametrize(
    "figure",
    [explorer(tokens=[SCRIPT, "CAT", "SAT"]), quiz(SCRIPT), predict("?", SCRIPT, "b")],
    ids=["explorer", "question", "predict"],
)
def test_script_text_in_a_figure_stays_text(figure):
    page = Page(figure.to_html())
    assert page.tags.count("script") == 1
    assert "img" not in page.tags
    assert html.escape(SCRIPT) in figure.picture()
    assert SCRIPT in json.dumps(json.loads("".join(page.text["script"])), ensure_ascii=False)


def cells(picture: str, caption: str) -> list[list[str]]:
    """The numbers of one table of a picture, row by row."""
    [table] = [t for t in picture.split("<table")[1:] if f"<caption>{caption}<" in t]
    body = table.split("<tbody>")[1]
    return [re.findall(r"<td[^>]*>([^<]*)</td>", row) for row in body.split("<tr>")[1:]]


def test_the_explorers_picture_shows_the_packages_numbers():
    figure = explorer(causal=True, temperature=0.5)
    steps, picture = figure.steps(), figure.picture()
    for caption, values in (
        ("1 Scores: query · key", steps.scores),
        ("2 Scaled", steps.scaled),
        ("3 Masked", steps.masked),
        ("4 Weights: softmax of each row", steps.weights),
        ("5 Output: weighted sum of values", steps.output),
    ):
        assert cells(picture, caption) == [[number(x) for x in row] for row in values.tolist()]


def test_the_mask_labs_picture_shows_the_packages_numbers():
    figure = lab(outer=True)
    results, picture = figure.results(), figure.picture()
    captions = {
        "padding": "1 Padding mask",
        "look_ahead": "2 Look-ahead mask",
        "combined": "3 Combined: both are 1",
        "embeddings": "Embeddings x (a pad counts as zeros)",
        "scores": "4 Scores: x xᵀ / √4",
        "masked": "5 Masked scores",
        "plain": "6a Weights: −∞, plain softmax",
        "lowered": "6b Weights: −1e9 for −∞",
        "weights": "6c Weights: this package",
        "on_pads": "7 Weight on pads",
    }
    assert captions.keys() == results.keys()
    for key, caption in captions.items():
        rows = results[key].double().tolist()
        assert cells(picture, caption) == [[number(x) for x in row] for row in rows]
    assert cells(picture, captions["plain"])[3] == ["NaN"] * 4
    assert cells(picture, captions["lowered"])[3] == ["0.25"] * 4
    assert cells(picture, captions["weights"])[3] == ["0"] * 4
    assert "1 Padding mask (off)" in lab(padding=False).picture()
    assert "2 Look-ahead mask (off)" in lab(causal=False).picture()


def test_the_mask_lab_works_out_the_chapters_sequence():
    results = lab(causal=True).results()
    rows = [[0.15, 0.35, 0.55, 0], [0.35, 0.87, 1.39, 0], [0.55, 1.39, 2.23, 0], [0, 0, 0, 0]]
    torch.testing.assert_close(results["scores"], torch.tensor(rows, dtype=torch.float64))
    assert [round(w, 4) for w in results["weights"][1].tolist()] == [0.3729, 0.6271, 0, 0]
    assert results["on_pads"][3].tolist() == [0.25, 0, 0, 0]


def test_an_empty_row_is_read_in_three_ways():
    results = lab(outer=True, causal=False).results()
    assert results["combined"][3].tolist() == [False] * 4
    assert results["plain"][3].isnan().all() and not results["plain"][:3].isnan().any()
    assert results["lowered"][3].tolist() == [0.25] * 4
    assert results["weights"][3].tolist() == [0.0] * 4
    assert [str(x) for x in results["on_pads"][3].tolist()] == ["0.25", "nan", "0.25", "0.0"]


def test_a_base_figure_has_no_picture():
    with pytest.raises(NotImplementedError, match="LiveFigure has no static picture yet"):
        LiveFigure().picture()


@pytest.mark.parametrize(
    ("x", "text"),
    [
        *((0.0, "0"), (-0.00001, "0"), (2.0, "2"), (100.0, "100"), (0.99996, "1")),
        *((-1.34164, "−1.3416"), (math.inf, "∞"), (-math.inf, "−∞"), (math.nan, "NaN")),
    ],
)
def test_number_writes_for_the_eye(x, text):
    assert number(x) == text


def test_picture_table_escapes_names_and_wants_one_a_row():
    table = picture_table("a < b", [[1.0]], ["<i>"], ["&"])
    assert Page(table).tags.count("i") == 0
    assert "a &lt; b" in table and "&lt;i&gt;" in table and "&amp;" in table
    with pytest.raises(ValueError, match="zip"):
        picture_table("t", [[1.0], [2.0]], ["one"], ["x"])


# What is refused


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: explorer(tokens=["a"]), "equally many, got 1 and 3"),
        (lambda: explorer(vectors=[[1], [2, 3], [4]]), r"one length of at least 1, got \[1, 2\]"),
        (lambda: explorer(vectors=[[], [], []]), r"one length of at least 1, got \[0\]"),
        (lambda: explorer(vectors=[["x"], [1], [2]]), "not the str 'x'"),
        (lambda: explorer(tokens=[1, "b", "c"]), "not the int 1"),
        (lambda: explorer(temperature=0.0), "temperature must be greater than 0, got 0.0"),
        (lambda: explorer(temperature=math.nan), "temperature must be greater than 0, got nan"),
        (lambda: lab(token_ids=[1, 2]), "equally many, got 2 and 4"),
        (lambda: lab(token_ids=[], embeddings=[]), r"one length of at least 1, got \[\]"),
        (lambda: lab(token_ids=[1, 2, 3, 0.5]), "not the float 0.5"),
        (lambda: lab(token_ids=7), "token_ids.* expected a list, not the int 7"),
        (lambda: lab(token_ids=[1, 2, 3, 2**60]), f"token_ids must be at most .* got {2**60}"),
        (lambda: lab(pad_id=-(2**60)), f"pad_id must be at most .* got -{2**60}"),
        (lambda: lab(pad_id="x"), "pad_id.* not the str 'x'"),
        (lambda: lab(embeddings=[[1], [2], [3, 4], [5]]), r"of at least 1, got \[1, 2\]"),
        (lambda: lab(embeddings=[[1], [2], [3], [math.nan]]), "at most 1000 in size, got nan"),
        (lambda: lab(embeddings=[[1], [2], [3], [-1001]]), "at most 1000 in size, got -1001"),
        (lambda: lab(selected=4), "selected must satisfy 0 <= selected < 4, got 4"),
        (lambda: lab(selected=-1), "selected must satisfy 0 <= selected < 4, got -1"),
        (lambda: lab(causal="yes"), "causal.* not the str 'yes'"),
    ],
)
def test_bad_traits_are_named(make, message):
    with pytest.raises(TraitError, match=message):
        make()


@pytest.mark.parametrize(
    ("name", "value"),
    [("token_ids", [1, 2]), ("embeddings", [[1.0]]), ("selected", 9), ("pad_id", 2**60)],
)
def test_a_refused_change_leaves_the_mask_lab_as_it_was(name, value):
    figure = lab()
    before = figure.state()
    with pytest.raises(TraitError):
        setattr(figure, name, value)
    assert figure.state() == before


@pytest.mark.parametrize(
    "make",
    [
        lambda: question("?", right=("a", ""), wrong=[]),
        lambda: question("?", right=("a", ""), wrong=[("a", "")]),
        lambda: predict("?", "a"),
        lambda: predict("?", "a", "a"),
    ],
)
def test_choices_must_differ(make):
    with pytest.raises(ValueError, match=r"at least two and all different, got \['a'"):
        make()


def test_a_question_keeps_one_right_choice_and_its_place():
    first, second = quiz(), quiz()
    assert [choice["right"] for choice in first.choices].count(True) == 1
    assert first.choices == second.choices
    assert not any(choice["right"] for choice in predict("?", "a", "b").choices)
