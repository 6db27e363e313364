"""The machine step by step: what it shows is what the model computes, and what it says is so."""

import pytest
import torch

from lessons.decoder.machine_steps.trace import machine, trace
from tests.lessons.decoder.machine_steps.spec import EXAMPLES
from tests.lessons.decoder.machine_steps.spec import make as figure_of

MODEL, WORDS = machine()


@pytest.mark.parametrize("text", EXAMPLES)
def test_a_step_at_a_time_equals_the_model_at_once(text):
    """The recorded pass is the model's own, and each beginning alone gives the same shares."""
    found = trace(text)
    source = torch.tensor([[*WORDS.encode(text), WORDS.eos_id]])
    with torch.no_grad():
        memory = MODEL.encode(source)
        for length in range(1, len(found.ids)):
            logits = MODEL.decode(torch.tensor([found.ids[:length]]), memory)[0, -1]
            logits[WORDS.pad_id] = -torch.inf
            shares = logits.log_softmax(dim=-1)
            torch.testing.assert_close(found.log_probs[length - 1], shares, rtol=1e-6, atol=1e-6)
            assert shares.argmax() == found.ids[length]
    torch.testing.assert_close(found.reading[-1], memory[0])


def test_every_box_is_passed_once_and_the_decoder_for_each_token():
    found = trace(EXAMPLES[0])
    layers = len(MODEL.encoder.layers), len(MODEL.decoder.layers)
    passes = len(found.ids) - 1
    assert len(found.reading) == 2 + 2 * layers[0]
    assert len(found.writing) == 2 + 3 * layers[1]
    assert len(found.places) == len(found.reading) + passes * len(found.writing)
    assert len(set(found.places)) == len(found.places)


def test_a_row_of_weights_sums_to_one_and_sees_no_future():
    figure = figure_of()
    for step, place in enumerate(figure.trace.places):
        figure.step = step
        weights = figure.results().get("weights")
        if weights is None:
            continue
        by_row = weights if place.part == "encoder" else weights.T
        torch.testing.assert_close(by_row.sum(dim=1), torch.ones(len(by_row)).double())
        if place.kind == "self":
            assert len(weights) == place.token + 1
        if place.kind == "cross":
            assert len(weights) == len(figure.trace.source)


def test_a_step_beyond_the_last_one_is_the_last():
    figure = figure_of(step=199)
    assert figure.place == figure.trace.places[-1]
    assert "The sentence is finished" in figure.status_text() or "stops" in figure.status_text()


def test_too_many_words_are_cut_and_unknown_ones_are_named():
    figure = figure_of(text="un deux trois zèbre cinq six sept huit", step=3)
    assert len(figure.trace.source) == 8
    assert "“zèbre”" in figure.status_text() and "the first 7 words only" in figure.status_text()
    assert "words only" not in figure_of(text="un deux trois zèbre cinq six sept").status_text()
    assert "zèbre" in figure.trace.source and "huit" not in figure.trace.source
