"""Evaluation: loss per token, translations in batches, exact match and BLEU."""

import pytest
import torch
from tiny_training import tiny_model
from torch.testing import assert_close

from transformer_lite import TransformerConfig, beam_search, build, cross_entropy, greedy
from transformer_lite.text import Pair, WordTokenizer, make_batch
from transformer_lite.training import held_out_loss, translate

WORDS = WordTokenizer([*"abcdefg"])
TEXTS = ["a b c d e", "a", "", "g g f", "c b a", "x y", "b"]
PAIRS = [Pair("a b c d e", "e d"), Pair("a", "a a a"), Pair("", "b"), Pair("g g", "")]


def teach_to_copy(model):
    """Train on the texts themselves, half-way: translations must end by themselves, and differ."""
    batch = make_batch([(text, text) for text in TEXTS], WORDS)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(60):
        optimizer.zero_grad()
        cross_entropy(model(batch.src, batch.inputs), batch.labels, pad_id=0).backward()
        optimizer.step()


def one_by_one(model, beam_width=1):
    """The same translations without batches."""
    ends = {"bos_id": 1, "eos_id": 2, "max_len": 40}
    for text in TEXTS:
        ids = torch.tensor([[*WORDS.encode(text), 2]])
        ends["max_len"] = 2 * ids.shape[1] + 10
        if beam_width == 1:
            yield WORDS.decode(greedy(model, ids, **ends)[0])
        else:
            yield WORDS.decode(beam_search(model, ids, num_beams=beam_width, **ends).best[0])


@pytest.mark.parametrize("beam_width", [1, 3])
def test_each_text_of_a_batch_is_translated_as_if_alone(beam_width):
    model = tiny_model(dtype=torch.float64).eval()
    teach_to_copy(model)
    together = translate(model, WORDS, TEXTS, beam_width)
    assert together == list(one_by_one(model, beam_width))
    assert len(set(together)) > 3 and max(map(len, together)) < 12
    assert translate(model, WORDS, TEXTS, beam_width, batch_size=2) == together
    assert translate(model, WORDS, [], beam_width) == []


@pytest.mark.parametrize("batch_size", [1, 2, 128])
def test_the_held_out_loss_is_the_mean_over_all_tokens(batch_size):
    model = tiny_model(dtype=torch.float64).eval()
    batch = make_batch(PAIRS, WORDS)
    expected = cross_entropy(model(batch.src, batch.inputs), batch.labels, pad_id=0)
    assert_close(held_out_loss(model, WORDS, PAIRS, batch_size=batch_size), expected.item())


def test_two_languages_may_have_their_own_tokenizers():
    other = WordTokenizer([*"stuvwxyz"])
    sizes = {"d_model": 8, "num_heads": 2, "d_ff": 8}
    model = build(TransformerConfig(len(WORDS), len(other), **sizes)).eval()
    pairs = [Pair("a b", "z y x"), Pair("c", "s")]
    batch = make_batch(pairs, WORDS, other)
    expected = cross_entropy(model(batch.src, batch.inputs), batch.labels, pad_id=0)
    assert held_out_loss(model, WORDS, pairs, target_tokenizer=other) == pytest.approx(
        expected.item()
    )
    (written,) = translate(model, WORDS, ["a b c"], target_tokenizer=other)
    assert set(written) <= set("stuvwxyz ")


@pytest.mark.parametrize("training", [True, False])
def test_an_evaluation_draws_no_random_numbers_and_leaves_the_mode_alone(training):
    model = tiny_model().train(training)
    before = torch.get_rng_state()
    translate(model, WORDS, TEXTS)
    held_out_loss(model, WORDS, PAIRS)
    assert torch.equal(before, torch.get_rng_state())
    assert model.training is training and model.decoder.training is training


@pytest.mark.parametrize("beam_width", [1, 2])
def test_a_translation_without_end_is_twice_as_long_as_the_longest_source_and_ten_more(beam_width):
    model = tiny_model()
    never = torch.zeros(len(WORDS))
    never[[WORDS.eos_id, WORDS.unk_id, WORDS.bos_id]] = -1e9
    model.output.bias = torch.nn.Parameter(never)
    for texts in (["a"], ["a b c"], ["a b c", "a"]):
        source = len(texts[0].split()) + 1  # with its end
        for written in translate(model, WORDS, texts, beam_width):
            assert len(written.split()) == 2 * source + 10 - 1, "the begin counts, unwritten"


class OtherPads(WordTokenizer):
    pad_id = 3


@pytest.mark.parametrize("pad_id", [None, 5])
@pytest.mark.parametrize("evaluate", [translate, held_out_loss])
def test_model_with_another_padding_id_is_refused(pad_id, evaluate):
    model = tiny_model()
    texts = TEXTS if evaluate is translate else PAIRS
    with pytest.raises(ValueError, match="pad_id of model must be that of its batches, 3, got 0"):
        evaluate(model, WORDS, texts, target_tokenizer=OtherPads([*"abcdefg"]))
    model.pad_id = pad_id
    with pytest.raises(ValueError, match=f"must be that of its batches, 0, got {pad_id}"):
        evaluate(model, WORDS, texts)
