"""Writing values as Python code, for the snippets that readers copy."""

from __future__ import annotations

from typing import Any


def tree_code(tree: Any) -> str:
    """A tree of arrays as the code that makes it; `inf` and `nan` are names the snippet defines.

    Examples:
        >>> import numpy as np
        >>> tree_code({"w": np.array([1.0, np.inf]), "b": None})
        "{'w': np.array([1.0, inf]), 'b': None}"
    """
    if isinstance(tree, dict):
        return "{" + ", ".join(f"{key!r}: {tree_code(item)}" for key, item in tree.items()) + "}"
    if isinstance(tree, list):
        return "[" + ", ".join(map(tree_code, tree)) + "]"
    return "None" if tree is None else f"np.array({tree.tolist()!r})"
