"""Right answers to the exercises of training at scale by several routes."""

import torch


def average_gradients_repaired(gradients, counts):
    sums = (gradients * counts[:, None]).nan_to_num()
    return sums.sum(dim=0) / counts.sum()


def average_gradients_as_engines_do(gradients, counts):
    n, tokens = len(counts), counts.sum()
    scaled = [n * count * row / tokens for row, count in zip(gradients, counts, strict=True)]
    held = [
        row if count else torch.zeros_like(row) for row, count in zip(scaled, counts, strict=True)
    ]
    return torch.stack(held).mean(dim=0)


def average_gradients_of_copies(gradients, counts):
    return torch.repeat_interleave(gradients, counts, dim=0).mean(dim=0)


def roofline_in_lines(rows, d_in, d_out, bytes_per_number, flops, bandwidth):
    compute = 2 * rows * d_in * d_out / flops
    numbers = rows * d_in + d_in * d_out + rows * d_out
    memory = bytes_per_number * numbers / bandwidth
    if compute > memory:
        return compute, "compute"
    return memory, "memory"


def roofline_from_tensors(rows, d_in, d_out, bytes_per_number, flops, bandwidth):
    shapes = [(rows, d_in), (d_in, d_out), (rows, d_out)]
    moved = sum(torch.empty(shape).numel() for shape in shapes) * bytes_per_number
    times = {"compute": (rows * d_out) * (d_in + d_in) / flops, "memory": moved / bandwidth}
    bound = max(times, key=times.get)
    return times[bound], bound


def roofline_by_intensity(rows, d_in, d_out, bytes_per_number, flops, bandwidth):
    work = 2 * rows * d_in * d_out
    moved = bytes_per_number * (d_in * (rows + d_out) + rows * d_out)
    reachable = work / moved * bandwidth
    speed = min(flops, reachable)
    return work / speed, "memory" if reachable < flops else "compute"


def worker_seed_repaired(seed, step, workers, rows, width, p):
    masks = []
    for rank in range(workers):
        own_seed = seed + step * workers + rank
        generator = torch.Generator().manual_seed(own_seed)
        draws = torch.rand(rows, width, generator=generator)
        masks.append(draws >= p)
    return torch.stack(masks)


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
