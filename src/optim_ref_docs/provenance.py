"""`provenance.json`: what the site runs and lists, byte for byte, and what each of these files was made from.

Files are hashed as they lie in the docs folder. What each was made from is asked of the module that makes it,
which names the very files that decide, with its own code, whether it is made anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from optim_ref_docs import assets, bundle, bytecode, image, listings, shortened, wheel
from optim_ref_docs.links import LineLinks, listing_page
from optim_ref_docs.settings import Settings
from optim_ref_docs.store import AssetError, sha256

NAME = "provenance.json"
_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Origin:
    """The module that made a file, and from what: pinned files, other assets, files of the repository."""

    by: str
    pinned: tuple[str, ...] = ()
    assets: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    package: str = ""


def prepare(settings: Settings) -> None:
    """Write the file once the assets are laid out.

    Raises:
        AssetError: An asset is laid out of which nothing here says where it comes from.
    """
    text = json.dumps(content(settings), ensure_ascii=False, indent=1) + "\n"
    listings.write(settings.docs_folder / NAME, text)


def content(settings: Settings) -> dict[str, Any]:
    """All there is to say, as plain data."""
    root, widgets = settings.root, settings.root / "widgets"
    runtime = assets.runtime_files(widgets)
    laid_out = {path.name: path for path in sorted((root / assets.FOLDER).glob("*/*"))}
    origins = _origins(root, runtime, list(laid_out))
    if unknown := laid_out.keys() - origins.keys():
        raise AssetError(f"{NAME}: {__name__} does not say what {', '.join(sorted(unknown))} is made from")
    listed = {file.path: root / file.path for file in listings.listed(listings.load_catalogue(settings))}
    used = {path.relative_to(root).as_posix(): path for name in laid_out for path in origins[name].files}
    links = LineLinks.of_environment(root)
    return {
        "format": "optim-ref-provenance/1",
        "repository": {"url": links.repo_url, "commit": links.commit},
        "pinned": {entry["name"]: _pinned(entry, runtime[entry["name"]]) for entry in _entries(widgets)},
        "assets": {name: _asset(path, origins[name], settings) for name, path in laid_out.items()},
        "files": {
            name: _measured(path)
            | ({"url": _page(name)} if name in listed else {})
            | ({"differs_from_commit": True} if links.commit and name in links.changed else {})
            for name, path in sorted((used | listed).items())
        },
    }


def _entries(widgets: Path) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = json.loads((widgets / "runtime.json").read_bytes())["files"]
    return entries


def _origins(root: Path, runtime: Iterable[str], names: list[str]) -> dict[str, Origin]:
    """Where every asset comes from, by its name."""
    widgets, pinned = root / "widgets", tuple(runtime)
    numpy = next(name for name in pinned if name.startswith("numpy-"))
    project_wheel = next(name for name in names if name.endswith(".whl") and name != numpy)
    archives = ("python_stdlib.zip", numpy, project_wheel, "examples.zip")
    compiled = Origin("bytecode.py", pinned=pinned, files=tuple(bytecode.scripts(widgets)))
    return {
        "pyodide.asm.wasm": Origin("assets.py", pinned=("pyodide.asm.wasm",)),
        "python_stdlib.zip": compiled,
        numpy: compiled,
        project_wheel: Origin("wheel.py", files=tuple(wheel.inputs(root))),
        "pyodide-lock.json": Origin("wheel.py", ("pyodide-lock.json",), (numpy, project_wheel)),
        "examples.zip": Origin("assets.py", files=tuple(assets.example_files(widgets))),
        f"{image.NAME}.wasm": Origin("image.py", pinned, archives, tuple(image.scripts(widgets))),
        **{name: Origin("image.py", assets=(numpy,)) for name in image.native_names(widgets)},
        **_scripts(widgets, pinned),
    }


def _scripts(widgets: Path, pinned: tuple[str, ...]) -> dict[str, Origin]:
    made = Origin("bundle.py", files=tuple(bundle.inputs(widgets)))
    styles = (*bundle.style_sheets(widgets), *bundle.style_tools(widgets))
    lock = widgets / bundle.LOCK
    package = bundle.PLOTLY.partition("/")[0]
    version = json.loads(lock.read_bytes())["packages"][f"node_modules/{package}"]["version"]
    return {
        **dict.fromkeys(assets.SCRIPTS, made),
        assets.WORKER: Origin("bundle.py", pinned=tuple(shortened.sources(pinned)), files=made.files),
        "live.css": Origin("bundle.py", files=styles),
        "plotly.js": Origin("assets.py", files=(lock,), package=f"{package}@{version}"),
    }


def _asset(path: Path, origin: Origin, settings: Settings) -> dict[str, Any]:
    parts: dict[str, list[str]] = {
        "pinned": list(origin.pinned),
        "assets": list(origin.assets),
        "files": [file.relative_to(settings.root).as_posix() for file in origin.files],
        "npm": [origin.package] if origin.package else [],
    }
    return {
        "url": path.relative_to(settings.docs_folder).as_posix(),
        **_measured(path),
        "made_by": f"{_HERE.name}/{origin.by}",
        "made_from": {kind: names for kind, names in parts.items() if names},
    }


def _pinned(entry: dict[str, Any], path: Path) -> dict[str, Any]:
    """A file of the runtime: the sources are where it may be had, but its hash decides what it is."""
    return _measured(path) | {"sources": [_without_host(source) for source in entry["sources"]]}


def _without_host(source: dict[str, str]) -> dict[str, str]:
    """No file of the site names another host: a mirror serves the same bytes."""
    return {kind: urlsplit(text).path if kind == "url" else text for kind, text in source.items()}


def _measured(path: Path) -> dict[str, Any]:
    data = path.read_bytes()
    return {"sha256": sha256(data), "size": len(data)}


def _page(path: str) -> str:
    """Address of a file's listing in the site."""
    return f"{listing_page(path).removesuffix('.md')}/"
