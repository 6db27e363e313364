"""The layers that are tested on longer texts differ in their scheme alone."""

import torch

from lessons.position_families.experiments.longer_texts import GRID, make, texts

IDS = torch.tensor([[5, 1, 2, 3, 4]])


def test_layers_have_the_same_weights_apart_from_those_of_the_scheme():
    plain = {name: w.shape for name, w in make("none", 4).named_parameters()}
    for scheme in GRID["scheme"]:
        found = {name: w.shape for name, w in make(scheme, 4).named_parameters()}
        assert {name: found.get(name) for name in plain} == plain


def test_only_the_layer_without_a_scheme_ignores_the_order_of_the_past():
    for scheme in GRID["scheme"]:
        torch.manual_seed(0)
        model = make(scheme, 4).eval()
        with torch.no_grad():
            last, other = (model(ids)[:, -1] for ids in (IDS, IDS[:, [2, 0, 3, 1, 4]]))
        assert torch.allclose(last, other, atol=1e-6) is (scheme == "none"), scheme


def test_texts_contain_eight_symbols_and_no_pad():
    drawn = texts(50, 20, torch.Generator().manual_seed(0))
    assert set(drawn.flatten().tolist()) == set(range(1, 9))
