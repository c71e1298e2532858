"""The kinds of source that `widgets/runtime.json` may name: an npm package, an address, a wheel's member."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tarfile
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import requests
from remotezip import RemoteZip

from optim_ref_docs.node import npm
from optim_ref_docs.store import Source

PIP_REPORT = [
    *(sys.executable, "-m", "pip", "install", "--dry-run", "--no-deps", "--ignore-installed"),
    *("--ignore-requires-python", "--only-binary=:all:", "--quiet", "--report", "-"),
]
SECONDS_TO_CONNECT = 10
SECONDS_BETWEEN_BYTES = 60


def source(entry: dict[str, Any]) -> Source:
    """Make a `Source` of one entry of the list `sources`."""
    if "npm" in entry:
        package, member = entry["npm"], entry["member"]
        return Source(f"npm package {package}, {member}", lambda: _npm_member(package, member))
    if "url" in entry:
        return Source(entry["url"], lambda: _download(entry["url"]))
    wheel, member = entry["wheel"], entry["member"]
    return Source(f"wheel {wheel}, {member}", lambda: _wheel_member(wheel, member))


def _npm_member(package: str, member: str) -> bytes:
    with tarfile.open(fileobj=io.BytesIO(_npm_pack(package))) as archive:
        file = archive.extractfile(member)
        if file is None:
            raise FileNotFoundError(f"{member} is not a file of {package}")
        return file.read()


@cache
def _npm_pack(package: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        npm("pack", package, "--silent", "--prefer-offline", "--pack-destination", folder)
        (archive,) = Path(folder).iterdir()
        return archive.read_bytes()


def _download(url: str) -> bytes:
    response = requests.get(url, timeout=(SECONDS_TO_CONNECT, SECONDS_BETWEEN_BYTES))
    response.raise_for_status()
    return response.content


def _wheel_member(requirement: str, member: str) -> bytes:
    """Read one file out of a large wheel by range requests, without downloading or installing it."""
    report = subprocess.run(
        [*PIP_REPORT, requirement],
        check=False,
        capture_output=True,
        text=True,
    )
    if report.returncode:
        raise OSError(report.stderr.strip())
    address = json.loads(report.stdout)["install"][0]["download_info"]["url"]
    with RemoteZip(address, timeout=SECONDS_BETWEEN_BYTES) as wheel:
        return bytes(wheel.read(member))
