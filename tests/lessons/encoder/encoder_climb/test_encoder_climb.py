"""The encoder climb: its numbers equal the model's, and the words that it compares."""

import pytest
import torch

from lessons.encoder.encoder_climb.climb import climb
from lessons.encoder.encoder_climb.pairs import (
    SHARED,
    chosen_pair,
    shared_words,
)
from lessons.kit.machine import machine
from tests.lessons.encoder.encoder_climb.spec import make as figure_of
from transformer_lite.models.inspection import record_attention

MODEL, WORDS = machine()


def climb_of(sentence):
    """Return the climb of a sentence with its end, and its ids."""
    ids = [*WORDS.encode(sentence), WORDS.eos_id]
    return climb(MODEL, ids), torch.tensor([ids])


@pytest.mark.parametrize("sentence", ["je suis étudiant", "merci", ""])
def test_the_last_stage_and_the_weights_equal_the_models(sentence):
    stages, ids = climb_of(sentence)
    with torch.no_grad():
        memory = MODEL.encode(ids)[0]
        torch.testing.assert_close(MODEL.encoder.norm(stages[-1].tokens), memory)
        record = record_attention(MODEL.encoder, MODEL.src_embedding(ids))
    for stage, weights in zip(stages[1:], record.weights.values(), strict=True):
        torch.testing.assert_close(stage.weights, weights[0])


def test_the_updates_of_attention_and_feed_forward_sum_to_each_stage():
    stages, _ = climb_of("le petit chat noir dort")
    assert not stages[0].weights.any()
    total = stages[0].tokens
    for stage in stages[1:]:
        total = total + stage.attention_added + stage.forward_added
        torch.testing.assert_close(stage.tokens, total)


def test_the_same_word_at_the_same_position_diverges_by_its_context():
    results = figure_of(sentence="le chat noir", other="la fille noir", word="noir").results()
    word = results["similarity"][:, 0]
    assert word[0] == pytest.approx(1) and (word[1:] < 1 - 1e-6).all()


def test_the_first_ambiguous_word_is_chosen_or_else_the_longest(monkeypatch):
    words = ["le", "petit", "chat", "le", "livre"]
    pairs = shared_words(words, words, known={*words})
    assert chosen_pair(pairs, "").word == "livre"
    monkeypatch.setitem(SHARED, "ambiguous", [])
    assert chosen_pair(pairs, "").word == "petit"
    monkeypatch.setitem(SHARED, "ambiguous", ["livre", "chat"])
    assert chosen_pair(pairs, "").word == chosen_pair(pairs, "nowhere").word == "chat"
    assert chosen_pair(pairs, "le").places == (0, 0)
    assert chosen_pair(pairs, "le (positions 4 and 1)").places == (3, 0)
    assert chosen_pair(pairs, "le (positions 9 and 9)").places == (0, 0)
    assert chosen_pair([], "le") is None


def most(figure, head):
    """Return the word of each sentence that gets the largest weight in this head."""
    looks = (figure.results()[name][:, head].argmax() for name in ("first", "second"))
    return [[*words, "<eos>"][at] for words, at in zip(figure.words(), looks, strict=True)]


def test_lawyer_and_avocado_diverge_while_two_lawyers_stay_similar():
    """The chapter's claims about the first two examples: only lawyer and avocado diverge."""
    apart, together = (
        figure_of(sentence=first, other=second).results()["similarity"]
        for first, second in SHARED["examples"][:2]
    )
    assert apart[0, 0] == pytest.approx(1) and apart[:3, 0].min() > 0.95 > 0.9 > apart[3, 0]
    assert apart[:, 1].min() > 0.98
    assert together[:, :2].min() > 0.95
    assert most(figure_of(layer=3), head=1) == ["salé", "honnête"]


def test_a_fronted_object_diverges_from_a_subject_in_the_upper_layers():
    """The chapter's claims about the third example: it attends to *que*, then to *mange*."""
    first, second = SHARED["examples"][2]
    figure = figure_of(sentence=first, other=second, layer=2)
    word = figure.results()["similarity"][:, 0]
    assert word[1] > 0.98 > 0.95 > word[2] > 0.85 > 0.8 > word[3]
    assert most(figure, head=2) == ["mange", "que"]
    figure = figure_of(sentence=first, other=second, layer=3)
    assert most(figure, head=1)[1] == "mange" and figure.results()["first"][2, 1] < 0.25
