"""What all tokenizers share (ids, decoding, files), and what is specific to each."""

import json
import os
import random
import unicodedata

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import (
    AddedToken,
    Regex,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)
from tokenizers import Tokenizer as Library
from tokenizers.pre_tokenizers import ByteLevel, Split

from lessons.trained.grammar import grammar_corpus
from transformer_lite.text import (
    SPECIAL_TOKENS,
    BytePairEncoding,
    CharacterTokenizer,
    SubwordTokenizer,
    Tokenizer,
    WordTokenizer,
    chunks,
    join_words,
    learn_merges,
    merged,
    readable,
    split_words,
    visible,
)

PAIRS = grammar_corpus(seed=2, size=3000, held_out=50).train
TEXTS = [text for pair in PAIRS for text in pair[:2]]
BPE, SUBWORDS = BytePairEncoding.train(TEXTS, 400), SubwordTokenizer.train(TEXTS, 400)
TOKENIZERS = [
    WordTokenizer.train(TEXTS),
    CharacterTokenizer.train(TEXTS),
    BPE,
    SUBWORDS,
    SubwordTokenizer.train(TEXTS, 400, lower_case=True),
]
each = pytest.mark.parametrize("tokenizer", TOKENIZERS, ids=lambda t: type(t).__name__)

# Any text that is one: no halves of surrogate pairs.
ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]))


# Shared


@each
def test_special_tokens_are_the_first_four(tokenizer):
    assert tokenizer.tokens[:4] == SPECIAL_TOKENS
    ids = (tokenizer.pad_id, tokenizer.bos_id, tokenizer.eos_id, tokenizer.unk_id)
    assert ids == (0, 1, 2, 3)
    assert len(tokenizer) == len(tokenizer.tokens)


@each
def test_training_texts_round_trip(tokenizer):
    for text in TEXTS:
        ids = tokenizer.encode(text)
        assert tokenizer.decode(ids) == text
        assert min(ids) >= 4 and max(ids) < len(tokenizer)
        assert [tokenizer.tokens[i] for i in ids] == tokenizer.pieces(text)


@each
def test_decoding_drops_special_tokens_at_any_position(tokenizer):
    ids = tokenizer.encode("le chat dort")
    assert tokenizer.decode([1, *ids[:2], 0, 3, *ids[2:], 2, 0]) == "le chat dort"
    assert tokenizer.decode([]) == tokenizer.decode((0, 2)) == ""
    assert tokenizer.decode(torch.tensor([1, *ids, 2])) == "le chat dort"


@each
@pytest.mark.parametrize(
    "text", ["<pad>", "a<eos>b <unk>", "", "  ", "👩‍👧 漢字 \x00", "x" * 10_000]
)
def test_any_text_can_be_encoded_without_special_ids(tokenizer, text):
    ids = tokenizer.encode(text)
    assert {0, 1, 2}.isdisjoint(ids)
    assert isinstance(tokenizer.decode(ids), str)
    assert len(tokenizer.pieces(text)) == len(ids)


@each
def test_saving_and_loading_keeps_tokens_and_encoding(tokenizer, tmp_path):
    path = tmp_path / "vocabulary.json"
    tokenizer.save(path)
    loaded = Tokenizer.load(str(path))
    assert type(loaded) is type(tokenizer)
    assert loaded.tokens == tokenizer.tokens
    assert [loaded.encode(text) for text in TEXTS[:50]] == [tokenizer.encode(t) for t in TEXTS[:50]]
    assert loaded.encode("L’ÉTÉ") == tokenizer.encode("L’ÉTÉ")
    assert os.listdir(tmp_path) == ["vocabulary.json"]
    json.loads(path.read_text(encoding="utf-8"))


# Words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("L’étudiant dort.", ["l'", "étudiant", "dort", "."]),
        ("l'étudiant", ["l'", "étudiant"]),
        ("aujourd'hui", ["aujourd'", "hui"]),
        ("est-ce qu'il dort ?", ["est-ce", "qu'", "il", "dort", "?"]),
        ("e\u0301te\u0301", ["été"]),
        ("a - b -- c", ["a", "-", "b", "-", "-", "c"]),
        ("3,5 km", ["3", ",", "5", "km"]),
        ("<b>", ["<", "b", ">"]),
        ("'", ["'"]),
        ("", []),
        ("rendez-vous-y allez-vous-vous", ["rendez-vous-y", "allez", "-vous", "-vous"]),
        ("👍🏽 👩🏽\u200d⚕️! ❤️ 1️⃣ 🇫🇷🇩🇪", ["👍🏽", "👩🏽\u200d⚕️", "!", "❤️", "1️⃣", "🇫🇷", "🇩🇪"]),
    ],
)
def test_words_are_cut_as_french_is_written(text, words):
    assert split_words(text) == words


@pytest.mark.parametrize(
    "text",
    [
        "हिन्दी क्षत्रिय", "ภาษาไทย น้ำ", "مُحَمَّدٌ الْعَرَبِيَّة", "שָׁלוֹם בְּרֵאשִׁית", "ọ̀rẹ́ ẹ̀kọ́",
        "தமிழ் பெரிய", "বাংলা ক্ষুদ্র",
        "می\u200cخواهم خانه\u200cها", "ශ්\u200dරී", "မြန်မာ", "ænəld͡ʒ", "co\xadop",
        unicodedata.normalize("NFD", "Tiếng Việt"), unicodedata.normalize("NFD", "한국어"),
        "İstanbul DİYARBAKIR ısı", "ΟΔΟΣ ΌΣΟΣ", "👩\u200d👧 👨\u200d👩\u200d👧\u200d👦 🏳️\u200d🌈",
    ],
)  # fmt: skip
def test_words_keep_their_marks_in_all_scripts(text):
    tokenizer = WordTokenizer.train([text])
    assert len(tokenizer.encode(text)) == len(text.split())
    assert tokenizer.decode(tokenizer.encode(text)) == unicodedata.normalize("NFC", text.lower())


SIGNS = [*"a1_-'.?! <\u0301\u0338\u200b\u200c\u200d\ufe0f\ufeff👩🏽🇫İΣ", "-il", "il", "हि"]


@given(ANY_TEXT | st.lists(st.sampled_from(SIGNS), max_size=9).map("".join))
def test_joining_and_splitting_words_again_gives_the_same_words(text):
    words = split_words(text)
    assert split_words(join_words(words)) == words
    assert "".join(words) == "".join(
        unicodedata.normalize("NFC", text.lower()).replace("’", "'").split()
    )


@given(st.lists(ANY_TEXT | st.lists(st.sampled_from(SIGNS), max_size=9).map("".join)))
def test_a_vocabulary_knows_every_word_of_its_training_texts(texts):
    tokenizer = WordTokenizer.train(texts)
    assert all(tokenizer.unk_id not in tokenizer.encode(text) for text in texts)


def test_words_are_ordered_by_frequency_and_then_alphabetically():
    texts = ["b a c a", "c d"]
    assert WordTokenizer.train(texts).tokens[4:] == ("a", "c", "b", "d")
    assert WordTokenizer.train(texts, max_words=1).tokens[4:] == ("a",)
    assert WordTokenizer.train(texts, min_count=2).tokens[4:] == ("a", "c")


def test_unknown_words_are_shown_as_typed():
    tokenizer = WordTokenizer(["le", "chat"])
    assert tokenizer.pieces("Le dahu") == ["le", "dahu"]
    assert tokenizer.encode("Le dahu") == [4, 3]


# Characters


def test_a_character_is_a_token_capitals_and_spaces_too():
    tokenizer = CharacterTokenizer.train(["Le chat"])
    assert tokenizer.tokens[4:] == (" ", "L", "a", "c", "e", "h", "t")
    assert tokenizer.pieces("Lé") == ["L", "é"]
    assert tokenizer.encode("Lé") == [5, 3]


# Byte pairs


def test_merges_and_ids_equal_those_of_hugging_face():
    assert BPE.merges == SUBWORDS.merges
    assert BPE.tokens == SUBWORDS.tokens
    for text in [*TEXTS, "The cat's mat, 3.5 km – naïve!", "  two  spaces\n\nlines\t"]:
        assert BPE.encode(text) == SUBWORDS.encode(text)


def test_both_tokenizers_split_texts_in_the_same_way():
    # Signs whose kind has never changed since an edition that all programs know.
    differ = ("Cn", "Cs", "Co", "No", "So", "Pc")
    editions = unicodedata.ucd_3_2_0.category, unicodedata.category
    signs = [
        sign
        for sign in map(chr, range(0x10000))
        if not any(category(sign).startswith(differ) for category in editions)
    ]
    cutter = SUBWORDS._model.pre_tokenizer

    def both(text):
        theirs = [readable(piece) for piece, _ in cutter.pre_tokenize_str(text)]
        return chunks(text), theirs

    ours, theirs = both("".join(f"a{sign}b " for sign in signs))
    assert ours == theirs and len(signs) > 30_000
    for text in ("un café", "हिन्दी में"):
        ours, theirs = both(unicodedata.normalize("NFD", text))
        assert ours == theirs and len(ours) == 2


def byte_level(model=None, pre_tokenizer=None, normalizer=None, **settings):
    """Return byte-level BPE as JSON, trained by the library with some parts replaced."""
    made = Library(model or models.BPE())
    made.pre_tokenizer = pre_tokenizer or BYTES
    if normalizer is not None:
        made.normalizer = normalizer
    trainer = {models.WordPiece: trainers.WordPieceTrainer, models.Unigram: trainers.UnigramTrainer,
               models.WordLevel: trainers.WordLevelTrainer}  # fmt: skip
    settings = {"vocab_size": 330, "special_tokens": list(SPECIAL_TOKENS), "show_progress": False,
                "initial_alphabet": ByteLevel.alphabet()} | settings  # fmt: skip
    kind = trainer.get(type(model), trainers.BpeTrainer)
    if kind is trainers.WordLevelTrainer:
        settings.pop("initial_alphabet")
    made.train_from_iterator(["the cat sat, the cat sat", "<pad>"] * 9, kind(**settings))
    return made


GPT4 = r"(?i:'s|'t)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
BYTES = ByteLevel(add_prefix_space=False)
PLAIN = ByteLevel(add_prefix_space=False, use_regex=False)


def with_end_token():
    made = byte_level()
    made.post_processor = processors.TemplateProcessing(
        single="<bos> $A <eos>", special_tokens=[("<bos>", 1), ("<eos>", 2)]
    )
    made.enable_truncation(2)
    made.enable_padding(length=9)
    return made


@pytest.mark.parametrize(
    "made",
    [
        byte_level(),
        byte_level(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True)),
        byte_level(pre_tokenizer=pre_tokenizers.Sequence([Split(Regex(GPT4), "isolated"), PLAIN])),
        byte_level(pre_tokenizer=pre_tokenizers.Sequence([pre_tokenizers.Digits(True), BYTES])),
        byte_level(normalizer=normalizers.Sequence([normalizers.Lowercase()])),
        byte_level(normalizer=normalizers.Sequence([])),
        with_end_token(),
    ],
)
def test_byte_level_files_of_the_library_give_its_ids_and_round_trip(made):
    tokenizer = SubwordTokenizer(made.to_str())
    made.no_truncation()
    made.no_padding()
    for text in (" The CAT  sat,\n12345 e\u0301 <pad> \U0001f44d\ufe0f\x00हिन्दी", "", " "):
        back = text.lower() if tokenizer.lower_case else text
        assert tokenizer.decode(tokenizer.encode(text)) == back
        ids = tokenizer.encode(text.replace("<pad>", ""))
        assert ids == made.encode(text.replace("<pad>", ""), add_special_tokens=False).ids


def added(token):
    made = byte_level()
    made.add_tokens([token])
    return made


@pytest.mark.parametrize(
    ("made", "part"),
    [
        (byte_level(models.WordPiece(unk_token="<unk>")), "model.type"),
        (byte_level(models.WordLevel(unk_token="<unk>")), "model.type"),
        (byte_level(models.Unigram(), unk_token="<unk>"), "model.type"),
        *(
            (byte_level(pre_tokenizer=cut), "pre_tokenizer")
            for cut in (
                ByteLevel(add_prefix_space=True), pre_tokenizers.Whitespace(),
                pre_tokenizers.Metaspace(), pre_tokenizers.BertPreTokenizer(),
                pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), PLAIN]),
                pre_tokenizers.Sequence([Split(" ", "removed"), PLAIN]),
                pre_tokenizers.Sequence([PLAIN, PLAIN]),
            )
        ),
        *(
            (byte_level(normalizer=changed), "normalizer")
            for changed in (
                normalizers.NFC(), normalizers.StripAccents(), normalizers.Prepend("▁"),
                normalizers.Sequence([normalizers.Lowercase(), normalizers.Strip()]),
                normalizers.BertNormalizer(), normalizers.Replace(" ", "_"),
            )
        ),
        (byte_level(models.BPE(dropout=0.1)), "model.dropout"),
        (byte_level(models.BPE(ignore_merges=True)), "model.ignore_merges"),
        (byte_level(models.BPE(end_of_word_suffix="</w>"), end_of_word_suffix="</w>"),
         "model.end_of_word_suffix"),
        (byte_level(models.BPE(continuing_subword_prefix="##"), continuing_subword_prefix="##"),
         "model.continuing_subword_prefix"),
        (added("cat sat"), "added_tokens"),
        (added(AddedToken("<mask>", lstrip=True, special=True)), "added_tokens"),
        (byte_level(pre_tokenizer=PLAIN), "model.merges"),
        (byte_level(initial_alphabet=[]), "model.vocab"),
        (byte_level(initial_alphabet=[*ByteLevel.alphabet(), "▁"]), "model.vocab"),
    ],
)  # fmt: skip
def test_unsupported_files_of_the_library_are_refused_by_their_part(made, part):
    with pytest.raises(ValueError, match=rf"every text: {part} must be .*, got .*; train one with"):
        SubwordTokenizer(made.to_str())


def test_lower_case_equals_that_of_python():
    tokenizer = SubwordTokenizer.train(["ΟΔΟΣ " * 9], 300, lower_case=True)
    for text in ("ΟΔΟΣ ΌΣΟΣ. Σ", "İstanbul IĞDIR", "STRAẞE ﬁN ǅ"):
        assert tokenizer.decode(tokenizer.encode(text)) == text.lower()
    assert (
        "".join(tokenizer.pieces("ΟΔΟΣ")) == visible("οδος") and len(tokenizer.pieces("ΟΔΟΣ")) == 1
    )


@pytest.mark.parametrize("seed", range(5))
def test_merges_agree_on_words_full_of_ties(seed):
    rng = random.Random(seed)
    texts = [
        " ".join("".join(rng.choices("ab", k=rng.randint(1, 6))) for _ in range(30))
        for _ in range(10)
    ]
    ours, theirs = BytePairEncoding.train(texts, 300), SubwordTokenizer.train(texts, 300)
    assert ours.merges == theirs.merges
    assert [ours.encode(text) for text in texts] == [theirs.encode(text) for text in texts]


def most_frequent_first(words, count):
    """The merges, by counting everything again each time."""
    pieces = {word: list(word) for word in words}
    ids = {token: i for i, token in enumerate(sorted({*"".join(words)}))}
    merges = []
    for _ in range(count):
        counts = {}
        for word, times in words.items():
            for pair in zip(pieces[word], pieces[word][1:], strict=False):
                counts[pair] = counts.get(pair, 0) + times
        if not counts:
            break
        best = min(counts, key=lambda pair: (-counts[pair], ids[pair[0]], ids[pair[1]]))
        merges.append(best)
        ids.setdefault("".join(best), len(ids))
        pieces = {word: merged(cut, best) for word, cut in pieces.items()}
    return merges


@given(st.dictionaries(st.text("abc", min_size=1, max_size=6), st.integers(1, 4), max_size=12))
def test_incremental_counting_learns_the_same_merges_as_full_counting(words):
    slow = most_frequent_first(words, 6)
    alphabet = len({*"".join(words)})
    made = len({"".join(merge) for merge in slow})
    fast = learn_merges(words, alphabet + made)
    assert fast == list(dict.fromkeys(slow))[: len(fast)]
    assert len({"".join(merge) for merge in fast}) == made


@given(ANY_TEXT)
def test_any_text_round_trips(text):
    assert BPE.decode(BPE.encode(text)) == text
    assert SUBWORDS.decode(SUBWORDS.encode(text)) == text
    assert "".join(chunks(text)) == text
    assert readable(visible(text)) == text


def test_merges_are_applied_in_the_order_in_which_they_were_learned():
    assert BytePairEncoding([("b", "c"), ("a", "b")]).pieces("abc") == ["a", "bc"]
    assert BytePairEncoding([("a", "b"), ("b", "c")]).pieces("abc") == ["ab", "c"]
