"""Find the bug: a batch that stops when all rows end at once."""

from collections.abc import Callable

import torch
from torch import Tensor

from lessons.kit.exercises import Case, Draw, Exercise, Inputs, mistakes, normal_numbers

_normal = normal_numbers("decoding.greedy_batch")


def _decode(next_logits: Tensor, starts: Tensor, eos_id: int, pad_id: int, max_len: int) -> Tensor:
    tokens, writes = starts[:, None], torch.full_like(starts, True, dtype=torch.bool)
    while tokens.shape[1] < max_len and writes.any():
        best = next_logits[tokens[:, -1]].argmax(dim=-1)
        word = torch.where(writes, best, pad_id)
        writes = writes & (word != eos_id)
        tokens = torch.cat([tokens, word[:, None]], dim=1)
    return tokens


def _table(*following: int) -> Tensor:
    """Return logits in which each word has one best next word."""
    size = len(following)
    return torch.eye(size)[list(following)] * 4 - torch.arange(size) * 0.125


def _cases() -> tuple[Case, ...]:
    chain = _table(0, 3, 4, 5, 1, 2)  # 1 → 3 → 5 → 2, which ends; 4 → 1
    inputs = {
        "two rows, one ends a word before the other": (chain, [3, 1], 2, 0, 8),
        "three rows, with room for two words": (chain, [5, 4, 1], 2, 0, 4),
        "both rows end at once": (chain, [3, 3], 2, 0, 8),
        "one row": (chain, [4], 2, 0, 9),
        "no row ends in time": (_table(0, 3, 2, 1), [1, 3], 2, 0, 5),
        "pad_id=4, eos_id=0": (_table(1, 2, 0, 2, 4), [3, 1, 2], 0, 4, 7),
        "room for the start alone": (chain, [4, 1], 2, 0, 1),
        "random logits, V=7": (_normal(7, 7), [1, 3, 5, 6], 2, 0, 9),
        "another word would be likely after the pad": (_table(3, 3, 4, 5, 1, 2), [5, 4], 2, 0, 8),
    }
    return tuple(
        Case(
            name,
            {
                "next_logits": table,
                "starts": torch.tensor(starts),
                "eos_id": eos,
                "pad_id": pad,
                "max_len": room,
            },
        )
        for name, (table, starts, eos, pad, room) in inputs.items()
    )


def _all_at_once(
    next_logits: Tensor, starts: Tensor, eos_id: int, pad_id: int, max_len: int
) -> Tensor:
    tokens = starts[:, None]
    while tokens.shape[1] < max_len:
        word = next_logits[tokens[:, -1]].argmax(dim=-1)
        tokens = torch.cat([tokens, word[:, None]], dim=1)
        if (word == eos_id).all():
            break
    return tokens


def _until(over: Callable[[Tensor], Tensor]) -> Callable[..., Tensor]:
    """Decode without pads until `over` is True; it gets the positions of the end tokens."""

    def decode(
        next_logits: Tensor, starts: Tensor, eos_id: int, pad_id: int, max_len: int
    ) -> Tensor:
        tokens = starts[:, None]
        while tokens.shape[1] < max_len and not over(tokens[:, 1:] == eos_id):
            word = next_logits[tokens[:, -1]].argmax(dim=-1)
            tokens = torch.cat([tokens, word[:, None]], dim=1)
        return tokens

    return decode


def _padded_ends(
    next_logits: Tensor, starts: Tensor, eos_id: int, pad_id: int, max_len: int
) -> Tensor:
    """Fill in the pads only after checking which rows have ended."""
    tokens = _decode(next_logits, starts, eos_id, pad_id, max_len)
    written = tokens[:, 1:].masked_fill(tokens[:, 1:] == eos_id, pad_id)
    return torch.cat([tokens[:, :1], written], dim=1)


def _by_the_last_word(
    next_logits: Tensor, starts: Tensor, eos_id: int, pad_id: int, max_len: int
) -> Tensor:
    """Treat a row as ended only if its last word is the end token."""
    tokens = starts[:, None]
    while tokens.shape[1] < max_len and not (tokens[:, 1:] == eos_id).any(dim=1).all():
        word = next_logits[tokens[:, -1]].argmax(dim=-1)
        ended = tokens[:, 1:][:, -1:].eq(eos_id).any(dim=1)
        tokens = torch.cat([tokens, torch.where(ended, pad_id, word)[:, None]], dim=1)
    return tokens


_MISTAKES = mistakes(
    _all_at_once,
    "The loop stops only if all rows write the end token in the same step, and a row that has "
    "ended is still continued. Remember which rows have ended, and stop when all have.",
    _until(lambda ends: ends.any(dim=1).all()),
    "The loop stops at the right step, but a row that has ended is continued until the last one "
    "ends. Fill it with padding after its end token.",
    _until(lambda ends: ends.any()),
    "The loop stops when the first row ends. The others are cut off.",
    lambda table, starts, eos, pad, room: _decode(table, starts, eos, eos, room),
    "Rows that have ended are filled with the end token. Fill them with pad_id.",
    lambda table, starts, eos, pad, room: _decode(table, starts, eos, 0, room),
    "The rows are filled with 0. The caller says which id is the padding id: use pad_id.",
    _padded_ends,
    "The end token itself is overwritten by padding. Fill only rows that ended before this step, "
    "and check afterwards which rows end now.",
    lambda table, starts, eos, pad, room: _decode(table, starts, eos, pad, room + 1),
    "A row that does not end is one token too long. max_len includes the start token.",
    _by_the_last_word,
    "There is one pad after the end token, and then the row is continued: its last word shows only "
    "whether it ended in this step. Remember which rows have ended.",
)


def _row_by_row(
    next_logits: Tensor, starts: Tensor, eos_id: int, pad_id: int, max_len: int
) -> Tensor:
    rows = []
    for start in starts.tolist():
        row = [start]
        while len(row) < max_len and (len(row) == 1 or row[-1] != eos_id):
            row.append(int(next_logits[row[-1]].argmax()))
        rows.append(row)
    longest = max(map(len, rows))
    return torch.tensor([row + [pad_id] * (longest - len(row)) for row in rows])


def _masked(next_logits: Tensor, starts: Tensor, eos_id: int, pad_id: int, max_len: int) -> Tensor:
    words, ended = [starts], torch.zeros_like(starts, dtype=torch.bool)
    follower = next_logits.argmax(dim=1)
    for _ in range(max_len - 1):
        if ended.all():
            break
        words.append(follower[words[-1]].masked_fill(ended, pad_id))
        ended = ended | (words[-1] == eos_id)
    return torch.stack(words, dim=1)


def _draw(draw: Draw) -> Inputs:
    size = draw.size(4, 8)
    eos, pad = draw.choice((2, 0), (2, 0), (0, 3))
    starts = [
        draw.choice(*(i for i in range(size) if i not in (eos, pad))) for _ in range(draw.size())
    ]
    return draw.normal(size, size), torch.tensor(starts), eos, pad, draw.size(1, 9)


greedy_batch = Exercise(
    name="decoding.greedy_batch",
    reference=_decode,
    cases=_cases(),
    mistakes=_MISTAKES,
    right_answers=(_row_by_row, _masked),
    draw=_draw,
    hint_texts=(
        "Decode the first case by hand. What does the loop append in the next step to the row that "
        "has ended?",
        "Keep a boolean for each row: has it ended? Once it is True, it stays True.",
        "ended = ended | (word == eos_id) after each step; word = word.masked_fill(ended, pad_id) "
        "before it; stop when ended.all().",
    ),
    starter='''\
def greedy_batch(next_logits, starts, eos_id, pad_id, max_len):
    """Continue each start greedily: (V, V), (B,) -> (B, T)."""
    tokens = starts[:, None]
    while tokens.shape[1] < max_len:
        word = next_logits[tokens[:, -1]].argmax(dim=-1)
        tokens = torch.cat([tokens, word[:, None]], dim=1)
        if (word == eos_id).all():
            break
    return tokens
''',
)
