"""A sentence that climbs the encoder of the trained translator, layer by layer."""

import html
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import torch
from torch import Tensor
from traitlets import Int, Unicode

from transformer_lite.figures.encoder_climb.climb import climb
from transformer_lite.figures.kit import rules
from transformer_lite.figures.kit.live_figure import LiveFigure, number, picture_table
from transformer_lite.figures.kit.picture import panels
from transformer_lite.figures.kit.shared import shared
from transformer_lite.translator import Translator, load_translator, sizes_of

SHARED = shared("encoder_climb")
#: From the embedding to the last layer.
STAGES = ["embedding", *(f"layer {i + 1}" for i in range(sizes_of()["num_encoder_layers"]))]
HEADS = sizes_of()["num_heads"]
MODEL = Path(__file__).parents[1] / "kit" / "translator" / "translator.bin"


@cache
def the_translator() -> Translator:
    """Return the trained translator, read once."""
    return load_translator()


def short(x: float) -> str:
    """Write a number with two decimals at most: there are many of them side by side."""
    return number(x, 2)


class EncoderClimb(LiveFigure):
    """The encoder of the trained translator: what each layer makes of a sentence.

    The reader types French, and follows its tokens from the embedding to the last layer: how
    alike they are, where each head looks, how long the vectors are and what was added to them.

    Args:
        sentence: the French sentence, at most 80 letters; of its words the first 11 count.
        layer: how far up, to the number of layers; 0 is the embedding.
        head: which head's weights are shown, from 0.

    Raises:
        TraitError: a value has the wrong type or breaks one of these rules.
    """

    name = "encoder_climb"
    asset_files: ClassVar = {"model": MODEL}

    sentence = Unicode().tag(sync=True, figure=True)
    layer = Int(0).tag(sync=True, figure=True)
    head = Int(0).tag(sync=True, figure=True)

    def __init__(self, sentence: str, **traits: Any):
        super().__init__(sentence=sentence, **traits)

    @staticmethod
    def problems(*, sentence: str, layer: int, head: int, **_: Any) -> Iterator[str]:
        """Yield in words which rules these traits break."""
        yield from rules.count_of("the letters of sentence", sentence, SHARED["letters"])
        yield from rules.index_of("layer", layer, len(STAGES))
        yield from rules.index_of("head", head, HEADS)

    def tokens(self) -> list[str]:
        """Return the tokens that are climbing, the end of the sentence last."""
        tokenizer = the_translator().tokenizer
        pieces = tokenizer.pieces(self.sentence)[: SHARED["most_words"]]
        return [*pieces, tokenizer.tokens[tokenizer.eos_id]]

    def results(self) -> dict[str, Tensor]:
        """Return the numbers that the figure shows, by name, computed in float64.

        With S tokens: similarity and attention (S, S), lengths (S, 3): a vector's length, and of
        what attention and the feed-forward layer added; climb (L + 1, 3): the means of all stages,
        the last layer first.
        """
        translator = the_translator()
        ids = translator.tokenizer.encode(self.sentence)[: SHARED["most_words"]]
        stages = climb(translator.model, [*ids, translator.tokenizer.eos_id])
        here = stages[self.layer]
        columns = [t.norm(dim=-1) for t in (here.tokens, here.attention_added, here.forward_added)]
        means = [[stage.likeness(), stage.looked_at(), stage.length()] for stage in stages]
        return {
            "similarity": here.cosines(),
            "attention": here.weights[self.head],
            "lengths": torch.stack(columns, dim=-1),
            "climb": torch.tensor(means[::-1], dtype=torch.float64),
        }

    def picture(self) -> str:
        """Return the sentence, how far up it is, and all tables."""
        results, tokens = self.results(), self.tokens()
        rows = dict.fromkeys(results, tokens) | {"climb": STAGES[::-1]}
        heads = {"similarity": tokens, "attention": tokens}
        heads |= {name: SHARED[name] for name in ("lengths", "climb")}
        kinds = {"similarity": "ec-square", "attention": "ec-square tl-weights"}
        tables = {
            name: picture_table(
                SHARED["captions"][name].format(head=self.head + 1),
                values,
                rows[name],
                heads[name],
                kinds.get(name, "ec-few"),
                short,
            )
            for name, values in results.items()
        }
        where = f"“{html.escape(self.sentence)}”, {STAGES[self.layer]}, head {self.head + 1}"
        return f"<p>{where}</p>{panels(*tables.values())}"

    def __repr__(self) -> str:
        return f"EncoderClimb({self.sentence!r}, layer={self.layer}, head={self.head})"
