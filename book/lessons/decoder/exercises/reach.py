"""Find which inputs can change which outputs, after several layers with different masks."""

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes
from transformer_lite.layers.masks import look_ahead_mask


def _reference(masks: Tensor) -> Tensor:
    size = masks.shape[-1]
    found = torch.eye(size, dtype=torch.bool)
    for mask in masks:
        step = mask | torch.eye(size, dtype=torch.bool)
        found = (step[:, :, None] & found[None]).any(dim=1)
    return found


def _open(*pairs: tuple[int, int], size: int) -> Tensor:
    """Return a mask with only these permissions."""
    mask = torch.zeros(size, size, dtype=torch.bool)
    for query, key in pairs:
        mask[query, key] = True
    return mask


def _cases() -> tuple[Case, ...]:
    causal, none = look_ahead_mask(4), torch.ones(4, 4, dtype=torch.bool)
    one, two = _open((0, 2), (3, 1), size=4), _open((1, 0), (2, 3), size=4)
    draw = torch.Generator().manual_seed(20)
    random = torch.rand(3, 5, 5, generator=draw) < 0.2
    stacks = {
        "two layers, the second without a mask": torch.stack([causal, none]),
        "three layers, all causal": torch.stack([causal, causal, causal]),
        "two layers with two permissions each": torch.stack([one, two]),
        "the same two layers, swapped": torch.stack([two, one]),
        "three layers with random masks, T=5": random,
        "one layer that hides the diagonal": ~torch.eye(3, dtype=torch.bool)[None].tril(),
        "two layers in which no token may attend": torch.zeros(2, 3, 3, dtype=torch.bool),
        "three layers with one permission each": torch.stack(
            [_open((i + 1, i), size=4) for i in range(3)]
        ),
        "one token": torch.zeros(2, 1, 1, dtype=torch.bool),
    }
    return tuple(Case(name, {"masks": masks}) for name, masks in stacks.items())


def _eye(masks: Tensor) -> Tensor:
    return torch.eye(masks.shape[-1], dtype=torch.bool)


def _product(masks: Tensor) -> Tensor:
    found = torch.eye(masks.shape[-1])
    for mask in masks.float():
        found = (mask @ found > 0).float()
    return found


def _two_looks(masks: Tensor) -> Tensor:
    found = masks.any(dim=0) | _eye(masks)
    for later in range(1, len(masks)):
        for earlier in masks[:later]:
            found = found | _reference(torch.stack([earlier, masks[later]]))
    return found


_MISTAKES = mistakes(
    lambda masks: masks[-1] | _eye(masks),
    "Only the last layer counts here. But its inputs have already been mixed by the layers before "
    "it.",
    lambda masks: masks[0] | _eye(masks),
    "Only the first layer counts here. But later layers pass its information on to other "
    "positions.",
    lambda masks: masks.all(dim=0) | _eye(masks),
    "A connection counts here only if every layer allows it. One layer is enough to pass "
    "information on.",
    lambda masks: masks.any(dim=0) | _eye(masks),
    "A connection counts here if any single layer allows it. But two layers together make new "
    "ones: layer 1 passes information from j to k, and layer 2 from k to i.",
    lambda masks: _product(masks) > 0,
    "You left out the residual connections: in every layer a token also keeps its own vector, "
    "whatever the mask says.",
    lambda masks: _reference(masks.flip(0)),
    "The layers are in the wrong order: the first mask belongs to the layer that reads the input.",
    lambda masks: _reference(masks).mT.clone(),
    "You swapped rows and columns. A row is an output, a column an input.",
    _two_looks,
    "You combine only two layers. Information can pass through all of them, one step a layer.",
)


def _by_products(masks: Tensor) -> Tensor:
    return _product(masks | _eye(masks)) > 0


def _by_sets(masks: Tensor) -> Tensor:
    size = masks.shape[-1]
    known = [{i} for i in range(size)]
    for mask in masks.tolist():
        known = [
            set().union(known[i], *(known[j] for j in range(size) if mask[i][j]))
            for i in range(size)
        ]
    return torch.tensor([[j in known[i] for j in range(size)] for i in range(size)])


def _draw(draw: Draw) -> Inputs:
    layers, size, share = draw.size(1, 4), draw.size(), draw.choice(0.1, 0.2, 0.5)
    return (draw.mask(layers, size, size, probability=share),)


reach = Exercise(
    name="decoder.reach",
    reference=_reference,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_by_products, _by_sets),
    draw=_draw,
    hint_texts=(
        "Before the first layer each token depends only on itself. What table is that? And how "
        "does one layer change it?",
        "In one layer output i depends on itself and on every key that its row of the mask allows. "
        "A matrix product of zeros and ones counts the paths. How do you turn a count into True or "
        "False?",
        "found = torch.eye(T); for each mask: found = ((mask | eye).float() @ found > 0).float(), "
        "with eye as booleans. At the end, found > 0.",
    ),
    starter='''\
def reach(masks):
    """masks (N, T, T), one a layer -> (T, T): can input j change output i?"""
    ...  # every layer has a residual connection
''',
)
