"""Wrong input for the bias, the positions in attention, decoding and beam search."""
# ruff: noqa: E501 -- one case a line, call and message, reads as a table.

import torch
from reference_search import BOS, EOS, PROMPTS
from tiny_models import SRC, config

import transformer_lite as tl

X = torch.ones(2, 5, 8)
Q, K, V = torch.ones(2, 5, 4), torch.ones(2, 7, 4), torch.ones(2, 7, 6)
BIAS = torch.zeros(5, 7)
SAME = "query and bias must share one"
MODEL = tl.models.build_decoder_only(config()).eval()
TRANSLATOR = tl.build(config()).eval()


def attend(bias):
    return tl.attention_steps(Q, K, V, bias=bias)


def fused(bias):
    return tl.scaled_dot_product_attention(Q, K, V, bias=bias)


def positions(scheme):
    return tl.MultiHeadAttention(8, 2, positions=scheme)


def translate(ids=SRC, search=tl.greedy, eos_id=EOS, bos_id=BOS, **options):
    return search(TRANSLATOR, ids, eos_id=eos_id, bos_id=bos_id, **options)


def go_on(ids=PROMPTS, search=tl.greedy, eos_id=EOS, model=MODEL, **options):
    return search(model, ids, eos_id=eos_id, **options)


def begun(model=MODEL, ids=PROMPTS, bos_id=None):
    """Return a decoding whose cache contains the first token of each row."""
    next_token = tl.decoding.NextToken(model, ids, bos_id)
    with torch.no_grad():
        next_token(next_token.prompt[:, :1])
    return next_token


def sample(**options):
    return go_on(search=tl.sample, **options)


def beam(**options):
    return go_on(search=tl.beam_search, **options)


# fmt: off
WRONG_TYPE = [
    (lambda: attend(BIAS.double()), f"{SAME} dtype, got query torch.float32, bias torch.float64"),
    (lambda: tl.positions.Rotary(scaling=8.0), "scaling must be a RotaryScaling, got 8.0"),
    (lambda: positions("rotary"), "positions must be a PositionScheme or None, got 'rotary'"),
    (lambda: positions(torch.nn.Identity()), "positions must be a PositionScheme or None, got Identity()"),
    (lambda: tl.decoding.NextToken("model", SRC, BOS), "model must be a Transformer or a DecoderOnlyTransformer, got str"),
    (lambda: go_on(model=tl.models.build_encoder_only(config()).eval()), "model must be a Transformer or a DecoderOnlyTransformer, got EncoderOnlyTransformer"),
    (lambda: go_on([[3, 4]]), "ids must be a torch.Tensor, got list: [[3, 4]]"),
    (lambda: sample(top_p="0.9"), "top_p must be a number, got str: '0.9'"),
]

WRONG_VALUE = [
    (lambda: attend(torch.tensor(1.0)), "bias must have at least 1 axes, got shape ()"),
    (lambda: attend(BIAS.T), "bias must broadcast to (2, 5, 7), got shape (7, 5)"),
    (lambda: positions(None)(X, X[0]), "memory must have at least 3 axes, got shape (5, 8)"),
    (lambda: positions(tl.positions.ALiBi(3))(X), "query must have shape (B, 3, T, K), got (2, 2, 5, 4)"),
    (lambda: positions(tl.positions.T5Relative(1))(X), "query must have shape (B, 1, T, K), got (2, 2, 5, 4)"),
    (lambda: positions(tl.positions.ShawRelative(8))(X), "query must have shape (B, H, T, 8), got (2, 2, 5, 4)"),
    (lambda: tl.MultiHeadAttention(6, 2, positions=tl.positions.Rotary())(X[..., :6]), "x must have an even width, at least 2, got shape (2, 2, 5, 3)"),
    (lambda: go_on(model=tl.models.build_decoder_only(config())), "model must be in evaluation mode, got training; call model.eval()"),
    (lambda: tl.decoding.NextToken(tl.build(config()), SRC, BOS), "model must be in evaluation mode, got training; call model.eval()"),
    (lambda: go_on(PROMPTS[0]), "ids must have shape (B, T) with T at least 1, got (4,)"),
    (lambda: go_on(PROMPTS + 5), "ids must lie between 0 and 12, got 14"),
    (lambda: sample(ids=PROMPTS - 1), "ids must lie between 0 and 12, got -1"),
    (lambda: go_on(PROMPTS[:, [1, 0]]), "ids must hold prompts of at least one token with padding only at their end, got padding among [[4, 3], [0, 7], [2, 8], [5, 5]]"),
    (lambda: beam(ids=PROMPTS * 0), "ids must hold prompts of at least one token with padding only at their end, got padding among [[0, 0, 0, 0]"),
    (lambda: translate(SRC[0]), "ids must have shape (B, T) with T at least 1, got (7,)"),
    (lambda: go_on(bos_id=1), "bos_id must be None: a prompt has its own start, got 1"),
    (lambda: beam(bos_id=0), "bos_id must be None: a prompt has its own start, got 0"),
    (lambda: translate(bos_id=13), "bos_id must be below the vocabulary size 13, got 13"),
    (lambda: translate(bos_id=-1), "bos_id must be at least 0, got -1"),
    (lambda: translate(bos_id=0), "bos_id must not be the padding id, got 0"),
    (lambda: go_on(eos_id=13), "eos_id must be below the vocabulary size 13, got 13"),
    (lambda: beam(eos_id=14), "eos_id must be below the vocabulary size 13, got 14"),
    (lambda: sample(eos_id=-2), "eos_id must be at least 0, got -2"),
    (lambda: go_on(eos_id=0), "eos_id must not be the padding id, got 0"),
    (lambda: beam(eos_id=0), "eos_id must not be the padding id, got 0"),
    (lambda: go_on(PROMPTS[:1], max_len=3), "max_len must have room for the longest prompt, 4 tokens, got 3; raise max_len or shorten the prompt"),
    (lambda: go_on(torch.full((1, 7), 4), model=tl.models.build_decoder_only(config(positions="learned", max_len=6)).eval(), max_len=20), "sequence must fit into max_len=6 learned positions, got 7"),
    (lambda: sample(temperature=0), "temperature must be greater than 0, got 0; use greedy instead"),
    (lambda: sample(temperature=-1.0), "temperature must satisfy 0 <= temperature < inf, got -1.0"),
    (lambda: sample(top_k=0, max_len=1), "top_k must be at least 1, got 0"),
    (lambda: sample(top_p=0.0), "top_p must satisfy 0 < top_p <= 1, got 0.0"),
    (lambda: sample(top_p=1.5, max_len=1), "top_p must satisfy 0 < top_p <= 1, got 1.5"),
    (lambda: begun().cache.reorder(torch.tensor([0, 4])), "rows must lie between 0 and 3, got [0, 4]"),
    (lambda: begun().reorder(torch.tensor([-1])), "rows must lie between 0 and 3, got [-1]"),
    (lambda: begun()(PROMPTS[:, :1]), "tokens must be more than the 1 in the cache, got 1"),
    (lambda: begun().cache.reorder_targets(torch.tensor([0])), "rows must be as many as in the cache, 4, got 1"),
    (lambda: MODEL(PROMPTS[:1], begun().cache), "the batch must be that of the cache, 4 rows, got 1"),
    (lambda: TRANSLATOR.decode(SRC[:, :1], torch.ones(2, 3, 12), None, begun(TRANSLATOR, SRC, BOS).cache), "memory must be the one that the cache was filled from, of shape (2, 7, 12), got (2, 3, 12)"),
    (lambda: tl.decoding.keep_top_k(torch.tensor(1.0), 1), "logits must have at least 1 axes, got shape ()"),
    (lambda: tl.decoding.keep_top_k(X, -1), "k must be at least 1, got -1"),
    (lambda: tl.decoding.keep_nucleus(torch.tensor(1.0), 0.5), "logits must have at least 1 axes, got shape ()"),
    (lambda: tl.decoding.keep_nucleus(X, 0), "p must satisfy 0 < p <= 1, got 0"),
    (lambda: tl.decoding.keep_nucleus(X, -0.5), "p must satisfy 0 <= p < inf, got -0.5"),
    (lambda: beam(num_beams=0), "num_beams must be at least 1, got 0"),
    (lambda: beam(alpha=-0.1), "alpha must satisfy 0 <= alpha < inf, got -0.1"),
]
