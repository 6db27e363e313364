"""Each head of all-MiniLM-L6-v2 silenced in its turn, while it reads the graded sentences.

Of the six pairs among four graded neighbors of a sentence, 72 in all, "in order" counts for each
head of a layer how many stay in order without it; "cosine" is the mean cosine of the sentences'
vectors with those of the whole model.
"""

from typing import cast

import torch
from torch.nn.functional import normalize

from lessons.looking_inside.graded_sentences import GRADED
from transformer_lite.models import Encoder, minilm, silence_heads
from transformer_lite.models.inspection import attentions_of

GRID = {"layer": [0, 1, 2, 3, 4, 5]}
TOLERANCE = {"cosine": 2e-4}


def point(layer: int) -> dict[str, list[float] | list[int]]:
    """Silence each head of a layer; below it nothing changes, so the reading starts there."""
    reader = minilm()
    sentences = [sentence for row in GRADED for sentence in row]
    keep, whole = reader.tokens(sentences).keep, reader.encode(sentences)
    start, stack = reader.hidden_states(sentences)[layer], cast(Encoder, reader.encoder.encoder)
    better, worse = torch.triu_indices(4, 4, 1)
    in_order, cosine = [], []
    for head in range(list(attentions_of(reader).values())[layer].num_heads):
        x = start
        with silence_heads(reader, [(layer, head)]):
            for block in stack.layers[layer:]:
                x = block(x, keep[:, None, None])
        unit = normalize((x * keep[..., None]).sum(dim=1), dim=-1)
        rows = unit.view(len(GRADED), 5, -1)
        likeness = (rows[:, :1] * rows[:, 1:]).sum(dim=-1)
        in_order.append(int((likeness[:, better] > likeness[:, worse]).sum()))
        cosine.append(round((unit * whole).sum(dim=-1).mean().item(), 4))
    return {"in order": in_order, "cosine": cosine}
