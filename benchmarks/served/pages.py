"""The pages that are measured: the site's own, and those that it is held against."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from live.example import load
from optim_ref_docs import assets

HERE = Path(__file__).parent
RUNTIME = re.compile(r'data-runtime="([^"]*)"')
EXAMPLE = "adamw-one-step"
MEASURED_PAGES = ("adamw", "schedule", "exercises/warmup-cosine")
EMPTY = "site_name: empty\ntheme: { name: material, font: false, features: [navigation.instant] }\n"


def make_pages(root: Path, site: Path, folder: Path) -> dict[str, Any]:
    """Write into `folder` what is served beside the site; returns the files that Python starts from.

    Measured pages lie in `bench/`, as deep as the site's own, with a script ahead of everything else.
    """
    measured = f"<script>{(HERE / 'measured.js').read_text(encoding='utf-8')}</script>"
    page = (site / "adamw" / "index.html").read_text(encoding="utf-8")
    found = RUNTIME.search(page)
    assert found
    runtime: dict[str, Any] = json.loads(html.unescape(found[1]))
    bench = folder / "bench"
    for name in MEASURED_PAGES:
        text = (site / name / "index.html").read_text(encoding="utf-8")
        _write(bench / name / "index.html", _ahead(_deeper(text), measured))
    _write(bench / "plain" / "index.html", _ahead(_deeper(_without_image(page, runtime)), measured))
    _write_empty(bench / "empty", measured)
    for name in ("stock.html", "bare.html"):
        text = (HERE / name).read_text(encoding="utf-8")
        text = text.replace("ARCHIVES", json.dumps(_archives(runtime))).replace(
            "TEXTS", json.dumps(load(EXAMPLE).start())
        )
        _write(bench / name, f"<!doctype html>{measured}{text}")
    for script in HERE.glob("*-worker.mjs"):
        shutil.copy(script, bench)
    (bench / "pyodide").mkdir()
    for name, path in assets.runtime_files(root / "widgets").items():
        shutil.copy(path, bench / "pyodide" / name)
    return runtime


def _write_empty(folder: Path, measured: str) -> None:
    """A page of Material with nothing in it, built by MkDocs alone."""
    with tempfile.TemporaryDirectory() as project:
        root = Path(project)
        _write(root / "mkdocs.yml", EMPTY)
        _write(root / "docs" / "index.md", "# Empty\n")
        command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(folder)]
        subprocess.run(command, cwd=root, check=True)
    page = folder / "index.html"
    _write(page, _ahead(page.read_text(encoding="utf-8"), measured))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _ahead(page: str, script: str) -> str:
    return page.replace("<head>", f"<head>{script}", 1)


def _deeper(page: str) -> str:
    """The page as it must be one folder further down: each address that goes up goes up once more."""
    return re.sub(r'((?:href|src)="|"(?:base|search)": ")\.\.', r"\1../..", page)


def _archives(runtime: dict[str, Any]) -> list[str]:
    """The project's wheel and the examples, as every way to start unpacks them."""
    own = [file for file in runtime["files"] if file["name"].startswith(("optim_ref", "examples"))]
    return [f"../{file['url']}" for file in own]


def _without_image(page: str, runtime: dict[str, Any]) -> str:
    """The page as it would be, had no image been taken."""
    needs = {purpose: names for purpose, names in runtime["needs"].items() if purpose != "image"}
    return RUNTIME.sub(f'data-runtime="{html.escape(json.dumps(runtime | {"needs": needs}))}"', page)
