"""Trees: nested dicts, lists, tuples and None, with arrays and numbers as leaves.

The order of leaves is the one JAX uses: dict keys sorted, lists and tuples in their own order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from optim_ref._checks import shown

Tree = Any

__all__ = ["leaves", "map"]


def leaves(tree: Tree) -> list[Any]:
    r"""The leaves of a tree, in a fixed order.

    Dict keys come sorted, lists and tuples in their own order, and None holds no leaf, as in JAX. A
    leaf is a number or an array that follows the Python array API standard, so arrays of NumPy and of
    JAX alike. Anything else is refused, where JAX would take it for a leaf: above all a generator,
    which would be empty the second time it is read.

    Args:
        tree: Any nesting of dicts, lists, tuples and None around arrays and numbers.

    Returns:
        The leaves, as they stand in the tree.

    Raises:
        TypeError: If something in the tree is no dict, list, tuple, None, array or number, or keys of
            one dict cannot be sorted.

    Examples:
        >>> leaves({"w": [3.0, 0.0], "b": 4.0, "unused": None})
        [4.0, 3.0, 0.0]
    """
    return [leaf for _, leaf in named_leaves("tree", tree)]


def map(function: Callable[..., Any], tree: Tree, *rest: Tree) -> Tree:
    r"""A tree of the same structure, with `function` applied to every leaf.

    Further trees may be given: `function` then gets the leaf of each at the same place. Their
    structure must be that of the first, except that whatever stands beside a None of the first is
    left alone, so that a missing gradient may stand beside its parameter. Dicts come back with sorted
    keys, as in JAX; named tuples keep their class. The given trees are not changed.

    Args:
        function: Called with one leaf of each tree; its result is the new leaf.
        tree: The tree that gives the structure.
        rest: Further trees of the same structure.

    Returns:
        The new tree.

    Raises:
        TypeError: If something in the first tree is no dict, list, tuple, None, array or number.
        ValueError: If a further tree has other keys, another length or a leaf where the first has none.

    Examples:
        >>> map(lambda leaf: 2 * leaf, {"w": [3.0, 0.0], "b": 4.0})
        {'b': 8.0, 'w': [6.0, 0.0]}
        >>> map(max, [1.0, 5.0], [2.0, 3.0])
        [2.0, 5.0]
    """
    if tree is None:
        return None
    if isinstance(tree, dict):
        _same(tree, rest, lambda other: isinstance(other, dict) and other.keys() == tree.keys())
        return {k: map(function, tree[k], *(other[k] for other in rest)) for k in sorted(tree)}
    if isinstance(tree, list | tuple):
        _same(tree, rest, lambda other: isinstance(other, list | tuple) and len(other) == len(tree))
        children = [map(function, *group) for group in zip(tree, *rest, strict=True)]
        return type(tree)(*children) if hasattr(tree, "_fields") else type(tree)(children)
    _leaf("tree", tree)
    _same(tree, rest, _is_leaf)
    return function(tree, *rest)


def named_leaves(name: str, tree: Tree) -> Iterator[tuple[str, Any]]:
    """Every leaf with the expression that reaches it, such as `grads['w'][0]`, for messages."""
    if isinstance(tree, dict):
        for k in sorted(tree):
            yield from named_leaves(f"{name}[{k!r}]", tree[k])
    elif isinstance(tree, list | tuple):
        for i, child in enumerate(tree):
            yield from named_leaves(f"{name}[{i}]", child)
    elif tree is not None:
        yield name, _leaf(name, tree)


def _is_leaf(tree: Tree) -> bool:
    return isinstance(tree, int | float | complex) or hasattr(tree, "__array_namespace__")


def _leaf(name: str, tree: Tree) -> Any:
    if not _is_leaf(tree):
        raise TypeError(f"{name} = {shown(tree)} must be a dict, list, tuple, None, array or number")
    return tree


def _same(tree: Tree, rest: tuple[Tree, ...], fits: Callable[[Tree], bool]) -> None:
    for other in rest:
        if not fits(other):
            raise ValueError(f"trees differ in structure: {shown(other)} stands beside {shown(tree)}")
