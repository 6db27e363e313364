"""Wrong input for attention, its heads and its masks, and what the error says."""
# ruff: noqa: E501 -- one case a line, call and message, reads as a table.

import torch

import transformer_lite as tl

X = torch.ones(2, 5, 8)
Q, K, V = torch.ones(2, 5, 4), torch.ones(2, 7, 4), torch.ones(2, 7, 6)
IDS = torch.tensor([[4, 5, 0]])
CAUSAL = tl.look_ahead_mask(5)
QKV = "got query (2, 5, 4), key"


def attend(query=Q, key=K, value=V, mask=None, scale=None):
    return tl.attention_steps(query, key, value, mask, scale)


def fused(query=Q, key=K, value=V, mask=None, scale=None, dropout=0.0):
    return tl.scaled_dot_product_attention(query, key, value, mask, scale, dropout)


def heads(d_model=8, num_heads=2, dropout=0.0):
    return tl.MultiHeadAttention(d_model, num_heads, dropout)


def groups(num_heads=4, num_kv_heads=2, d_head=3, **others):
    return tl.layers.GroupedQueryAttention(8, num_heads, num_kv_heads, d_head=d_head, **others)


def windowed(window=3):
    return tl.layers.SlidingWindowAttention(8, 4, 2, window=window)


def window_cache(tokens=6):
    """A cache that has dropped all but the last three of some tokens."""
    kept = tl.layers.WindowCache(3)
    for _ in range(tokens):
        kept.append(torch.ones(2, 3, 1, 4), torch.ones(2, 3, 1, 4))
    return kept


def cache(length=3, batch=2):
    """A cache of a batch of 2 with 3 tokens, and an attempt to add others."""
    kept = tl.layers.KVCache()
    kept.append(torch.ones(2, 3, 3, 4), torch.ones(2, 3, 3, 4))
    kept.append(torch.ones(batch, 3, length, 4), torch.ones(batch, 3, 1, 4))
    return kept


# fmt: off
WRONG_TYPE = [
    (lambda: attend([[1.0]]), "query must be a torch.Tensor, got list: [[1.0]]"),
    (lambda: attend(Q.int()), "query must hold floating-point numbers, got dtype torch.int32; call query.float()"),
    (lambda: fused(key=None), "key must be a torch.Tensor, got NoneType: None"),
    (lambda: fused(value=V.bool()), "value must hold floating-point numbers, got dtype torch.bool"),
    (lambda: attend(key=K.double()), "query, key and value must share one dtype, got query torch.float32, key torch.float64, value torch.float32"),
    (lambda: attend(value=V.to("meta")), "query, key and value must share one device, got query cpu, key cpu, value meta"),
    (lambda: attend(mask=[True]), "mask must be a torch.Tensor, got list: [True]"),
    (lambda: attend(mask=torch.ones(5, 7, dtype=torch.int64)), "mask must be boolean (True = may attend), got dtype torch.int64; write mask.bool() if 1 means may attend"),
    (lambda: fused(mask=torch.ones(5, 7, dtype=torch.bool, device="meta")), "mask must be on device cpu, got meta"),
    (lambda: attend(scale="2"), "scale must be a number, got str: '2'"),
    (lambda: fused(dropout=None), "dropout must be a number, got NoneType: None"),
    (lambda: tl.split_heads(X, 2.0), "num_heads must be an int, got float: 2.0"),
    (lambda: heads(d_model=8.0), "d_model must be an int, got float: 8.0"),
    (lambda: heads()(X.double()), "x and weights must share one dtype, got x torch.float64, weights torch.float32"),
    (lambda: heads()(X, X.half()), "got x torch.float32, memory torch.float16, weights torch.float32"),
    (lambda: groups(d_head=3.0), "d_head must be an int, got float: 3.0"),
    (lambda: groups(num_heads="4"), "num_heads must be an int, got str: '4'"),
    (lambda: groups(scale="2"), "scale must be a number, got str: '2'"),
    (lambda: windowed(window=2.5), "window must be an int, got float: 2.5"),
    (lambda: tl.padding_mask([1, 0]), "token_ids must be a torch.Tensor, got list: [1, 0]"),
    (lambda: tl.padding_mask(IDS.float()), "token_ids must hold integers, got dtype torch.float32"),
    (lambda: tl.combine_masks(), "combine_masks needs at least one mask, got none"),
    (lambda: tl.combine_masks(CAUSAL, None), "masks[1] must be a torch.Tensor, got NoneType: None"),
    (lambda: tl.combine_masks(CAUSAL, CAUSAL.to("meta")), "masks must share one device, got masks[0] cpu, masks[1] meta"),
    (lambda: tl.layers.additive_mask(CAUSAL.float()), "mask must be boolean (True = may attend), got dtype torch.float32"),
    (lambda: tl.layers.additive_mask(CAUSAL, torch.int64), "dtype must be a floating-point type, got torch.int64"),
    (lambda: tl.layers.additive_mask(CAUSAL, "float32"), "dtype must be a floating-point type, got 'float32'"),
]

WRONG_VALUE = [
    (lambda: cache(), "key and value must have the same batch, heads and length, got key (2, 3, 3, 4), value (2, 3, 1, 4)"),
    (lambda: cache(1, batch=1), "key must have the cache's shape (2, 3, T, 4), got (1, 3, 1, 4); begin another batch with a new cache"),
    (lambda: cache(1).truncate(5), "length must be at most the cache's, 4, got 5"),
    (lambda: tl.layers.KVCache().truncate(-1), "length must be at least 0, got -1"),
    (lambda: tl.layers.KVCache().tensors(), "the cache must hold keys and values, got an empty one; append first"),
    (lambda: attend(torch.ones(4)), "query must have at least 2 axes, got shape (4,)"),
    (lambda: attend(Q[0]), "query, key and value must share their leading axes, got query (5, 4), key (2, 7, 4), value (2, 7, 6)"),
    (lambda: fused(value=V[:1]), "query, key and value must share their leading axes, got query (2, 5, 4), key (2, 7, 4), value (1, 7, 6)"),
    (lambda: attend(Q[..., :3]), "query and key must have the same width, got query (2, 5, 3), key (2, 7, 4)"),
    (lambda: attend(value=V[:, :6]), f"key and value must have the same length, {QKV} (2, 7, 4), value (2, 6, 6)"),
    (lambda: attend(key=K[:, :0], value=V[:, :0]), f"width and key length must be at least 1, {QKV} (2, 0, 4)"),
    (lambda: fused(Q[..., :0], K[..., :0]), "width and key length must be at least 1, got query (2, 5, 0), key (2, 7, 0)"),
    (lambda: attend(mask=CAUSAL), "mask must broadcast to (2, 5, 7), got shape (5, 5)"),
    (lambda: attend(scale=0), "scale must be greater than 0, got 0"),
    (lambda: attend(scale=-0.5), "scale must satisfy 0 <= scale < inf, got -0.5"),
    (lambda: fused(scale=float("nan")), "scale must satisfy 0 <= scale < inf, got nan"),
    (lambda: fused(dropout=1.0), "dropout must satisfy 0 <= dropout < 1, got 1.0"),
    (lambda: tl.masked_softmax(torch.tensor(1.0)), "scores must have at least 1 axes, got shape ()"),
    (lambda: tl.masked_softmax(X, CAUSAL), "mask must broadcast to (2, 5, 8), got shape (5, 5)"),
    (lambda: tl.split_heads(X[0], 2), "x must have at least 3 axes, got shape (5, 8)"),
    (lambda: tl.split_heads(X[None], 2), "x must have shape (B, T, D), got (1, 2, 5, 8)"),
    (lambda: tl.split_heads(X, 3), "num_heads must divide d_model, got d_model=8, num_heads=3"),
    (lambda: tl.merge_heads(X), "x must have at least 4 axes, got shape (2, 5, 8)"),
    (lambda: tl.merge_heads(X[None, None]), "x must have shape (B, H, T, K), got (1, 1, 2, 5, 8)"),
    (lambda: heads(d_model=0), "d_model must be at least 1, got 0"),
    (lambda: heads(num_heads=0), "num_heads must be at least 1, got 0"),
    (lambda: heads(10, 3), "num_heads must divide d_model, got d_model=10, num_heads=3"),
    (lambda: heads(dropout=1.0), "dropout must satisfy 0 <= dropout < 1, got 1.0"),
    (lambda: heads()(X[0]), "x must have at least 3 axes, got shape (5, 8)"),
    (lambda: heads()(X[None]), "x must have shape (B, T, 8), got (1, 2, 5, 8)"),
    (lambda: heads()(X, X[..., :6]), "memory must have shape (B, S, 8), got (2, 5, 6)"),
    (lambda: groups(d_head=0), "d_head must be at least 1, got 0"),
    (lambda: groups(scale=-1.0), "scale must satisfy 0 <= scale < inf, got -1.0"),
    (lambda: groups(num_kv_heads=3), "num_kv_heads must divide num_heads, got num_heads=4, num_kv_heads=3"),
    (lambda: windowed(window=0), "window must be at least 1, got 0"),
    (lambda: windowed()(X, X), "memory must be None, because a window is for self-attention, got one of shape (2, 5, 8)"),
    (lambda: windowed()(X, mask=CAUSAL[:4]), "masks must have shapes that broadcast, got (5, 5), (4, 5)"),
    (lambda: window_cache().truncate(4), "length must be at least 5, because earlier tokens of the window are dropped, got 4; begin again with a new cache"),
    (lambda: window_cache().truncate(7), "length must be at most the cache's, 6, got 7"),
    (lambda: tl.padding_mask(torch.tensor(3)), "token_ids must have shape (S,) or (B, S), got ()"),
    (lambda: tl.padding_mask(IDS, -1), "pad_id must be at least 0, got -1"),
    (lambda: tl.look_ahead_mask(0), "size must be at least 1, got 0"),
    (lambda: tl.look_ahead_mask(3, start=-1), "start must be at least 0, got -1"),
    (lambda: tl.combine_masks(CAUSAL, CAUSAL[:4, :4]), "masks must have shapes that broadcast, got (5, 5), (4, 4)"),
    (lambda: tl.seed_everything(-1), "seed must be at least 0, got -1"),
]
# fmt: on
WRONG_CALLS = [
    (
        lambda: tl.layers.Residual(tl.LayerNorm(8))(X, None),
        "Residual must define forward",
        NotImplementedError,
    )
]
