"""What the package may import, and which arithmetic its formulas may use."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import optim_ref

SOURCE = Path(optim_ref.__file__).parent
FORMULAS = ["adamw", "schedule", "clipping", "norms", "variants", "per_example", "_arrays"]
# Their last bits depend on the machine: dot products by length and host, powers of arrays by vector unit
FORBIDDEN = {
    "dot",
    "vdot",
    "matmul",
    "inner",
    "einsum",
    "tensordot",
    "vecdot",
    "linalg",
    "norm",
    "power",
    "float_power",
    "pow",
}
SCALAR_POWERS = {
    "self.beta1",
    "self.beta2",
    "float(total)",
    "entry",
} | {
    "float(info.eps)",
    "float(info.smallest_normal) / float(info.eps) ** 2",
    "float(info.max) * float(info.eps) ** 2",
}


def nodes(name):
    return list(ast.walk(ast.parse((SOURCE / f"{name}.py").read_text())))


def test_package_imports_nothing_but_numpy_and_the_standard_library():
    code = "import sys; import optim_ref; print(*{name.split('.')[0] for name in sys.modules})"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=SOURCE.parent
    )
    loaded = {name for name in run.stdout.split() if not name.startswith(("__", "_virtualenv", "_distutils"))}
    assert loaded - set(sys.stdlib_module_names) <= {"numpy", "optim_ref"}


@pytest.mark.parametrize("path", sorted(SOURCE.glob("*.py")), ids=lambda path: path.stem)
def test_modules_import_nothing_but_numpy_and_the_standard_library(path):
    imported = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add((node.module or "").split(".")[0])
    assert imported - set(sys.stdlib_module_names) <= {"numpy", "optim_ref"}


@pytest.mark.parametrize("name", FORMULAS)
def test_formulas_use_no_dot_product_and_no_power_of_an_array(name):
    for node in nodes(name):
        assert not isinstance(node, ast.MatMult)
        if isinstance(node, ast.Attribute):
            assert node.attr not in FORBIDDEN, ast.unparse(node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            assert ast.unparse(node.left) in SCALAR_POWERS, ast.unparse(node)


@pytest.mark.parametrize("name", FORMULAS)
def test_formulas_add_up_by_the_sum_of_the_array_library(name):
    for node in nodes(name):
        if isinstance(node, ast.Call):
            function = ast.unparse(node.func)
            assert function != "sum"
            if function.endswith((".sum", ".mean")):
                assert function in ("np.sum", "xp.sum")


def test_modules_are_small():
    lengths = {path.name: len(path.read_text().splitlines()) for path in SOURCE.glob("*.py")}
    assert {name: n for name, n in lengths.items() if n > 250} == {}


def test_public_names_are_where_they_are_said_to_be():
    assert all(hasattr(optim_ref, name) for name in optim_ref.__all__)
    assert optim_ref.chain.chain
    assert optim_ref.tree.leaves
