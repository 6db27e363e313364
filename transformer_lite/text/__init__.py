"""Text and data: tokenizers, files of sentence pairs, batches, BLEU."""

from transformer_lite.text.batches import Batch, Batches, Pair, make_batch, pad_rows
from transformer_lite.text.bleu import BleuSteps, bleu_by_hand, ngrams
from transformer_lite.text.bpe import BytePairEncoding, learn_merges, merged
from transformer_lite.text.byte_alphabet import chunks, readable, visible
from transformer_lite.text.characters import CharacterTokenizer
from transformer_lite.text.parallel import read_lines, read_parallel
from transformer_lite.text.subwords import SubwordTokenizer
from transformer_lite.text.tokenizer import SPECIAL_TOKENS, Tokenizer
from transformer_lite.text.words import WordTokenizer, join_words, split_words

__all__ = [
    "SPECIAL_TOKENS",
    "Batch",
    "Batches",
    "BleuSteps",
    "BytePairEncoding",
    "CharacterTokenizer",
    "Pair",
    "SubwordTokenizer",
    "Tokenizer",
    "WordTokenizer",
    "bleu_by_hand",
    "chunks",
    "join_words",
    "learn_merges",
    "make_batch",
    "merged",
    "ngrams",
    "pad_rows",
    "read_lines",
    "read_parallel",
    "readable",
    "split_words",
    "visible",
]
