"""Word2vec: windows, both models, negative sampling, and what its scores become."""

from itertools import permutations

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from lessons.words_as_vectors.nations import NATIONS, small_world
from transformer_lite.before import (
    ContinuousBagOfWords,
    NegativeSampler,
    SkipGram,
    analogy,
    bag_examples,
    negative_sampling_loss,
    skip_gram_pairs,
)

V, D = 7, 3
CONTEXTS = torch.tensor([[1, 2, 5, 0], [3, 3, 0, 0], [4, 0, 0, 0]])
REAL = torch.tensor([[True] * 4, [True, True, False, False], [True, False, False, False]])


def filled(model):
    """The model with random tables in double precision."""
    draw = torch.Generator().manual_seed(0)
    for table in model.double().parameters():
        nn.init.normal_(table, generator=draw)
    return model


# Windows


@pytest.mark.parametrize("length", range(8))
@pytest.mark.parametrize("size", [3, 5, 9])
def test_pairs_cover_each_window_once(length, size):
    middles, contexts = skip_gram_pairs([list(range(length))], size)
    near = [(i, j) for i in range(length) for j in range(length) if 0 < abs(i - j) <= size // 2]
    assert list(zip(middles.tolist(), contexts.tolist(), strict=True)) == near


def test_both_models_have_the_same_pairs():
    sentences = [[0, 1, 2, 3, 4, 5], [6, 5, 4], [2, 2]]
    middles, contexts = skip_gram_pairs(sentences)
    bags, real, of_bags = bag_examples(sentences)
    pairs = [
        (int(middle), word)
        for middle, row, here in zip(of_bags, bags, real, strict=True)
        for word in row[here].tolist()
    ]
    assert list(zip(middles.tolist(), contexts.tolist(), strict=True)) == pairs
    assert sorted(pairs) == sorted((near, middle) for middle, near in pairs)


# The models


def test_skip_gram_is_an_embedding_and_a_linear_layer_without_bias():
    model, middles = filled(SkipGram(V, D)), torch.tensor([4, 0, 4, 6])
    first = nn.Embedding.from_pretrained(model.inputs.detach())
    second = nn.Linear(D, V, bias=False).double()
    second.load_state_dict({"weight": model.outputs.detach()})
    torch.testing.assert_close(model(middles), second(first(middles)))


def test_bag_is_the_mean_of_its_words():
    model = filled(ContinuousBagOfWords(V, D))
    x, table = model.read(CONTEXTS, REAL), model.inputs
    torch.testing.assert_close(x[0], table[[1, 2, 5, 0]].mean(dim=0))
    torch.testing.assert_close(x[1], table[3])
    assert model.read(CONTEXTS, torch.zeros_like(REAL)).eq(0).all()


def test_each_word_of_a_bag_gets_its_part_of_the_gradient():
    """gensim once gave each the whole gradient; nudging decides."""
    model, middles = filled(ContinuousBagOfWords(V, D)), torch.tensor([0, 6, 2])

    def loss(inputs, outputs):
        tables = {"inputs": inputs, "outputs": outputs}
        logits = torch.func.functional_call(model, tables, (CONTEXTS, REAL))
        return F.cross_entropy(logits, middles, reduction="sum")

    tables = [table.detach().requires_grad_() for table in model.parameters()]
    assert torch.autograd.gradcheck(loss, tables)
    of_inputs, _ = torch.autograd.grad(loss(*tables), tables)
    torch.testing.assert_close(of_inputs[1], of_inputs[2])  # both occur once, in a bag of four
    x = model.read(CONTEXTS, REAL).detach().requires_grad_()
    full = torch.autograd.grad(F.cross_entropy(model.logits(x), middles, reduction="sum"), x)[0]
    torch.testing.assert_close(of_inputs[1], full[0] / 4)
    torch.testing.assert_close(of_inputs[3], full[1])  # twice in a bag of two


# Negative sampling


def test_the_loss_equals_separate_binary_cross_entropies():
    draw = torch.Generator().manual_seed(1)
    positive, negative = torch.randn(5, generator=draw), torch.randn(5, 4, generator=draw)
    asked = torch.cat([positive[:, None], negative], dim=1)
    target = torch.zeros(5, 5)
    target[:, 0] = 1
    each = F.binary_cross_entropy_with_logits(asked, target, reduction="none")
    torch.testing.assert_close(negative_sampling_loss(positive, negative), each.sum(dim=1).mean())


def test_drawn_positive_word_is_left_out():
    """Otherwise one step would pull the word and push it."""
    model = filled(SkipGram(V, D))
    middles, came = torch.tensor([1, 2]), torch.tensor([5, 0])
    drawn = torch.tensor([[5, 3], [4, 6]])
    x = model.read(middles)
    scores = model.scores(x, came), model.scores(x, drawn)
    kept = negative_sampling_loss(*scores, keep=drawn != came[:, None])
    by_hand = F.softplus(-scores[0]).sum() + F.softplus(scores[1]).sum()
    torch.testing.assert_close(kept, (by_hand - F.softplus(scores[1][0, 0])) / 2)
    assert kept < negative_sampling_loss(*scores)


def test_scores_converge_to_log_probability_ratios():
    """With N draws from q it becomes log p(n|m) − log N q(n) (Levy and Goldberg 2014)."""
    counts = torch.tensor([[1, 2, 3], [4, 1, 1], [2, 2, 8]])
    middles, contexts = (
        torch.arange(9).repeat_interleave(counts.flatten()) // 3,
        torch.arange(9).repeat_interleave(counts.flatten()) % 3,
    )
    model = filled(SkipGram(3, 3))
    every = torch.arange(3).expand(len(middles), 3)
    optimizer = torch.optim.LBFGS(model.parameters(), max_iter=400, line_search_fn="strong_wolfe")

    def closure():
        optimizer.zero_grad()
        x = model.read(middles)
        loss = negative_sampling_loss(model.scores(x, contexts), model.scores(x, every))
        loss.backward()
        return loss

    optimizer.step(closure)
    shares = counts / counts.sum(dim=1, keepdim=True)
    torch.testing.assert_close(model(torch.arange(3)).exp(), shares.double(), atol=1e-3, rtol=0)


# The sampler


def test_draws_follow_counts_to_the_power():
    counts = torch.tensor([100.0, 10.0, 1.0, 0.0])
    sampler = NegativeSampler(counts)
    torch.testing.assert_close(sampler.probabilities, counts**0.75 / (counts**0.75).sum())
    drawn = sampler.sample(200, 100, generator=torch.Generator().manual_seed(0))
    assert drawn.shape == (200, 100)
    shares = drawn.flatten().bincount(minlength=4) / drawn.numel()
    assert (shares - sampler.probabilities).abs().max() < 0.01
    assert shares[3] == 0


# A small world


def learned_from_bags(sentences, seed):
    """Train a continuous bag of words on all windows; return ids and both tables."""
    words = sorted({word for sentence in sentences for word in sentence})
    ids = {word: i for i, word in enumerate(words)}
    bags, real, middles = bag_examples([[ids[word] for word in s] for s in sentences])
    windows = torch.cat([bags.masked_fill(~real, -1), middles[:, None]], dim=1)
    windows, counts = windows.unique(dim=0, return_counts=True)
    bags, middles, weights = windows[:, :-1], windows[:, -1], counts / counts.sum()
    torch.manual_seed(seed)
    model = ContinuousBagOfWords(len(ids), 16)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.03)
    for _ in range(200):
        logits = model(bags.clamp(min=0), bags >= 0)
        loss = (weights * F.cross_entropy(logits, middles, reduction="none")).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return ids, model.inputs.detach(), model.outputs.detach()


@pytest.mark.parametrize("mixed", [False, True])
def test_both_tables_group_capitals(mixed):
    ids, *tables = learned_from_bags(small_world(4000, seed=1, mixed=mixed), seed=1)
    for table in tables:
        found = [
            analogy(table, ids[a.capital], ids[a.country], ids[b.country]).rows == [ids[b.capital]]
            for a, b in permutations(NATIONS, 2)
        ]
        assert sum(found) <= 20 if mixed else sum(found) >= 50
