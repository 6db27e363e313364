"""Record the figure again: ``python -m lessons.recurrent_networks.recurrent_translator.record``.

Two recurrent translators are trained on sentences of a small language (``language.py``). Both read
forwards. The decoder of one gets their last state z* at every step, as in Cho et al. 2014. The
other one has Bahdanau's attention instead, and z* only as its first state. Then this program
measures, for sentences that neither trains on, how much each right word's score moves with each
source word. The numbers go into ``run.json`` next to this file, rounded. It takes about a minute of
one core.
"""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from lessons.kit.recording import percent, words_of
from lessons.recurrent_networks.recurrent_translator.language import sentences
from transformer_lite.files import write_whole
from transformer_lite.layers.embedding import TokenEmbedding
from transformer_lite.layers.linear import Linear
from transformer_lite.models.recurrent import (
    AdditiveAttention,
    FixedContext,
    GatedRecurrentCell,
    RecurrentDecoder,
    RecurrentEncoder,
    RecurrentLayer,
    RecurrentTranslator,
)
from transformer_lite.text import Batches, Pair, WordTokenizer, make_batch
from transformer_lite.training import Trainer, exact_match, translate
from transformer_lite.training.evaluation import evaluating

FILE = Path(__file__).with_name("run.json")
SENTENCES = (
    Pair("le chat noir dort ici", "the black cat sleeps here"),
    Pair("les oiseaux noirs chantent dans le jardin", "the black birds sing in the garden"),
    Pair("l'avocat mange un avocat vert", "the lawyer eats a green avocado"),
    Pair("un garçon mange le pain blanc", "a boy eats the white bread"),
    Pair("les chiens gris jouent dehors", "the gray dogs play outside"),
    Pair("un chien noir voit l'oiseau vert", "a black dog sees the green bird"),
    Pair("le chat blanc voit un garçon", "the white cat sees a boy"),
    Pair("les avocats verts mangent un avocat noir", "the green lawyers eat a black avocado"),
)
PEAK, WARM_UP, TOKENS = 1e-2, 50, 512
STEPS = (1000, 300)  # of the machine with z* alone, and of the one with attention
MEASURED = 300  # held-out pairs that are translated at the end
D_MODEL, HIDDEN = 64, 64


def machine(
    vocab_size: int, attention: bool, d_model: int = D_MODEL, hidden: int = HIDDEN
) -> RecurrentTranslator:
    """Return a translator that reads forwards, with attention or with z* alone."""
    words = TokenEmbedding(vocab_size, d_model)
    encoder = RecurrentEncoder(RecurrentLayer(GatedRecurrentCell(d_model, hidden)))
    cell = GatedRecurrentCell(d_model + hidden, hidden)
    look: nn.Module = (
        AdditiveAttention(hidden, hidden, hidden) if attention else FixedContext(hidden)
    )
    decoder = RecurrentDecoder(cell, look, d_model, forward_size=hidden)
    output = Linear(d_model, vocab_size, bias=False)
    output.weight = words.table.weight
    return RecurrentTranslator(words, words, encoder, decoder, output, pad_id=0)


def record(seed: int = 0, pairs: int = 5_000, steps: tuple[int, int] = STEPS) -> dict[str, Any]:
    """Train both translators, and return what the figure shows."""
    shown = {pair.source for pair in SENTENCES}
    drawn = [pair for pair in sentences(pairs, seed) if pair.source not in shown]
    held_out, train = drawn[:MEASURED], drawn[MEASURED:]
    tokenizer = WordTokenizer.train([text for pair in train for text in pair[:2]])
    entries = [words_of(tokenizer, pair) | {"said": [], "gradients": []} for pair in SENTENCES]
    run: dict[str, Any] = {"steps": [*steps], "pairs": pairs, "measured": MEASURED, "exact": []}
    for attention, long in zip((False, True), steps, strict=True):
        torch.manual_seed(seed)
        model = machine(len(tokenizer), attention)
        batches = Batches(train, tokenizer, TOKENS, seed)
        Trainer(model, batches, partial(rate, steps=long), label_smoothing=0.0).run(long)
        written = translate(model, tokenizer, [pair.source for pair in held_out])
        share = exact_match(written, [pair.target for pair in held_out])
        run["exact"].append(round(100 * share, 1))
        said = translate(model, tokenizer, [pair.source for pair in SENTENCES])
        for entry, pair, text in zip(entries, SENTENCES, said, strict=True):
            entry["said"].append(text)
            entry["gradients"].append(rounded(gradients(model, tokenizer, pair)))
            if attention:
                entry["weights"] = percent(alignment(model, tokenizer, pair))
    return run | {"sentences": entries}


def rate(step: int, steps: int) -> float:
    """Return the learning rate: up to the peak, then straight down to 0."""
    return PEAK * min(step / WARM_UP, 1 - step / (steps + 1))


def gradients(model: RecurrentTranslator, tokenizer: WordTokenizer, pair: Pair) -> Tensor:
    """Return how much the score of each right word moves with each source word, (T, S).

    That is the length of the gradient of the word's logit by the source word's vector. The decoder
    reads the right words.
    """
    batch = make_batch([pair], tokenizer)
    with evaluating(model):
        x, scores = scores_of(model, batch.src, batch.inputs)
        wanted = scores[0].gather(1, batch.labels.T)[:, 0]
        rows = [torch.autograd.grad(score, x, retain_graph=True)[0][0] for score in wanted]
    return torch.stack(rows).norm(dim=-1)


def scores_of(model: RecurrentTranslator, src: Tensor, inputs: Tensor) -> tuple[Tensor, Tensor]:
    """Return the vectors of the source words, with gradients, and the logits made from them."""
    x = model.src_embedding(src).detach().requires_grad_()
    mask = model.padding_mask(src)
    memory = model.encoder(x, mask)
    behind = model.decoder(model.tgt_embedding(inputs), memory, memory_mask=mask)
    return x, model.output(behind)


def alignment(model: RecurrentTranslator, tokenizer: WordTokenizer, pair: Pair) -> Tensor:
    """Return the attention weights of the decoder for each right word, (T, S)."""
    batch = make_batch([pair], tokenizer)
    with evaluating(model), torch.inference_mode():
        return model.alignment(batch.src, batch.inputs)[0]


def rounded(sizes: Tensor) -> list[list[float]]:
    """Round to two digits, however small a number is."""
    return [[float(f"{x:.2g}") for x in row] for row in sizes.tolist()]


def main() -> None:
    """Record the run and write it."""
    text = json.dumps(record(), ensure_ascii=False, separators=(",", ":"))
    write_whole(FILE, f"{text}\n".encode())


if __name__ == "__main__":
    main()
