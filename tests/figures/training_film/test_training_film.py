"""Training film: the record is a run that learned, and a new recording has the same form."""

import json

import pytest
import torch

from training_film.spec import LAST
from training_film.spec import make as figure_of
from transformer_lite.figures.training_film import record
from transformer_lite.figures.training_film.training_film import RUN, SHARED
from transformer_lite.text import grammar_corpus


def test_the_record_goes_from_noise_to_english():
    first, last = RUN["moments"][0], RUN["moments"][-1]
    assert first["exact"] == 0 and last["exact"] > 95 and last["bleu"] > 98
    assert last["translations"] == [sentence["target"] for sentence in RUN["sentences"]]
    assert first["held_out_loss"] > 6 and last["held_out_loss"] < 0.15
    assert [moment["step"] for moment in RUN["moments"]] == list(record.MOMENTS)
    assert len(RUN["train_loss"]) * RUN["every"] == record.MOMENTS[-1]


def test_at_the_end_the_looks_cross_where_the_languages_do():
    weights = figure_of(moment=LAST).results()["weights"]
    words, source = RUN["sentences"][0]["words"], RUN["sentences"][0]["source"]
    looks = {word: source[row.argmax()] for word, row in zip(words, weights, strict=True)}
    assert looks["black"] == "noirs" and looks["birds"] == "oiseaux"


@pytest.mark.parametrize("sentence", range(3))
def test_rows_of_weights_sum_to_1_but_for_rounding(sentence):
    for moment in range(LAST + 1):
        for head in range(SHARED["count_of_heads"]):
            weights = figure_of(moment=moment, sentence=sentence, head=head).results()["weights"]
            assert (weights.sum(dim=-1) - 1).abs().max() < 0.06


def test_the_record_is_small_and_the_corpus_can_still_say_its_sentences():
    text = record.FILE.read_text(encoding="utf-8")
    assert len(text) < 60_000 and json.loads(text) == RUN
    known = {word for pair in grammar_corpus(size=5000).train for word in pair.target.split()}
    for pair in record.SENTENCES:
        assert set(pair.target.replace(",", "").split()) <= {word.strip(",.!?") for word in known}


def test_a_new_recording_has_the_form_of_the_old_one(monkeypatch):
    monkeypatch.setattr(record, "MOMENTS", (0, 10))
    monkeypatch.setattr(record, "TOKENS", 128)
    monkeypatch.setattr(record, "MEASURED", 4)
    new = record.record(pairs=300)
    assert new.keys() == RUN.keys() and len(new["moments"]) == 2 and len(new["train_loss"]) == 1
    for ours, stored in zip(new["sentences"], RUN["sentences"], strict=True):
        assert ours["text"] == stored["text"] and len(ours["words"]) == len(stored["words"])
    for moment in new["moments"]:
        assert moment.keys() == RUN["moments"][0].keys()
        assert torch.tensor(moment["weights"][0]).shape == (4, 7, 8)
