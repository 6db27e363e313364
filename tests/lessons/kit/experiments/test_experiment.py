"""Sweeps of a small experiment: computing, resuming, errors, and tables."""

import importlib
import json
import random
import sys

import pytest
import torch

from lessons.kit import experiments
from lessons.kit.experiments import __main__
from lessons.kit.experiments import experiment as declared
from lessons.kit.experiments.experiment import Experiment
from lessons.kit.experiments.sweep import sweep

SOURCE = '''"""Two numbers, and luck."""

import random

import torch

GRID = {"kind": ["sum", "ratio"], "width": [2, 3], "seed": [0, 1]}


def point(kind, width, seed):
    """Compute."""
    value = width + seed if kind == "sum" else (width / seed if seed else float("nan"))
    luck = [random.random(), torch.rand(()).item(), torch.get_num_threads()]
    return {"value": value, "luck": luck, "row": torch.arange(width)}
'''


@pytest.fixture
def small(tmp_path, monkeypatch):
    """Write an experiment; return a function that writes its source and loads it."""
    monkeypatch.syspath_prepend(tmp_path)
    path = tmp_path / "small_sweep.py"

    def load(source=SOURCE):
        path.write_text(source, encoding="utf-8")
        importlib.invalidate_caches()
        sys.modules.pop("small_sweep", None)
        return Experiment(importlib.import_module("small_sweep"))

    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield load
    sys.modules.pop("small_sweep", None)


def measured(experiment):
    """Return a record as the sweep writes it, without its processes."""
    experiment.write([experiment.measure(one) for one in reversed(experiment.all_settings())])
    return experiment


def test_a_sweep_writes_all_points_in_order_and_repeats_none(small, capsys, monkeypatch):
    experiment = small()
    sweep(experiment, workers=2)
    found = json.loads(experiment.file.read_text())["points"]
    assert [point["settings"] for point in found] == experiment.all_settings()
    assert small().state() == "complete"
    told = capsys.readouterr().err
    assert "8 of 8 points" in told
    assert "kind ratio, width 2, seed 0: value is not finite and is written as null" in told
    values = [point["results"]["value"] for point in found]
    assert values == [2, 3, 3, 4, None, 2.0, None, 3.0]
    # Neither the process nor the points before it matter, nor how many threads it has.
    lucks = [point["results"]["luck"] for point in found]
    assert all(luck == lucks[0] for luck in lucks) and lucks[0][2] == 1
    assert small().compute(experiment.all_settings()[3])["luck"] == lucks[0]
    before = experiment.file.read_bytes()
    monkeypatch.setattr(Experiment, "measure", lambda *_: pytest.fail("it stands there already"))
    sweep(small(), workers=1)
    assert experiment.file.read_bytes() == before


def test_points_survive_a_larger_grid_but_not_a_change_of_code(small):
    measured(small())
    larger = small(SOURCE.replace("[2, 3]", "[2, 3, 4]"))
    assert (larger.state(), len(larger.valid())) == ("8 of 12 points", 8)
    smaller = small(SOURCE.replace("[2, 3]", "[2]"))
    assert (smaller.state(), len(smaller.valid())) == ("stale", 4)
    told = SOURCE.replace('"""Compute."""', "# quickly").replace("GRID", "TOLERANCE = {}\nGRID")
    assert small(told).state() == "complete"
    other = small(SOURCE.replace("width + seed", "width - seed"))
    assert (other.state(), other.valid()) == ("stale", [])


def test_an_error_names_its_point_and_keeps_the_others(small):
    experiment = small(SOURCE.replace("    value =", "    width == 3 and seed.no\n    value ="))
    with pytest.raises(ExceptionGroup, match=r"4 points of small_sweep failed") as caught:
        sweep(experiment, workers=1)
    notes = {error.__notes__[-1] for error in caught.value.exceptions}
    assert notes >= {"at kind sum, width 3, seed 0", "at kind ratio, width 3, seed 1"}
    assert experiment.state() == "4 of 8 points"


def test_computing_a_point_keeps_the_threads_and_random_state(small):
    threads, states = torch.get_num_threads(), (torch.get_rng_state(), random.getstate())
    small().compute({"kind": "sum", "width": 2, "seed": 0})
    assert torch.get_num_threads() == threads
    assert torch.equal(torch.get_rng_state(), states[0]) and random.getstate() == states[1]


def test_a_result_is_a_number_or_a_list_to_six_digits(small):
    assert small().compute({"kind": "ratio", "width": 2, "seed": 3})["value"] == 0.666667
    with pytest.raises(TypeError, match="value must be a number or a list, got str: 'sum'"):
        small(SOURCE.replace('"value": value', '"value": kind')).compute(
            {"kind": "sum", "width": 2, "seed": 3}
        )


@pytest.fixture
def listed(small, monkeypatch):
    """Provide the small experiment as the only one of the book."""
    for module in (declared, __main__):
        monkeypatch.setattr(module, "names", lambda: ["small"])
        monkeypatch.setattr(module, "find", lambda name: small())
    return small


def test_list_shows_the_state_of_each_record(listed, capsys, monkeypatch):
    __main__.main([])
    assert capsys.readouterr().out.split()[1:] == ["0", "of", "8", "points", "0.0", "min"]
    monkeypatch.setattr(__main__, "sweep", lambda experiment, *_: measured(experiment))
    __main__.main(["--missing"])
    assert "complete" in capsys.readouterr().out.splitlines()[1]
    monkeypatch.setattr(__main__, "sweep", lambda *_: pytest.fail("it stands there already"))
    __main__.main(["--missing"])


@pytest.mark.parametrize(
    ("settings", "kind", "message"),
    [
        ({"kind": "sum"}, TypeError, "settings must be kind, width, seed, got kind"),
        ({}, TypeError, "settings must be kind, width, seed, got none"),
        ({"kind": "no", "width": 2, "seed": 0}, ValueError, "kind must be one of ['sum', 'ratio']"),
        ({"kind": "sum", "width": "2", "seed": 0}, TypeError, "width must be an int, got str"),
        ({"kind": "sum", "width": 2, "seed": -1}, ValueError, "seed must be at least 0, got -1"),
    ],
)
def test_wrong_settings_are_named(listed, settings, kind, message):
    with pytest.raises(kind) as caught:
        experiments.run("small", **settings)
    assert message in str(caught.value)


def test_an_unknown_experiment_is_named():
    with pytest.raises(ValueError, match=r"name must be one of .*silent_heads.*, got 'nothing'"):
        experiments.run("nothing")


@pytest.fixture
def found(listed):
    measured(listed())
    return experiments.record("small")


def test_a_table_shows_mean_and_range_over_the_seeds(found):
    table = found.table("value", rows="width", columns="kind", digits=1)
    assert repr(table) == (
        "value, mean over seed (least to greatest)\n"
        "width               sum                ratio\n"
        "2      2.5 (2.0 to 3.0)  no number in 1 of 2\n"
        "3      3.5 (3.0 to 4.0)  no number in 1 of 2"
    )
    html = table._repr_html_()
    assert html.count('scope="col"') == 3 and html.count('scope="row"') == 2
    assert "<caption>value, mean over seed (least to greatest)</caption>" in html


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ({"rows": "kind"}, "small_sweep needs one value of width: [2, 3]"),
        ({"rows": "height"}, "settings must be among kind, width, seed, got 'height'"),
        ({"rows": "kind", "width": 7}, "no 'value' at {'width': 7}"),
    ],
)
def test_a_table_that_is_not_there_is_named(found, call, message):
    with pytest.raises(ValueError) as caught:
        found.table("value", **call)
    assert message in str(caught.value)
