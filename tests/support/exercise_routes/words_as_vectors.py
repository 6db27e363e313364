"""Right answers to the exercises of words as vectors by several routes."""

from itertools import product

import torch
import torch.nn.functional as F


def window_pairs_by_slices(words, size):
    side = size // 2
    pairs = []
    for i, middle in enumerate(words):
        near = words[max(0, i - side) : i] + words[i + 1 : i + 1 + side]
        pairs += [(middle, word) for word in near]
    return pairs


def window_pairs_by_steps(words, size):
    side = size // 2
    pairs = []
    for i in range(len(words)):
        for step in range(-side, side + 1):
            if step != 0 and 0 <= i + step < len(words):
                pairs.append((words[i], words[i + step]))
    return pairs


def window_pairs_by_product(words, size):
    numbered = list(enumerate(words))
    return [
        (middle, near)
        for (i, middle), (j, near) in product(numbered, repeat=2)
        if 0 < abs(i - j) < (size + 1) // 2
    ]


def pair_gradient_by_slopes(x, came, drawn):
    pull = torch.sigmoid(x @ came) - 1
    push = torch.sigmoid(drawn @ x)
    return pull * came + push @ drawn, pull * x, push[:, None] * x


def pair_gradient_all_at_once(x, came, drawn):
    table = torch.cat([came[None], drawn])
    target = torch.zeros(len(table), dtype=x.dtype)
    target[0] = 1
    slopes = torch.sigmoid(table @ x) - target
    rows = slopes[:, None] * x
    return slopes @ table, rows[0], rows[1:]


def pair_gradient_by_softmax_of_two(x, came, drawn):
    def sigmoid(s):
        return torch.stack([s, torch.zeros_like(s)]).softmax(dim=0)[0]

    pull, push = sigmoid(x @ came) - 1, sigmoid(drawn @ x)
    return pull * came + drawn.T @ push, pull * x, push.unsqueeze(1) * x.unsqueeze(0)


def word_analogy_by_minus_infinity(vectors, a, b, c):
    unit = vectors / vectors.norm(dim=1, keepdim=True)
    scores = unit @ (unit[a] - unit[b] + unit[c])
    scores[[a, b, c]] = -torch.inf
    return int(scores.argmax())


def word_analogy_by_sorting(vectors, a, b, c):
    unit = F.normalize(vectors, dim=1)
    order = (unit @ (unit[a] + unit[c] - unit[b])).argsort(descending=True)
    return next(row for row in order.tolist() if row not in {a, b, c})


def word_analogy_by_sum_of_cosines(vectors, a, b, c):
    unit = F.normalize(vectors, dim=1)
    cosines = unit @ unit.T
    scores = cosines[a] - cosines[b] + cosines[c]
    rows = torch.arange(len(vectors))
    asked = torch.isin(rows, torch.tensor([a, b, c]))
    return int(scores.masked_fill(asked, -10).argmax())


def skip_gram_loss_repaired(inputs, outputs, middles, contexts):
    logits = inputs[middles] @ outputs.T
    logs = logits.log_softmax(dim=1)
    return -logs[torch.arange(len(middles)), contexts].mean()


def skip_gram_loss_by_pytorch(inputs, outputs, middles, contexts):
    return F.cross_entropy(inputs[middles] @ outputs.T, contexts)


def skip_gram_loss_by_log_sum_exp(inputs, outputs, middles, contexts):
    scores = (inputs[middles] * outputs[contexts]).sum(dim=1)
    logits = inputs[middles] @ outputs.T
    return (logits.logsumexp(dim=1) - scores).mean()


def bag_gradient_repaired(inputs, outputs, context, middle):
    x = inputs[context].mean(dim=0)
    p = (outputs @ x).softmax(dim=0)
    p[middle] -= 1
    rows = (p @ outputs / len(context)).expand(len(context), -1)
    return torch.zeros_like(inputs).index_add_(0, context, rows)


def bag_gradient_by_autograd(inputs, outputs, context, middle):
    table = inputs.clone().requires_grad_()
    logs = (outputs @ table[context].mean(dim=0)).log_softmax(dim=0)
    return torch.autograd.grad(-logs[middle], table)[0]


def bag_gradient_by_counts(inputs, outputs, context, middle):
    shares = torch.bincount(context, minlength=len(inputs)).to(inputs.dtype) / len(context)
    p = torch.softmax(outputs @ (shares @ inputs), dim=0)
    return torch.outer(shares, p @ outputs - outputs[middle])
