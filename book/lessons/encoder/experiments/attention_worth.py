"""What the encoder's self-attention is worth to a translator whose words have two meanings.

Four translators learn from the same sentences of the corpus by grammar, in the same order and with
the same rates, and differ in their encoder alone, which has three layers. In the "whole" one its
tokens look at each other. In the one "without attention" each looks at itself alone, from the first
step on. The "bag of words" is told no places besides. The "recurrent" one reads both ways by a
gated cell, with as many weights within two percent. Their decoders have one layer, as
the book's translator has, or three.

What a training draws grows with its steps, so that each sentence is read about three times. Exact
match is measured on held-out sentences ("held-out"), those of them that hold a word of two meanings
("ambiguous"), and sentences in which such a word is decided by one that it has never met in
training ("contexts"): all of them, and by their form. "loss" is the surprise for each token of the
held-out translations. "…, switched off" says the same of the whole model when its tokens no longer
look at each other once it has been trained.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from math import nan
from statistics import fmean

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from lessons.trained.grammar import grammar_corpus
from transformer_lite.layers.positions import PositionScheme
from transformer_lite.models import Transformer, TransformerConfig, build
from transformer_lite.models.recurrent import (
    GatedRecurrentCell,
    RecurrentEncoder,
    RecurrentLayer,
)
from transformer_lite.text import Batches, Pair, WordTokenizer
from transformer_lite.training import Trainer, cosine, held_out_loss, translate

GRID = {
    "decoder_layers": [1, 3],
    "steps": [40, 500, 4000],
    "seed": [0, 1],
    "encoder": ["whole", "without attention", "bag of words", "recurrent"],
}
TOLERANCE = {
    name + after: 0.02
    for name in ("held-out", "ambiguous", "contexts", "contexts by form", "loss")
    for after in ("", ", switched off")
}
WIDTH, HIDDEN, PAIRS_A_STEP, TESTS, CONTEXTS = 64, 120, 32, 500, 1500

#: The forms of what is translated; "contexts by form" has a number for each. What has several of
#: these marks counts as the last of them, what has none as one clause.
FORMS = ("one clause", "relative clause", "two clauses", "two sentences")


class Alone(nn.Module):
    """An encoder in which each token looks at itself alone."""

    def __init__(self, encoder: nn.Module) -> None:
        super().__init__()
        self.encoder = encoder

    def forward(
        self, x: Float[Tensor, "B S D"], mask: Bool[Tensor, "B 1 1 S"] | None = None
    ) -> Float[Tensor, "B S D"]:
        """Return the tokens after all layers; a mask has nothing left to hide."""
        return self.encoder(x, torch.eye(x.shape[1], dtype=torch.bool, device=x.device))


class Recurrent(nn.Module):
    """An encoder that steps from word to word both ways, beside a residual connection."""

    def __init__(self) -> None:
        super().__init__()
        forwards, backwards = (
            RecurrentLayer(GatedRecurrentCell(WIDTH, HIDDEN), backwards=way)
            for way in (False, True)
        )
        self.reader = RecurrentEncoder(forwards, backwards)
        self.output, self.norm = nn.Linear(2 * HIDDEN, WIDTH), nn.LayerNorm(WIDTH)

    def forward(
        self, x: Float[Tensor, "B S D"], mask: Bool[Tensor, "B 1 1 S"] | None = None
    ) -> Float[Tensor, "B S D"]:
        """Return the words, each with what stands before and after it."""
        return self.norm(x + self.output(self.reader(x, mask)))


def without_attention(model: Transformer) -> None:
    """Let each token of the encoder look at itself alone."""
    model.encoder = Alone(model.encoder)


def bag_of_words(model: Transformer) -> None:
    """Let the encoder know neither who stands beside a token nor where it stands."""
    without_attention(model)
    model.src_embedding.positions = PositionScheme()


def recurrent(model: Transformer) -> None:
    """Replace the layers of the encoder."""
    model.encoder = Recurrent()


CHANGES: dict[str, Callable[[Transformer], None]] = {
    "whole": lambda model: None,
    "without attention": without_attention,
    "bag of words": bag_of_words,
    "recurrent": recurrent,
}


def make(encoder: str, decoder_layers: int, vocab_size: int) -> Transformer:
    """Return a fresh translator with this encoder."""
    config = TransformerConfig(
        vocab_size, vocab_size, WIDTH, num_heads=4, d_ff=4 * WIDTH, num_encoder_layers=3,
        num_decoder_layers=decoder_layers, dropout=0.0, residual="pre", tie_embeddings=True,
    )  # fmt: skip
    model = build(config)
    CHANGES[encoder](model)
    return model


@cache
def data(size: int) -> tuple[WordTokenizer, list[Pair], list[Pair]]:
    """Return the tokenizer, what is learned from, and held-out sentences."""
    corpus = grammar_corpus(size=size, held_out=TESTS)
    tokenizer = WordTokenizer.train([text for pair in corpus.train for text in pair[:2]])
    return tokenizer, list(corpus.train), list(corpus.held_out)


@cache
def contexts() -> tuple[Pair, ...]:
    """Return sentences with deciding words that no training shows, the same for each size."""
    return grammar_corpus(seed=1, size=20, held_out=CONTEXTS).held_out_contexts


def form(pair: Pair) -> str:
    """Return the form of a sentence, one of :data:`FORMS`."""
    return next((name for name in FORMS[:0:-1] if name in pair.phenomena), FORMS[0])


def measured(model: Transformer, size: int) -> dict[str, float | list[float]]:
    """Return the exact match on each kind of sentences, and the loss."""
    tokenizer, _, held_out = data(size)

    def right(pairs: Sequence[Pair]) -> list[bool]:
        written = translate(model, tokenizer, [pair.source for pair in pairs])
        return [text == pair.target for text, pair in zip(written, pairs, strict=True)]

    plain, hard = right(held_out), right(contexts())
    twofold = [good for good, pair in zip(plain, held_out, strict=True)
               if "ambiguous" in pair.phenomena]  # fmt: skip
    forms = [*map(form, contexts())]
    return {
        "held-out": fmean(plain), "ambiguous": fmean(twofold), "contexts": fmean(hard),
        "contexts by form": [
            fmean(good for good, of in zip(hard, forms, strict=True) if of == name)
            for name in FORMS
        ],
        "loss": held_out_loss(model, tokenizer, held_out),
    }  # fmt: skip


def point(
    steps: int, decoder_layers: int, seed: int, encoder: str, device: torch.device
) -> dict[str, float | list[float]]:
    """Train one translator, measure it, and the whole one once more without its attention."""
    size = PAIRS_A_STEP * steps
    tokenizer, train, _ = data(size)
    torch.manual_seed(seed)
    model = make(encoder, decoder_layers, len(tokenizer)).to(device)
    rate = partial(cosine, peak=3e-3, warm_up=min(400, steps // 5), steps=steps)
    batches = Batches(train, tokenizer, 1024, seed)
    Trainer(model, batches, rate, label_smoothing=0.1, autocast=False).run(steps)
    parameters = sum(weights.numel() for weights in model.parameters())
    found = measured(model, size)
    if encoder == "whole":
        without_attention(model)
        off = measured(model, size)
    else:
        off = {**dict.fromkeys(found, nan), "contexts by form": [nan] * len(FORMS)}
    return {
        "parameters": parameters,
        **found,
        **{f"{name}, switched off": value for name, value in off.items()},
    }
