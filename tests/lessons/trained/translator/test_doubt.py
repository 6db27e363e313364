"""When the translator doubts: the signals, the rule as data, and how it is measured."""

import json
import math

import pytest
import torch

from lessons.trained.data import Data, read_data
from lessons.trained.options import Options
from lessons.trained.translator import FOLDER, Rule, Translator, load_translator
from lessons.trained.translator import measuring_doubt as measuring
from lessons.trained.translator.doubt import RULE, SIGNALS, Written, doubt_of, write_all
from lessons.trained.translator.french_words import LIST
from lessons.trained.translator.measuring_doubt import Case, choose, halves, outcome, threshold_at
from transformer_lite.decoding import greedy
from transformer_lite.text import Pair, WordTokenizer, split_words
from transformer_lite.training import translate

KNOWN = [
    "je suis étudiant",
    "le petit chat noir",
    "le petit chat noir dort",
    "le chat s'est assis sur le tapis",
]
RULES = {"signal": "least", "threshold": -1.0, "false_alarms": 0.05, "misses": 0.2}


@pytest.fixture(scope="module")
def translator():
    return load_translator()


def case(value, is_right=True):
    return Case("a", "b", is_right, {"least": value, "mean": -value})


def test_it_doubts_what_it_was_not_made_for_and_not_what_it_was(translator):
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


def test_what_is_weighed_is_what_is_written_alone_or_beside_others(translator):
    tokenizer = translator.tokenizer
    texts = [*KNOWN, "le chat dort dans le jardin"]
    together = write_all(translator.model, tokenizer, texts, batch_size=2)
    words = [tokenizer.decode(one.ids) for one in together]
    assert words == translate(translator.model, tokenizer, texts)
    for text, one in zip(texts, together, strict=True):
        alone = write_all(translator.model, tokenizer, [text])[0]
        assert one.has_ended and one.ids == alone.ids and len(one.ids) == len(one.log_probs)
        torch.testing.assert_close(one.log_probs, alone.log_probs, atol=1e-5, rtol=1e-4)
        assert bool((one.log_probs < 0).all()) and bool((one.margins > 0).all())


def test_the_probabilities_are_the_models_own(translator):
    model, tokenizer = translator.model, translator.tokenizer
    src = torch.tensor([[*tokenizer.encode(KNOWN[0]), tokenizer.eos_id]])
    ids = greedy(model, src, eos_id=tokenizer.eos_id, bos_id=tokenizer.bos_id, max_len=20)
    with torch.no_grad():
        rows = model(src, ids[:, :-1])[0].log_softmax(dim=-1)
    expected = [rows[i, token].item() for i, token in enumerate(ids[0, 1:].tolist())]
    found = write_all(model, tokenizer, [KNOWN[0]])[0].log_probs.tolist()
    assert found == pytest.approx(expected, abs=1e-3)  # the pad, which is no word, has its share


def test_each_signal_is_what_its_name_says():
    written = Written([5, 2], torch.tensor([-1.0, -3.0]), torch.tensor([0.5, 0.25]), True)
    values = {name: of(written) for name, of in SIGNALS.items()}
    assert values == {"least": -3.0, "mean": -2.0, "total": -4.0, "margin": 0.25}


@pytest.mark.parametrize(("threshold", "has_ended", "doubtful"),
    [(-3.5, True, False), (-3.0, True, False), (-2.9, True, True), (-9.0, False, True)],
)  # fmt: skip
def test_a_signal_below_the_threshold_and_a_missing_end_are_doubtful(
    threshold, has_ended, doubtful
):
    written = Written([4, 5], torch.tensor([-1.0, -3.0]), torch.tensor([1.0, 1.0]), has_ended)
    tokenizer = WordTokenizer(["chat", "noir"])
    found = doubt_of(Rule(**RULES | {"threshold": threshold}), tokenizer, written)
    assert (found.is_doubtful, found.word) == (doubtful, "noir")


def test_the_rule_is_data_beside_the_weights(translator, tmp_path):
    assert translator.rule == Rule(**json.loads((FOLDER / RULE).read_text()))
    assert 0 < translator.rule.false_alarms <= 0.08 and 0 <= translator.rule.misses < 0.5
    Rule(**RULES).save(tmp_path / RULE)
    assert Rule.load(tmp_path / RULE) == Rule(**RULES)


@pytest.mark.parametrize(("change", "message"),
    [({"signal": "luck"}, "signal must be one of .*'least'.*, got 'luck'"),
     ({"misses": 1.5}, "misses must lie between 0 and 1, got 1.5"),
     ({"false_alarms": -0.1}, "false_alarms must lie between 0 and 1, got -0.1"),
     ({"other": 1}, "must hold a rule of doubt, got .*'other'")],
)  # fmt: skip
def test_damaged_rule_is_reported(tmp_path, change, message):
    (tmp_path / RULE).write_text(json.dumps(RULES | change))
    with pytest.raises(ValueError, match=message):
        Rule.load(tmp_path / RULE)


def test_file_that_is_not_a_rule_is_reported(tmp_path):
    (tmp_path / RULE).write_text("{")
    with pytest.raises(ValueError, match="must hold a rule of doubt"):
        Rule.load(tmp_path / RULE)


def test_without_a_rule_there_is_no_doubt(translator):
    with pytest.raises(ValueError, match="rule must be a Rule to doubt by, got None"):
        Translator(translator.model, translator.tokenizer).doubt("merci")


def test_the_threshold_leaves_the_share_that_is_allowed():
    inside = [case(value / 100) for value in range(100)] + [case(-5.0, is_right=False)]
    threshold = threshold_at(inside, "least", 0.05)
    assert threshold == 0.05  # five of a hundred lie below
    assert outcome(inside, "least", threshold) == (threshold, 0.05, 0.0)
    with pytest.raises(ValueError, match="inside must hold right translations, got none"):
        threshold_at([case(0.0, is_right=False)], "least", 0.05)


def test_the_signal_is_chosen_that_misses_the_fewest():
    inside = [case(value / 100) for value in range(100)]
    low = [case(-1.0, is_right=False)] * 3 + [case(0.9, is_right=False)]
    assert choose(inside, low, ["least", "mean"]) == Rule("least", 0.02, 0.02, 0.25)
    calm = choose(inside, low, ["least"], familiar=[case(0.01), case(0.8)])
    assert calm == Rule("least", 0.01, 0.01, 0.25)  # what is familiar is not doubted
    high = [case(2.0, is_right=False)] * 3 + [case(0.01, is_right=False)]
    assert choose(inside, high, ["least", "mean"]).signal == "mean"
    assert [len(half) for half in halves(inside)] == [50, 50]


def test_the_sentences_outside():
    sentences = measuring.read_outside()
    sources = [one.source for one in sentences]
    assert len(sources) == len(set(sources)) == 200
    assert len({one.lacks for one in sentences}) == 20
    nonsense = [one for one in sentences if not one.targets]
    assert [one.lacks for one in nonsense] == ["scrambled"] * 10
    assert all(text == text.strip() and text for one in sentences for text in one[1:2])


def test_the_translator_knows_every_word_of_the_sentences_outside():
    kinds = json.loads(LIST.read_text())["of"]  # a letter for each token, "-" for none
    tokens = load_translator().tokenizer.tokens
    known = {token for token, kind in zip(tokens, kinds, strict=True) if kind != "-"}
    found = {word for one in measuring.read_outside() for word in split_words(one.source)}
    assert {word for word in found if any(map(str.isalpha, word))} - known == set()


@pytest.mark.nightly
def test_no_sentence_outside_is_drawn_by_the_grammar():
    data = read_data(Options())
    pairs = [*data.train, *(pair for split in data.tests.values() for pair in split)]
    drawn = {pair.source.rstrip(" .") for pair in pairs}
    assert [one.source for one in measuring.read_outside() if one.source in drawn] == []


def test_the_command_chooses_on_one_half_and_tells_the_other(translator, monkeypatch, tmp_path):
    pairs = [Pair(text, translator.translate(text), frozenset()) for text in KNOWN[:3] * 8]
    undecided = Pair("le chat", "nothing", frozenset({"undecided"}))
    data = Data(pairs, pairs, {"held-out sentences": [*pairs, undecided]}, translator.tokenizer)
    monkeypatch.setattr(measuring, "read_data", lambda options: data)
    few = measuring.read_outside()
    monkeypatch.setattr(measuring, "read_outside", lambda: few[100:120])
    told = []
    rule = measuring.measure(translator, told.append)
    assert rule.signal in SIGNALS and rule.false_alarms == 0
    assert any(line.startswith("outside: ") for line in told)
    assert any(line.startswith("chosen: ") for line in told)
    assert "undecided" not in "".join(told)
