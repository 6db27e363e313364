"""Right answers to the exercises of common_scale by several routes."""

import math

import torch


def scale_test_data_repaired(train, test):
    rows = train
    mean = rows.mean(dim=0)
    std = rows.std(dim=0, correction=0)
    return (test - mean) / std


def scale_test_data_by_the_formula(train, test):
    mean = train.sum(dim=0) / len(train)
    variance = ((train - mean) ** 2).sum(dim=0) / len(train)
    return (test - mean) / variance.sqrt()


def scale_test_data_in_numpy(train, test):
    mean, std = train.numpy().mean(axis=0), train.numpy().std(axis=0)
    return torch.from_numpy((test.numpy() - mean) / std)


def scale_test_data_by_mean_squares(train, test):
    mean = train.mean(dim=0, keepdim=True)
    variance = train.square().mean(dim=0, keepdim=True) - mean.square()
    return (test - mean) * variance.rsqrt()


def scale_test_data_column_by_column(train, test):
    columns = []
    for seen, new in zip(train.T, test.T, strict=True):
        columns.append((new - seen.mean()) / seen.std(unbiased=False))
    return torch.stack(columns, dim=1)


def fold_scaling_in_three_lines(weight, bias, mean, std):
    raw_weight = weight / std
    raw_bias = bias - raw_weight @ mean
    return torch.cat([raw_weight, raw_bias.view(1)])


def fold_scaling_by_zeros(weight, bias, mean, std):
    at_zero = ((0 - mean) / std * weight).sum() + bias
    return torch.hstack([weight / std, at_zero])


def fold_scaling_in_a_list(weight, bias, mean, std):
    weights = [w / s for w, s in zip(weight.tolist(), std.tolist(), strict=True)]
    shift = sum(w * m for w, m in zip(weights, mean.tolist(), strict=True))
    return torch.tensor([*weights, float(bias) - shift], dtype=weight.dtype)


def fold_scaling_in_numpy(weight, bias, mean, std):
    raw = weight.numpy() / std.numpy()
    whole = [*raw.tolist(), float(bias) - float(raw @ mean.numpy())]
    return torch.tensor(whole, dtype=weight.dtype)


def fold_scaling_into_a_new_tensor(weight, bias, mean, std):
    out = torch.empty(len(weight) + 1, dtype=weight.dtype)
    out[:-1] = weight / std
    out[-1] = bias - (weight * mean / std).sum()
    return out


def fold_scaling_by_einsum(weight, bias, mean, std):
    raw = torch.div(weight, std)
    constant = bias - torch.einsum("d,d->", raw, mean)
    return torch.cat((raw, constant[None]), dim=0) * math.cos(0)


def rescale_in_three_lines(table, low, high):
    smallest, largest = table.amin(dim=0), table.amax(dim=0)
    share = (table - smallest) / (largest - smallest)
    return low + (high - low) * share


def rescale_by_sorting(table, low, high):
    ordered = table.sort(dim=0).values
    return low + (table - ordered[0]) * (high - low) / (ordered[-1] - ordered[0])


def rescale_as_a_straight_line(table, low, high):
    slope = (high - low) / (table.max(dim=0).values - table.min(dim=0).values)
    return slope * table + (low - slope * table.min(dim=0).values)


def rescale_column_by_column(table, low, high):
    columns = []
    for column in table.T:
        gap = column.max() - column.min()
        columns.append((column - column.min()) / gap * (high - low) + low)
    return torch.stack(columns, dim=1)


def rescale_in_numpy(table, low, high):
    rows = table.numpy()
    share = (rows - rows.min(axis=0)) / (rows.max(axis=0) - rows.min(axis=0))
    return torch.from_numpy(share * (high - low) + low)


def rescale_from_the_top(table, low, high):
    largest = table.amax(dim=0, keepdim=True)
    below = (largest - table) / (largest - table.amin(dim=0, keepdim=True))
    return high - below * (high - low)
