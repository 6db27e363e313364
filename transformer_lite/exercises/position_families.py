"""Position families: distances in a score, slopes of a decoder, and two layouts mixed up."""

import math

import torch

from transformer_lite.exercises._exercise import Case, Exercise, Mistake
from transformer_lite.exercises._properties import GRADIENT
from transformer_lite.exercises._random import normal_numbers
from transformer_lite.positions import alibi_slopes, half_split_order, sinusoidal_frequencies

BUG_HUNTS = ("rotate_halves",)

_double = torch.float64
_normal = normal_numbers(11)
_TOKENS = torch.tensor([[1.0, 0, 1, 0], [0, 1, 0, 1], [1, 1, 1, 1]])


def _offset(tokens, limit=None):
    """Key position minus query position, clipped to ± limit: (T, T)."""
    place = torch.arange(len(tokens))
    offset = place[None, :] - place[:, None]
    return offset if limit is None else offset.clamp(-limit, limit)


def _shaw(query, key, vectors):
    limit = len(vectors) // 2
    return _shaw_with(query, key, vectors[_offset(query, limit) + limit])


def _shaw_with(query, key, chosen):
    """Scores with the vector chosen for each pair, shape (T, T, K)."""
    position = torch.einsum("tk,tsk->ts", query, chosen)
    return (query @ key.mT + position) / math.sqrt(query.shape[-1])


def _shaw_cases() -> tuple[Case, ...]:
    before, after = torch.tensor([0.0, 1, 0, 1]), torch.tensor([0.0, -1, 0, -1])
    worked = {
        "query": _TOKENS,
        "key": _TOKENS.clone(),
        "vectors": torch.stack([before, torch.zeros(4), after]),
    }

    def random(tokens, width, limit, **kind):
        shapes = {"query": (tokens, width), "key": (tokens, width)}
        inputs = {name: _normal(*shape, **kind) for name, shape in shapes.items()}
        return inputs | {"vectors": _normal(2 * limit + 1, width, **kind)}

    return (
        Case("The, CAT, SAT with c = 1", worked),
        Case("far offsets are clipped: T=6, K=4, c=2", random(6, 4, 2)),
        Case("the same in float64: T=7, K=2, c=1", random(7, 2, 1, dtype=_double)),
        Case("fewer tokens than vectors: T=2, K=6, c=3", random(2, 6, 3)),
        Case("one vector for all offsets: T=4, K=3, c=0", random(4, 3, 0)),
    )


def _shaw_unclipped(query, key, vectors):
    limit = len(vectors) // 2
    return _shaw_with(query, key, vectors[(_offset(query) + limit) % len(vectors)])


def _shaw_in_place(query, key, vectors):
    scores = _shaw(query, key, vectors)
    query /= 2
    return scores


def _shaw_asks_the_key(query, key, vectors):
    limit = len(vectors) // 2
    position = torch.einsum("sk,tsk->ts", key, vectors[_offset(query, limit) + limit])
    return (query @ key.mT + position) / math.sqrt(query.shape[-1])


_SHAW_MISTAKES = (
    Mistake(
        lambda q, k, a: _shaw(q, k, a.flip(0)),
        "The sign of the offset is turned round. An offset is key position minus query position, "
        "and row 0 of the vectors belongs to keys that stand before the query.",
    ),
    Mistake(
        lambda q, k, a: q @ k.mT / math.sqrt(q.shape[-1]),
        "This is the content part alone: the vectors are not used.",
    ),
    Mistake(
        lambda q, k, a: _shaw(q, k, a) - q @ k.mT / math.sqrt(q.shape[-1]),
        "This is the position part alone. Add it to the scores of query and key.",
    ),
    Mistake(
        lambda q, k, a: _shaw(q, k, a) * math.sqrt(q.shape[-1]),
        "The division by √K is missing.",
    ),
    Mistake(
        lambda q, k, a: _shaw(q, k, a * math.sqrt(q.shape[-1])),
        "Only the content is divided by √K. The vector is added to the key before the product, so "
        "its part is divided as well.",
    ),
    Mistake(
        _shaw_unclipped,
        "Far offsets run around to the other end of the vectors. A negative index counts from the "
        "end, and a remainder wraps: clip the offset first.",
    ),
    Mistake(
        lambda q, k, a: _shaw_with(q, k, a[_offset(q, len(a) // 2)]),
        "The offset itself serves as the row number, and a negative one counts from the end. Row 0 "
        "belongs to the offset −c: add c.",
    ),
    Mistake(
        lambda q, k, a: _shaw_with(q, k, a[_offset(q, len(a) // 2).abs() + len(a) // 2]),
        "The distance is taken without its sign: what comes before and what comes after share a "
        "vector.",
    ),
    Mistake(
        _shaw_asks_the_key,
        "The position part is the product of key and vector. In Shaw's score the vector stands "
        "beside the key, and it is the query that meets both.",
    ),
    Mistake(
        lambda q, k, a: _shaw(k, q, a),
        "Query and key have changed places.",
    ),
    Mistake(
        lambda q, k, a: _shaw(q, k, a).softmax(dim=-1),
        "These are weights. Return the scores, before the softmax.",
    ),
    Mistake(
        _shaw_in_place,
        "An operation such as /= on the query changes the caller's tensor. Write a new one.",
    ),
    Mistake(
        lambda q, k, a: _shaw(q, k, a).detach(),
        "The result has lost its gradient: detach, .data and numpy cut it off, and the vectors "
        "could never be learned.",
    ),
)


def _shaw_pair_by_pair(query, key, vectors):
    limit, width = len(vectors) // 2, query.shape[1]
    rows = []
    for i, q in enumerate(query):
        chosen = [vectors[max(-limit, min(limit, j - i)) + limit] for j in range(len(key))]
        rows.append((key + torch.stack(chosen)) @ q / width**0.5)
    return torch.stack(rows)


def _shaw_by_gathering(query, key, vectors):
    """Score every query with every vector first, then pick by offset."""
    limit = len(vectors) // 2
    every = query @ vectors.mT
    return (query @ key.mT + every.gather(1, _offset(query, limit) + limit)) / math.sqrt(
        query.shape[1]
    )


shaw_scores = Exercise(
    name="position_families.shaw_scores",
    reference=_shaw,
    cases=_shaw_cases(),
    mistakes=_SHAW_MISTAKES,
    right_answers=(_shaw_pair_by_pair, _shaw_by_gathering),
    hint_texts=(
        "Which offset has the pair of query 2 and key 0? Which row of the vectors belongs to it?",
        "Make the table of offsets, clip it to ±c, add c to get row numbers, and look the vectors "
        "up: that gives a tensor of shape (T, T, K).",
        "With place = torch.arange(T), the offset is place[None, :] - place[:, None]. Use "
        "offset.clamp(-c, c) + c as an index, and torch.einsum('tk,tsk->ts', query, chosen).",
    ),
    starter='''\
def shaw_scores(query, key, vectors):
    """Scores (T, T) with a vector for each clipped offset, over √K."""
    ...  # vectors (2c + 1, K) belong to the offsets −c, …, 0, …, c
''',
    properties=(GRADIENT,),
)


def _alibi(scores, slopes):
    distance = -_offset(scores[0])
    return (scores - slopes[:, None, None] * distance).masked_fill(distance < 0, -torch.inf)


def _alibi_cases() -> tuple[Case, ...]:
    worked = (_TOKENS @ _TOKENS.mT / 2).repeat(2, 1, 1)
    return (
        Case("The, CAT, SAT in 2 heads", {"scores": worked, "slopes": alibi_slopes(2)}),
        Case("3 heads, T=5", {"scores": _normal(3, 5, 5), "slopes": alibi_slopes(3)}),
        Case(
            "4 heads, T=4, so that heads and tokens can be confused",
            {"scores": _normal(4, 4, 4), "slopes": alibi_slopes(4)},
        ),
        Case(
            "steep slopes in float64, 2 heads, T=6",
            {
                "scores": _normal(2, 6, 6, dtype=_double),
                "slopes": torch.tensor([3.0, 0.7], dtype=_double),
            },
        ),
    )


def _alibi_in_place(scores, slopes):
    scores -= slopes[:, None, None] * -_offset(scores[0])
    return scores.masked_fill(_offset(scores[0]) > 0, -torch.inf)


def _hide(scores):
    return scores.masked_fill(_offset(scores[0]) > 0, -torch.inf)


_ALIBI_MISTAKES = (
    Mistake(
        lambda s, m: _hide(s - m[:, None, None] * _offset(s[0])),
        "The sign is wrong: the further back a key stands, the more it gains. The penalty is "
        "subtracted.",
    ),
    Mistake(
        lambda s, m: s + m[:, None, None] * _offset(s[0]),
        "The future is not hidden. Worse: it gets a bonus, as its offset has the other sign.",
    ),
    Mistake(
        lambda s, m: s - m[:, None, None] * _offset(s[0]).abs(),
        "The future is not hidden: this is the form for an encoder.",
    ),
    Mistake(
        lambda s, m: _hide(s),
        "The slopes are not used: this is the look-ahead mask alone.",
    ),
    Mistake(
        lambda s, m: _hide(s - m.mean() * _offset(s[0]).abs()),
        "All heads get the same slope. Each head has its own.",
    ),
    Mistake(
        lambda s, m: _alibi(s, m.flip(0)),
        "The slopes are in the reverse order: head 0 gets the first one.",
    ),
    Mistake(
        lambda s, m: _alibi(s, m / math.sqrt(s.shape[-1])),
        "The penalty is scaled. The scores are divided by √K before, and the penalty is not.",
    ),
    Mistake(
        lambda s, m: _hide(s * (1 - m[:, None, None] * _offset(s[0]).abs())),
        "The score is multiplied. A penalty that multiplies would help a key with a negative "
        "score: subtract it.",
    ),
    Mistake(
        lambda s, m: _hide(s - m[:, None, None] ** _offset(s[0]).abs()),
        "The slope is raised to the power of the distance. The penalty is linear: slope times "
        "distance.",
    ),
    Mistake(
        lambda s, m: _hide(s - m[:, None, None] * (_offset(s[0]).abs() + 1)),
        "A token has distance 0 to itself, and this counts 1. The softmax would not notice; a "
        "comparison does.",
    ),
    Mistake(
        lambda s, m: _hide(s - m[:, None, None] * torch.arange(s.shape[-1])),
        "The penalty is slope times position, not slope times distance.",
    ),
    Mistake(
        lambda s, m: _alibi(s, m).softmax(dim=-1),
        "These are weights. Return the scores, before the softmax.",
    ),
    Mistake(
        _alibi_in_place,
        "An operation such as -= changes the caller's scores. Write a new tensor.",
    ),
)


def _alibi_head_by_head(scores, slopes):
    size = scores.shape[-1]
    out = torch.full_like(scores, -torch.inf)
    for head, slope in enumerate(slopes):
        for i in range(size):
            for j in range(i + 1):
                out[head, i, j] = scores[head, i, j] - slope * (i - j)
    return out


def _alibi_by_mask(scores, slopes):
    place = torch.arange(scores.shape[-1], dtype=scores.dtype)
    bias = torch.einsum("h,ts->hts", slopes, place[None, :] - place[:, None])
    hidden = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
    return torch.where(hidden, -torch.inf, scores + bias)


alibi_scores = Exercise(
    name="position_families.alibi_scores",
    reference=_alibi,
    cases=_alibi_cases(),
    mistakes=_ALIBI_MISTAKES,
    right_answers=(_alibi_head_by_head, _alibi_by_mask),
    hint_texts=(
        "What must be subtracted from the score of query 2 and key 0, in the first head?",
        "Make the table of distances, query position minus key position. Give the slopes two more "
        "axes, so that they multiply the whole table of their head.",
        "With place = torch.arange(T), distance = place[:, None] - place[None, :]. Subtract "
        "slopes[:, None, None] * distance and fill where distance < 0.",
    ),
    starter='''\
def alibi_scores(scores, slopes):
    """Scores (H, T, T) after the penalty of each head; the future is -inf."""
    ...  # slopes (H,) are positive
''',
)


def _rotate_halves(x, angles):
    first, second = x.chunk(2, dim=-1)
    cos, sin = angles.cos(), angles.sin()
    return torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)


def _rotate_cases() -> tuple[Case, ...]:
    def at(places, width, dtype=torch.float32):
        speeds = sinusoidal_frequencies(width)
        return (torch.tensor(places, dtype=_double)[:, None] * speeds).to(dtype)

    query_and_key = torch.tensor([[2.0, 3, 4, 1], [1, 0, 1, 0]])
    return (
        Case("the query and key at 1 and 0", {"x": query_and_key, "angles": at([1, 0], 4)}),
        Case("positions 5, 0, 9: T=3, K=8", {"x": _normal(3, 8), "angles": at([5.0, 0.0, 9.0], 8)}),
        Case(
            "far positions in float64: T=5, K=6",
            {
                "x": _normal(5, 6, dtype=_double),
                "angles": at([100, 101, 7, 3000, 2], 6, _double),
            },
        ),
        Case("any angles: T=4, K=10", {"x": _normal(4, 10), "angles": _normal(4, 5)}),
    )


def _cross(x):
    first, second = x.chunk(2, dim=-1)
    return torch.cat([-second, first], dim=-1)


def _with_mixed_layouts(x, angles):
    cos, sin = (part.repeat_interleave(2, dim=-1) for part in (angles.cos(), angles.sin()))
    return x * cos + _cross(x) * sin


def _twice(angles):
    return torch.cat([angles, angles], dim=-1)


def _interleaved(x, angles):
    order = half_split_order(x.shape[-1])
    return _rotate_halves(x[:, order], angles)[:, order.argsort()]


def _rotate_in_place(x, angles):
    first, second = x.chunk(2, dim=-1)
    cos, sin = angles.cos(), angles.sin()
    x[:, : angles.shape[1]] = first * cos - second * sin
    x[:, angles.shape[1] :] = first * sin + second * cos
    return x


_ROTATE_MISTAKES = (
    Mistake(
        _with_mixed_layouts,
        "Two layouts are mixed. The angles are repeated for neighboring pairs, 0, 0, 1, 1, …, "
        "while the entries are crossed by halves. Entry i and entry i + K/2 need the same angle.",
    ),
    Mistake(
        _interleaved,
        "Neighbors are paired, (0, 1), (2, 3), … This is a rotation, in the layout of the paper. "
        "Here entry i belongs to entry i + K/2.",
    ),
    Mistake(
        lambda x, a: _rotate_halves(x, -a),
        "The rotation runs backwards: the sine of the first half must have a minus sign, and that "
        "of the second half none.",
    ),
    Mistake(
        lambda x, a: x * _twice(a).cos() + torch.cat([*x.chunk(2, -1)[::-1]], -1) * _twice(a).sin(),
        "A minus sign is missing: without it this is no rotation, and lengths change.",
    ),
    Mistake(
        lambda x, a: _rotate_halves(x, a.flip(-1)),
        "The angles are in the reverse order: pair 0 turns by angles[:, 0].",
    ),
    Mistake(
        lambda x, a: _rotate_halves(x, a.deg2rad()),
        "The angles are radians already. Do not convert them.",
    ),
    Mistake(
        lambda x, a: _rotate_halves(x, a[:, :1]),
        "All pairs turn by the first angle. Each pair has a speed of its own.",
    ),
    Mistake(
        lambda x, a: x * _twice(a).cos(),
        "The sine is missing: each entry is shrunk, and nothing turns.",
    ),
    Mistake(
        lambda x, a: x + torch.cat([a.sin(), a.cos()], dim=-1),
        "Sines and cosines are added. That is the sinusoidal scheme: RoPE multiplies.",
    ),
    Mistake(
        lambda x, a: _rotate_halves(x, a)[:, half_split_order(x.shape[-1]).argsort()],
        "The right numbers in the wrong columns: the result is in the other layout.",
    ),
    Mistake(
        _rotate_in_place,
        "Assigning to x[...] overwrites the caller's tensor, and with it the entries that the "
        "second line still needs.",
    ),
    Mistake(
        lambda x, a: torch.from_numpy(_rotate_halves(x, a).detach().numpy()),
        "The result has lost its gradient on the way through numpy or detach.",
    ),
)


def _rotate_by_complex_numbers(x, angles):
    first, second = x.chunk(2, dim=-1)
    turned = torch.complex(first, second) * torch.polar(torch.ones_like(angles), angles)
    return torch.cat([turned.real, turned.imag], dim=-1)


rotate_halves = Exercise(
    name="position_families.rotate_halves",
    reference=_rotate_halves,
    cases=_rotate_cases(),
    mistakes=_ROTATE_MISTAKES,
    right_answers=(
        _rotate_by_complex_numbers,
        lambda x, a: x * _twice(a).cos() + _cross(x) * _twice(a).sin(),
    ),
    hint_texts=(
        "Take K = 4. Entry 0 is crossed with entry 2. Which angle does the cosine of entry 0 use, "
        "and which one that of entry 2?",
        "repeat_interleave gives 0, 0, 1, 1: the angles of neighboring pairs. Halves need 0, 1, "
        "0, 1.",
        "Write torch.cat([angles.cos(), angles.cos()], dim=-1), and the same with sin. The other "
        "lines are right.",
    ),
    starter='''\
def rotate_halves(x, angles):
    """Turn the pairs (i, i + K/2) of x (T, K) by angles (T, K/2)."""
    cos = angles.cos().repeat_interleave(2, dim=-1)
    sin = angles.sin().repeat_interleave(2, dim=-1)
    first, second = x.chunk(2, dim=-1)
    crossed = torch.cat([-second, first], dim=-1)
    return x * cos + crossed * sin
''',
    properties=(GRADIENT,),
)
