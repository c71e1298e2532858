"""How long the site takes to build, beside mkdocstrings alone on the same package."""

from __future__ import annotations

import tempfile
from pathlib import Path

from processor_time import of_mkdocs

RUNS = 3
CONFIG = """\
site_name: alone
theme: { name: material, font: false }
plugins:
  - search
  - mkdocstrings: { handlers: { python: { paths: [SRC] } } }
"""


def measure(root: Path) -> dict[str, float]:
    """Seconds of processor time, the least of some runs in turns; everything the site needs is cached."""
    with tempfile.TemporaryDirectory() as folder:
        alone = Path(folder, "alone")
        _write_alone(root, alone)
        taken: dict[str, list[float]] = {"site": [], "alone": []}
        for _ in range(RUNS):
            taken["site"].append(of_mkdocs(root, "--site-dir", str(Path(folder, "site"))))
            taken["alone"].append(of_mkdocs(alone))
    return {name: min(times) for name, times in taken.items()}


def _write_alone(root: Path, folder: Path) -> None:
    """A project that has the package's modules rendered by mkdocstrings, one to a page, and no more."""
    (folder / "docs").mkdir(parents=True)
    (folder / "mkdocs.yml").write_text(CONFIG.replace("SRC", str(root / "src")), encoding="utf-8")
    for path in sorted((root / "src" / "optim_ref").rglob("*.py")):
        module = ".".join(path.relative_to(root / "src").with_suffix("").parts).removesuffix(".__init__")
        (folder / "docs" / f"{module}.md").write_text(f"# {module}\n\n::: {module}\n", encoding="utf-8")
