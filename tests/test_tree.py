"""Trees in JAX's order."""

from collections import OrderedDict, namedtuple

import jax
import numpy as np
import pytest

from optim_ref import tree

Pair = namedtuple("Pair", "first second")
TREES = [
    1.0,
    None,
    {},
    [],
    {"w": [3.0, 0.0], "b": 4.0},
    {"b": (1, [2, {"z": 3, "a": 4}]), "a": None, "c": ()},
    Pair(1.0, {"y": 2.0, "x": 3.0}),
    OrderedDict(z=1.0, a=2.0),
]


@pytest.mark.parametrize("nested", TREES[:-1])
def test_leaves_come_in_the_order_of_jax(nested):
    assert tree.leaves(nested) == jax.tree.leaves(nested)


@pytest.mark.parametrize("nested", TREES)
def test_map_keeps_the_structure(nested):
    doubled = tree.map(lambda leaf: 2 * leaf, nested)
    assert (
        doubled == nested
        if not tree.leaves(nested)
        else tree.leaves(doubled) == [2 * x for x in tree.leaves(nested)]
    )
    assert tree.map(lambda leaf: leaf, nested) == nested


def test_map_keeps_the_class_of_a_named_tuple_and_sorts_keys():
    assert tree.map(float, Pair(1, 2)) == Pair(1.0, 2.0)
    assert isinstance(tree.map(float, Pair(1, 2)), Pair)
    assert list(tree.map(float, {"w": 1, "b": 2})) == ["b", "w"]


def test_map_takes_further_trees_and_skips_what_stands_beside_none():
    assert tree.map(lambda a, b: a + b, {"x": 1, "y": None}, {"x": [9][0], "y": [1, 2]}) == {
        "x": 10,
        "y": None,
    }


def test_leaves_are_not_copied():
    array = np.ones(2)
    assert tree.leaves({"a": [array]})[0] is array


@pytest.mark.parametrize(
    "other",
    [
        {"a": 1.0},
        {"a": 1.0, "c": 1.0},
        [1.0, [1.0]],
        {"a": 1.0, "b": 1.0},
        {"a": [1.0], "b": [1.0]},
        {"a": 1.0, "b": [1.0, 2.0]},
    ],
)
def test_map_refuses_another_structure(other):
    with pytest.raises(ValueError, match="trees differ in structure"):
        tree.map(lambda a, b: a, {"a": 1.0, "b": [1.0]}, other)


@pytest.mark.parametrize("bad", ["text", {1.0}, (leaf for leaf in (1.0,)), object(), range(3)])
def test_leaves_refuse_what_is_neither_node_nor_leaf(bad):
    for function in (tree.leaves, lambda nested: tree.map(float, nested)):
        with pytest.raises(TypeError, match="must be a dict, list, tuple, None, array or number"):
            function({"a": [bad]})


def test_leaves_name_the_place_of_a_bad_leaf():
    with pytest.raises(TypeError, match=r"tree\['a'\]\[1\] = 'text'"):
        tree.leaves({"a": [1.0, "text"]})


def test_leaves_refuse_keys_that_cannot_be_sorted():
    with pytest.raises(TypeError):
        tree.leaves({"a": 1.0, 1: 2.0})
