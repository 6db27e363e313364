"""The silent heads: their record is whole, and the command makes what stands in it."""

import json

import pytest

from transformer_lite.models import minilm
from transformer_lite.training import silent_heads
from transformer_lite.training.silent_heads import record


def test_the_record_has_a_number_for_each_head():
    found = silent_heads.measured()
    for name in ("in order", "cosine"):
        assert [len(row) for row in found[name]] == [12] * 6
    assert found["versions"].keys() == {"torch"}


def test_the_last_layer_measured_again_is_what_the_record_says():
    """Its heads are the cheapest: only their own layer has to run."""
    found, (in_order, cosine) = silent_heads.measured(), record.head_costs(minilm(), 5)
    assert in_order == found["in order"][5]
    assert cosine == pytest.approx(found["cosine"][5], abs=2e-4)


def test_the_command_writes_all_layers(monkeypatch, tmp_path):
    monkeypatch.setattr(record, "FILE", tmp_path / "record.json")
    monkeypatch.setattr(record, "head_costs", lambda _, layer: ([layer], [layer / 10]))
    record.main()
    made = json.loads((tmp_path / "record.json").read_text())
    assert made["in order"] == [[layer] for layer in range(6)]
    assert made["cosine"] == [[layer / 10] for layer in range(6)]
