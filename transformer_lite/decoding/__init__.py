"""From logits to text: one token at a time, by greedy search, sampling or beam search."""

from transformer_lite.decoding.beam import BeamSearch, BeamStep, beam_search, length_penalty
from transformer_lite.decoding.next_token import NextToken
from transformer_lite.decoding.sampling import greedy, keep_nucleus, keep_top_k, sample

__all__ = [
    "BeamSearch",
    "BeamStep",
    "NextToken",
    "beam_search",
    "greedy",
    "keep_nucleus",
    "keep_top_k",
    "length_penalty",
    "sample",
]
