"""Right answers to the exercises of output and loss by several routes."""

import torch
import torch.nn.functional as F


def mean_loss_by_gather(logits, labels, pad_id):
    logs = logits.log_softmax(dim=-1)
    losses = -logs.gather(-1, labels[..., None])[..., 0]
    return losses[labels != pad_id].mean()


def mean_loss_by_pytorch(logits, labels, pad_id):
    return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=pad_id)


def mean_loss_in_loops(logits, labels, pad_id):
    losses = []
    for rows, words in zip(logits, labels, strict=True):
        for row, word in zip(rows, words, strict=True):
            if word != pad_id:
                losses.append(row.logsumexp(dim=0) - row[word])
    return sum(losses) / len(losses)


def logit_gradient_by_one_hot(logits, labels, label_smoothing):
    vocab = logits.shape[1]
    target = (1 - label_smoothing) * F.one_hot(labels, vocab) + label_smoothing / vocab
    return (logits.softmax(dim=1) - target) / len(labels)


def logit_gradient_at_the_labels(logits, labels, label_smoothing):
    count, vocab = logits.shape
    gradient = logits.softmax(dim=-1) - label_smoothing / vocab
    gradient[range(count), labels] -= 1 - label_smoothing
    return gradient / count


def logit_gradient_of_two_losses(logits, labels, label_smoothing):
    p = logits.softmax(dim=-1)
    plain = p - torch.eye(p.shape[1], dtype=p.dtype)[labels]
    even = p - 1 / p.shape[1]
    return ((1 - label_smoothing) * plain + label_smoothing * even) / len(labels)


def next_token_loss_repaired(logits, ids, pad_id):
    labels = ids[:, 1:]
    logs = logits[:, :-1].log_softmax(dim=-1)
    losses = -logs.gather(-1, labels[..., None])[..., 0]
    real = labels != pad_id
    return losses[real].mean()


def next_token_loss_filling_the_end(logits, ids, pad_id):
    labels = torch.full_like(ids, pad_id)
    labels[:, :-1] = ids[:, 1:]
    losses = -logits.log_softmax(dim=-1).gather(2, labels.unsqueeze(2)).squeeze(2)
    return losses[labels != pad_id].mean()


def next_token_loss_in_loops(logits, ids, pad_id):
    losses = []
    for rows, words in zip(logits, ids, strict=True):
        for place in range(len(words) - 1):
            if words[place + 1] != pad_id:
                losses.append(-rows[place].log_softmax(dim=0)[words[place + 1]])
    return torch.stack(losses).mean()


def counted_places_repaired(labels, eos_id):
    ends = (labels == eos_id).cumsum(dim=1)
    return (labels != eos_id) | (ends == 1)


def counted_places_moved_by_one(labels, eos_id):
    before = torch.zeros_like(labels, dtype=torch.bool)
    before[:, 1:] = (labels == eos_id)[:, :-1].cumsum(dim=1) > 0
    return ~before


def counted_places_in_loops(labels, eos_id):
    rows = []
    for row in labels.tolist():
        length = row.index(eos_id) + 1 if eos_id in row else len(row)
        rows.append([place < length for place in range(len(row))])
    return torch.tensor(rows)
