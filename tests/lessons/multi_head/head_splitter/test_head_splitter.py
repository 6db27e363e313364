"""The Python side of the head splitter: its rules, its numbers and its static picture."""

import torch

from tests.lessons.multi_head.head_splitter.spec import WORDS, make
from transformer_lite import split_heads


def test_the_followed_number_is_at_the_reported_indices():
    results = make(d_model=6, num_heads=3, token=2, feature=1).results()
    right, wrong = results["places"].T.tolist()
    values = results["values"]
    assert right == [13, 0, 2, 1, 1]
    assert split_heads(values[None], 3)[0, right[1], right[2], right[3]] == 31
    assert values.view(3, 3, 2)[wrong[1], wrong[2], wrong[3]] == 31
    assert right != wrong


def test_contributions_of_all_tokens_sum_to_the_joined_entry():
    ways = [make(token=token).results()["way"][:, 0] for token in range(len(WORDS))]
    total = sum(product for _, _, product, _ in ways)
    assert all(torch.isclose(total, joined) for *_, joined in ways)
