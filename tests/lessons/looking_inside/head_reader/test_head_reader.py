"""Head reader: its stored numbers are MiniLM's, and the described patterns exist."""

import pytest
import torch
import torch.nn.functional as F

from lessons.looking_inside.head_reader import make
from lessons.looking_inside.head_reader.head_reader import shares_of
from lessons.looking_inside.head_reader.heads import (
    FILE,
    LAYERS,
    PIECES,
    PRECISION,
    all_pieces,
    places,
    sentences,
    stored,
)
from tests.lessons.looking_inside.head_reader.spec import make as figure_of
from transformer_lite.models import pretrained
from transformer_lite.models.inspection import value_weighted


@pytest.fixture(scope="module")
def encoder():
    return pretrained.minilm()


@pytest.mark.minilm
def test_stored_weights_and_sizes_match_the_model(encoder):
    """A weight is 0.003 off at most, a size half a thousandth, and a share added 0.015."""
    for sentence, weights, sizes in zip(sentences(), stored().weights, stored().sizes, strict=True):
        text = sentence["text"]
        assert encoder.tokens([text]).pieces[0] == sentence["pieces"]
        real = encoder.attention([text])[:, 0].double()
        assert (weights - real).abs().max() < 0.003
        norms = value_weighted(encoder.encoder, encoder.tokens([text]).ids).norms.values()
        added = torch.stack([norm[0] for norm in norms]).double()
        off = (real * sizes[:, :, None] - added).abs()
        assert (off <= real * (0.5 / PRECISION["sizes"] + 1e-5)).all()
        share = added / added.sum(dim=-1, keepdim=True)
        assert (shares_of(weights, sizes[:, :, None]) - share).abs().max() < 0.015


@pytest.mark.minilm
def test_stored_cosines_match_the_model(encoder):
    half = 0.5 / PRECISION["cosines"] + 1e-5
    units = [
        F.normalize(torch.stack(encoder.hidden_states([sentence["text"]]))[:, 0].double(), dim=-1)
        for sentence in sentences()
    ]
    for ((i, s), (j, t)), cosines in stored().alike.items():
        real = (units[i][:, s] * units[j][:, t]).sum(dim=-1)
        assert (cosines - real).abs().max() <= half
    words = [(i, t) for i, t in places(all_pieces()) if all_pieces()[i][t].strip("#").isalnum()]
    total, count = torch.zeros(LAYERS + 1, dtype=torch.float64), 0
    for i, s in words:
        for j, t in words:
            if i < j and all_pieces()[i][s] != all_pieces()[j][t]:
                total += (units[i][:, s] * units[j][:, t]).sum(dim=-1)
                count += 1
    assert (stored().others - total / count).abs().max() <= half


@pytest.mark.minilm
def test_the_command_reproduces_the_stored_files(encoder, monkeypatch, tmp_path):
    """Another machine may round a number otherwise: by one unit at most, in few places."""
    monkeypatch.setattr(make, "minilm", lambda: encoder)
    make.main(tmp_path / "heads.bin", tmp_path / "sentences.json")
    again, known = (tmp_path / "heads.bin").read_bytes(), FILE.read_bytes()
    assert len(again) == len(known)
    different = sum(a != b for a, b in zip(again, known, strict=True))
    assert different < len(known) / 1000
    assert (tmp_path / "sentences.json").read_text("utf-8") == PIECES.read_text("utf-8")


def test_one_head_reads_the_previous_word_and_another_the_next_word():
    before, after = (figure_of(layer=layer, head=head) for layer, head in ((0, 2), (1, 8)))
    assert before.results()["head"][0, 1] > 0.99
    assert after.results()["head"][1, 1] > 0.6


def test_a_large_weight_on_cls_contributes_little():
    """In the middle layers [CLS] has the largest weight of most rows, and the shortest value."""
    largest, shortest = [], []
    for weights, sizes in zip(stored().weights, stored().sizes, strict=True):
        rows = weights[1:5, :, 1:-1]
        largest.append((rows.argmax(dim=-1) == 0).flatten())
        shortest.append((sizes[1:5].argmin(dim=-1) == 0).flatten())
    assert torch.cat(largest).double().mean() > 0.75
    assert torch.cat(shortest).double().mean() > 0.95
    weight, _, _, share = figure_of().results()["row"][0].tolist()
    assert weight > 0.8 and share < 0.06


def test_twins_of_bank_are_far_more_alike_than_two_different_words():
    results = figure_of().results()["similarity"]
    *banks, others = results
    assert len(banks) == 7
    assert (torch.stack(banks) > others + 0.5).all()
