"""The mask lab: the chapter's sequence, and three readings of a row in which nothing is allowed."""

import torch
from pictures import tables_of

from tests.lessons.masks.mask_lab.spec import make as lab


def test_the_mask_lab_works_out_the_chapters_sequence():
    results = lab(causal=True).results()
    rows = [[0.15, 0.35, 0.55, 0], [0.35, 0.87, 1.39, 0], [0.55, 1.39, 2.23, 0], [0, 0, 0, 0]]
    torch.testing.assert_close(results["scores"], torch.tensor(rows, dtype=torch.float64))
    assert [round(w, 4) for w in results["weights"][1].tolist()] == [0.3729, 0.6271, 0, 0]
    assert results["on_pads"][3].tolist() == [0.25, 0, 0, 0]


def test_an_empty_row_is_read_in_three_ways():
    results = lab(outer=True, causal=False).results()
    assert results["combined"][3].tolist() == [False] * 4
    assert results["plain"][3].isnan().all() and not results["plain"][:3].isnan().any()
    assert results["lowered"][3].tolist() == [0.25] * 4
    assert results["weights"][3].tolist() == [0.0] * 4
    assert [str(x) for x in results["on_pads"][3].tolist()] == ["0.25", "nan", "0.25", "0.0"]


def test_an_empty_row_reads_so_in_the_picture():
    tables = {table["caption"]: table["cells"] for table in tables_of(lab(outer=True).picture())}
    assert tables["Weights with −∞"][3] == ["NaN"] * 4
    assert tables["Weights with −1e9"][3] == ["0.25"] * 4
    assert tables["Weights: the row asks, the column is looked at"][3] == ["0"] * 4
    assert "Padding mask (off)" in lab(padding=False).picture()
    assert "Look-ahead mask (off)" in lab(causal=False).picture()


def test_a_token_is_named_by_its_place_and_its_word():
    names = tables_of(lab(token_ids=[1, 0, 3, 4]).picture())[0]["rows"]
    assert names == ["1 the", "2 pad", "3 sat", "4"]
