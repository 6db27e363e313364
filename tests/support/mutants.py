"""Small mistakes put into a right function, one at a time: each mutant is a likely wrong answer."""

import ast
import contextlib
import inspect
import textwrap
from collections.abc import Callable, Iterator

import torch

_OPERATORS = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.Add),
    ast.Div: (ast.Mult,),
    ast.Pow: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
}
_NAMES = {
    **{"sum": ("mean",), "mean": ("sum",), "max": ("min",), "amax": ("amin",), "min": ("max",)},
    **{
        "sin": ("cos",),
        "cos": ("sin",),
        "exp": ("sigmoid",),
        "softmax": ("log_softmax", "sigmoid"),
    },
    **{"sqrt": ("square",), "rsqrt": ("sqrt",), "log": ("log10",), "tril": ("triu",)},
    **{"triu": ("tril",), "relu": ("gelu", "abs"), "stack": ("cat",), "tanh": ("sigmoid",)},
    **{"square": ("abs",), "masked_fill": ("masked_fill_",), "any": ("all",), "T": ("H",)},
}


def mutants(function: Callable) -> Iterator[tuple[str, Callable]]:
    """Every mutant of a function that still compiles, with what was changed in it."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    for node in ast.walk(tree):  # annotations are not mutated
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
    original = ast.unparse(tree)
    seen = {original}
    count = sum(1 for _ in ast.walk(tree))
    for place in range(count):
        for choice in range(40):
            copy = ast.parse(original)
            node = list(ast.walk(copy))[place]
            changes = list(_changes(copy, node))
            if choice >= len(changes):
                break
            changes[choice]()
            source = ast.unparse(ast.fix_missing_locations(copy))
            if source in seen:
                continue
            seen.add(source)
            with contextlib.suppress(SyntaxError):
                yield _difference(original, source), _compiled(source, function)


def _changes(tree: ast.AST, node: ast.AST) -> Iterator[Callable[[], None]]:
    """The changes that can be made at one node."""
    for other in _OPERATORS.get(type(getattr(node, "op", None)), ()):
        yield lambda other=other: setattr(node, "op", other())
    if isinstance(node, ast.Compare):
        for other in _OPERATORS.get(type(node.ops[0]), ()):
            yield lambda other=other: node.ops.__setitem__(0, other())
    if isinstance(node, ast.Constant):
        for value in _constants(node.value):
            yield lambda value=value: setattr(node, "value", value)
    if isinstance(node, ast.Attribute):
        for name in _NAMES.get(node.attr, ()):
            yield lambda name=name: setattr(node, "attr", name)
    if isinstance(node, ast.Call):
        for index in range(len(node.keywords)):
            yield lambda index=index: node.keywords.pop(index)
        if len(node.args) == 2:
            yield lambda: node.args.reverse()
    for field, value in ast.iter_fields(node):
        values = value if isinstance(value, list) else [value]
        for index, child in enumerate(values):
            for part in _simpler(tree, child):
                yield (
                    lambda f=field, v=value, i=index, p=part: (
                        v.__setitem__(i, p) if isinstance(v, list) else setattr(node, f, p)
                    )
                )
    if isinstance(node, ast.FunctionDef | ast.For):
        for index in range(len(node.body)):
            if len(node.body) > 1:
                yield lambda index=index: node.body.pop(index)


def _constants(value: object) -> tuple:
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        return value + 1, value - 1
    if isinstance(value, float):
        return value * 2, value / 2, -value, value + 1
    return ()


def _simpler(tree: ast.AST, child: object) -> Iterator[ast.expr]:
    """What may replace an expression: a part of it, or another argument."""
    if isinstance(child, ast.UnaryOp):
        yield child.operand
    if isinstance(child, ast.BinOp):
        yield from (child.left, child.right)
    if isinstance(child, ast.Call):
        if isinstance(child.func, ast.Attribute) and _is_value(child.func.value):
            yield child.func.value
        elif child.args and isinstance(child.args[0], ast.expr):
            yield child.args[0]
    if isinstance(child, ast.Attribute) and child.attr in ("T", "mT"):
        yield child.value
    if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Load):
        names = [a.arg for a in tree.body[0].args.args]  # type: ignore[attr-defined]
        if child.id in names:
            yield from (ast.Name(n, ast.Load()) for n in names if n != child.id)


def _is_value(node: ast.AST) -> bool:
    """Return whether what is before a dot is a value and not a module."""
    return not (isinstance(node, ast.Name) and node.id in ("torch", "F", "np", "math"))


def _compiled(source: str, function: Callable) -> Callable:
    names = dict(function.__globals__)
    exec(compile(source, "<mutant>", "exec"), names)
    return names[function.__name__]


def _difference(original: str, source: str) -> str:
    """The lines that are no longer what they were."""
    before, after = original.splitlines(), source.splitlines()
    return "; ".join(line.strip() for line in after if line not in before) or (
        "without " + "; ".join(line.strip() for line in before if line not in after)
    )


def can_be_changed(function: Callable) -> bool:
    """Return whether a function is written in a lesson, whole and at the top of its module."""
    is_plain = inspect.isfunction(function) and function.__name__ != "<lambda>"
    return is_plain and not function.__closure__ and function.__module__.startswith("lessons.")


def wrappers() -> dict[str, Callable]:
    """What may go wrong at the very end of any answer that is a tensor."""
    return {
        "squeeze()": lambda y: y.squeeze(),
        "squeeze(0)": lambda y: y.squeeze(0),
        "squeeze(-1)": lambda y: y.squeeze(-1),
        "unsqueeze(0)": lambda y: y.unsqueeze(0),
        "flatten()": lambda y: y.flatten(),
        "float()": lambda y: y.float(),
        "double()": lambda y: y.double(),
        "half()": lambda y: y.half(),
        "long()": lambda y: y.long(),
        "abs()": lambda y: y.abs(),
        "-": lambda y: ~y if y.dtype == torch.bool else -y,
        "flip(0)": lambda y: y.flip(0),
        "flip(-1)": lambda y: y.flip(-1),
        "roll(1)": lambda y: y.roll(1),
        "transposed": lambda y: y.transpose(0, -1),
        "round": lambda y: y.round(decimals=2) if y.is_floating_point() else ~y,
        "* 1.01": lambda y: y * 1.01,
        "+ 0.01": lambda y: y + 0.01,
        "clamp": lambda y: y.clamp(-1, 1) if y.is_floating_point() else y & False,
        "[:1]": lambda y: y[:1],
        "[..., :1]": lambda y: y[..., :1],
        "first row everywhere": lambda y: y[:1].expand_as(y),
        "first column everywhere": lambda y: y[..., :1].expand_as(y),
        "tolist()": lambda y: y.tolist(),
        "numpy()": lambda y: y.detach().numpy(),
        "tuple": lambda y: (y,),
        "zeros": lambda y: torch.zeros_like(y),
    }
