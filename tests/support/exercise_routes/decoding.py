"""Right answers to the exercises of decoding by several routes."""

import torch


def nucleus_sorted(probabilities, p):
    ordered, order = torch.sort(probabilities, dim=1, descending=True)
    ordered = ordered.masked_fill(ordered.cumsum(dim=1) - ordered >= p, 0.0)
    kept = torch.empty_like(ordered).scatter_(1, order, ordered)
    return kept / kept.sum(dim=1, keepdim=True)


def nucleus_by_those_ahead(probabilities, p):
    ahead = torch.stack(
        [torch.stack([row[row > share].sum() for share in row]) for row in probabilities]
    )
    kept = torch.where(ahead < p, probabilities, torch.zeros_like(probabilities))
    return kept / kept.sum(-1, keepdim=True)


def nucleus_through_logits(probabilities, p):
    order = probabilities.argsort(dim=-1, descending=True)
    ordered = probabilities.gather(-1, order)
    gone = ordered.cumsum(dim=-1) - ordered >= p
    gone = torch.zeros_like(gone).scatter(-1, order, gone)
    return probabilities.log().masked_fill(gone, -torch.inf).softmax(dim=-1)


def extend_beams_flattened(log_probs, next_log_probs):
    totals = (log_probs[:, None] + next_log_probs).flatten()
    values, indices = totals.topk(len(log_probs))
    words = next_log_probs.shape[1]
    return torch.div(indices, words, rounding_mode="floor"), torch.remainder(indices, words), values


def extend_beams_in_loops(log_probs, next_log_probs):
    candidates = []
    for beam, so_far in enumerate(log_probs):
        for word, cost in enumerate(next_log_probs[beam]):
            candidates.append((float(so_far + cost), beam, word))
    best = sorted(candidates, reverse=True)[: len(log_probs)]
    scores = torch.tensor([score for score, _, _ in best], dtype=log_probs.dtype)
    return torch.tensor([b for _, b, _ in best]), torch.tensor([w for _, _, w in best]), scores


def extend_beams_through_probabilities(log_probs, next_log_probs):
    joint = torch.einsum("m,mv->mv", log_probs.exp(), next_log_probs.exp())
    indices = joint.flatten().argsort(descending=True)[: len(log_probs)]
    beams, words = indices // joint.shape[1], indices % joint.shape[1]
    return beams, words, log_probs[beams] + next_log_probs[beams, words]


def greedy_batch_repaired(next_logits, starts, eos_id, pad_id, max_len):
    tokens = starts[:, None]
    ended = torch.zeros(len(starts), dtype=torch.bool)
    while tokens.shape[1] < max_len and not ended.all():
        word = next_logits[tokens[:, -1]].argmax(dim=-1)
        word[ended] = pad_id
        ended |= word == eos_id
        tokens = torch.cat([tokens, word[:, None]], dim=1)
    return tokens


def greedy_batch_cut_afterwards(next_logits, starts, eos_id, pad_id, max_len):
    words = [starts]
    for _ in range(max_len - 1):
        words.append(next_logits[words[-1]].max(dim=1).indices)
    tokens = torch.stack(words, dim=1)
    ends = (tokens == eos_id).long()
    ends[:, 0] = 0
    behind = ends.cumsum(dim=1) - ends > 0
    tokens = tokens.masked_fill(behind, pad_id)
    return tokens[:, : int((~behind).sum(dim=1).max())]


def greedy_batch_with_a_list_of_the_living(next_logits, starts, eos_id, pad_id, max_len):
    tokens = torch.full((len(starts), max_len), pad_id)
    tokens[:, 0] = starts
    alive, length = list(range(len(starts))), 1
    while alive and length < max_len:
        for row in alive:
            tokens[row, length] = next_logits[tokens[row, length - 1]].argmax()
        alive = [row for row in alive if tokens[row, length] != eos_id]
        length += 1
    return tokens[:, :length]


def attend_to_cache_repaired(query, key, value):
    scores = query @ key.T / key.shape[-1] ** 0.5
    seen = torch.ones(len(query), len(key)).tril(len(key) - len(query)).bool()
    return scores.masked_fill(~seen, -torch.inf).softmax(dim=-1) @ value


def attend_to_cache_in_loops(query, key, value):
    rows = []
    for i in range(len(query)):
        seen = len(key) - len(query) + i + 1
        scores = (key[:seen] * query[i]).sum(dim=1) / query.shape[1] ** 0.5
        rows.append((scores.softmax(dim=0)[:, None] * value[:seen]).sum(dim=0))
    return torch.stack(rows)


def attend_to_cache_as_part_of_the_whole(query, key, value):
    before = len(key) - len(query)
    full = torch.cat([torch.zeros(before, query.shape[1], dtype=query.dtype), query])
    scores = (full @ key.mT / query.shape[1] ** 0.5).masked_fill(
        torch.triu(torch.ones(len(key), len(key)), diagonal=1).bool(), -torch.inf
    )
    return (torch.softmax(scores, dim=-1) @ value)[before:]
