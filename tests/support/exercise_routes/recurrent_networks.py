"""Right answers to the exercises of recurrent networks by several routes."""

import torch


def last_state_kept_at_pads(x, real, w, u, b):
    h = x.new_zeros(len(x), len(b))
    for t in range(x.shape[1]):
        new = torch.tanh(x[:, t] @ w.T + h @ u.T + b)
        h = torch.where(real[:, t, None], new, h)
    return h


def last_state_gathered(x, real, w, u, b):
    h, states = x.new_zeros(len(x), len(b)), []
    for word in x.unbind(dim=1):
        h = torch.tanh(word @ w.T + h @ u.T + b)
        states.append(h)
    last = real.sum(dim=1) - 1
    return torch.stack(states, dim=1)[torch.arange(len(x)), last]


def last_state_by_sentence(x, real, w, u, b):
    ends = []
    for words, kept in zip(x, real, strict=True):
        h = b.new_zeros(len(b))
        for word in words[kept]:
            h = torch.tanh(w @ word + u @ h + b)
        ends.append(h)
    return torch.stack(ends)


def additive_context_by_softmax(state, annotations, real, w, u, v):
    energies = torch.tanh((state @ w.T)[:, None] + annotations @ u.T) @ v
    weights = energies.masked_fill(~real, -torch.inf).softmax(dim=1)
    return (weights[..., None] * annotations).sum(dim=1)


def additive_context_by_sentence(state, annotations, real, w, u, v):
    contexts = []
    for s, words, kept in zip(state, annotations, real, strict=True):
        h = words[kept]
        weights = (torch.tanh(w @ s + h @ u.T) @ v).softmax(dim=0)
        contexts.append(weights @ h)
    return torch.stack(contexts)


def additive_context_by_powers(state, annotations, real, w, u, v):
    energies = torch.tanh((state @ w.T)[:, None] + annotations @ u.T) @ v
    low = energies.masked_fill(~real, -torch.inf)
    powers = (low - low.amax(dim=1, keepdim=True)).exp()
    return (powers[:, None] @ annotations)[:, 0] / powers.sum(dim=1, keepdim=True)


def states_of_batches_repaired(batches, w, u):
    ends = []
    for batch in batches:
        h = batches.new_zeros(batches.shape[1], len(u))
        for t in range(batch.shape[1]):
            h = torch.tanh(batch[:, t] @ w.T + h @ u.T)
        ends.append(h)
    return torch.stack(ends)


def states_of_batches_as_one(batches, w, u):
    count, batch, places, width = batches.shape
    x = batches.reshape(count * batch, places, width)
    h = x.new_zeros(count * batch, len(u))
    for t in range(places):
        h = torch.tanh(x[:, t] @ w.T + h @ u.T)
    return h.view(count, batch, len(u))


def states_of_batches_by_sentence(batches, w, u):
    ends = []
    for batch in batches:
        for sentence in batch:
            h = w.new_zeros(w.shape[0])
            for word in sentence:
                h = torch.tanh(w @ word + u @ h)
            ends.append(h)
    return torch.stack(ends).view(batches.shape[0], batches.shape[1], -1)


def alignment_repaired(energies, real):
    hidden = energies.masked_fill(~real[:, None], -torch.inf)
    return hidden.softmax(dim=2)


def alignment_by_logarithms(energies, real):
    hidden = energies + torch.zeros_like(energies).masked_fill(~real.unsqueeze(1), -torch.inf)
    return (hidden - hidden.logsumexp(dim=-1, keepdim=True)).exp()


def alignment_by_sentence(energies, real):
    tables = []
    for table, kept in zip(energies, real, strict=True):
        weights = torch.zeros_like(table)
        weights[:, kept] = table[:, kept].softmax(dim=1)
        tables.append(weights)
    return torch.stack(tables)
