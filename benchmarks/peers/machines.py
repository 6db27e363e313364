"""Three machines that write text, each from this package and from Hugging Face."""

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
import transformers
from torch import Tensor, nn

import transformer_lite as tl
from peers import BOS, D_FF, D_MODEL, DEVICE, HEADS, LAYERS, PAD, VOCABULARY, Marian, batch, ours
from transformer_lite.models import from_hugging_face

PROMPT = 32


class Machine(NamedTuple):
    """The same machine twice."""

    name: str
    ours: nn.Module
    theirs: Any
    bos_id: int | None

    def runs(self, size: int, length: int, beams: int) -> dict[str, Callable[[], Tensor]]:
        """Return two functions that write `length` tokens for each of `size` texts.

        Each returns ids whose last `length` columns are new. Neither ends a text early.
        """
        ids = batch(size, PROMPT)
        max_len = length + (PROMPT if self.bos_id is None else 1)

        def write(end: int) -> Tensor:
            rules: Any = {"bos_id": self.bos_id, "eos_id": end, "max_len": max_len}
            if beams == 1:
                return tl.greedy(self.ours, ids, **rules)
            return tl.beam_search(self.ours, ids, num_beams=beams, **rules).tokens

        mask = torch.ones_like(ids)
        rules: Any = {"num_beams": beams, "do_sample": False, "max_new_tokens": length}
        end = self._never_written(write, max_len)
        return {
            "Hugging Face": lambda: self.theirs.generate(ids, attention_mask=mask, **rules),
            "ours": lambda: write(end),
        }

    def _never_written(self, write: Callable[[int], Tensor], max_len: int) -> int:
        """Return an end token that no text contains."""
        for end in range(VOCABULARY - 1, BOS + 1, -1):
            tokens = write(end)
            if tokens.shape[-1] == max_len and not (tokens == end).any():
                return end
        raise RuntimeError("every token ended a text early")


def machines(dtype: torch.dtype = torch.float32) -> list[Machine]:
    """Return the translator, a GPT-2 and a decoder like Llama, of the same sizes.

    The translators have different random weights. The other two share theirs with their peers.
    """
    pairs = [("translator", ours(tied=True), Marian().model, BOS)]
    for name, theirs in (("GPT-2", gpt2()), ("Llama-like decoder", llama())):
        pairs.append((name, from_hugging_face(theirs), theirs, None))
    for _, model, peer, _ in pairs:
        for part in (model, peer):
            part.to(DEVICE, dtype).eval()
        peer.generation_config.update(eos_token_id=None, forced_eos_token_id=None)
    return [Machine(*pair) for pair in pairs]


def gpt2() -> transformers.GPT2LMHeadModel:
    """Return a small GPT-2 with random weights."""
    config = transformers.GPT2Config(
        vocab_size=VOCABULARY, n_positions=1024, n_embd=D_MODEL, n_layer=LAYERS, n_head=HEADS,
        n_inner=D_FF, bos_token_id=BOS, eos_token_id=2, pad_token_id=PAD,
    )  # fmt: skip
    return transformers.GPT2LMHeadModel(config)


def llama() -> transformers.LlamaForCausalLM:
    """Return a small Llama, four query heads to a head of keys and values, with random weights."""
    config = transformers.LlamaConfig(
        vocab_size=VOCABULARY, hidden_size=D_MODEL, intermediate_size=2 * D_FF // 3,
        num_hidden_layers=LAYERS, num_attention_heads=HEADS, num_key_value_heads=HEADS // 4,
        bos_token_id=BOS, eos_token_id=2, pad_token_id=PAD,
    )  # fmt: skip
    return transformers.LlamaForCausalLM(config)
