"""What the home page says of this very build: its wheel, its size, how many equations, how to cite it."""

import json
import os
import tomllib
from pathlib import Path

from markupsafe import Markup

from optim_ref_docs import assets, project
from optim_ref_docs.listings import load_catalogue
from optim_ref_docs.live_example import download_size
from optim_ref_docs.settings import Settings


def wheel() -> Markup:
    """The wheel that the live examples run, to download and to install."""
    offered = assets.current()["wheel"]
    site = os.environ.get("SITE_URL", "")
    command = f"pip install {site}{offered['url']}" if site else f"pip install {offered['name']}"
    return Markup(
        '<p><a href="{url}" download>{name}</a> ({size:,} bytes, SHA-256 <code>{sha256}</code>). '
        "Once it is downloaded, or straight from its address:</p>"
        "<pre><code>{command}</code></pre>"
    ).format(command=command, **offered)


def download() -> str:
    return download_size(assets.current()["download"])


def equations() -> str:
    """How many equations the pages hold."""
    catalogue = load_catalogue(Settings.read(project.root()))
    return str(len(catalogue.equations))


def runtime() -> str:
    pinned = json.loads(Path(project.root(), "widgets", "runtime.json").read_text(encoding="utf-8"))
    return f"Pyodide {pinned['pyodide']} with NumPy {pinned['numpy']}"


def citation() -> Markup:
    """A BibTeX entry for the version that is documented here."""
    with Path(project.root(), "pyproject.toml").open("rb") as file:
        package = tomllib.load(file)["project"]
    address = os.environ.get("REPO_URL") or os.environ.get("SITE_URL") or ""
    lines = [
        "@software{optim_ref,",
        "  title = {{optim\\_ref}: " + package["description"] + "},",
        "  author = {{The optim\\_ref authors}},",
        f"  version = {{{package['version']}}},",
        f"  note = {{Commit {project.commit(project.root())[:12]}}},",
        *([f"  url = {{{address}}},"] if address else []),
        "}",
    ]
    return Markup("<pre><code>{}</code></pre>").format("\n".join(lines))
