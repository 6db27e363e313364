"""Read the starter code of an exercise."""

import ast


def function_name(starter: str) -> str:
    """Return the name of the function that a starter defines. The exercise may have another name.

    >>> function_name("def attention_weights(query, key):\\n    ...\\n")
    'attention_weights'
    """
    return next(n.name for n in ast.parse(starter).body if isinstance(n, ast.FunctionDef))


def is_complete(starter: str) -> bool:
    """Return whether a starter is a complete function, as in a bug hunt, and contains a return."""
    return any(isinstance(node, ast.Return) for node in ast.walk(ast.parse(starter)))
