"""The memory image: a Python that has imported NumPy, the package and the examples, taken once at build.

In the page it takes the place of all that importing. See `widgets/memory-image.js` for what it is, and
`widgets/pyodide-internals.js` for what of Pyodide it rests on.
"""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from collections.abc import Collection, Mapping
from pathlib import Path

from optim_ref_docs import bundle, shortened
from optim_ref_docs.node import node
from optim_ref_docs.store import code_of, derive

NAME = "memory-image"
# The native modules that `import numpy` loads; they must lie in the page's Python before the image does.
NATIVE_MODULES = "native-modules.json"
SCRIPTS = ("file-names.js", "pyodide-internals.js", "memory-image.js", "image-start.js", NATIVE_MODULES)
BUILD_SCRIPTS = (
    "take-image.mjs",
    *shortened.BUILD_SCRIPTS,
    "sort-blocks.mjs",
    "same-every-time.mjs",
    "before_python.py",
    "take_image.py",
)


def native_names(widgets: Path) -> dict[str, str]:
    """The native modules by their names as files of their own: `_umath_linalg.wasm` and so on."""
    names: list[str] = json.loads((widgets / NATIVE_MODULES).read_bytes())
    return {f"{Path(name).name.partition('.')[0]}.wasm": name for name in names}


def native_modules(widgets: Path, numpy: bytes) -> dict[str, bytes]:
    """NumPy's native modules, out of its wheel."""
    with zipfile.ZipFile(io.BytesIO(numpy)) as wheel:
        return {name: wheel.read(member) for name, member in native_names(widgets).items()}


def scripts(widgets: Path) -> list[Path]:
    """The files that decide, with those that go into Python, what the image is."""
    built = (widgets / "build" / name for name in BUILD_SCRIPTS)
    return [*(widgets / name for name in SCRIPTS), *built, widgets / bundle.LOCK]


def image(widgets: Path, runtime: Mapping[str, Path], archives: Mapping[str, bytes]) -> bytes:
    """The image of the files at hand, from the cache where it has been taken before.

    Args:
        widgets: The project's `widgets` folder.
        runtime: The files of Pyodide, by name.
        archives: What goes into Python, in the order of `python_stdlib.zip`, NumPy, the project's wheel and
            the examples.
    """
    files = [path.read_bytes() for path in (*scripts(widgets), *runtime.values())]
    inputs = [*files, *archives.values(), code_of("image.py"), code_of("shortened.py")]
    return derive(inputs, lambda: _take(widgets, runtime, list(archives.values())))


def _take(widgets: Path, runtime: Mapping[str, Path], archives: list[bytes]) -> bytes:
    standard_library, numpy, wheel, examples = archives
    bundle.install_tools(widgets)
    with shortened.folder(runtime) as folder:
        shutil.copyfile(runtime["pyodide-lock.json"], folder / "pyodide-lock.json")
        (folder / "python_stdlib.zip").write_bytes(standard_library)
        (folder / "numpy.whl").write_bytes(numpy)
        for name, data in native_modules(widgets, numpy).items():
            (folder / name).write_bytes(data)
        (folder / "files.json").write_text(json.dumps(_texts(wheel) | _texts(examples)))
        _unpack_modules(numpy, native_names(widgets).values(), folder / "site-packages")
        out = folder / NAME
        node(str(widgets / "build" / "take-image.mjs"), str(folder), str(out))
        return out.read_bytes()


def _texts(archive: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return {name: opened.read(name).decode() for name in opened.namelist() if not name.endswith("/")}


def _unpack_modules(archive: bytes, natives: Collection[str], folder: Path) -> None:
    """Unpack compiled modules, and an empty file for each native module that is loaded beforehand."""
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        for name in opened.namelist():
            if name.endswith(".pyc"):
                opened.extract(name, folder)
            elif name in natives:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).touch()
