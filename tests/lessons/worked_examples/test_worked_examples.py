"""The worked examples: every value recomputed, every verdict derived, every note read."""

import dataclasses
import functools
import math

import pytest
import torch

from lessons.worked_examples import judge, load
from lessons.worked_examples.registry import computed_ids

ENTRIES = load()
COMPUTING = [entry for entry in ENTRIES.values() if entry.computes]
DERIVED = [entry for entry in ENTRIES.values() if not entry.judged]


def same(computed, stored, tolerance=1e-9):
    """Return whether two results have one form and equal numbers; NaN equals NaN."""
    if isinstance(stored, dict):
        return (
            isinstance(computed, dict)
            and list(computed) == list(stored)
            and all(same(computed[key], stored[key], tolerance) for key in stored)
        )
    if isinstance(stored, list):
        return (
            isinstance(computed, list)
            and len(computed) == len(stored)
            and all(same(c, s, tolerance) for c, s in zip(computed, stored, strict=True))
        )
    if isinstance(stored, float):
        if math.isnan(stored):
            return math.isnan(computed)
        return math.isclose(computed, stored, rel_tol=tolerance, abs_tol=tolerance)
    return computed == stored and type(computed) is type(stored)


@functools.cache
def computed(entry_id):
    """Return the results of an entry, shared by the tests."""
    return ENTRIES[entry_id].compute()


def derived_verdict(entry, value):
    """Return the verdict that follows from the printed value and `value`."""
    return judge(entry.printed, value if entry.against is None else value[entry.against])


# The values


@pytest.mark.parametrize("entry", COMPUTING, ids=lambda entry: entry.id)
def test_the_computed_value_equals_the_stored_one(entry):
    assert same(computed(entry.id), entry.value)


def test_a_wrong_value_is_caught():
    entry = ENTRIES["masked-softmax-row-3"]
    wrong = entry.value | {"true scores, scaled": [0.1152, 0.2668, 0.618, 0.0]}
    assert not same(entry.compute(), wrong)
    assert not same([1.0, 2.0], [1.0]) and not same(1, True) and not same(math.nan, 0.0)


@pytest.mark.parametrize(
    "entry_id",
    [
        "var-of-dot-product",
        "algorithm-2-multi-head",
        "ffn-key-value-form",
        "complexity-attention-layer",
    ],
)
def test_random_numbers_are_the_same_each_time(entry_id):
    state = torch.random.get_rng_state()
    assert ENTRIES[entry_id].compute() == computed(entry_id)
    assert torch.equal(torch.random.get_rng_state(), state), "the reader's own seed must survive"


# The verdicts


@pytest.mark.parametrize("entry", DERIVED, ids=lambda entry: entry.id)
def test_the_verdict_follows_from_the_numbers(entry):
    value = computed(entry.id) if entry.computes else entry.value
    assert derived_verdict(entry, value) == entry.verdict


@pytest.mark.parametrize(
    ("printed", "value", "verdict"),
    [
        (2, 2.0, "agrees"),
        (0.3, 0.1 + 0.2, "agrees"),
        (0, 1.3e-16, "agrees"),
        (2.236, 2.2360679, "agrees after rounding"),
        (0.99995, 0.9999500004, "agrees after rounding"),
        (0.5762, 0.57611688, "disagrees"),
        (0.995, 0.99995, "disagrees"),
        ([1.0, -math.inf], [1.0, -math.inf], "agrees"),
        ([0.0, math.nan], [0.0, math.nan], "agrees"),
        ([0.0, 1.0], [0.0, -math.inf], "disagrees"),
        ([1, 0, 1], [1.0, 0.0, 1.0, 0.0], "disagrees"),
        ([0.5, 0.12], [0.5, 0.1192], "agrees after rounding"),
        ({"pads": 2}, {"pads": 2, "rows": 8}, "agrees"),
        ({"pads": 2}, {"rows": 8}, "disagrees"),
        (["is", "Aman"], ["is", "Zohair"], "disagrees"),
        (None, 1.0, "not printed"),
    ],
)
def test_the_rule_for_a_verdict(printed, value, verdict):
    assert judge(printed, value) == verdict


@pytest.mark.parametrize("entry_id", ["zscore-std", "output-the-sum", "pe-sum-cat"])
def test_a_changed_entry_gets_another_verdict(entry_id):
    entry = ENTRIES[entry_id]
    value = entry.value if entry.against is None else entry.value[entry.against]
    swapped = dataclasses.replace(
        entry,
        printed=value if entry.verdict == "disagrees" else entry.printed + 1,
    )
    assert derived_verdict(swapped, entry.value) != entry.verdict


# What computes, what is a claim


def test_every_entry_computes_or_is_a_claim():
    assert {entry.id for entry in ENTRIES.values() if not entry.claim} == computed_ids()
    assert any(entry.claim for entry in ENTRIES.values())
