"""How the cost of a build grows with the number of equations: `python benchmarks/bench_docs.py`.

A package is generated, ten equations to a function and ten functions to a module and page, and built twice:
by mkdocstrings alone, and with equations tied to code. What counts is processor time, the least of some runs.
"""

import argparse
import os
import tempfile
from pathlib import Path

from processor_time import of_mkdocs

REPOSITORY = Path(__file__).parents[1]
EQUATIONS_PER_FUNCTION = 10
FUNCTIONS_PER_MODULE = 10

CONFIG = """\
site_name: bench
site_url: http://127.0.0.1/
theme: {{name: material, font: false}}
{hooks}
plugins:
  - search
  - mkdocstrings:
      {templates}
      handlers:
        python:
          paths: [src]
          options:
            extensions: [{extension}]
            heading_level: 2
            show_root_heading: true
markdown_extensions:
  - pymdownx.highlight: {{anchor_linenums: true, line_spans: __span}}
  - pymdownx.superfences
  {markdown}
"""

HOOK = """\
import pathlib
from optim_ref_docs import listings, settings

def on_pre_build(config):
    listings.prepare(settings.Settings.read(pathlib.Path()))
"""


def main() -> None:
    """Print one row per size."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sizes", type=int, nargs="*", default=[250, 500, 1000], help="numbers of equations")
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    print("equations  mkdocstrings alone  tied to code  ratio")
    for size in arguments.sizes:
        alone, tied = (measure(size, tied, arguments.runs) for tied in (False, True))
        print(f"{size:9}  {alone:16.2f} s  {tied:10.2f} s  {tied / alone:5.2f}", flush=True)


def measure(equations: int, tied: bool, runs: int) -> float:
    """Seconds of processor time that a build takes."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        generate(root, equations, tied)
        return min(build(root) for _ in range(runs))


def build(root: Path) -> float:
    """Build once, listings and records included; returns the processor time."""
    search = os.pathsep.join(str(REPOSITORY / name) for name in ("src", "widgets"))
    return of_mkdocs(root, PYTHONPATH=search)


def generate(root: Path, equations: int, tied: bool) -> None:
    """Write a project whose package has so many equations, each with a line, a test and a reference."""
    modules = -(-equations // (EQUATIONS_PER_FUNCTION * FUNCTIONS_PER_MODULE))
    write(root / "pyproject.toml", '[tool.optim_ref_docs]\npackage = "bench"\n')
    templates = f"custom_templates: {REPOSITORY}/docs/templates" if tied else ""
    extension = "optim_ref_docs.extension.EquationsExtension" if tied else ""
    hooks = "hooks: [prepare.py]" if tied else ""
    markdown = "- optim_ref_docs.markdown" if tied else ""
    write(
        root / "mkdocs.yml",
        CONFIG.format(templates=templates, extension=extension, markdown=markdown, hooks=hooks),
    )
    write(root / "prepare.py", HOOK)
    write(root / "src/bench/__init__.py", '"""Generated."""\n')
    write(root / "docs/index.md", "# Bench\n")
    for module in range(modules):
        functions = [f"{module}_{number}" for number in range(FUNCTIONS_PER_MODULE)]
        write(root / f"src/bench/m{module}.py", '"""Generated."""\n' + "".join(map(function, functions)))
        write(root / f"tests/test_m{module}.py", "".join(test(module, name) for name in functions))
        write(root / f"docs/m{module}.md", f"# Module {module}\n\n::: bench.m{module}\n")


def function(name: str) -> str:
    """A function that computes its equations one after the other."""
    ids = [f"eq-{name.replace('_', '-')}-{number}" for number in range(EQUATIONS_PER_FUNCTION)]
    equations = "".join(
        f"    Equation: {identifier} | Equation {number} of function {name}\n"
        f"        y_{{{number}}} = \\frac{{x^{{{number}}}}}{{1 + \\sqrt{{x}}}}\n"
        for number, identifier in enumerate(ids)
    )
    symbols = "".join(
        f"        y_{{{number}}} | y{number} | scalar | Result {number}\n" for number in range(len(ids))
    )
    references = "".join(
        f"        {identifier} | A book, equation 1 | https://example.org/\n" for identifier in ids
    )
    lines = "".join(
        f"    y{number} = x**{number} / (1 + x**0.5)  # eq: {identifier}\n"
        for number, identifier in enumerate(ids)
    )
    return (
        f'\n\ndef f{name}(x: float) -> float:\n    r"""Function {name}.\n\n    Why it is.\n\n{equations}'
        f"    Symbols:\n{symbols}    References:\n{references}\n    Args:\n        x: A number.\n\n"
        f'    Returns:\n        Another.\n    """\n{lines}    return y0\n'
    )


def test(module: int, name: str) -> str:
    """A test marked with all equations of a function."""
    ids = ", ".join(f'"eq-{name.replace("_", "-")}-{number}"' for number in range(EQUATIONS_PER_FUNCTION))
    return (
        f"import pytest\nfrom bench.m{module} import f{name}\n\n\n@pytest.mark.equation({ids})\n"
        f"def test_f{name}():\n    assert f{name}(1.0) == 0.5\n\n\n"
    )


def write(path: Path, text: str) -> None:
    """Write a file and the folders around it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
