"""Wrong input for the normalizations, and what the error says."""
# ruff: noqa: E501 -- one case a line, call and message, reads as a table.

import torch

import transformer_lite as tl

X = torch.ones(2, 5, 8)
SQUARE = torch.ones(5, 5).bool()
ROWS = torch.ones(3, 4)
ONE = torch.eye(2, 5).bool() & torch.tensor([[True], [False]])  # one real token in all


# fmt: off
WRONG_TYPE = [
    (lambda: tl.norms.standardize(X, dim="last"), "dim must be an int, got str: 'last'"),
    (lambda: tl.norms.standardize(X, dim=True), "dim must be an int, got bool: True"),
    (lambda: tl.layer_norm(X, weight=2), "weight must be a torch.Tensor, got int: 2"),
    (lambda: tl.layer_norm(X, torch.ones(8), bias=torch.ones(8).int()), "bias must hold floating-point numbers, got dtype torch.int32"),
    (lambda: tl.norms.layer_norm_steps(X, bias=torch.zeros(8).double()), "x and bias must share one dtype, got x torch.float32, bias torch.float64"),
    (lambda: tl.norms.batch_norm(X, mask=torch.ones(2, 5)), "mask must be boolean (True = may attend), got dtype torch.float32"),
    (lambda: tl.norms.weight_norm(ROWS, ROWS[:, 0].double()), "direction and magnitude must share one dtype, got direction torch.float32, magnitude torch.float64"),
]

WRONG_VALUE = [
    (lambda: tl.norms.standardize(torch.tensor(1.0)), "x must have at least 1 axes, got shape ()"),
    (lambda: tl.norms.standardize(X, eps=-1.0), "eps must satisfy 0 <= eps < inf, got -1.0"),
    (lambda: tl.norms.standardize(torch.ones(1), unbiased=True), "x must hold more than 1 numbers along axis -1, got shape (1,)"),
    (lambda: tl.norms.standardize(X[:, :0], dim=1), "x must hold more than 0 numbers along axis 1, got shape (2, 0, 8)"),
    (lambda: tl.layer_norm(torch.tensor(2.0)), "x must have at least 1 axes, got shape ()"),
    (lambda: tl.layer_norm(X, eps=-1e-5), "eps must satisfy 0 <= eps < inf, got -1e-05"),
    (lambda: tl.norms.layer_norm_steps(X, weight=torch.ones(5)), "weight must have shape (8,), one number a feature, got (5,)"),
    (lambda: tl.layer_norm(X, bias=torch.ones(1, 8)), "bias must have shape (8,), one number a feature, got (1, 8)"),
    (lambda: tl.layer_norm(X[..., :0]), "x must hold at least one feature a token, got shape (2, 5, 0)"),
    (lambda: tl.LayerNorm(-4), "d_model must be at least 1, got -4"),
    (lambda: tl.LayerNorm(8, eps=-1.0), "eps must satisfy 0 <= eps < inf, got -1.0"),
    (lambda: tl.LayerNorm(8)(X[..., :6]), "weight must have shape (6,), one number a feature, got (8,)"),
    (lambda: tl.norms.RMSNorm(0), "d_model must be at least 1, got 0"),
    (lambda: tl.norms.RMSNorm(8, eps=float("inf")), "eps must satisfy 0 <= eps < inf, got inf"),
    (lambda: tl.norms.batch_norm(torch.ones(8)), "x must have at least 2 axes, got shape (8,)"),
    (lambda: tl.norms.batch_norm(X, mask=SQUARE), "mask must have the shape of the tokens (2, 5), got (5, 5)"),
    (lambda: tl.norms.batch_norm(X, mask=X > 0), "mask must have the shape of the tokens (2, 5), got (2, 5, 8)"),
    (lambda: tl.norms.batch_norm(X, mask=X[..., 0] > 1), "x must hold at least one real token, got shape (2, 5, 8)"),
    (lambda: tl.norms.batch_norm(X[:, :0]), "x must hold at least one real token, got shape (2, 0, 8)"),
    (lambda: tl.norms.batch_norm(X, eps=-2), "eps must satisfy 0 <= eps < inf, got -2"),
    (lambda: tl.norms.BatchNorm(0), "d_model must be at least 1, got 0"),
    (lambda: tl.norms.BatchNorm(8, eps=-1e-5), "eps must satisfy 0 <= eps < inf, got -1e-05"),
    (lambda: tl.norms.BatchNorm(8, momentum=-0.1), "momentum must satisfy 0 <= momentum < inf, got -0.1"),
    (lambda: tl.norms.BatchNorm(8, momentum=1.5), "momentum must be at most 1, got 1.5"),
    (lambda: tl.norms.BatchNorm(8)(X[:1, :1]), "x must hold at least 2 real tokens in training, got 1"),
    (lambda: tl.norms.BatchNorm(8)(X, ONE), "x must hold at least 2 real tokens in training, got 1"),
    (lambda: tl.norms.group_norm(X[0], 2), "x must have shape (B, T, D), got (5, 8)"),
    (lambda: tl.norms.group_norm(X, 3), "num_groups must divide d_model, got d_model=8, num_groups=3"),
    (lambda: tl.norms.group_norm(X, 16), "num_groups must divide d_model, got d_model=8, num_groups=16"),
    (lambda: tl.norms.group_norm(X, 0), "num_groups must be at least 1, got 0"),
    (lambda: tl.norms.group_norm(X[:, :0], 2), "x must hold at least one token a sequence, got shape (2, 0, 8)"),
    (lambda: tl.norms.instance_norm(X[0]), "x must have shape (B, T, D), got (5, 8)"),
    (lambda: tl.norms.instance_norm(X, bias=torch.ones(5)), "bias must have shape (8,), one number a feature, got (5,)"),
    (lambda: tl.norms.weight_norm(ROWS[0], ROWS[0]), "direction must have shape (M, D), got (4,)"),
    (lambda: tl.norms.weight_norm(ROWS, ROWS[0]), "magnitude must have shape (3), got (4,)"),
]
