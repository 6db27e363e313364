"""Words and data: tokenizers, a corpus by grammar, real files, batches, BLEU by hand."""

from transformer_lite.text.batches import Batch, Batches, Pair, make_batch, pad_rows
from transformer_lite.text.bleu import BleuSteps, bleu_by_hand, ngrams
from transformer_lite.text.bpe import BytePairEncoding, learn_merges, merged
from transformer_lite.text.byte_alphabet import chunks, readable, visible
from transformer_lite.text.characters import CharacterTokenizer
from transformer_lite.text.grammar.corpus import (
    Corpus,
    grammar_corpus,
    held_out_combinations,
    held_out_contexts,
)
from transformer_lite.text.grammar.decided import DecidedNoun, decided_nouns
from transformer_lite.text.grammar.lexicon import AMBIGUOUS_NOUNS
from transformer_lite.text.parallel import read_parallel
from transformer_lite.text.subwords import SubwordTokenizer
from transformer_lite.text.tokenizer import SPECIAL_TOKENS, Tokenizer
from transformer_lite.text.words import WordTokenizer, join_words, split_words

__all__ = [
    "AMBIGUOUS_NOUNS",
    "SPECIAL_TOKENS",
    "Batch",
    "Batches",
    "BleuSteps",
    "BytePairEncoding",
    "CharacterTokenizer",
    "Corpus",
    "DecidedNoun",
    "Pair",
    "SubwordTokenizer",
    "Tokenizer",
    "WordTokenizer",
    "bleu_by_hand",
    "chunks",
    "decided_nouns",
    "grammar_corpus",
    "held_out_combinations",
    "held_out_contexts",
    "join_words",
    "learn_merges",
    "make_batch",
    "merged",
    "ngrams",
    "pad_rows",
    "read_parallel",
    "readable",
    "split_words",
    "visible",
]
