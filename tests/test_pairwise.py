"""The rows that stand for a full product hold every pair, and are few."""

import itertools

import pytest
from pairwise import pairwise
from tiny_models import CHOICES

from transformer_lite.models.variants import FEED_FORWARDS, NORMS, POSITIONS, RESIDUALS

COLUMNS = (POSITIONS, NORMS, RESIDUALS, FEED_FORWARDS)


@pytest.mark.parametrize("columns", [COLUMNS, ("ab", "cd", "ef"), ("abc",), ("ab", "ab")])
def test_every_pair_of_choices_stands_in_a_row(columns):
    rows = pairwise(*columns)
    for (i, one), (j, other) in itertools.combinations(enumerate(columns), 2):
        for pair in itertools.product(one, other):
            assert any((row[i], row[j]) == pair for row in rows)
    assert rows == pairwise(*columns)


def test_the_models_of_the_tests_are_few_and_of_every_kind():
    full = list(itertools.product(*COLUMNS))
    assert set(CHOICES) < set(full)
    assert len(CHOICES) <= len(full) / 4
