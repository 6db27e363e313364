"""Right answers to the exercises of what a Transformer does by several routes."""

import numpy as np
import torch
import torch.nn.functional as F


def shift_rows_in_one_line(x, rows, columns):
    return x + rows[:, None] + columns


def shift_rows_by_expand(x, rows, columns):
    return x + rows.unsqueeze(1).expand_as(x) + columns.unsqueeze(0).expand_as(x)


def shift_rows_in_numpy(x, rows, columns):
    return torch.from_numpy(x.numpy() + rows.numpy()[:, np.newaxis] + columns.numpy())


def shift_rows_in_loops(x, rows, columns):
    out = torch.empty_like(x)
    for t in range(len(rows)):
        for d in range(len(columns)):
            out[t, d] = x[t, d] + rows[t] + columns[d]
    return out


def shift_rows_in_place_of_its_own(x, rows, columns):
    out = x.clone()
    out += columns
    out += rows.view(-1, 1)
    return out


def dot_products_in_one_line(a, b):
    return a @ b.mT


def dot_products_by_bmm(a, b):
    return torch.bmm(a, b.permute(0, 2, 1))


def dot_products_by_einsum(a, b):
    return torch.einsum("bik,bjk->bij", a, b)


def dot_products_in_numpy(a, b):
    return torch.from_numpy(a.numpy() @ b.numpy().transpose(0, 2, 1))


def dot_products_by_broadcasting(a, b):
    return (a[:, :, None, :] * b[:, None, :, :]).sum(dim=-1)


def dot_products_table_by_table(a, b):
    return torch.stack([F.linear(one, two) for one, two in zip(a, b, strict=True)])


def gradient_by_backward(x, y, w):
    w = w.clone().requires_grad_()
    (x @ w - y).square().mean().backward()
    return w.grad


def gradient_in_the_given_weights(x, y, w):
    w.requires_grad_()
    F.mse_loss(x @ w, y).backward()
    return w.grad


def gradient_by_hand(x, y, w):
    return 2 / len(y) * (x @ w - y) @ x


def gradient_by_func(x, y, w):
    return torch.func.grad(lambda w: ((x @ w - y) ** 2).mean())(w)


def gradient_in_loops(x, y, w):
    slope = torch.zeros_like(w)
    for row, target in zip(x, y, strict=True):
        slope += 2 * (row @ w - target) * row / len(y)
    return slope


def squared_error_of_flat_rows(predictions, target):
    return (predictions[..., 0] - target).square().mean(dim=-1)


def squared_error_of_columns(predictions, target):
    return (predictions - target[:, None]).square().mean(dim=(1, 2))


def squared_error_in_numpy(predictions, target):
    errors = predictions.numpy()[:, :, 0] - target.numpy()
    return torch.from_numpy((errors**2).mean(axis=1))


def squared_error_by_torch(predictions, target):
    rows = predictions.flatten(1)
    return F.mse_loss(rows, target.expand_as(rows), reduction="none").mean(dim=1)


def squared_error_in_loops(predictions, target):
    means = [
        sum((float(p) - float(y)) ** 2 for p, y in zip(model, target, strict=True)) / len(target)
        for model in predictions
    ]
    return torch.tensor(means, dtype=target.dtype)


def descend_by_backward(x, y, w, rate, steps):
    w = w.clone().requires_grad_()
    for _ in range(steps):
        loss = (x @ w - y).square().mean()
        w.grad = None
        loss.backward()
        with torch.no_grad():
            w -= rate * w.grad
    return w.detach()


def descend_by_zeroing(x, y, w, rate, steps):
    w = w.clone().requires_grad_()
    for _ in range(steps):
        F.mse_loss(x @ w, y).backward()
        with torch.no_grad():
            w -= rate * w.grad
        w.grad.zero_()
    return w.detach()


def descend_by_an_optimizer(x, y, w, rate, steps):
    w = torch.nn.Parameter(w.clone())
    optimizer = torch.optim.SGD([w], lr=rate)
    for _ in range(steps):
        optimizer.zero_grad()
        (x @ w - y).square().mean().backward()
        optimizer.step()
    return w.detach()


def descend_by_hand(x, y, w, rate, steps):
    for _ in range(steps):
        w = w - rate * 2 * (x @ w - y) @ x / len(y)
    return w


def descend_by_one_matrix(x, y, w, rate, steps):
    """Each step is w → A w + b, with A = I − 2·rate·xᵀx / n."""
    turn = torch.eye(len(w), dtype=w.dtype) - 2 * rate / len(y) * x.T @ x
    push = 2 * rate / len(y) * x.T @ y
    for _ in range(steps):
        w = turn @ w + push
    return w


def adam_step_in_four_lines(w, gradient, m, v, step, rate):
    m = 0.9 * m + 0.1 * gradient
    v = 0.999 * v + 0.001 * gradient**2
    m_hat, v_hat = m / (1 - 0.9**step), v / (1 - 0.999**step)
    return w - rate * m_hat / (v_hat.sqrt() + 1e-8), m, v


def adam_step_by_the_difference(w, gradient, m, v, step, rate):
    m = m + (1 - 0.9) * (gradient - m)
    v = v + (1 - 0.999) * (gradient * gradient - v)
    root = torch.sqrt(v / (1 - 0.999**step))
    return w - rate / (1 - 0.9**step) * m / (root + 1e-8), m, v


def adam_step_in_numpy(w, gradient, m, v, step, rate):
    w, gradient, m, v = (part.numpy() for part in (w, gradient, m, v))
    m, v = 0.9 * m + 0.1 * gradient, 0.999 * v + 0.001 * gradient**2
    step_size = rate * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
    return tuple(map(torch.from_numpy, (w - step_size, m, v)))


def adam_step_in_place_of_its_own(w, gradient, m, v, step, rate):
    w, m, v = w.clone(), m.clone(), v.clone()
    m.mul_(0.9).add_(0.1 * gradient)
    v.mul_(0.999).add_(0.001 * gradient.square())
    w.sub_(rate * m / (1 - 0.9**step) / ((v / (1 - 0.999**step)).sqrt() + 1e-8))
    return w, m, v


def adam_step_by_torch(w, gradient, m, v, step, rate):
    w = torch.nn.Parameter(w.clone())
    w.grad = gradient
    optimizer = torch.optim.Adam([w], lr=rate)
    state = {"step": torch.tensor(step - 1.0, dtype=torch.float32)}
    optimizer.state[w] = state | {"exp_avg": m.clone(), "exp_avg_sq": v.clone()}
    optimizer.step()
    return w.detach(), optimizer.state[w]["exp_avg"], optimizer.state[w]["exp_avg_sq"]
