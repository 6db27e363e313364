"""The tours of the figures: which figures have one, and that no number in it is typed.

A number that the moment itself sets, a temperature say, may be.
"""

import re

import pytest
from specs import FIGURES, SPEC_OF

from lessons.kit.figures import LiveFigure, shared
from lessons.kit.figures.live_figure import fill_in

WITHOUT = {"question", "race_lab"}  # they ask
TYPED = re.compile(r"(?<![\w.])\d+(?:\.\d+|(?=\s?%))")
GUIDED = [cls for cls in FIGURES if cls.name not in WITHOUT]
each_figure = pytest.mark.parametrize("cls", GUIDED, ids=lambda cls: cls.name)


def moments(cls: type[LiveFigure]) -> list[dict]:
    return shared(cls.script)["tour"]


@each_figure
def test_a_tour_has_an_allowed_number_of_moments_with_short_texts(cls):
    least, most = cls.tour_length
    assert least <= len(moments(cls)) <= most
    for moment in moments(cls):
        assert moment.keys() == {"state", "say"}
        assert moment["say"].endswith(".") and len(moment["say"]) < 260


@each_figure
def test_no_number_in_a_text_is_typed_except_those_of_the_state(cls):
    for moment in moments(cls):
        bare = re.sub(r"\{[^}]*\}", "", moment["say"])
        typed = {float(x) for x in TYPED.findall(bare)}
        assert typed <= {x for x in moment["state"].values() if isinstance(x, int | float)}


@each_figure
def test_a_figure_accepts_the_state_of_each_moment(cls):
    figure = SPEC_OF[cls].make()
    for moment in moments(cls):
        assert cls(**(figure.state() | moment["state"])).state().items() >= moment["state"].items()


@each_figure
def test_three_or_four_moments_are_chosen_for_print(cls):
    chosen = shared(cls.script).get("strip", [1, 2, 3])
    assert 3 <= len(chosen) <= 4
    assert chosen == sorted({*chosen} & {*range(1, len(moments(cls)) + 1)})


def test_a_number_is_filled_in_by_its_path():
    results = {"weights": [[0.125, 0.875]], "share": 0.5}
    assert fill_in("{weights.0.1} {weights.0.0:3} {share:%}", results) == "0.88 0.125 50 %"
    with pytest.raises(KeyError, match="wrong"):
        fill_in("{wrong.1}", results)
