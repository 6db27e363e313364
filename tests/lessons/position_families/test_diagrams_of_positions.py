"""Where Shaw's vectors enter: by the key, and so by a product with the query in the score."""

import torch

from lessons.kit.diagrams import position_families
from transformer_lite.layers.positions import ShawRelative


def test_shaws_bias_equals_a_vector_added_to_the_key_as_in_the_diagram():
    torch.manual_seed(0)
    scheme = ShawRelative(d_head=4, max_distance=2)
    query, key = torch.randn(1, 1, 3, 4), torch.randn(1, 1, 3, 4)
    added = scheme.bias(query, 3, 0)
    from_here = torch.arange(3)
    offset = (from_here - from_here[:, None]).clamp(-2, 2) + 2
    (vectors,) = scheme.parameters()
    moved = key[0, 0] + vectors.reshape(5, 4)[offset]
    score = torch.einsum("tk,tsk->ts", query[0, 0], moved) / 4**0.5
    torch.testing.assert_close(query[0, 0] @ key[0, 0].mT / 4**0.5 + added[0, 0], score)
    alt = position_families.where().alt
    assert "Shaw: a vector c, added to the key, adds q · c to the score" in alt
    assert "Shaw, T5" not in alt
