"""What the trained translator reads, writes and weighs, computed by the package."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import torch
from torch import Tensor

from lessons.decoding.translator.ablation import PARTS, Head, ablated
from lessons.kit.draws import draw_index, uniform_floats
from lessons.kit.figures import shared
from lessons.kit.machine import machine
from lessons.trained.translator import Doubt, load_translator, sizes_of
from lessons.trained.translator.doubt import Written, certainty, doubt_of
from transformer_lite.decoding import BeamSearch, beam_search, greedy
from transformer_lite.decoding.next_token import NextToken
from transformer_lite.models.inspection import record_attention
from transformer_lite.models.transformer import Transformer
from transformer_lite.text.tokenizer import Tokenizer

SHARED = shared("translator")
#: How many heads a layer has, and how many layers each attention has.
HEADS = sizes_of()["num_heads"]
LAYERS = {
    part: sizes_of()[f"num_{'encoder' if part == 'encoder' else 'decoder'}_layers"]
    for part in SHARED["parts"]
}


class Setting(NamedTuple):
    """What a translation depends on, as the figure's traits name it."""

    text: str
    method: str = "likeliest"
    beams: int = 4
    alpha: float = 0.6
    temperature: float = 1.0
    seed: int = 0
    silenced: tuple[Head, ...] = ()
    positions: bool = True
    mask: bool = True


class Reading(NamedTuple):
    """One translation: what was read and written, and what each step saw.

    `weights` has for each part and layer the weights of all heads, shape (H, T, S).
    """

    pieces: list[str]
    words: list[str]
    text: str
    weights: dict[str, list[Tensor]]
    log_probs: Tensor
    search: BeamSearch | None


def shown(words: list[str]) -> list[str]:
    """Return words as the figure writes them: special tokens have names."""
    return [SHARED["shown"].get(word, word) for word in words]


@lru_cache(maxsize=64)
def read(setting: Setting) -> Reading:
    """Translate, and look at every attention while the result is written."""
    model, tokenizer = machine()
    pieces = tokenizer.pieces(setting.text)[: SHARED["words"]]
    src = _source(setting.text)
    with ablated(model, setting.silenced, setting.positions, setting.mask), torch.no_grad():
        ids, search = _written(model, tokenizer, src, setting)
        tgt = torch.tensor([[tokenizer.bos_id, *ids[:-1]]])
        weights, logits = _seen(model, src, tgt, setting.mask)
    logits /= setting.temperature if setting.method == "chance" else 1.0
    logits[:, tokenizer.pad_id] = -torch.inf
    return Reading(
        shown([*pieces, tokenizer.tokens[tokenizer.eos_id]]),
        shown([tokenizer.tokens[i] for i in ids]),
        sentence(ids),
        {part: _layers(weights, part) for part in PARTS},
        logits.log_softmax(dim=-1),
        search,
    )


def sentence(ids: list[int]) -> str:
    """Return ids as a text, with dots where it got too long."""
    tokenizer = machine()[1]
    text = tokenizer.decode(ids)
    return text if ids[-1] == tokenizer.eos_id else f"{text} …"


def found(search: BeamSearch) -> list[list[int]]:
    """Return the ids of the sentences that a beam search kept, best first."""
    pad = machine()[1].pad_id
    return [[i for i in row if i != pad] for row in search.tokens[0, :, 1:].tolist()]


@lru_cache(maxsize=64)
def doubt(text: str) -> Doubt | None:
    """Return how sure the unharmed machine is of the likeliest words; None if it has no rule."""
    model, tokenizer = machine()
    rule = load_translator().rule
    if rule is None:
        return None
    src = _source(text)
    ids = greedy(
        model, src, eos_id=tokenizer.eos_id, bos_id=tokenizer.bos_id, max_len=SHARED["most"]
    )
    with torch.no_grad():
        [log_probs] = certainty(model, src, ids)
    row = ids[0, 1:].tolist()
    return doubt_of(rule, tokenizer, Written(row, log_probs, row[-1] == tokenizer.eos_id))


def _source(text: str) -> Tensor:
    """Return the words that are read, and the end, shape (1, S)."""
    tokenizer = machine()[1]
    return torch.tensor([[*tokenizer.encode(text)[: SHARED["words"]], tokenizer.eos_id]])


def _seen(
    model: Transformer, src: Tensor, tgt: Tensor, mask: bool
) -> tuple[dict[str, Tensor], Tensor]:
    """Return all weights and the logits, those of a word as they were when it was written.

    With the mask one pass has them all. Without it each word is computed again when the next has
    come: its cross-attention and its logits are those of the pass that it ended.
    """
    weights, logits = _passed(model, src, tgt)
    if mask:
        return weights, logits
    passes = [_passed(model, src, tgt[:, :end]) for end in range(1, tgt.shape[1] + 1)]
    for name in [name for name in weights if name.endswith("cross_attention")]:
        weights[name] = torch.cat([seen[name][:, :, -1:] for seen, _ in passes], dim=2)
    return weights, torch.stack([logits[-1] for _, logits in passes])


def _passed(model: Transformer, src: Tensor, tgt: Tensor) -> tuple[dict[str, Tensor], Tensor]:
    """Return all weights of one pass, and its logits, shape (T, V)."""
    record = record_attention(model, src, tgt)
    assert isinstance(record.output, Tensor)
    return record.weights, record.output[0]


def _layers(weights: dict[str, Tensor], part: str) -> list[Tensor]:
    """Return the weights of one part, layer by layer, each of shape (H, T, S)."""
    return [weights[PARTS[part].format(layer)][0] for layer in range(LAYERS[part])]


def _written(
    model: Transformer, tokenizer: Tokenizer, src: Tensor, setting: Setting
) -> tuple[list[int], BeamSearch | None]:
    """Return the ids of the translation without its start, and the beam search if there is one."""
    bos, eos, most = tokenizer.bos_id, tokenizer.eos_id, SHARED["most"]
    if setting.method == "beam":
        beams = {"num_beams": setting.beams, "alpha": setting.alpha, "use_cache": False}
        search = beam_search(model, src, eos_id=eos, bos_id=bos, max_len=most, **beams)  # type: ignore[arg-type]
        return found(search)[0], search
    if setting.method == "likeliest":
        ids = greedy(model, src, eos_id=eos, bos_id=bos, max_len=most, use_cache=False)
        return ids[0, 1:].tolist(), None
    ids = torch.tensor([[bos]])
    next_token = NextToken(model, src, bos, use_cache=False)
    for chance in uniform_floats(setting.seed, most - 1):
        log_probs = (next_token(ids)[0] / setting.temperature).log_softmax(dim=-1)
        drawn = draw_index(log_probs.exp().double(), chance)
        ids = torch.cat([ids, torch.tensor([[drawn]])], dim=1)
        if drawn == eos:
            break
    return ids[0, 1:].tolist(), None
