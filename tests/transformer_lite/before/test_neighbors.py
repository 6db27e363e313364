"""Neighbours by cosine, analogies, and the rule that leaves out the question's own words."""

import pytest
import torch
import torch.nn.functional as F

from transformer_lite.before import analogy, nearest

DRAW = torch.Generator().manual_seed(0)
TABLE = torch.randn(40, 5, generator=DRAW) * torch.randn(40, 1, generator=DRAW).exp()
QUERY = torch.randn(5, generator=DRAW)


def test_order_and_scores_equal_those_of_cosine_similarity():
    cosines = F.cosine_similarity(TABLE, QUERY[None])
    found = nearest(TABLE, QUERY, count=40)
    assert found.rows == cosines.argsort(descending=True).tolist()
    torch.testing.assert_close(torch.tensor(found.cosines), cosines[found.rows])


def test_excluded_rows_are_left_out():
    whole = nearest(TABLE, QUERY, 40).rows
    some = nearest(TABLE, QUERY, 37, exclude=whole[:5:2]).rows
    assert some == [row for row in whole if row not in whole[:5:2]]


def test_ties_keep_the_order_of_rows_and_zero_rows_have_cosine_0():
    table = torch.tensor([[0.0, 0], [1, 1], [2, 2], [-1, -1]])
    found = nearest(table, torch.tensor([3.0, 3]), count=4)
    assert found.rows == [1, 2, 0, 3]
    assert found.cosines == pytest.approx([1, 1, 0, -1])


def test_an_analogy_is_a_minus_b_plus_c_of_vectors_of_length_1():
    unit = F.normalize(TABLE, dim=1)
    expected = F.cosine_similarity(unit, (unit[9] - unit[4] + unit[7])[None])
    found = analogy(TABLE, 9, 4, 7, exclude=False, count=40)
    assert found.rows == expected.argsort(descending=True).tolist()
    kept = [row for row in found.rows if row not in (9, 4, 7)]
    assert analogy(TABLE, 9, 4, 7, count=37).rows == kept
