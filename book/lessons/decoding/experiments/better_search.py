"""What a better search finds in a model that is unsure: wider beams, and the exact search.

The decoder of the book's translator is rounded to at most five values a column. It translates
sentences that join words which training never joined. For 1, 2, 4, 8 and 16 beams,
"log-probability" is the mean of the texts found, "words" their mean length and "right" how many
equal the reference; "penalized" is "right" for 16 beams with a length penalty of 1.2. Of the
sentences of six or seven words that 600 steps of an exact search are enough for, "exact" says how
many there are, how many the greedy, the 16-beam and the exact search get right, for how many the
first two miss the most probable text, and how often that text is empty.
"""

import copy
import heapq
from collections.abc import Sequence

import torch
from torch import Tensor

from lessons.trained.grammar import grammar_corpus
from lessons.trained.translator import load_translator
from transformer_lite.decoding import BeamSearch, beam_search
from transformer_lite.models import Transformer
from transformer_lite.text import Pair, Tokenizer, pad_rows

GRID = {"sentences": [4, 50], "seed": [24, 25, 26, 27, 28, 29]}
TOLERANCE = {"log-probability": 0.3, "words": 0.5, "right": 3, "penalized": 3, "exact": 2}
WIDTHS, ALPHA, LENGTHS, MOST, MAX_LEN, LEVELS = (1, 2, 4, 8, 16), 1.2, (6, 7), 600, 24, 2


def blurred(model: Transformer) -> Transformer:
    """Return a copy whose decoder has at most five values in each column of its weights."""
    copied = copy.deepcopy(model)
    with torch.no_grad():
        for weight in copied.decoder.parameters():
            if weight.ndim == 2:
                largest = weight.abs().amax(dim=0, keepdim=True)
                weight.copy_((weight / largest * LEVELS).round() * largest / LEVELS)
    return copied


def log_probs_of(model: Transformer, target: list[int], memory: Tensor) -> Tensor:
    """Return the log-probabilities of the next words, shape (T, V); a pad is no word."""
    logits = model.decode(torch.tensor([target]), memory)[0]
    logits[:, model.pad_id] = -torch.inf
    return logits.log_softmax(dim=-1)


def most_probable(
    model: Transformer, memory: Tensor, bos_id: int, eos_id: int
) -> tuple[list[int], float] | None:
    """Return the most probable text and its log-probability, if the steps are enough."""
    bound = torch.inf
    heap = [(0.0, [bos_id])]
    for _ in range(MOST):
        cost, target = heapq.heappop(heap)
        if target[-1] == eos_id:
            return target, -cost
        costs = (cost - log_probs_of(model, target, memory)[-1]).tolist()
        bound = min(bound, costs[eos_id])
        for word, total in enumerate(costs):
            if total <= bound:
                heapq.heappush(heap, (total, [*target, word]))
    return None


def compared(
    model: Transformer, tokenizer: Tokenizer, pairs: Sequence[Pair], found: dict[int, Tensor]
) -> list[float]:
    """Return the counts of the exact search."""
    count = greedy = wide = exact = missed_greedy = missed_wide = empty = 0
    for i, pair in enumerate(pairs):
        if len(pair.source.split()) not in LENGTHS:
            continue
        source = torch.tensor([[*tokenizer.encode(pair.source), tokenizer.eos_id]])
        memory = model.encode(source)
        best = most_probable(model, memory, tokenizer.bos_id, tokenizer.eos_id)
        if best is None:
            continue
        text, top = best
        rights, misses = [], []
        for width in (1, 16):
            target = [t for t in found[width][i].tolist() if t != tokenizer.pad_id]
            rows = log_probs_of(model, target[:-1], memory)
            score = rows.gather(1, torch.tensor(target[1:])[:, None]).sum().item()
            rights.append(tokenizer.decode(target) == pair.target)
            misses.append(top - score > 1e-3)
        count, empty = count + 1, empty + (len(text) == 2)
        greedy, wide = greedy + rights[0], wide + rights[1]
        exact += tokenizer.decode(text) == pair.target
        missed_greedy, missed_wide = missed_greedy + misses[0], missed_wide + misses[1]
    return [count, greedy, wide, exact, missed_greedy, missed_wide, empty]


@torch.no_grad()
def point(sentences: int, seed: int) -> dict[str, object]:
    """Translate some sentences of one corpus by every search."""
    translator = load_translator()
    tokenizer, model = translator.tokenizer, blurred(translator.model)
    pairs = grammar_corpus(seed=seed, size=3_000, held_out=50).held_out_combinations[:sentences]
    sources = pad_rows([[*tokenizer.encode(pair.source), tokenizer.eos_id] for pair in pairs])

    def right(texts: Tensor) -> int:
        written = [tokenizer.decode(row.tolist()) for row in texts]
        return sum(text == pair.target for text, pair in zip(written, pairs, strict=True))

    def search(num_beams: int, alpha: float) -> BeamSearch:
        return beam_search(
            model,
            sources,
            bos_id=tokenizer.bos_id,
            eos_id=tokenizer.eos_id,
            num_beams=num_beams,
            alpha=alpha,
            max_len=MAX_LEN,
        )

    found = {width: search(width, 0.0) for width in WIDTHS}
    best = {width: beams.best for width, beams in found.items()}
    penalized = search(16, ALPHA).best
    return {
        "log-probability": [beams.log_probs[:, 0].mean().item() for beams in found.values()],
        "words": [
            (texts > tokenizer.eos_id).sum(dim=1).float().mean().item() for texts in best.values()
        ],
        "right": [right(texts) for texts in best.values()],
        "penalized": right(penalized),
        "exact": compared(model, tokenizer, pairs, best),
    }
