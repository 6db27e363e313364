"""Sampling: the frequencies are the probabilities, among the tokens that may be drawn."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from reference_search import DECODERS, EOS, Chain, alone, each_decoder, padded
from tiny_models import make

from transformer_lite import greedy, sample
from transformer_lite.decoding import keep_nucleus, keep_top_k

CHANCES = torch.tensor([0.0, 0.0, 0.05, 0.5, 0.25, 0.15, 0.05], dtype=torch.float64)
DRAWS = 4000


def draw(**options):
    """The frequencies of the token after 3, in a chain that has `CHANCES` there."""
    model = Chain(CHANCES.log().expand(7, 7))
    generator = torch.Generator().manual_seed(options.pop("seed", 1))
    ids = torch.full((DRAWS, 1), 3)
    found = sample(model, ids, eos_id=EOS, max_len=2, generator=generator, **options)
    return found[:, 1].bincount(minlength=7) / DRAWS


def expected_frequencies(frequencies, chances):
    chances = chances / chances.sum()
    deviation = (chances * (1 - chances) / DRAWS).sqrt()
    assert ((frequencies - chances).abs() <= 4.5 * deviation).all()


def test_frequencies_are_the_probabilities():
    expected_frequencies(draw(), CHANCES)
    expected_frequencies(draw(top_p=1.0, top_k=7, temperature=1), CHANCES)


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ({"top_k": 1}, [3]), ({"top_k": 2}, [3, 4]), ({"top_k": 3}, [3, 4, 5]),
        ({"top_k": 4}, [2, 3, 4, 5, 6]),  # a tie: 2 and 6 are as probable
        ({"top_k": 99}, [2, 3, 4, 5, 6]),
        ({"top_p": 1e-9}, [3]), ({"top_p": 0.49}, [3]), ({"top_p": 0.6}, [3, 4]),
        ({"top_p": 0.8}, [3, 4, 5]), ({"top_p": 1}, [2, 3, 4, 5, 6]),
        # First top-k, then the nucleus of what is left: 0.5/0.75 of it is token 3.
        ({"top_k": 2, "top_p": 0.6}, [3]), ({"top_k": 2, "top_p": 0.7}, [3, 4]),
    ],
)  # fmt: skip
def test_top_k_and_top_p_draw_among_the_most_probable(options, kept):
    chances = torch.zeros(7, dtype=torch.float64)
    chances[kept] = CHANCES[kept]
    expected_frequencies(draw(**options), chances)


def test_top_k_and_top_p_choose_after_the_temperature():
    flat = (CHANCES**0.1).tolist()  # temperature 10: 0.5 is now less than a quarter of all
    assert 0.5**0.1 / sum(flat) < 0.25
    assert (draw(top_p=0.3, temperature=10.0) > 0).sum() > 1
    assert (draw(top_p=0.3) > 0).sum() == 1


@each_decoder
def test_sampling_without_a_choice_is_greedy(kind):
    model, (ids, bos_id) = make(kind), DECODERS[kind]
    options = {"eos_id": EOS, "bos_id": bos_id, "max_len": 9}
    expected = greedy(model, ids, **options)
    for cold in ({"top_k": 1}, {"top_p": 1e-9}, {"temperature": 1e-4}, {"temperature": 5e-324}):
        assert torch.equal(sample(model, ids, **options, **cold), expected)
        assert torch.equal(sample(model, ids, **options, **cold, use_cache=False), expected)
        for i, (source, begin) in enumerate(alone(model, ids)):
            single = torch.tensor([begin]) if source is None else source
            row = sample(model, single, **options, **cold)[0].tolist()
            assert padded(row, expected.shape[1]) == expected[i].tolist()


@each_decoder
def test_the_same_seed_gives_the_same_samples(kind):
    model, (ids, bos_id) = make(kind), DECODERS[kind]

    def drawn(seed, use_cache=True):
        generator = torch.Generator().manual_seed(seed)
        options = {"eos_id": EOS, "bos_id": bos_id, "max_len": 9, "use_cache": use_cache}
        return sample(model, ids, generator=generator, **options)

    random = torch.get_rng_state()
    assert torch.equal(drawn(1), drawn(1))
    assert torch.equal(drawn(1), drawn(1, use_cache=False))
    assert not torch.equal(drawn(1), drawn(2))
    assert torch.equal(torch.get_rng_state(), random)


# The two ways to keep the most probable tokens

logits_of = st.lists(st.integers(-4, 4).map(float), min_size=1, max_size=9)


@given(logits=logits_of, k=st.integers(1, 12))
def test_top_k_keeps_the_k_largest_and_their_ties(logits, k):
    kept = keep_top_k(torch.tensor(logits), k)
    smallest = sorted(logits, reverse=True)[:k][-1]
    assert kept.tolist() == [x if x >= smallest else -torch.inf for x in logits]


@given(logits=logits_of, p=st.floats(0.001, 1.0))
def test_the_nucleus_is_the_smallest_set_that_reaches_p(logits, p):
    logits = torch.tensor(logits, dtype=torch.float64)
    kept, chances = keep_nucleus(logits, p).isfinite(), logits.softmax(-1)
    assert torch.equal(keep_nucleus(logits, p)[kept], logits[kept])
    assert chances[kept].sum() >= p - 1e-12
    if kept.sum() > 1:  # without its smallest member it would not reach p
        assert chances[kept].sum() - chances[kept].min() < p + 1e-12
    assert chances[kept].min() >= chances.masked_fill(kept, 0).max()


def test_equally_probable_tokens_of_a_nucleus_are_taken_in_order():
    kept = keep_nucleus(torch.zeros(4, dtype=torch.float64), 0.6)
    assert kept.tolist() == [0.0, 0.0, 0.0, -torch.inf]
    assert keep_nucleus(torch.zeros(4), 0.5).tolist() == [0.0, 0.0, -torch.inf, -torch.inf]


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32])
def test_the_nucleus_of_a_large_vocabulary_does_not_depend_on_the_precision(dtype):
    logits = torch.randn(50257, generator=torch.Generator().manual_seed(3)).to(dtype)
    assert torch.equal(keep_nucleus(logits, 1.0), logits)
    exact = logits.double()
    for p in (0.3, 0.9, 0.999):
        kept = keep_nucleus(logits, p)
        assert kept.dtype == dtype
        chances = exact.softmax(-1)[kept.isfinite()]
        assert chances.sum() >= p - 1e-5
        assert chances.sum() - chances.min() < p + 1e-5
