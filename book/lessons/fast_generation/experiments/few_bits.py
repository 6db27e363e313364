"""The book's translator with weights of few bits: BLEU, and how far its weights move.

All matrices are rounded by absmax, embeddings included; biases and norms stay as they are. The
results are lists over `SCHEMES`: one scale for a whole matrix, one for each row, one for each group
of 16 in a row, and the weights as they are. "bleu" and "exact" (the percentage of translations that
equal the reference) are those of greedy search on sentences that join words which training never
joined. "rows" is the root-mean-square error of a row relative to the row's own root mean square,
averaged over all rows; "all" is the same for all weights at once. "predicted" is what the size of
a step, divided by the root of 12, leads to expect for "rows".
"""

import copy
import math

import torch
from torch import Tensor

from lessons.trained.grammar import grammar_corpus
from lessons.trained.translator import load_translator
from transformer_lite.training import corpus_bleu, exact_match, translate

GRID = {"bits": [8, 5, 4, 3], "sentences": [20, 500], "seed": [30, 31, 32]}
TOLERANCE = {"bleu": 3.0, "exact": 5.0}
SCHEMES = ("matrix", "row", "group", "none")
GROUP = 16


def groups_of(weight: Tensor, scheme: str) -> Tensor:
    """Return the weights with one row for each scale."""
    width = {"matrix": weight.numel(), "row": weight.shape[1], "group": GROUP}[scheme]
    return weight.reshape(-1, width)


def rounded(weight: Tensor, bits: int, scheme: str) -> Tensor:
    """Return a matrix rounded by absmax, in its own shape."""
    groups = groups_of(weight, scheme)
    scales = groups.abs().amax(dim=1, keepdim=True) / (2 ** (bits - 1) - 1)
    return ((groups / scales).round().nan_to_num() * scales).reshape(weight.shape)


def predicted(weight: Tensor, bits: int, scheme: str) -> Tensor:
    """Return the error that a step's size predicts, relative to each row's root mean square."""
    groups = groups_of(weight, scheme)
    steps = groups.abs().amax(dim=1, keepdim=True) / (2 ** (bits - 1) - 1)
    variance = (steps**2 / 12).expand_as(groups).reshape(weight.shape).mean(dim=1)
    return variance.sqrt() / weight.square().mean(dim=1).sqrt()


@torch.no_grad()
def point(bits: int, sentences: int, seed: int) -> dict[str, object]:
    """Round the translator in each way and translate the same sentences."""
    translator = load_translator()
    pairs = grammar_corpus(seed=seed, size=3_000, held_out=500).held_out_combinations[:sentences]
    sources, references = [pair.source for pair in pairs], [pair.target for pair in pairs]
    found: dict[str, list[float]] = {n: [] for n in ("bleu", "exact", "rows", "all", "predicted")}
    for scheme in SCHEMES:
        model = copy.deepcopy(translator.model)
        errors, sizes, expected = [], [], []
        for weight in model.parameters():
            if weight.ndim == 2 and scheme != "none":
                new = rounded(weight, bits, scheme)
                errors.append((new - weight).square().mean(dim=1))
                sizes.append(weight.square().mean(dim=1))
                expected.append(predicted(weight, bits, scheme))
                weight.copy_(new)
        written = translate(model, translator.tokenizer, sources)
        found["bleu"].append(corpus_bleu(written, references).score)
        found["exact"].append(100 * exact_match(written, references))
        if scheme == "none":
            for name in ("rows", "all", "predicted"):
                found[name].append(0.0)
            continue
        error, size = torch.cat(errors), torch.cat(sizes)
        found["rows"].append((error / size).sqrt().mean().item())
        found["all"].append(math.sqrt((error.sum() / size.sum()).item()))
        found["predicted"].append(torch.cat(expected).mean().item())
    return dict(found)
