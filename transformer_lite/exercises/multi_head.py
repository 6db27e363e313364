"""Multi-head attention: a split that mixes the words up, the joining of heads, and the whole."""

import math

import torch

from transformer_lite import multi_head as package
from transformer_lite.attention import attention_steps
from transformer_lite.exercises._exercise import Case, Exercise, Mistake
from transformer_lite.exercises._properties import GRADIENT
from transformer_lite.exercises._random import normal_numbers

_double = torch.float64
_normal = normal_numbers(9)
_CODED = torch.tensor([[[10, 11, 12, 13], [20, 21, 22, 23], [30, 31, 32, 33]]]).float()


def _split_cases() -> tuple[Case, ...]:
    def draw(b, t, h, k, dtype=torch.float32):
        name = f"B={b}, T={t}, {h} heads of {k}{', float64' * (dtype == _double)}"
        return Case(name, {"x": _normal(b, t, h * k, dtype=dtype), "num_heads": h})

    return (
        Case("the coded numbers 10 to 33, two heads", {"x": _CODED, "num_heads": 2}),
        draw(2, 5, 3, 4),
        draw(4, 3, 2, 5, _double),
        draw(1, 6, 4, 2),
        draw(3, 2, 1, 4),
    )


def _viewed(x, h):
    return x.view(len(x), h, x.shape[1], -1)


def _split_with_exchanged_sizes(x, h):
    return x.reshape(*x.shape[:2], -1, h).transpose(1, 2)


_SPLIT_MISTAKES = (
    Mistake(
        _viewed,
        "The view writes the heads before the words without moving a number. Memory still holds "
        "word after word, so head 0 gets all of the first words and nothing of the last. Cut "
        "each word first, then exchange two axes.",
    ),
    Mistake(
        lambda x, h: x.view(*x.shape[:2], h, -1),
        "The words are cut, and the heads still stand behind them: the axes are (B, T, H, K). "
        "Attention runs over the last two, so it would compare the heads of one word.",
    ),
    Mistake(
        lambda x, h: x.view(*x.shape[:2], -1, h).permute(0, 3, 1, 2),
        "Each head takes every H-th feature, because the last axis was cut into (K, H). A head "
        "takes K features that lie side by side.",
    ),
    Mistake(
        _split_with_exchanged_sizes,
        "The sizes of the two new axes are exchanged: this makes K heads of width H.",
    ),
    Mistake(
        lambda x, h: _split(x, h).transpose(0, 1),
        "The heads stand before the batch. The batch stays the first axis: (B, H, T, K).",
    ),
    Mistake(
        lambda x, h: _split(x, h).mT,
        "Words and places are exchanged: the axes are (B, H, K, T). Exchange the heads and the "
        "words, and leave the last axis where it is.",
    ),
    Mistake(
        lambda x, h: _split(x, h).flip(1),
        "The heads come in reverse order: head 0 takes the first K features.",
    ),
    Mistake(
        lambda x, h: x[:, None].expand(-1, h, -1, -1),
        "Every head gets the whole width. A head gets K = D / H features of each word.",
    ),
)


def _split(x, num_heads):
    return package.split_heads(x, num_heads)


split_heads = Exercise(
    name="multi_head.split_heads",
    reference=package.split_heads,
    cases=_split_cases(),
    mistakes=_SPLIT_MISTAKES,
    right_answers=(
        lambda x, h: torch.stack(x.chunk(h, dim=-1), dim=1),
        lambda x, h: x.view(*x.shape[:2], h, -1).permute(0, 2, 1, 3).contiguous(),
    ),
    hint_texts=(
        "Print the result for the coded numbers. Which words does head 0 hold, and which should "
        "it hold?",
        "A view only names the axes anew; it cannot move the heads before the words. What names "
        "may the axes have while the words still stand first?",
        "View as (batch, tokens, num_heads, width // num_heads): that cuts each word. Then "
        "transpose(1, 2) brings the heads forward.",
    ),
    starter='''\
def split_heads(x, num_heads):
    """Cut each token into heads: (B, T, D) -> (B, H, T, K)."""
    batch, tokens, width = x.shape
    return x.view(batch, num_heads, tokens, width // num_heads)
''',
    properties=(GRADIENT,),
)


def _join_cases() -> tuple[Case, ...]:
    def draw(h, t, k, d, dtype=torch.float32):
        name = f"{h} heads, T={t}, K={k}, D={d}{', float64' * (dtype == _double)}"
        inputs = {"heads": _normal(h, t, k, dtype=dtype), "w_o": _normal(h * k, d, dtype=dtype)}
        return Case(name, inputs)

    exchange = torch.eye(4)[[0, 2, 1, 3]]
    coded = {"heads": package.split_heads(_CODED, 2)[0], "w_o": exchange}
    return (
        Case("the coded numbers in two heads; w_o exchanges two columns", coded),
        draw(3, 5, 2, 4),
        draw(2, 4, 5, 3, _double),
        draw(4, 2, 3, 7),
    )


def _join(heads, w_o):
    return package.merge_heads(heads[None])[0] @ w_o


def _join_by_blocks(heads, w_o):
    blocks = w_o.split(heads.shape[-1])
    return sum(head @ block for head, block in zip(heads, blocks, strict=True))


_JOIN_MISTAKES = (
    Mistake(
        lambda heads, w: heads.reshape(heads.shape[1], -1) @ w,
        "The heads are reshaped as they lie, head after head, so a row holds pieces of several "
        "words. Bring the words to the front first, then join.",
    ),
    Mistake(
        lambda heads, w: package.merge_heads(heads[None])[0],
        "The heads are joined, and w_o is missing: the result has no mixture of the heads.",
    ),
    Mistake(
        lambda heads, w: heads.permute(1, 2, 0).flatten(1) @ w,
        "The numbers of the heads alternate. A row holds all of head 0, then all of head 1.",
    ),
    Mistake(
        lambda heads, w: heads.sum(dim=0) @ w[: heads.shape[-1]],
        "The heads are added and only the first rows of w_o are used. They stand side by side, "
        "and each meets rows of its own.",
    ),
    Mistake(
        lambda heads, w: heads.mean(dim=0) @ w[: heads.shape[-1]],
        "The heads are averaged. That throws away what one head alone has found: join them side "
        "by side.",
    ),
    Mistake(
        lambda heads, w: _join(heads.flip(0), w),
        "The heads are joined in reverse order: head 0 belongs to the first rows of w_o.",
    ),
    Mistake(
        lambda heads, w: heads.flatten(0, 1) @ w,
        "The heads stand one above the other, H·T rows of width K. Put them side by side: T rows "
        "of width H·K, as many as w_o has rows.",
    ),
    Mistake(
        lambda heads, w: _join(heads, w).mT,
        "Words and features are exchanged: one row a word, (T, D).",
    ),
)

join_heads = Exercise(
    name="multi_head.join_heads",
    reference=_join,
    cases=_join_cases(),
    mistakes=_JOIN_MISTAKES,
    right_answers=(
        _join_by_blocks,
        lambda heads, w: torch.cat(list(heads), dim=-1) @ w,
    ),
    hint_texts=(
        "What is the shape of one joined row, and how many rows has w_o?",
        "Bring the tokens before the heads, make one row of what belongs to one token, and "
        "multiply.",
        "heads.transpose(0, 1) has shape (T, H, K), and flatten(1) makes (T, H*K) of it. The "
        "product with w_o, by @, is the rest.",
    ),
    starter='''\
def join_heads(heads, w_o):
    """Join heads (H, T, K) and project with w_o (H*K, D): -> (T, D)."""
    raise NotImplementedError
''',
    properties=(GRADIENT,),
)


def _attend(x, w_q, w_k, w_v, w_o, num_heads, mask, scale=None, split=_split):
    q, k, v = (split((x @ w)[None], num_heads) for w in (w_q, w_k, w_v))
    return package.merge_heads(attention_steps(q, k, v, mask, scale).output)[0] @ w_o


def _attend_cases() -> tuple[Case, ...]:
    def case(name, x, weights, num_heads, mask):
        w_q, w_k, w_v, w_o = weights
        inputs = {"x": x, "w_q": w_q, "w_k": w_k, "w_v": w_v, "w_o": w_o}
        return Case(name, {**inputs, "num_heads": num_heads, "mask": mask})

    def draw(t, h, k, dtype=torch.float32):
        """Random weights; each word is forbidden what its first head likes best."""
        x, d = _normal(t, h * k, dtype=dtype), h * k
        weights = [_normal(d, d, dtype=dtype) for _ in range(4)]
        first = (x @ weights[0])[:, :k] @ (x @ weights[1])[:, :k].mT
        mask = torch.ones(t, t, dtype=torch.bool).scatter(1, first.argmax(1, keepdim=True), False)
        name = f"T={t}, {h} heads of {k}, a key hidden{', float64' * (dtype == _double)}"
        return case(name, x, weights, h, mask)

    words = torch.tensor([[1, 0, 1, 0], [0, 1, 0, 1], [1, 1, 1, 1]]).float()
    chosen = torch.eye(4)[:, [0, 2, 1, 3]]
    look_ahead = torch.ones(3, 3).tril().bool()
    worked = [chosen, chosen, chosen, torch.eye(4)]
    return (
        case("The, CAT, SAT with two heads and the look-ahead mask", words, worked, 2, look_ahead),
        draw(5, 3, 2),
        draw(4, 2, 3, _double),
        draw(3, 4, 2),
    )


def _attend_one_by_one(x, w_q, w_k, w_v, w_o, num_heads, mask):
    parts = (w.chunk(num_heads, dim=1) for w in (w_q, w_k, w_v))
    heads = [
        attention_steps(x @ q, x @ k, x @ v, mask).output for q, k, v in zip(*parts, strict=True)
    ]
    return torch.cat(heads, dim=-1) @ w_o


def _attend_in_plain_products(x, w_q, w_k, w_v, w_o, num_heads, mask):
    q, k, v = ((x @ w).unflatten(1, (num_heads, -1)) for w in (w_q, w_k, w_v))
    scores = torch.einsum("thk,shk->hts", q, k) / math.sqrt(q.shape[-1])
    weights = scores.masked_fill(~mask, -torch.inf).softmax(dim=-1)
    return torch.einsum("hts,shk->thk", weights, v).flatten(1) @ w_o


def _attend_masked_after_softmax(x, w_q, w_k, w_v, w_o, h, mask):
    q, k, v = (_split((x @ w)[None], h) for w in (w_q, w_k, w_v))
    return package.merge_heads((attention_steps(q, k, v).weights * mask) @ v)[0] @ w_o


def _attend_masking_one_head(x, w_q, w_k, w_v, w_o, h, mask):
    every = torch.ones(1, h, *mask.shape, dtype=torch.bool)
    every[:, 0] = mask
    return _attend(x, w_q, w_k, w_v, w_o, h, every)


_ATTEND_MISTAKES = (
    Mistake(
        lambda *a: _attend(*a[:5], 1, a[6]),
        "This is one head of the whole width: num_heads is not used.",
    ),
    Mistake(
        lambda *a: _attend(*a, scale=1 / math.sqrt(a[0].shape[-1])),
        "The scores are divided by the root of the model's width D. A head compares vectors of "
        "width K = D / H: divide by √K.",
    ),
    Mistake(
        lambda *a: _attend(*a, scale=1.0),
        "The scores are not scaled. Divide them by √K, the root of the width of a head.",
    ),
    Mistake(
        lambda *a: _attend(*a, split=_viewed),
        "The split is a view without a transpose: a head gets pieces of several words, and words "
        "see what the mask forbids.",
    ),
    Mistake(
        lambda *a: _attend(*a[:6], None),
        "The mask is not used: forbidden words still get weight.",
    ),
    Mistake(
        lambda *a: _attend(*a[:6], ~a[6]),
        "The mask is the wrong way round. Here True means may attend.",
    ),
    Mistake(
        _attend_masked_after_softmax,
        "The mask is multiplied in after the softmax, so the weights left no longer sum to 1.",
    ),
    Mistake(
        _attend_masking_one_head,
        "Only head 0 is masked. What one head may not see, no head may see.",
    ),
    Mistake(
        lambda *a: _attend(*a[:4], torch.eye(len(a[4]), dtype=a[4].dtype), *a[5:]),
        "The heads are joined but not multiplied by w_o.",
    ),
    Mistake(
        lambda x, w_q, w_k, w_v, w_o, h, mask: _attend(x, w_k, w_q, w_v, w_o, h, mask),
        "Queries and keys are exchanged: w_q makes what asks, w_k makes what is compared.",
    ),
)

attend = Exercise(
    name="multi_head.attend",
    reference=_attend,
    cases=_attend_cases(),
    mistakes=_ATTEND_MISTAKES,
    right_answers=(_attend_one_by_one, _attend_in_plain_products),
    hint_texts=(
        "Which steps happen once for all heads, and which happen inside each head?",
        "Project x three times and cut the columns into num_heads slices. In each slice: scores, "
        "divided by the root of the slice's width, masked, softmax, mixture. Then join.",
        "tl.attention_steps(q, k, v, mask).output is one head. Give it slices such as "
        "(x @ w_q)[:, i*k:(i+1)*k], collect the outputs in a list, and return "
        "torch.cat(outputs, dim=-1) @ w_o.",
    ),
    starter='''\
def attend(x, w_q, w_k, w_v, w_o, num_heads, mask):
    """Multi-head self-attention of x (T, D); all weights are (D, D).

    mask (T, T): True = may attend, in every head. Returns (T, D).
    """
    raise NotImplementedError
''',
    properties=(GRADIENT,),
)

BUG_HUNTS = ("split_heads",)
