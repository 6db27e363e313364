"""When the translator doubts: the rule as data, and how it is measured."""

import json
import math

import pytest
import torch

from lessons.trained.data import read_data
from lessons.trained.options import Options
from lessons.trained.translator import FOLDER, Rule, Translator, load_translator
from lessons.trained.translator import measuring_doubt as measuring
from lessons.trained.translator.doubt import RULE, Written, doubt_of, write_all
from lessons.trained.translator.french_words import LIST
from transformer_lite.decoding import greedy
from transformer_lite.text import WordTokenizer, split_words
from transformer_lite.training import translate

KNOWN = [
    "je suis étudiant",
    "le petit chat noir",
    "le petit chat noir dort",
    "le chat s'est assis sur le tapis",
]
RULES = {"threshold": -1.0, "false_alarms": 0.05, "misses": 0.2}


@pytest.fixture(scope="module")
def translator():
    return load_translator()


def test_known_sentences_are_trusted_and_scrambled_words_doubted(translator):
    assert not any(translator.doubt(text).is_doubtful for text in KNOWN)
    # All words are known; their order is none.
    assert translator.doubt("noir le le dort petit chat le pas").is_doubtful


def test_a_doubt_names_the_least_certain_word(translator):
    doubt = translator.doubt("le le chat dort")
    written = write_all(translator.model, translator.tokenizer, ["le le chat dort"])[0]
    least = int(written.log_probs.argmin())
    assert doubt.word == translator.tokenizer.tokens[written.ids[least]]
    assert doubt.probability == pytest.approx(math.exp(written.log_probs.min().item()))
    assert 0 < doubt.probability < 1


def test_log_probabilities_do_not_depend_on_the_batch(translator):
    tokenizer = translator.tokenizer
    texts = [*KNOWN, "le chat dort dans le jardin"]
    together = write_all(translator.model, tokenizer, texts, batch_size=2)
    words = [tokenizer.decode(one.ids) for one in together]
    assert words == translate(translator.model, tokenizer, texts)
    for text, one in zip(texts, together, strict=True):
        alone = write_all(translator.model, tokenizer, [text])[0]
        assert one.has_ended and one.ids == alone.ids and len(one.ids) == len(one.log_probs)
        torch.testing.assert_close(one.log_probs, alone.log_probs, atol=1e-5, rtol=1e-4)
        assert bool((one.log_probs < 0).all())


def test_the_probabilities_are_the_models_own(translator):
    model, tokenizer = translator.model, translator.tokenizer
    src = torch.tensor([[*tokenizer.encode(KNOWN[0]), tokenizer.eos_id]])
    ids = greedy(model, src, eos_id=tokenizer.eos_id, bos_id=tokenizer.bos_id, max_len=20)
    with torch.no_grad():
        rows = model(src, ids[:, :-1])[0].log_softmax(dim=-1)
    expected = [rows[i, token].item() for i, token in enumerate(ids[0, 1:].tolist())]
    found = write_all(model, tokenizer, [KNOWN[0]])[0].log_probs.tolist()
    assert found == pytest.approx(expected, abs=1e-3)  # the pad, which is not a word, has its share


@pytest.mark.parametrize(("threshold", "has_ended", "doubtful"),
    [(-2.5, True, False), (-2.0, True, False), (-1.9, True, True), (-9.0, False, True)],
)  # fmt: skip
def test_a_mean_below_the_threshold_and_a_missing_end_are_doubtful(threshold, has_ended, doubtful):
    written = Written([4, 5], torch.tensor([-1.0, -3.0]), has_ended)
    tokenizer = WordTokenizer(["chat", "noir"])
    found = doubt_of(Rule(**RULES | {"threshold": threshold}), tokenizer, written)
    assert (found.is_doubtful, found.word) == (doubtful, "noir")


def test_the_rule_is_stored_next_to_the_weights_and_round_trips(translator, tmp_path):
    assert translator.rule == Rule(**json.loads((FOLDER / RULE).read_text()))
    assert 0 < translator.rule.false_alarms <= 0.08 and 0 <= translator.rule.misses < 0.5
    Rule(**RULES).save(tmp_path / RULE)
    assert Rule.load(tmp_path / RULE) == Rule(**RULES)


def test_doubting_without_a_rule_is_refused(translator):
    with pytest.raises(ValueError, match="rule must be a Rule to doubt by, got None"):
        Translator(translator.model, translator.tokenizer).doubt("merci")


def test_the_out_of_domain_sentences_are_200_distinct_ones_of_20_kinds():
    sentences = measuring.read_outside()
    sources = [one.source for one in sentences]
    assert len(sources) == len(set(sources)) == 200
    assert len({one.lacks for one in sentences}) == 20
    nonsense = [one for one in sentences if not one.targets]
    assert [one.lacks for one in nonsense] == ["scrambled"] * 10
    assert all(text == text.strip() and text for one in sentences for text in one[1:2])


def test_the_translator_knows_every_word_of_the_out_of_domain_sentences():
    kinds = json.loads(LIST.read_text())["of"]  # a letter for each token, "-" for none
    tokens = load_translator().tokenizer.tokens
    known = {token for token, kind in zip(tokens, kinds, strict=True) if kind != "-"}
    found = {word for one in measuring.read_outside() for word in split_words(one.source)}
    assert {word for word in found if any(map(str.isalpha, word))} - known == set()


@pytest.mark.nightly
def test_no_out_of_domain_sentence_is_in_the_corpus():
    data = read_data(Options())
    pairs = [*data.train, *(pair for split in data.tests.values() for pair in split)]
    drawn = {pair.source.rstrip(" .") for pair in pairs}
    assert [one.source for one in measuring.read_outside() if one.source in drawn] == []
