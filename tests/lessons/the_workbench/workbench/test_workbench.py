"""The workbench: its guided races, what was recorded of them, and the script of its engine."""

import re
from pathlib import Path

import pytest

from lessons.kit.figures.live_figure import strip_comments
from lessons.kit.figures.race_lab.race_lab import EVERY, MACHINES, RECORD, TEXTS
from lessons.kit.figures.registry import Workbench

ROOT = Path(__file__).parents[4]
RACES = TEXTS["races"]
TOUR = Workbench(tour=True)
LINK = re.compile(r'id="workbench-([\w-]+)" href="#workbench-\1"')


def made(race: dict) -> Workbench:
    return Workbench(
        **{n: race[n] for n in ("task", "whole", "changed", "rate", "steps") if n in race}
    )


@pytest.mark.parametrize("race", RACES, ids=lambda race: race["id"])
def test_a_guided_race_is_recorded_to_its_end(race):
    figure = made(race)
    assert figure.race == race
    for machine in (figure.record[name] for name in MACHINES):
        assert machine["step"] == EVERY * (len(machine["losses"]) - 1)
        assert machine["arrived"] or machine["step"] == race["steps"]
        assert machine["arrived"] == ((machine["accuracy"] or 0) >= 0.95)


def test_every_race_is_recorded_and_linked_once():
    names = sorted(race["id"] for race in RACES)
    page = (ROOT / "book/the_workbench.md").read_text(encoding="utf-8")
    assert sorted(RECORD) == names == sorted(LINK.findall(page))


def test_a_custom_race_has_no_record_but_has_a_picture():
    figure = Workbench(task="sort", changed={"norm": "none"})
    assert figure.race is None and figure.results() == {}
    assert "The two machines" in figure.picture() and "<svg" not in figure.picture()


def test_the_claims_of_the_tour_hold_for_the_recorded_numbers():
    """Each sentence of the tour claims an order between recorded numbers; it is checked here."""
    reverse, no_attention, no_mask, count, recall, deep = [f.results() for f, _ in TOUR.moments()]
    for found in (reverse, recall, deep):
        (_, _, whole), (_, _, changed) = found["ends"]
        assert whole >= 0.95 and changed < 0.05
    _, bigram, best = no_attention["baselines"]
    assert abs(no_attention["ends"][1, 1] - bigram) < 0.05
    assert best < no_attention["ends"][0, 1] < bigram
    assert no_mask["ends"][1, 1] < no_mask["baselines"][2]
    assert (count["ends"][:, 2] >= 0.95).all()


def test_the_engine_is_one_plain_script_without_imports():
    [engine] = Workbench().assets.values()
    script = engine.decode()
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)
    assert script.count("function serve(") == 1 and script == strip_comments(script)
