"""Wrong calls of what trains with many workers, each with the message that it gets."""
# ruff: noqa: E501 -- one case a line, call and message, reads as a table.

import subprocess

import torch
from torch import nn

import transformer_lite as tl
from transformer_lite.layers.positions import ALiBi
from transformer_lite.training import costs
from transformer_lite.training import distributed as td
from transformer_lite.training.distributed import tensor_parallel as tp

TWO = td.Workers(0, 2, torch.device("cpu"))


def heads(**settings):
    return tl.MultiHeadAttention(8, 2, **settings)


# fmt: off
WRONG_CALLS = [
    (lambda: td.Workers(0, 0, torch.device("cpu")), "world_size must be at least 1, got 0", ValueError),
    (lambda: td.Workers("0", 1, torch.device("cpu")), "rank must be an int, got str: '0'", TypeError),
    (lambda: td.Workers(2, 2, torch.device("cpu")), "rank must be less than world_size, got 2 of 2", ValueError),
    (lambda: td.launch(0, "module"), "workers must be at least 1, got 0", ValueError),
    (lambda: td.launch(1, "module", restarts=-1), "restarts must be at least 0, got -1", ValueError),
    (lambda: td.launch(1, "module", seconds="9"), "seconds must be a number, got str: '9'", TypeError),
    (lambda: td.launch(1, "no_such_module", seconds=0.0), "timed out after 0.0 seconds", subprocess.TimeoutExpired),
    (lambda: costs.all_reduce_bytes(-1, 2), "parameters must satisfy 0 <= parameters < inf, got -1", ValueError),
    (lambda: costs.all_reduce_bytes(1, 2.0), "workers must be an int, got float: 2.0", TypeError),
    (lambda: costs.all_reduce_bytes(1, 2, None), "bytes_each must be a number, got NoneType: None", TypeError),
    (lambda: costs.ring_all_reduce_seconds(1, 2, 0), "bytes_per_second must be greater than 0, got 0", ValueError),
    (lambda: costs.ring_all_reduce_seconds("1", 2, 1), "num_bytes must be a number, got str: '1'", TypeError),
    (lambda: costs.ring_all_reduce_seconds(1, 0, 1), "workers must be at least 1, got 0", ValueError),
    (lambda: costs.ring_all_reduce_seconds(1, 2, 1, -1), "latency must satisfy 0 <= latency < inf, got -1", ValueError),
    (lambda: costs.pipeline_bubble(0, 1), "stages must be at least 1, got 0", ValueError),
    (lambda: costs.pipeline_bubble(1, True), "microbatches must be an int, got bool: True", TypeError),
    (lambda: costs.memory_by_sharding(1, 2, "zero4"), "sharding must be one of ddp, zero1, zero2, zero3, got 'zero4'", ValueError),
    (lambda: costs.memory_by_sharding("1", 2), "parameters must be a number, got str: '1'", TypeError),
    (lambda: costs.memory_by_sharding(1, 2, bytes_weight=-4), "bytes_weight must satisfy", ValueError),
    (lambda: costs.memory_by_sharding(1, 2, bytes_gradient=-4), "bytes_gradient must satisfy", ValueError),
    (lambda: costs.memory_by_sharding(1, 2, bytes_optimizer=-8), "bytes_optimizer must satisfy", ValueError),
    (lambda: costs.training_operations(-1, 1), "parameters must satisfy", ValueError),
    (lambda: costs.training_operations(1, "1"), "tokens must be a number, got str: '1'", TypeError),
    (lambda: td.ring_all_reduce([1.0], TWO), "tensor must be a torch.Tensor, got list: [1.0]", TypeError),
    (lambda: tp.ColumnParallel(nn.Linear(4, 5), TWO), "the number of workers must divide out_features, got 2 and 5", ValueError),
    (lambda: tp.RowParallel(nn.Linear(5, 4), TWO), "the number of workers must divide in_features, got 2 and 5", ValueError),
    (lambda: td.parallel_attention(nn.Linear(4, 4), TWO), "attention must be a MultiHeadAttention, got Linear", TypeError),
    (lambda: td.parallel_attention(heads(positions=ALiBi(2)), TWO), "add nothing to the scores of a head, got ALiBi", TypeError),
    (lambda: td.distributed_loss(None, None, [], TWO), "pairs must hold at least one pair, got none", ValueError),
]
# fmt: on
