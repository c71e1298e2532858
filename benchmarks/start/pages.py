"""The pages that are measured besides the site's own: stock Pyodide, the plain start, and the bare module."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from pathlib import Path
from typing import Any

from optim_ref_docs import assets

HERE = Path(__file__).parent
LIVE = Path("assets/live")
EXAMPLE = "adamw-one-step"


def make_pages(root: Path, site: Path, folder: Path) -> None:
    """Write into `folder` what is to be served beside the site built from `root`."""
    measured = (HERE / "measured.js").read_text()
    bench = folder / "bench"
    bench.mkdir()
    for script in HERE.glob("*-worker.mjs"):
        shutil.copy(script, bench)
    manifest = json.loads(_manifest_path(site).read_text())
    for page in ("stock.html", "bare.html"):
        text = (HERE / page).read_text()
        text = text.replace("ARCHIVES", json.dumps(_archives(manifest))).replace("TEXTS", json.dumps(_texts()))
        (bench / page).write_text(f"<!doctype html><script>{measured}</script>{text}")
    for name, path in assets.runtime_files(root / "widgets").items():
        (bench / "pyodide").mkdir(exist_ok=True)
        shutil.copy(path, bench / "pyodide" / name)
    page = (site / "adamw" / "index.html").read_text()
    element = re.search(r"<live-example name=.adamw-one-step.*?</live-example>", page, re.S)
    script = re.search(r'<script src="([^"]*live/[^"]*index.js)"', page)
    assert element and script
    (folder / "mini").mkdir()
    (folder / "mini" / "index.html").write_text(
        f"<!doctype html><script>{measured}</script><title>Mini</title>{element[0]}<script src='{script[1]}' defer></script>"
    )
    for name, changed in (("fast", page), ("plain", _without_image(page, manifest, folder))):
        (folder / name).mkdir()
        (folder / name / "index.html").write_text(changed.replace("<head>", f"<head><script>{measured}</script>", 1))


def _manifest_path(site: Path) -> Path:
    (path,) = (site / LIVE).glob("manifest-*.json")
    return path


def _archives(manifest: dict[str, Any]) -> list[str]:
    """The project's wheel and the examples, as every way to start unpacks them."""
    own = [file for file in manifest["files"] if file["name"].startswith(("optim_ref", "examples"))]
    return [f"../{LIVE}/{file['url']}" for file in own]


def _texts() -> dict[str, str]:
    from live.example import load

    return load(EXAMPLE).start()


def _without_image(page: str, manifest: dict[str, Any], folder: Path) -> str:
    """The page as it would be, had no image been taken."""
    needs = {purpose: names for purpose, names in manifest["needs"].items() if purpose != "image"}
    data = json.dumps(manifest | {"needs": needs}).encode()
    path = LIVE / "manifest-plain.json"
    (folder / path).parent.mkdir(parents=True)
    (folder / path).write_bytes(data)
    page = re.sub(r'data-manifest="[^"]*"', f'data-manifest="{path.as_posix()}"', page)
    return re.sub(
        r'data-manifest-sha256="[^"]*"', f'data-manifest-sha256="{hashlib.sha256(data).hexdigest()}"', page
    )
