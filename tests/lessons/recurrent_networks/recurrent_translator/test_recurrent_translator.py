"""The recurrent translator unrolled: paths of the real graph, and its record."""

import json

import pytest
import torch
from torch import Tensor

from lessons.recurrent_networks.recurrent_translator import record
from lessons.recurrent_networks.recurrent_translator.recurrent_translator import (
    RUN,
    SHARED,
    cells_between,
)
from transformer_lite.text import Pair, WordTokenizer, make_batch

machines = pytest.mark.parametrize("attention", [False, True])


class Faded(torch.autograd.Function):
    """Let a value through as it is, and a gradient only in part: a toll on each cell."""

    toll = 1.0

    @staticmethod
    def forward(ctx, x: Tensor) -> Tensor:
        return x.clone()

    @staticmethod
    def backward(ctx, gradient: Tensor) -> Tensor:
        return Faded.toll * gradient


def take_toll(cell: torch.nn.Module) -> None:
    """Scale down the gradient of each state of a cell on its way back."""
    step = cell.step
    cell.step = lambda projected, state: Faded.apply(step(projected, state))  # type: ignore[assignment]


@machines
def test_path_lengths_equal_the_shortest_paths_of_real_gradients(attention):
    """A path through n cells is scaled by toll**n, so with small tolls the shortest dominates."""
    torch.manual_seed(1)
    model = record.machine(20, attention, d_model=6, hidden=5).double()
    take_toll(model.encoder.forwards.cell)
    take_toll(model.decoder.cell)
    length, words = 4, 3
    x = torch.randn(1, length, 6, dtype=torch.float64, requires_grad=True)
    inputs = torch.randn(1, words, 6, dtype=torch.float64)
    scores = model.output(model.decoder(inputs, model.encoder(x)))[0, :, 7]
    for score in scores:
        sizes = []
        for Faded.toll in (1e-4, 1e-5):
            [gradient] = torch.autograd.grad(score, x, retain_graph=True)
            sizes.append(gradient[0].norm(dim=-1))
        found = (sizes[0] / sizes[1]).log10()
        ways = [float(cells_between(s, length, attention)) for s in range(length)]
        torch.testing.assert_close(found, torch.tensor(ways).double(), rtol=0, atol=0.05)


@machines
def test_the_measured_gradient_is_the_change_of_the_score(attention):
    """Move a source word's vector along its gradient by h: the score rises by h times its size."""
    pairs = [Pair("le chat noir dort", "the black cat sleeps")]
    tokenizer = WordTokenizer.train([text for pair in pairs for text in pair[:2]])
    torch.manual_seed(2)
    model = record.machine(len(tokenizer), attention, d_model=8, hidden=7).double().eval()
    sizes = record.gradients(model, tokenizer, pairs[0])
    batch = make_batch(pairs, tokenizer)
    assert sizes.shape == (5, 5)
    mask, inputs = model.padding_mask(batch.src), model.tgt_embedding(batch.inputs)
    x = model.src_embedding(batch.src).detach().requires_grad_()

    def score(x: Tensor, t: int) -> Tensor:
        memory = model.encoder(x, mask)
        return model.output(model.decoder(inputs, memory, memory_mask=mask))[
            0, t, batch.labels[0, t]
        ]

    for t in range(5):
        [gradient] = torch.autograd.grad(score(x, t), x)
        for s in range(5):
            step = torch.zeros_like(x)
            step[0, s] = 1e-5 * gradient[0, s] / gradient[0, s].norm()
            rise = (score(x + step, t) - score(x - step, t)) / 2e-5
            torch.testing.assert_close(rise, sizes[t, s], rtol=1e-4, atol=1e-8)


def test_without_attention_the_decoder_reads_only_the_last_encoder_state():
    torch.manual_seed(3)
    model = record.machine(20, attention=False, d_model=6, hidden=5)
    memory, other = torch.randn(2, 1, 4, 5)
    words = torch.randn(1, 3, 6)
    same_end = torch.cat([other[:, :-1], memory[:, -1:]], dim=1)
    torch.testing.assert_close(model.decoder(words, memory), model.decoder(words, same_end))
    assert not torch.allclose(model.decoder(words, memory), model.decoder(words, other))
    unrolled = model.decoder.unroll(words, memory)
    assert (unrolled.contexts == memory[:, -1:]).all()


def test_the_machines_differ_only_in_the_parameters_of_attention():
    plain, looking = (record.machine(20, on, d_model=6, hidden=5) for on in (False, True))
    more = {n for n, _ in looking.named_parameters()} - {n for n, _ in plain.named_parameters()}
    assert more and all(name.startswith("decoder.look.") for name in more)


def test_the_record_is_small_and_its_shapes_match():
    text = record.FILE.read_text(encoding="utf-8")
    assert len(text) < 60_000 and json.loads(text) == RUN
    assert [entry["text"] for entry in RUN["sentences"]] == [p.source for p in record.SENTENCES]
    for entry in RUN["sentences"]:
        sizes = torch.tensor(entry["gradients"])
        assert sizes.shape == (2, len(entry["words"]), len(entry["source"]))
        assert (sizes > 0).all() and len(entry["said"]) == 2
        weights = torch.tensor(entry["weights"])
        assert weights.shape == sizes.shape[1:]
        assert (weights.sum(dim=1) - 100).abs().max() <= 6  # but for rounding
        most = SHARED["most"]["max"]
        assert max(sizes.shape[1:]) <= most + 1


def test_attention_translates_more_sentences_and_aligns_reordered_words():
    plain, looking = RUN["exact"]
    assert looking > plain
    looks = {}
    for entry in reversed(RUN["sentences"]):
        rows = torch.tensor(entry["weights"]).argmax(dim=1).tolist()
        looks |= {word: entry["source"][s] for word, s in zip(entry["words"], rows, strict=True)}
    assert looks["birds"] == "oiseaux" and looks["black"] in ("noirs", "noires", "noir")


def test_with_attention_the_largest_gradient_is_more_often_at_the_attended_word():
    """The point of the figure: with attention, the gradient reaches the attended word."""
    hits = [0, 0]
    for entry in RUN["sentences"]:
        looks = torch.tensor(entry["weights"]).argmax(dim=1)
        for machine, sizes in enumerate(torch.tensor(entry["gradients"])):
            hits[machine] += int((sizes.argmax(dim=1) == looks).sum())
    assert hits[1] > hits[0]
