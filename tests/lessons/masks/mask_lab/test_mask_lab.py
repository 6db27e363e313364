"""The mask lab: the chapter's sequence, and three readings of a row in which nothing is allowed."""

import torch

from tests.lessons.masks.mask_lab.spec import make as lab


def test_the_mask_lab_works_out_the_chapters_sequence():
    results = lab(causal=True).results()
    rows = [[0.15, 0.35, 0.55, 0], [0.35, 0.87, 1.39, 0], [0.55, 1.39, 2.23, 0], [0, 0, 0, 0]]
    torch.testing.assert_close(results["scores"], torch.tensor(rows, dtype=torch.float64))
    assert [round(w, 4) for w in results["weights"][1].tolist()] == [0.3729, 0.6271, 0, 0]
    assert results["on_pads"][3].tolist() == [0.25, 0, 0, 0]


def test_a_fully_masked_row_gives_nan_uniform_weights_or_zeros():
    results = lab(outer=True, causal=False).results()
    assert results["combined"][3].tolist() == [False] * 4
    assert results["plain"][3].isnan().all() and not results["plain"][:3].isnan().any()
    assert results["lowered"][3].tolist() == [0.25] * 4
    assert results["weights"][3].tolist() == [0.0] * 4
    assert [str(x) for x in results["on_pads"][3].tolist()] == ["0.25", "nan", "0.25", "0.0"]
