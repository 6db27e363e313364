"""Right answers to the exercises of training at scale by several routes."""

import itertools

import numpy as np
import torch


def average_gradients_repaired(gradients, counts):
    sums = (gradients * counts[:, None]).nan_to_num()
    return sums.sum(dim=0) / counts.sum()


def average_gradients_by_nansum(gradients, counts):
    shares = counts / counts.sum()
    return (gradients * shares.unsqueeze(1).to(gradients.dtype)).nansum(dim=0)


def average_gradients_by_shares(gradients, counts):
    held = torch.where(counts[:, None] > 0, gradients, 0.0)
    shares = counts.to(gradients.dtype) / counts.sum()
    return torch.einsum("n,nd->d", shares, held)


def average_gradients_as_engines_do(gradients, counts):
    n, tokens = len(counts), counts.sum()
    scaled = [n * count * row / tokens for row, count in zip(gradients, counts, strict=True)]
    held = [
        row if count else torch.zeros_like(row) for row, count in zip(scaled, counts, strict=True)
    ]
    return torch.stack(held).mean(dim=0)


def average_gradients_in_a_loop(gradients, counts):
    total = torch.zeros(gradients.shape[1], dtype=gradients.dtype)
    for row, count in zip(gradients, counts.tolist(), strict=True):
        if count > 0:
            total = total + count * row
    return total / sum(counts.tolist())


def average_gradients_of_copies(gradients, counts):
    return torch.repeat_interleave(gradients, counts, dim=0).mean(dim=0)


def average_gradients_in_numpy(gradients, counts):
    busy = counts.numpy() > 0
    means = np.average(gradients.numpy()[busy], axis=0, weights=counts.numpy()[busy])
    return torch.from_numpy(means).to(gradients.dtype)


def shard_repaired(size, seed, epoch, rank, workers):
    generator = torch.Generator().manual_seed(seed + epoch)
    order = torch.randperm(size, generator=generator)
    return order[rank::workers]


def shard_by_places(size, seed, epoch, rank, workers):
    generator = torch.Generator()
    generator.manual_seed(epoch + seed)
    order = torch.randperm(size, generator=generator)
    return order[torch.arange(rank, max(size, rank), workers)]


def shard_by_a_mask(size, seed, epoch, rank, workers):
    generator = torch.Generator().manual_seed(seed + epoch)
    order = torch.randperm(size, generator=generator)
    mine = torch.arange(size).remainder(workers) == rank
    return order.masked_select(mine)


def shard_like_cards(size, seed, epoch, rank, workers):
    order = torch.randperm(size, generator=torch.Generator().manual_seed(seed + epoch))
    hands = [[] for _ in range(workers)]
    for player, card in zip(itertools.cycle(hands), order.tolist(), strict=False):
        player.append(card)
    return torch.tensor(hands[rank], dtype=torch.long)


def shard_in_plain_python(size, seed, epoch, rank, workers):
    order = torch.randperm(size, generator=torch.Generator().manual_seed(seed + epoch)).tolist()
    mine = [sample for place, sample in enumerate(order) if place % workers == rank]
    return torch.tensor(mine, dtype=torch.int64)


def shard_in_rounds(size, seed, epoch, rank, workers):
    order = torch.randperm(size, generator=torch.Generator().manual_seed(seed + epoch))
    rounds = order.split(workers)
    return torch.cat([dealt[rank : rank + 1] for dealt in rounds])


def worker_seed_repaired(seed, step, workers, rows, width, p):
    masks = []
    for rank in range(workers):
        own_seed = seed + step * workers + rank
        generator = torch.Generator().manual_seed(own_seed)
        draws = torch.rand(rows, width, generator=generator)
        masks.append(draws >= p)
    return torch.stack(masks)


def worker_seed_counted_on(seed, step, workers, rows, width, p):
    first = seed + step * workers
    masks = torch.zeros(workers, rows, width, dtype=torch.bool)
    for own_seed in range(first, first + workers):
        generator = torch.Generator().manual_seed(own_seed)
        masks[own_seed - first] = torch.rand(rows, width, generator=generator) >= p
    return masks


def worker_seed_without_what_is_dropped(seed, step, workers, rows, width, p):
    generator, masks = torch.Generator(), []
    for rank in range(workers):
        generator.manual_seed(step * workers + rank + seed)
        dropped = torch.rand((rows, width), generator=generator) < p
        masks.append(~dropped)
    return torch.stack(masks, dim=0)


def worker_seed_row_by_row(seed, step, workers, rows, width, p):
    masks = []
    for rank in range(workers):
        generator = torch.Generator().manual_seed(seed + workers * step + rank)
        drawn = [torch.rand(width, generator=generator) for _ in range(rows)]
        masks.append([[number >= p for number in row] for row in torch.stack(drawn)])
    return torch.tensor(masks)


def worker_seed_filled_in(seed, step, workers, rows, width, p):
    draws = torch.empty(workers, rows, width)
    for rank in range(workers):
        own = torch.Generator().manual_seed(seed + step * workers + rank)
        draws[rank].uniform_(generator=own)
    return draws.ge(p)


def worker_seed_in_numpy(seed, step, workers, rows, width, p):
    first = seed + step * workers
    owns = [torch.Generator().manual_seed(first + rank) for rank in range(workers)]
    draws = [torch.rand(rows, width, generator=own).numpy() for own in owns]
    return torch.from_numpy(np.stack(draws) >= p)


def accumulate_by_formula(weight, inputs, targets, sizes):
    gradient, exchanges = torch.zeros_like(weight), []
    for i, (x, y) in enumerate(zip(inputs.split(sizes), targets.split(sizes), strict=True)):
        gradient += 2 * x.T @ (x @ weight - y) / len(inputs)
        exchanges.append(i == len(sizes) - 1)
    return gradient, exchanges


def accumulate_by_backward(weight, inputs, targets, sizes):
    weight = weight.clone().requires_grad_()
    start, exchanges = 0, []
    for size in sizes:
        end = start + size
        loss = (inputs[start:end] @ weight - targets[start:end]).pow(2).sum()
        (loss / len(targets)).backward()
        exchanges.append(end == len(targets))
        start = end
    return weight.grad, exchanges


def accumulate_of_scaled_means(weight, inputs, targets, sizes):
    rows, gradient = sum(sizes), 0
    for x, y in zip(inputs.split(sizes), targets.split(sizes), strict=True):
        leaf = weight.detach().requires_grad_()
        loss = torch.nn.functional.mse_loss(x @ leaf, y)
        gradient = gradient + torch.autograd.grad(loss, leaf)[0] * len(y) / rows
    return gradient, [False for _ in sizes[1:]] + [True]


def accumulate_and_divide_last(weight, inputs, targets, sizes):
    gaps = inputs @ weight - targets
    parts = [g @ x for g, x in zip(gaps.split(sizes), inputs.split(sizes), strict=True)]
    count = len(parts)
    return sum(parts) * (2 / len(gaps)), [i + 1 == count for i in range(count)]


def accumulate_row_by_row(weight, inputs, targets, sizes):
    gradient, exchanges, row = torch.zeros(len(weight), dtype=weight.dtype), [], 0
    for number, size in enumerate(sizes, start=1):
        for _ in range(size):
            error = (inputs[row] * weight).sum() - targets[row]
            gradient = gradient + 2 * error * inputs[row] / len(inputs)
            row += 1
        exchanges.append(number == len(sizes))
    return gradient, exchanges


def accumulate_in_numpy(weight, inputs, targets, sizes):
    x, y = inputs.numpy(), targets.numpy()
    gaps = x @ weight.numpy() - y
    exchanges = [False] * len(sizes)
    exchanges[-1] = True
    return torch.from_numpy((2 * gaps[:, None] * x).mean(axis=0)), exchanges
