"""The encoder climb: its numbers are those of the model's own pass, and what it does with words."""

import pytest
import torch

from encoder_climb.spec import make as figure_of
from transformer_lite.figures.encoder_climb.climb import climb, in_float64
from transformer_lite.figures.encoder_climb.encoder_climb import HEADS, STAGES
from transformer_lite.models.inspection import record_attention
from transformer_lite.translator import load_translator


@pytest.fixture(scope="module")
def translator():
    return load_translator()


def ids_of(translator, sentence):
    return [*translator.tokenizer.encode(sentence), translator.tokenizer.eos_id]


def test_the_figure_has_the_models_layers_and_heads(translator):
    encoder = translator.model.encoder
    assert len(STAGES) == len(encoder.layers) + 1
    assert encoder.layers[0].self_attention.num_heads == HEADS


@pytest.mark.parametrize("sentence", ["je suis étudiant", "merci", ""])
def test_the_last_stage_and_the_weights_are_those_of_the_model_itself(translator, sentence):
    ids = ids_of(translator, sentence)
    stages = climb(translator.model, ids)
    exact = in_float64(translator.model)
    with torch.no_grad():
        memory = exact.encode(torch.tensor([ids]))[0]
        torch.testing.assert_close(exact.encoder.norm(stages[-1].tokens), memory)
        record = record_attention(exact.encoder, exact.src_embedding(torch.tensor([ids])))
    for stage, weights in zip(stages[1:], record.weights.values(), strict=True):
        torch.testing.assert_close(stage.weights, weights[0])


def test_what_is_added_adds_up(translator):
    stages = climb(translator.model, ids_of(translator, "le petit chat noir dort"))
    total = stages[0].tokens
    for stage in stages[1:]:
        total = total + stage.attention_added + stage.forward_added
        torch.testing.assert_close(stage.tokens, total)


def test_nobody_has_looked_at_the_embedding():
    results = figure_of(layer=0).results()
    assert not results["attention"].any() and not results["lengths"][:, 1:].any()
    assert results["climb"][-1, 1] == 0


def test_a_token_alone_is_compared_with_nothing():
    results = figure_of(sentence="", layer=2).results()
    assert results["similarity"].shape == (1, 1)
    torch.testing.assert_close(results["climb"][:, 0], torch.zeros(4, dtype=torch.float64))


def test_only_the_first_words_climb():
    figure = figure_of(sentence="non " * 15, layer=1)
    assert len(figure.tokens()) == 12
    assert figure.results()["similarity"].shape == (12, 12)


def test_the_picture_says_where_it_is_and_escapes_what_was_typed():
    picture = figure_of(sentence="<b>le", layer=2, head=3).picture()
    assert "“&lt;b&gt;le”, layer 2, head 4" in picture and "<b>" not in picture
    assert "2 Where head 4 looked" in picture
