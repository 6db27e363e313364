"""What a beam search returns: the targets with their scores, and the tree that it has grown."""

import torch
from reference_search import (
    DECODERS,
    common_token,
    each_decoder,
    search,
)
from tiny_models import make
from torch.testing import assert_close

from transformer_lite.decoding import length_penalty


@each_decoder
def test_tree_leads_to_the_results(kind):
    model, (ids, _) = make(kind), DECODERS[kind]
    eos_id = common_token(model)
    found = search(model, eos_id=eos_id, num_beams=3)
    shortest = found.tokens.shape[2] - len(found.tree)
    assert shortest == 1  # the shortest prompt, or the start
    for row in range(len(ids)):
        for place in range(3):
            tokens, beam_now = [], place
            for step in reversed(found.tree):
                tokens.append(int(step.pick(step.tokens)[row, beam_now]))
                beam_now = int(step.parents[row, beam_now])
            assert beam_now == 0
            assert found.tokens[row, place, 1:].tolist() == tokens[::-1]
    last = found.tree[-1]
    assert torch.equal(last.pick(last.log_probs), found.log_probs)
    assert torch.equal(last.pick(last.scores), found.scores)


@each_decoder
def test_every_level_scores_the_best_continuations(kind):
    model, (ids, _) = make(kind), DECODERS[kind]
    found = search(model, num_beams=3, alpha=0.6)
    before = torch.zeros(len(ids), 1, dtype=torch.float64)
    for level, step in enumerate(found.tree):
        beams = 1 if level == 0 else 3
        assert (
            step.tokens.shape == step.log_probs.shape == step.scores.shape == (len(ids), beams, 3)
        )
        assert step.kept.shape == (len(ids), 3)
        assert all(row.unique().numel() == 3 for row in step.kept)
        assert step.parents.min() >= 0 and step.parents.max() < beams
        alive = step.log_probs.isfinite()
        # A word costs its log-probability, and the best word comes first.
        assert (step.log_probs <= before[..., None] + 1e-12).all()
        assert (step.log_probs.diff(dim=2)[alive[..., 1:]] <= 0).all()
        # Those that were kept have the best scores.
        best = step.scores.flatten(1).sort(dim=1, descending=True).values[:, :3]
        assert torch.equal(step.pick(step.scores), best)
        before = step.pick(step.log_probs)


def test_the_length_penalty_is_the_formula_of_the_paper():
    lengths = torch.tensor([[1, 2, 7], [13, 0, 100]])
    expected = [[((5 + n) / 6) ** 0.6 for n in row] for row in lengths.tolist()]
    assert_close(length_penalty(lengths, 0.6), torch.tensor(expected))
    assert (length_penalty(lengths, 0) == 1).all()
    assert_close(length_penalty(lengths, 1.0), (5 + lengths) / 6)
