"""What importing `optim_ref` adds to importing NumPy, in fresh interpreters.

PYTHONPATH=src python benchmarks/bench_import.py
"""

from __future__ import annotations

import os
import subprocess
import sys

CODE = """
import time
start = time.process_time()
import numpy
between = time.process_time()
import optim_ref
print(between - start, time.process_time() - between)
"""


def seconds() -> tuple[float, float]:
    """Processor time to import NumPy, and then `optim_ref`, in one fresh interpreter."""
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": ""}  # compiled once, as NumPy was when installed
    run = subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, text=True, check=True, env=environment
    )
    numpy, ours = map(float, run.stdout.split())
    return numpy, ours


def main(runs: int = 15) -> dict[str, float]:
    seconds()  # writes the byte code
    found = [seconds() for _ in range(runs)]
    numpy, ours = (min(column) for column in zip(*found, strict=True))  # a busy machine only adds
    print("| import | ms |\n|---|---|")
    print(f"| numpy | {1e3 * numpy:.1f} |\n| optim_ref, NumPy being there | {1e3 * ours:.1f} |")
    print(f"\nratio {ours / numpy:.3f}, at most 0.1 wanted")
    return {"import": ours / numpy}


if __name__ == "__main__":
    main()
