"""Everything the live examples load: prepared once, checked, and laid into `docs/assets/live/`.

`prepare` is all there is to call, with or without MkDocs. Each file gets a folder named after its content,
so that a new deployment never mixes with an old cache; pages name the files that belong together.
"""

from __future__ import annotations

import gzip
import io
import json
import shutil
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from optim_ref_docs import bundle, bytecode, image, project, shortened
from optim_ref_docs.sources import source
from optim_ref_docs.store import AssetError, code_of, derive, forget_unused, keep, obtain, sha256
from optim_ref_docs.wheel import build_wheel, lock_file
from optim_ref_docs.wheel import inputs as wheel_inputs

FOLDER = Path("docs/assets/live")
CURRENT = "current.json"
WORKER = "pyodide-worker.js"
PAGE_FILES = ("index.js", "live.css")
SCRIPTS = ("index.js", "plot.js", "exercises.js", "code-editor.js", "search-on-demand.js")
EARLIEST = (1980, 1, 1, 0, 0, 0)


def prepare(root: Path) -> dict[str, Any]:
    """Make or fetch every asset of the project at `root` and lay out those that changed.

    Returns:
        What `current` returns afterwards.

    Raises:
        AssetError: An asset is missing or has the wrong SHA-256; the message names it and the sources tried.
    """
    widgets = root / "widgets"
    runtime = runtime_files(widgets)
    wheel_name, wheel = _wheel(root)
    standard_library = bytecode.compiled(widgets, runtime, "python_stdlib.zip", "/lib/python314.zip")
    numpy_name = next(name for name in runtime if name.startswith("numpy-"))
    numpy = bytecode.compiled(widgets, runtime, numpy_name, "/lib/python3.14/site-packages")
    lock = derive(
        [runtime["pyodide-lock.json"].read_bytes(), numpy, wheel, code_of("wheel.py")],
        lambda: lock_file(runtime["pyodide-lock.json"].read_bytes(), sha256(numpy), wheel_name, wheel),
    )
    archives = {
        "python_stdlib.zip": standard_library,
        numpy_name: numpy,
        wheel_name: wheel,
        "examples.zip": _archive(widgets, example_files(widgets)),
    }
    files = {
        "pyodide.asm.wasm": runtime["pyodide.asm.wasm"].read_bytes(),
        "pyodide-lock.json": lock,
    } | archives
    fast = image.native_modules(widgets, numpy) | {image.NAME: image.image(widgets, runtime, archives)}
    needs = {
        "image": [WORKER, "pyodide.asm.wasm", *fast],
        "plain": [WORKER, *files],
        "rest": ["python_stdlib.zip", numpy_name],
    }
    prepared = _lay_out(root / FOLDER, files | fast, needs, _scripts(widgets, runtime), wheel_name)
    forget_unused()
    return prepared


def current() -> dict[str, Any]:
    """What was prepared last.

    Returns:
        The `runtime` to name in a page (its files, and which of them each purpose needs), the `download` in
        bytes (what a start from the image takes, `plain` and as `gzip` sends it), the project's `wheel`, and
        under `page` the addresses of `index.js` and `live.css`.
    """
    path = project.root() / FOLDER / CURRENT
    if not path.exists():
        raise AssetError(f"{path} is missing: run python -m optim_ref_docs prepare")
    prepared: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return prepared


def runtime_files(widgets: Path) -> dict[str, Path]:
    pinned = json.loads((widgets / "runtime.json").read_text(encoding="utf-8"))
    return {
        file["name"]: obtain(file["name"], file["sha256"], [source(entry) for entry in file["sources"]])
        for file in pinned["files"]
    }


def _wheel(root: Path) -> tuple[str, bytes]:
    """The project's wheel, built again only when one of the files that go into it has changed."""
    files = wheel_inputs(root)
    named = [f"{path.relative_to(root)}\n".encode() + path.read_bytes() for path in files]

    def make() -> bytes:
        name, data = build_wheel(root)
        return name.encode() + b"\n" + data

    name, _, data = derive([*named, code_of("wheel.py")], make).partition(b"\n")
    return name.decode(), data


def example_files(widgets: Path) -> list[Path]:
    """The Python files that the worker has beside the package: the examples, and what runs them."""
    return sorted(path for package in ("live", "examples") for path in (widgets / package).rglob("*.py"))


def _archive(folder: Path, files: Iterable[Path]) -> bytes:
    """A zip of some files below a folder, the same bytes for the same files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files:
            member = zipfile.ZipInfo(path.relative_to(folder).as_posix(), EARLIEST)
            archive.writestr(member, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _scripts(widgets: Path, runtime: dict[str, Path]) -> dict[str, bytes]:
    """The page's script and style sheet, and the worker with Pyodide's own two modules inside."""
    modules = [f"{path.name}\n".encode() + path.read_bytes() for path in bundle.inputs(widgets)]
    inputs = [*modules, code_of("bundle.py")]
    pyodide = [runtime[name].read_bytes() for name in shortened.sources(runtime)]
    styles = bundle.style_sheets(widgets)
    style_inputs = [path.read_bytes() for path in (*styles, *bundle.style_tools(widgets))]

    def script(name: str) -> bytes:
        return derive([name.encode(), *inputs], lambda: bundle.bundle(widgets, name, "iife"))

    def worker() -> bytes:
        with shortened.folder(runtime) as folder:
            return bundle.bundle(widgets, WORKER, "esm", folder)

    bundle.install_tools(widgets)
    return {
        "plotly.js": (widgets / "node_modules" / bundle.PLOTLY).read_bytes(),
        **{name: script(name) for name in SCRIPTS},
        "live.css": derive(
            [b"live.css", *style_inputs, code_of("bundle.py")],
            lambda: bundle.minified(widgets, styles),
        ),
        WORKER: derive([b"worker", *inputs, *pyodide, code_of("shortened.py")], worker),
    }


def _lay_out(
    folder: Path,
    files: dict[str, bytes],
    needs: dict[str, list[str]],
    scripts: dict[str, bytes],
    wheel_name: str,
) -> dict[str, Any]:
    placed = {name: _place(folder, name, data) for name, data in (files | scripts).items()}
    runtime = [_from_root(placed[name]) for name in (WORKER, *files)]
    prepared = {
        "runtime": {"files": runtime, "needs": needs},
        "figures": [_from_root(placed[name]) for name in ("plotly.js", "plot.js")],
        "editor": _from_root(placed["code-editor.js"]),
        "exercises": _from_root(placed["exercises.js"]),
        "search": _from_root(placed["search-on-demand.js"]),
        "download": _download([(files | scripts)[name] for name in needs["image"]]),
        "wheel": _from_root(placed[wheel_name]),
        "page": {name: _from_root(placed[name])["url"] for name in PAGE_FILES},
    }
    for name in PAGE_FILES:
        # For site builders that run no hooks: the same files under names that can be written in mkdocs.yml.
        _write(folder / name, scripts[name])
    _write(folder / CURRENT, json.dumps(prepared, indent=2).encode())
    _remove_others(folder, {place["url"].split("/")[0] for place in placed.values()})
    return prepared


def _download(files: list[bytes]) -> dict[str, int]:
    def compressed() -> bytes:
        return str(sum(len(gzip.compress(data, mtime=0)) for data in files)).encode()

    return {"plain": sum(map(len, files)), "gzip": int(derive([b"gzip", *files], compressed))}


def _remove_others(folder: Path, wanted: set[str]) -> None:
    """Remove what an earlier state of the project needed: all that is laid out goes into the site."""
    for path in folder.iterdir():
        if path.is_dir() and path.name not in wanted:
            shutil.rmtree(path)
        elif path.is_file() and path.name not in (*PAGE_FILES, CURRENT):
            path.unlink()


def _place(folder: Path, name: str, data: bytes) -> dict[str, Any]:
    """Write one file under its content's address, given relative to `folder`."""
    digest = sha256(data)
    # Servers know what to compress by the ending.
    ending = ".wasm" if name == image.NAME else ""
    url = f"{digest[:16]}/{name}{ending}"
    _write(folder / url, data)
    return {"name": name, "url": url, "sha256": digest, "size": len(data)}


def _from_root(placed: dict[str, Any]) -> dict[str, Any]:
    return placed | {"url": f"{FOLDER.relative_to('docs').as_posix()}/{placed['url']}"}


def _write(path: Path, data: bytes) -> None:
    """Write only what changed: a server that watches the folder must come to rest."""
    if not path.exists() or path.read_bytes() != data:
        keep(path, data)
