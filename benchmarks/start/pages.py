"""The pages that are measured besides the site's own: stock Pyodide, the plain start, and the bare module."""

from __future__ import annotations

import html
import json
import re
import shutil
from pathlib import Path
from typing import Any

from optim_ref_docs import assets

HERE = Path(__file__).parent
RUNTIME = re.compile(r'data-runtime="([^"]*)"')
EXAMPLE = "adamw-one-step"


def make_pages(root: Path, site: Path, folder: Path) -> None:
    """Write into `folder` what is to be served beside the site built from `root`."""
    measured = (HERE / "measured.js").read_text()
    bench = folder / "bench"
    bench.mkdir()
    for script in HERE.glob("*-worker.mjs"):
        shutil.copy(script, bench)
    page = (site / "adamw" / "index.html").read_text()
    runtime = json.loads(html.unescape(RUNTIME.search(page)[1]))
    for name in ("stock.html", "bare.html"):
        text = (HERE / name).read_text()
        text = text.replace("ARCHIVES", json.dumps(_archives(runtime))).replace("TEXTS", json.dumps(_texts()))
        (bench / name).write_text(f"<!doctype html><script>{measured}</script>{text}")
    for name, path in assets.runtime_files(root / "widgets").items():
        (bench / "pyodide").mkdir(exist_ok=True)
        shutil.copy(path, bench / "pyodide" / name)
    element = re.search(r"<live-example name=.adamw-one-step.*?</live-example>", page, re.S)
    script = re.search(r'<script src="([^"]*live/[^"]*index.js)"', page)
    assert element and script
    (folder / "mini").mkdir()
    (folder / "mini" / "index.html").write_text(
        f"<!doctype html><script>{measured}</script><title>Mini</title>{element[0]}<script src='{script[1]}' defer></script>"
    )
    for name, changed in (("fast", page), ("plain", _without_image(page, runtime))):
        (folder / name).mkdir()
        (folder / name / "index.html").write_text(
            changed.replace("<head>", f"<head><script>{measured}</script>", 1)
        )


def _archives(runtime: dict[str, Any]) -> list[str]:
    """The project's wheel and the examples, as every way to start unpacks them."""
    own = [file for file in runtime["files"] if file["name"].startswith(("optim_ref", "examples"))]
    return [f"../{file['url']}" for file in own]


def _texts() -> dict[str, str]:
    from live.example import load

    return load(EXAMPLE).start()


def _without_image(page: str, runtime: dict[str, Any]) -> str:
    """The page as it would be, had no image been taken."""
    needs = {purpose: names for purpose, names in runtime["needs"].items() if purpose != "image"}
    return RUNTIME.sub(f'data-runtime="{html.escape(json.dumps(runtime | {"needs": needs}))}"', page)
