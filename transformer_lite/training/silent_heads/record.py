"""Measure anew: ``nice python -m transformer_lite.training.silent_heads.record``.

Each head of all-MiniLM-L6-v2 falls silent in its turn, while the model reads the graded sentences.
The numbers go into ``record.json`` beside this file. It takes ten seconds.
"""

from __future__ import annotations

import json
from typing import cast

import torch
from torch.nn.functional import normalize

from transformer_lite._files import write_whole
from transformer_lite.models import Encoder, minilm, silence_heads
from transformer_lite.models.inspection import attentions_of
from transformer_lite.models.sentence_encoder import SentenceEncoder
from transformer_lite.text.graded_sentences import GRADED
from transformer_lite.training.silent_heads import FILE


def head_costs(reader: SentenceEncoder, layer: int) -> tuple[list[int], list[float]]:
    """Silence each head of a layer; below it nothing changes, so the reading starts there.

    Returns:
        For each head how many pairs of the graded sentences stay in order, and the mean cosine
        with the whole model.
    """
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
    return in_order, cosine


def main() -> None:
    """Measure all layers and write the record."""
    reader = minilm()
    layers = [head_costs(reader, layer) for layer in range(len(attentions_of(reader)))]
    in_order, cosine = zip(*layers, strict=True)
    record = {"versions": {"torch": torch.__version__}, "in order": in_order, "cosine": cosine}
    write_whole(FILE, f"{json.dumps(record, indent=1)}\n".encode())


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
