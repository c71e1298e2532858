"""Replace the modules of an archive by their bytecode. Runs inside Pyodide, under Node.js, at build."""

import ast
import importlib.util
import marshal
import zipfile

from short_lines import with_short_lines

# What importing never reads: tests, type stubs, C headers and static libraries.
UNUSED_FOLDERS = ("/tests/", "/include/", "/lib/pkgconfig/")
UNUSED_ENDINGS = (".pyi", ".a", ".h", ".pxd")
SAME_TIME_ALWAYS = (1980, 1, 1, 0, 0, 0)
HASHED_AND_UNCHECKED = (0b01).to_bytes(4, "little")


def compile_archive(source: str, destination: str, prefix: str) -> None:
    """Write `destination` with a `.pyc` in place of each `.py`, in the same order and with fixed times."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(destination, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name.endswith(UNUSED_ENDINGS) or any(folder in name for folder in UNUSED_FOLDERS):
                continue
            data, member = old.read(name), name
            if name.endswith(".py"):
                data, member = bytecode(data, f"{prefix}/{name}"), f"{name}c"
            new.writestr(zipfile.ZipInfo(member, SAME_TIME_ALWAYS), data, zipfile.ZIP_DEFLATED, 9)


def bytecode(source: bytes, path: str) -> bytes:
    """A `.pyc` file as PEP 552 lays it out, unchecked: there is no source beside it that could be newer."""
    code = with_short_lines(compile(without_docstrings(source), path, "exec", dont_inherit=True))
    header = importlib.util.MAGIC_NUMBER + HASHED_AND_UNCHECKED + importlib.util.source_hash(source)
    return header + marshal.dumps(code)


def without_docstrings(source: bytes) -> ast.Module:
    """The syntax tree with every docstring empty: else they fill an eighth of a started Python's memory.

    Empty rather than left out, as `-OO` would: that drops `assert` statements too, and some code adds to
    its `__doc__`. Left out are NumPy's calls that give a docstring to what is written in C.
    """
    tree = ast.parse(source)
    tree.body = [statement for statement in tree.body if not gives_docstring(statement)]
    for node in ast.walk(tree):
        match node:
            case (
                ast.Module(body=body)
                | ast.ClassDef(body=body)
                | ast.FunctionDef(body=body)
                | ast.AsyncFunctionDef(body=body)
            ):
                blank_docstring(body)
    return tree


def gives_docstring(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Name(id=name))):
            return name.startswith("add_newdoc")
    return False


def blank_docstring(body: list[ast.stmt]) -> None:
    match body:
        case [ast.Expr(value=ast.Constant(value=str()) as docstring), *_]:
            docstring.value = ""
