"""Make the GPT of the book again: ``python -m lessons.trained.book_gpt.make``.

It reads the prose of the book's folder, trains a decoder on it on one thread, rounds the weights to
8 bits times powers of two, and writes the files of the package and of the page. The text of a book
changes with each edit: what is shipped learned from the text of its day, which its record counts.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import torch
from jaxtyping import Int64
from torch import Tensor, nn

from lessons.trained.book_gpt.loading import FOLDER, RECORD, BookGPT, load_book_gpt
from lessons.trained.book_gpt.page import PAGE, write_page
from lessons.trained.book_gpt.reading import Text, read_text, rows_of, words_of
from lessons.trained.translator import round_weights
from transformer_lite.files import write_whole
from transformer_lite.layers import cross_entropy
from transformer_lite.models import save
from transformer_lite.models.build import build_decoder_only
from transformer_lite.models.config import TransformerConfig
from transformer_lite.models.transformer import DecoderOnlyTransformer
from transformer_lite.text import WordTokenizer
from transformer_lite.training import cosine

Rows = Int64[Tensor, "N T"]
Others = Int64[Tensor, "M T"]


@dataclass(frozen=True)
class Recipe:
    """How the GPT is trained.

    Attributes:
        width, heads, layers: the sizes of the decoder.
        length: how many words it sees at most; the page shows it no more.
        min_count: how often a word must occur to be known.
        steps, batch: how many batches, and of how many rows.
        peak: the highest learning rate.
        dropout, decay: what keeps it from learning the text by heart.
    """

    width: int = 80
    heads: int = 4
    layers: int = 2
    length: int = 64
    min_count: int = 2
    steps: int = 2000
    batch: int = 16
    peak: float = 5e-3
    dropout: float = 0.1
    decay: float = 0.1


def fresh(recipe: Recipe, tokenizer: WordTokenizer) -> DecoderOnlyTransformer:
    """Return a decoder that has learned nothing, as GPT-2 has its norms: in front."""
    count = len(tokenizer)
    return build_decoder_only(
        TransformerConfig(
            count,
            count,
            d_model=recipe.width,
            num_heads=recipe.heads,
            d_ff=4 * recipe.width,
            num_decoder_layers=recipe.layers,
            dropout=recipe.dropout,
            residual="pre",
            tie_embeddings=True,
            max_len=recipe.length + 1,
        )
    )


@torch.no_grad()
def loss_on(model: DecoderOnlyTransformer, rows: Rows) -> float:
    """Return the mean loss of a word, in nats, over all places of some rows."""
    was = model.training
    losses = [cross_entropy(model.eval()(some[:, :-1]), some[:, 1:]) for some in rows.split(64)]
    model.train(was)
    sizes = torch.tensor([len(some) for some in rows.split(64)], dtype=torch.float)
    return float((torch.stack(losses) * sizes).sum() / sizes.sum())


def train(
    model: DecoderOnlyTransformer,
    rows: Rows,
    recipe: Recipe,
    say: Callable[[str], object] = print,
    seen: Others | None = None,
) -> None:
    """Train a decoder in place, and end in evaluation mode.

    Args:
        model: a fresh one.
        rows: as from :func:`rows_of`.
        recipe: how.
        say: takes a line now and then.
        seen: held-out rows, whose loss the lines tell.
    """
    rate = partial(cosine, peak=recipe.peak, warm_up=max(1, recipe.steps // 20), steps=recipe.steps)
    matrices = [weight for weight in model.parameters() if weight.dim() > 1]
    vectors = [weight for weight in model.parameters() if weight.dim() == 1]
    groups = [{"params": matrices, "weight_decay": recipe.decay}]
    groups += [{"params": vectors, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.98))
    model.train()
    for step in range(1, recipe.steps + 1):
        some = rows[torch.randint(len(rows), (recipe.batch,))]
        loss = cross_entropy(model(some[:, :-1]), some[:, 1:])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for group in optimizer.param_groups:
            group["lr"] = rate(step)
        optimizer.step()
        if step % max(1, recipe.steps // 15) == 0:
            held = f", held out {loss_on(model, seen):.3f}" if seen is not None else ""
            say(f"step {step:5} of {recipe.steps}: loss {loss.item():.3f}{held}")
    model.eval()


def write(gpt: BookGPT, record: dict[str, object], folder: Path = FOLDER, page: Path = PAGE) -> int:
    """Write the files of a model whose weights are rounded; return the size of the page's.

    Raises:
        ValueError: the weights are not rounded.
        OSError: a file cannot be written.
    """
    save(gpt.model, folder, torch.float16)
    gpt.tokenizer.save(folder / "vocabulary.json")
    write_whole(folder / RECORD, (json.dumps(record, indent=2) + "\n").encode("ascii"))
    return write_page(load_book_gpt(folder), page)


def recorded(gpt: BookGPT, text: Text, recipe: Recipe) -> dict[str, object]:
    """Return what a training came to: its recipe, its text in numbers, and its losses.

    ``frequencies`` is the loss of a model that knows only how often each word comes.
    """
    rows = {
        name: rows_of(sentences, gpt.tokenizer, recipe.length)
        for name, sentences in text._asdict().items()
    }
    counts = torch.bincount(rows["train"][:, 1:].flatten(), minlength=len(gpt.tokenizer)) + 0.1
    shares = (counts / counts.sum()).log()
    losses = {
        "train": loss_on(gpt.model, rows["train"][::8]),
        "held_out": loss_on(gpt.model, rows["held_out"]),
        "held_out_by_frequencies": -float(shares[rows["held_out"][:, 1:]].mean()),
    }
    return {
        "recipe": asdict(recipe),
        "sentences": {name: len(part) for name, part in text._asdict().items()},
        "words": {name: sum(map(len, part)) for name, part in text._asdict().items()},
        "known_words": len(gpt.tokenizer) - 4,
        "weights": sum(weight.numel() for weight in gpt.model.parameters()),
        "loss": {name: round(loss, 4) for name, loss in losses.items()},
    }


def make(
    recipe: Recipe, folder: str | Path, say: Callable[[str], object] = print
) -> tuple[BookGPT, dict[str, object]]:
    """Read a book and train on it, the same on every call; return the model and its record.

    Args:
        recipe: how.
        folder: as in :func:`read_text`.
        say: takes the lines that tell how far it is.

    Raises:
        ValueError: there is too little prose.
    """
    text = read_text(folder)
    tokenizer = words_of(text, recipe.min_count)
    rows, seen = (rows_of(part, tokenizer, recipe.length) for part in text)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # sums in one order, and neighbors keep their cores
    try:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            model = fresh(recipe, tokenizer)
            size = sum(weight.numel() for weight in model.parameters())
            say(f"{len(tokenizer):,} tokens, {size:,} weights, {len(rows):,} rows to learn from")
            train(model, rows, recipe, say, seen)
    finally:
        torch.set_num_threads(threads)
    round_weights(model)
    gpt = BookGPT(model, tokenizer)
    return gpt, recorded(gpt, text, recipe)


def main(arguments: Sequence[str] | None = None, folder: Path = FOLDER, page: Path = PAGE) -> int:
    """Train, round, write, and say what it writes.

    Args:
        arguments: the command line; None takes that of the process.
        folder: where the files go.
        page: where the page's file goes.

    Returns:
        The exit status, which is 0.
    """
    reader = argparse.ArgumentParser(
        "python -m lessons.trained.book_gpt.make", description=__doc__.partition("\n")[0]
    )
    book = FOLDER.parents[3]
    reader.add_argument(
        "--book", default=book, help="the book's folder (the one around the package)"
    )
    for name in ("steps", "width", "layers"):
        default = getattr(Recipe, name)
        reader.add_argument(f"--{name}", type=int, default=default, help=f"{default}")
    chosen = vars(reader.parse_args(arguments))
    gpt, record = make(
        Recipe(**{k: chosen[k] for k in ("steps", "width", "layers")}), chosen["book"]
    )
    print(f"loss: {record['loss']}")
    print(f"{page.name}: {write(gpt, record, folder, page):,} bytes")
    print(gpt.write("attention is"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
