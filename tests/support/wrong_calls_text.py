"""Wrong input for tokenizers, batches, the corpus, files of sentence pairs and BLEU."""
# ruff: noqa: E501 -- one case a line, call and message, reads as a table.

import tempfile
from pathlib import Path
from typing import Any

from lessons.trained.grammar import grammar_corpus
from transformer_lite import text

tx: Any = text

WORDS = tx.WordTokenizer(["je", "dors", "i", "sleep"])
PAIRS = [("je dors", "i sleep"), ("je", "i")]
PADDED_OTHERWISE = type("PaddedOtherwise", (tx.WordTokenizer,), {"pad_id": 3})(["i", "sleep"])
ON_FILE = '{"tokenizer": "WordTokenizer", "words": ["je"]}'


def loaded(content, kind=tx.Tokenizer):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "vocabulary.json")
        path.write_text(content, encoding="utf-8")
        return kind.load(path)


def read(french=b"un\n", english=b"one\n", name="a.fr"):
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, name), Path(folder, "a.en")
        source.write_bytes(french)
        target.write_bytes(english)
        return tx.read_parallel(source, target)


def batches(pairs=PAIRS, tokenizer=WORDS, max_tokens=9, seed=0, target=None):
    return tx.Batches(pairs, tokenizer, max_tokens, seed, target)


def resumed(**changes):
    stream = batches()
    state = {**stream.state_dict(), **changes}
    stream.load_state_dict({name: value for name, value in state.items() if value != "gone"})


# fmt: off
WRONG_TYPE = [
    (lambda: WORDS.encode(None), "text must be a str, got NoneType: None"),
    (lambda: WORDS.pieces(b"je"), "text must be a str, got bytes: b'je'"),
    (lambda: WORDS.decode(4), "ids must be a list of ints, got int: 4"),
    (lambda: WORDS.decode([4, "5"]), "ids must hold ints, got str: '5'"),
    (lambda: WORDS.decode([True]), "ids must hold ints, got bool: True"),
    (lambda: tx.WordTokenizer("je dors"), "words must be a list, got str: 'je dors'"),
    (lambda: tx.WordTokenizer(["je", 3]), "words[1] must be a str, got int: 3"),
    (lambda: tx.WordTokenizer.train("je dors"), "texts must be many strings, got one: 'je dors'"),
    (lambda: tx.WordTokenizer.train(["je", None]), "texts[1] must be a str, got NoneType: None"),
    (lambda: tx.join_words("je"), "words must be a list, got str: 'je'"),
    (lambda: tx.CharacterTokenizer("abc"), "characters must be a list, got str: 'abc'"),
    (lambda: tx.BytePairEncoding("ab"), "merges must be a list, got str: 'ab'"),
    (lambda: tx.BytePairEncoding([("a", "b", "c")]), "merges[0] must be a pair of tokens, got ('a', 'b', 'c')"),
    (lambda: tx.BytePairEncoding([("a", 1)]), "a token of merges[0] must be a str, got int: 1"),
    (lambda: tx.SubwordTokenizer(None), "model must be a str, got NoneType: None"),
    (lambda: tx.SubwordTokenizer.train(["a"], 300, lower_case=1), "lower_case must be a bool, got int: 1"),
    (lambda: tx.SubwordTokenizer.train([3], 300), "texts[0] must be a str, got int: 3"),
    (lambda: batches(tokenizer=None), "tokenizer must be a Tokenizer, got NoneType: None"),
    (lambda: batches(target="words"), "target_tokenizer must be a Tokenizer, got str: 'words'"),
    (lambda: batches(["je dors"]), "pairs[0] must be a source and a target, got str: 'je dors'"),
    (lambda: batches([("je", None)]), "the target of pairs[0] must be a str, got NoneType: None"),
    (lambda: batches([(1, "i")]), "the source of pairs[0] must be a str, got int: 1"),
    (lambda: batches().load_state_dict([0]), "state must be a dict, got list: [0]"),
    (lambda: tx.bleu_by_hand("a", ["a"]), "translations must be a list, got str: 'a'"),
    (lambda: tx.bleu_by_hand(["a"], [None]), "references[0] must be a str, got NoneType: None"),
]

WRONG_VALUE = [
    (lambda: WORDS.decode([8]), "ids must lie between 0 and 7, got 8"),
    (lambda: WORDS.decode([-1]), "ids must lie between 0 and 7, got -1"),
    (lambda: tx.WordTokenizer(["Je"]), "words must be single words in lower case, got 'Je'"),
    (lambda: tx.WordTokenizer(["je dors"]), "words must be single words in lower case, got 'je dors'"),
    (lambda: tx.WordTokenizer(["je", "tu", "je"]), "tokens must differ, got 'je' twice"),
    (lambda: tx.WordTokenizer.train(["je"], max_words=0), "max_words must be at least 1, got 0"),
    (lambda: tx.WordTokenizer.train(["je"], min_count=0), "min_count must be at least 1, got 0"),
    (lambda: tx.CharacterTokenizer(["a", "bc"]), "characters must be single characters, got 'bc'"),
    (lambda: tx.CharacterTokenizer(["a", ""]), "characters must be single characters, got ''"),
    (lambda: tx.BytePairEncoding([("a", "bc")]), "merges[0] must join tokens made before it, got 'bc'"),
    (lambda: tx.BytePairEncoding([("a", "b"), ("a", "b")]), "merges must differ, got ('a', 'b') twice"),
    (lambda: tx.BytePairEncoding.train(["a"], 259), "vocab_size must be at least 260, got 259"),
    (lambda: tx.learn_merges({"a": 1}, -1), "vocab_size must be at least 0, got -1"),
    (lambda: tx.SubwordTokenizer.train(["a"], 12), "vocab_size must be at least 260, got 12"),
    (lambda: tx.SubwordTokenizer("{}"), "model must be a tokenizer as JSON, got "),
    (lambda: tx.SubwordTokenizer('{"model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}}'), "model must begin with <pad> <bos> <eos> <unk>, got 'a'"),
    (lambda: tx.SubwordTokenizer('{"model": {"type": "BPE", "vocab": {"<pad>": 0, "<bos>": 1, "<eos>": 2, "<unk>": 3, "a": 9}, "merges": []}}'), "the id of 'a' must be 4, got 9"),
    (lambda: loaded(ON_FILE[:-9]), "vocabulary.json must hold a saved tokenizer, got JSONDecodeError("),
    (lambda: loaded("[1, 2]"), "vocabulary.json must hold a saved tokenizer, got TypeError("),
    (lambda: loaded(ON_FILE, tx.CharacterTokenizer), "vocabulary.json must hold a CharacterTokenizer, got a WordTokenizer"),
    (lambda: batches([]), "pairs must hold at least one pair, got none"),
    (lambda: batches(target=PADDED_OTHERWISE), "tokenizer and target_tokenizer must have the same pad_id, got 0 and 3"),
    (lambda: batches(max_tokens=0), "max_tokens must be at least 1, got 0"),
    (lambda: batches(max_tokens=2), "max_tokens must be at least 3, the length of pairs[0] with its end, got 2"),
    (lambda: batches(seed=-1), "seed must be at least 0, got -1"),
    (lambda: resumed(position="gone"), "state must hold 'position', got epoch, seed, max_tokens, fingerprint"),
    (lambda: resumed(epoch=-1), "state['epoch'] must be at least 0, got -1"),
    (lambda: resumed(seed=7), "state must be of these batches, with seed 0, got 7"),
    (lambda: resumed(fingerprint=7), "state must be of these batches, with fingerprint "),
    (lambda: resumed(position=99), "state['position'] must be at most 0, got 99"),
    (lambda: tx.pad_rows([]), "rows must hold at least one row, got none"),
    (lambda: tx.pad_rows([[1]], pad_id=-1), "pad_id must be at least 0, got -1"),
    (lambda: grammar_corpus(-1), "seed must be at least 0, got -1"),
    (lambda: grammar_corpus(size=0), "size must be at least 1, got 0"),
    (lambda: grammar_corpus(held_out=0), "held_out must be at least 1, got 0"),
    (lambda: tx.bleu_by_hand(["a"], []), "translations and references must be equally many, at least one, got 1 and 0"),
    (lambda: read(b"un\ndeux\n"), "a.en must have equally many lines, got 2 and 1"),
    (lambda: read(b""), "a.fr must hold at least one line, got none"),
    (lambda: read(b"un\n\n"), "a.fr must have text in every line, got none in line 2"),
    (lambda: read(b"un\nde\rux\n"), "a.fr must not have a carriage return inside a line, got one after 'de' in line 2; "),
    (lambda: read(b"un\xff\n"), "a.fr must be UTF-8, got the byte 0xff in line 1"),
    (lambda: read(b"un\n", name="a.fr.gz"), "a.fr.gz must be a whole gzip file, got "),
]
# fmt: on
