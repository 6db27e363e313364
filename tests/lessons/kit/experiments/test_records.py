"""The records of the book are complete, current and reproducible."""

import pytest
import weekly_minutes
from sampling import parameter

from lessons.kit.experiments import names
from lessons.kit.experiments.experiment import Experiment, find

# The first one reads the whole corpus, for 20 seconds; the others take 2 to 10 seconds.
SLOW = {
    *("attention_worth", "bottleneck", "captions", "crossing", "few_bits", "groups"),
    *("one_layer_recall", "plain_for_longer", "preferences", "races", "small_machines"),
}

ALL = [*names(), "weekly_minutes"]  # the last one belongs to a page of prose


def experiment_of(name):
    return Experiment(weekly_minutes) if name == "weekly_minutes" else find(name)


def test_names_are_distinct_and_every_record_has_an_experiment():
    sources = {find(name).source for name in names()}
    assert len(sources) == len(names()) > 0
    files = {path for source in sources for path in source.parent.glob("*.json")}
    assert files == {source.with_suffix(".json") for source in sources}


@pytest.mark.parametrize("name", ALL)
def test_a_record_is_complete_and_made_by_the_present_code(name):
    experiment = experiment_of(name)
    assert experiment.state() == "complete", "python -m lessons.kit.experiments"
    assert experiment.module.__doc__.partition("\n")[0].endswith(".")
    results = [point["results"].keys() for point in experiment.points]
    assert all(found == results[0] for found in results)
    assert getattr(experiment.module, "TOLERANCE", {}).keys() <= results[0]


@pytest.mark.parametrize("name", [parameter(name, name not in SLOW) for name in ALL])
def test_computing_a_cheap_point_again_gives_the_recorded_results(name):
    """The point is the one in the experiment's AGAIN or else the cheapest."""
    experiment = experiment_of(name)
    points = experiment.record().points
    cheapest = min(points, key=lambda point: point["seconds"])
    settings = getattr(experiment.module, "AGAIN", cheapest["settings"])
    point = next(point for point in points if point["settings"] == settings)
    assert point["seconds"] < 15, "a sweep needs one point that every test run can afford"
    try:
        again = experiment.compute(point["settings"], "cpu")
    except FileNotFoundError as missing:
        if "MULTI30K" not in str(missing):
            raise
        pytest.skip(str(missing))  # the captions are not part of the book
    for result, value in point["results"].items():
        near = getattr(experiment.module, "TOLERANCE", {}).get(result, 5e-4)
        assert again[result] == pytest.approx(value, abs=near), result
