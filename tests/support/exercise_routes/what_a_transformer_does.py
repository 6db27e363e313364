"""Right answers to the exercises of what a Transformer does by several routes."""

import torch
import torch.nn.functional as F


def shift_rows_in_one_line(x, rows, columns):
    return x + rows[:, None] + columns


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


def dot_products_by_bmm(a, b):
    return torch.bmm(a, b.permute(0, 2, 1))


def dot_products_by_einsum(a, b):
    return torch.einsum("bik,bjk->bij", a, b)


def dot_products_by_broadcasting(a, b):
    return (a[:, :, None, :] * b[:, None, :, :]).sum(dim=-1)


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


def squared_error_of_flat_rows(predictions, target):
    return (predictions[..., 0] - target).square().mean(dim=-1)


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


def descend_by_an_optimizer(x, y, w, rate, steps):
    w = torch.nn.Parameter(w.clone())
    optimizer = torch.optim.SGD([w], lr=rate)
    for _ in range(steps):
        optimizer.zero_grad()
        (x @ w - y).square().mean().backward()
        optimizer.step()
    return w.detach()


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


def adam_step_by_torch(w, gradient, m, v, step, rate):
    w = torch.nn.Parameter(w.clone())
    w.grad = gradient
    optimizer = torch.optim.Adam([w], lr=rate)
    state = {"step": torch.tensor(step - 1.0, dtype=torch.float32)}
    optimizer.state[w] = state | {"exp_avg": m.clone(), "exp_avg_sq": v.clone()}
    optimizer.step()
    return w.detach(), optimizer.state[w]["exp_avg"], optimizer.state[w]["exp_avg_sq"]
