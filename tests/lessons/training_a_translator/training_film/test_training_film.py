"""Training film: the record is a run that learned, and a new recording has the same form."""

import json

import pytest

from lessons.trained.grammar import grammar_corpus
from lessons.training_a_translator.training_film import record
from lessons.training_a_translator.training_film.training_film import RUN, SHARED
from tests.lessons.training_a_translator.training_film.spec import LAST
from tests.lessons.training_a_translator.training_film.spec import make as figure_of


def test_the_recorded_samples_go_from_noise_to_english():
    first, last = RUN["moments"][0], RUN["moments"][-1]
    assert first["exact"] == 0 and last["exact"] > 90 and last["bleu"] > 95
    assert first["held_out_loss"] > 6 and last["held_out_loss"] < 0.2
    assert [moment["step"] for moment in RUN["moments"]] == list(record.MOMENTS)
    assert len(RUN["train_loss"]) * RUN["every"] == record.MOMENTS[-1]


def test_the_chapters_claims_about_the_sentences_match_the_record():
    birds, mouse, avocado = ([now["translations"][i] for now in RUN["moments"]] for i in range(3))
    targets = [sentence["target"] for sentence in RUN["sentences"]]
    at = record.MOMENTS.index
    assert {text == targets[0] for text in birds[at(600) :]} == {True}
    assert targets[0] not in birds[: at(600)] and targets[2] not in avocado[: at(1500)]
    assert {text == targets[2] for text in avocado[at(1500) :]} == {True}
    assert avocado[at(800)] == "the lawyer is ripe and the avocado sleeps"
    assert "like to" in mouse[-1] and targets[1] not in mouse


def test_avocado_and_lawyer_attend_to_their_own_avocat_from_step_600():
    sentence = RUN["sentences"][2]
    for word, place in (("avocado", 1), ("lawyer", 6)):
        row = sentence["words"].index(word)
        for moment in range(record.MOMENTS.index(600), LAST + 1):
            weights = figure_of(moment=moment, sentence=2, head=0).results()["weights"]
            assert weights[row].argmax() == place


@pytest.mark.parametrize("sentence", range(3))
def test_rows_of_weights_sum_to_1_but_for_rounding(sentence):
    for moment in range(LAST + 1):
        for head in range(SHARED["count_of_heads"]):
            weights = figure_of(moment=moment, sentence=sentence, head=head).results()["weights"]
            assert (weights.sum(dim=-1) - 1).abs().max() < 0.06


@pytest.mark.nightly
def test_the_record_is_small_and_its_words_are_in_the_corpus():
    text = record.FILE.read_text(encoding="utf-8")
    assert len(text) < 60_000 and json.loads(text) == RUN
    known = {word for pair in grammar_corpus(size=5000).train for word in pair.target.split()}
    for pair in record.SENTENCES:
        assert set(pair.target.replace(",", "").split()) <= {word.strip(",.!?") for word in known}


def test_the_claims_of_the_tour_match_the_record():
    moments = SHARED["tour"]
    figures = [figure_of(**moment["state"]) for moment in moments]
    for figure, moment in zip(figures, moments, strict=True):
        assert moment["say"].startswith(("Before", "The last", f"Step {figure.now['step']}"))
    first, early, prose, looking, right, crossed, avocado, last = figures
    assert first.results()["right"].max() < 0.01 and first.now["translations"][0] == ""
    assert early.results()["weights"].max() < 0.4
    assert set(early.now["translations"][0].split()) == {"the"}
    assert early.results()["right"].argmax() == 0 and prose.results()["right"][0] > 0.5
    assert "cook" in prose.now["translations"][0]
    assert prose.results()["right"][3] == 0 and prose.results()["weights"][0].argmax() == 0
    assert looking.results()["weights"][5].argmax() == 5 and looking.results()["right"][5] < 0.05
    assert crossed.results()["weights"][1:3].argmax(dim=1).tolist() == [2, 1]
    assert right.now["translations"][0] == RUN["sentences"][0]["target"]
    assert right.results()["right"][1] < 0.1 and right.results()["weights"][1].argmax() == 1
    assert avocado.now["translations"][2].startswith("the lawyer is ripe and the avocado")
    assert last.moment == LAST and last.now["translations"][2] == RUN["sentences"][2]["target"]
