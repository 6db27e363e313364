"""What the start of an exercise asks for."""

import ast


def asked_for(starter: str) -> str:
    """Return the name of the function that a starter defines; it need not be the exercise's.

    >>> asked_for("def attention_weights(query, key):\\n    ...\\n")
    'attention_weights'
    """
    return next(n.name for n in ast.parse(starter).body if isinstance(n, ast.FunctionDef))


def is_whole(starter: str) -> bool:
    """Return whether a starter is a whole function that returns something, and so has a bug."""
    return any(isinstance(node, ast.Return) for node in ast.walk(ast.parse(starter)))
