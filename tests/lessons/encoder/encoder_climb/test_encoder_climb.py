"""The encoder climb: its numbers are those of the model's own pass, and what is compared."""

import re

import pytest
import torch

from lessons.decoder.machine_steps.trace import machine
from lessons.encoder.encoder_climb.climb import climb, parting
from lessons.encoder.encoder_climb.encoder_climb import HEADS, LAYERS
from lessons.encoder.encoder_climb.pairs import (
    SHARED,
    chosen_pair,
    other_words,
    shared_words,
)
from lessons.encoder.encoder_climb.still import still_curves
from lessons.trained.grammar import AMBIGUOUS_NOUNS
from tests.lessons.encoder.encoder_climb.spec import PAIRS
from tests.lessons.encoder.encoder_climb.spec import make as figure_of
from transformer_lite.models.inspection import record_attention

MODEL, WORDS = machine()


def climb_of(sentence):
    """Return the climb of a sentence with its end, and its ids."""
    ids = [*WORDS.encode(sentence), WORDS.eos_id]
    return climb(MODEL, ids), torch.tensor([ids])


@pytest.mark.parametrize("sentence", ["je suis étudiant", "merci", ""])
def test_the_last_stage_and_the_weights_are_those_of_the_model_itself(sentence):
    stages, ids = climb_of(sentence)
    with torch.no_grad():
        memory = MODEL.encode(ids)[0]
        torch.testing.assert_close(MODEL.encoder.norm(stages[-1].tokens), memory)
        record = record_attention(MODEL.encoder, MODEL.src_embedding(ids))
    for stage, weights in zip(stages[1:], record.weights.values(), strict=True):
        torch.testing.assert_close(stage.weights, weights[0])


def test_what_is_added_adds_up():
    stages, _ = climb_of("le petit chat noir dort")
    assert not stages[0].weights.any()
    total = stages[0].tokens
    for stage in stages[1:]:
        total = total + stage.attention_added + stage.forward_added
        torch.testing.assert_close(stage.tokens, total)


def test_parting_is_the_mean_cosine_of_the_places():
    first, second = (climb_of(text)[0] for text in ("le chat dort", "la fille"))
    both = parting(first, second, [(0, 1), (2, 0)])
    for stage, (a, b) in enumerate(zip(first, second, strict=True)):
        unit, other = (x / x.norm(dim=-1, keepdim=True) for x in (a.tokens, b.tokens))
        table = unit @ other.mT
        torch.testing.assert_close(both[stage], (table[0, 1] + table[2, 0]) / 2)


def test_one_word_at_one_place_parts_by_its_company_alone():
    results = figure_of(sentence="le chat noir", other="la fille noir", word="noir").results()
    word = results["similarity"][:, 0]
    assert word[0] == pytest.approx(1) and (word[1:] < 1 - 1e-6).all()


def test_a_word_beside_itself_never_parts():
    text = "le chat noir dort"
    figure = figure_of(sentence=text, other=text)
    table = figure.results()["similarity"]
    torch.testing.assert_close(table, torch.ones(LAYERS + 1, 2, dtype=torch.float64))
    assert not any("different" in name for name in figure.curves(figure.pairs()[0]))


def test_what_a_word_looks_at_sums_to_one_in_each_head_and_on_average():
    for sentence, other in PAIRS:
        figure = figure_of(sentence=sentence, other=other, layer=LAYERS)
        for name, words in zip(("first", "second"), figure.words(), strict=True):
            if (looks := figure.results().get(name)) is None:
                assert not figure.pairs()
                continue
            assert looks.shape == (len(words) + 1, 1 + HEADS)
            torch.testing.assert_close(looks.sum(dim=0), torch.ones_like(looks[0]))
            torch.testing.assert_close(looks[:, 0], looks[:, 1:].mean(dim=-1))


def test_the_first_ambiguous_word_is_chosen_and_else_the_longest(monkeypatch):
    words = ["le", "petit", "chat", "le", "livre"]
    pairs = shared_words(words, words, known={*words})
    assert chosen_pair(pairs, "").word == "livre"
    monkeypatch.setitem(SHARED, "ambiguous", [])
    assert chosen_pair(pairs, "").word == "petit"
    monkeypatch.setitem(SHARED, "ambiguous", ["livre", "chat"])
    assert chosen_pair(pairs, "").word == chosen_pair(pairs, "nowhere").word == "chat"
    assert chosen_pair(pairs, "le").places == (0, 0)
    assert chosen_pair(pairs, "le (places 4 and 1)").places == (3, 0)
    assert chosen_pair(pairs, "le (places 9 and 9)").places == (0, 0)
    assert chosen_pair([], "le") is None


def test_the_ambiguous_words_are_those_of_the_language_and_known():
    assert SHARED["ambiguous"] == [*AMBIGUOUS_NOUNS]
    assert {*SHARED["ambiguous"]} <= {*WORDS.tokens}


def most(figure, head):
    """Return the word of each sentence that gets the largest weight in this head."""
    looks = (figure.results()[name][:, head].argmax() for name in ("first", "second"))
    return [[*words, "<eos>"][at] for words, at in zip(figure.words(), looks, strict=True)]


def test_lawyer_and_avocado_part_and_two_lawyers_do_not():
    """What the chapter says of the first two examples: only lawyer and avocado part."""
    apart, together = (
        figure_of(sentence=first, other=second).results()["similarity"]
        for first, second in SHARED["examples"][:2]
    )
    assert apart[0, 0] == pytest.approx(1) and apart[:3, 0].min() > 0.95 > 0.9 > apart[3, 0]
    assert apart[:, 1].min() > 0.98
    assert together[:, :2].min() > 0.95
    assert most(figure_of(layer=3), head=1) == ["salé", "honnête"]


def test_an_object_before_its_verb_parts_from_a_subject_in_the_two_upper_layers():
    """What the chapter says of the third example: first *que* is found, then its *mange*."""
    first, second = SHARED["examples"][2]
    figure = figure_of(sentence=first, other=second, layer=2)
    word = figure.results()["similarity"][:, 0]
    assert word[1] > 0.98 > 0.95 > word[2] > 0.85 > 0.8 > word[3]
    assert most(figure, head=2) == ["mange", "que"]
    figure = figure_of(sentence=first, other=second, layer=3)
    assert most(figure, head=1)[1] == "mange" and figure.results()["first"][2, 1] < 0.25


def test_the_first_example_is_where_it_starts_and_all_share_a_word():
    assert [figure_of().sentence, figure_of().other] == SHARED["examples"][0]
    for first, second in SHARED["examples"]:
        figure = figure_of(sentence=first, other=second)
        assert len(figure.pairs()) > 1
        assert {word for words in figure.words() for word in words} <= {*WORDS.tokens}


def test_controls_leave_out_the_word_itself_and_take_each_place_once():
    words = ["le", "chat", "et", "le", "chien"]
    pairs = shared_words(words, words, known={*words})
    for pair in pairs:
        others = other_words(pairs, pair)
        assert pair.word not in {other.word for other in others}
        assert len({other.places[0] for other in others}) == len(others)


def test_unknown_words_are_shared_by_nobody():
    figure = figure_of(sentence="zzz le zzy", other="zzz le")
    assert [pair.word for pair in figure.pairs()] == ["le"]


def test_only_the_first_words_climb():
    figure = figure_of(sentence="non " * 20, other="non oui", word="non")
    assert len(figure.results()["first"]) == SHARED["most_words"] + 1


def test_the_picture_shows_what_is_typed_and_escapes_it():
    picture = figure_of(sentence="<b>le", other="le", layer=2).picture()
    assert "“&lt;b&gt;le”" in picture and "<b>" not in picture
    assert "2 First sentence: what “le” looks at in layer 2" in picture
    assert SHARED["nothing"] in figure_of(sentence="oui", other="").picture()


def test_the_curves_on_paper_stand_where_their_cosines_are():
    cosines = torch.tensor([[1.0, 0.5], [0.0, 1.0]])
    drawing = still_curves(cosines, ["<0", "1"], ["<a", "b"])
    assert re.findall(' d="(M[^"V]+)"', drawing) == [
        "M58.0 12.0L430.0 200.0",
        "M58.0 106.0L430.0 12.0",
    ]
    assert "&lt;0</text>" in drawing and "&lt;a</span>" in drawing
    below = still_curves(torch.tensor([[1.0], [-1.0]]), ["", ""], [""])
    assert 'd="M58.0 12.0L430.0 200.0"' in below and ">-1</text>" in below
