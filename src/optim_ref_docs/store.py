"""A folder of verified files outside the work tree: each is stored under its own SHA-256.

A file enters only when its bytes have the hash that the repository names, whatever source they came from,
so a second build needs no network and an altered source cannot get in.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import platformdirs

SECONDS_KEPT = 30 * 24 * 3600


class AssetError(RuntimeError):
    """A file that the site needs is missing or is not the file it should be."""


@dataclass(frozen=True)
class Source:
    """One place a file may come from: words for the error message, and how to get its bytes."""

    description: str
    fetch: Callable[[], bytes]


def cache_folder() -> Path:
    """The cache: `OPTIM_REF_CACHE`, or the user's cache folder of this system."""
    chosen = os.environ.get("OPTIM_REF_CACHE")
    return Path(chosen) if chosen else Path(platformdirs.user_cache_dir("optim-ref"))


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def obtain(name: str, expected: str, sources: Sequence[Source]) -> Path:
    """Return the path of the verified file, fetching it from the first source that has the right bytes.

    Raises:
        AssetError: No source gave it. The message names the file, the expected hash, and for each source
            tried what came instead: the other hash, or the error.
    """
    stored = cache_folder() / "sha256" / expected
    if stored.exists() and sha256(stored.read_bytes()) == expected:
        return stored
    tried = []
    for source in sources:
        try:
            data = source.fetch()
        except Exception as error:
            # Any failure of one source is a reason to ask the next; all of them are reported.
            tried.append(f"  {source.description}: {type(error).__name__}: {error}")
            continue
        if sha256(data) == expected:
            return keep(stored, data)
        tried.append(f"  {source.description}: sent SHA-256 {sha256(data)}")
    raise AssetError(f"{name}: expected SHA-256 {expected}. Tried:\n" + "\n".join(tried))


def derive(inputs: Iterable[bytes], make: Callable[[], bytes]) -> bytes:
    """Return what `make()` makes of these inputs, from the cache where it has been made before."""
    key = sha256(b"".join(sha256(each).encode() for each in inputs))
    folder = cache_folder() / "derived"
    for known in folder.glob(f"{key}-*"):
        data = known.read_bytes()
        if sha256(data) == known.name.rpartition("-")[2]:
            # A cache that cannot be written to serves as well.
            with suppress(OSError):
                os.utime(known)
            return data
        known.unlink()
    data = make()
    keep(folder / f"{key}-{sha256(data)}", data)
    return data


def forget_unused() -> None:
    """Remove what no build has used for a month: every change of the project leaves megabytes behind.

    A build calls this at its end, when all that it uses has been used.
    """
    for path in (cache_folder() / "derived").glob("*"):
        # Another build may do the same, or the cache be somebody else's.
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > SECONDS_KEPT:
                path.unlink()


def code_of(module: str) -> bytes:
    """The code of a module of this package, for what it makes depends on that, too."""
    return Path(__file__).with_name(module).read_bytes()


def keep(path: Path, data: bytes) -> Path:
    """Write a file in one move, so that a build that was stopped leaves no half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    Path(temporary).chmod(0o644)
    Path(temporary).replace(path)
    return path
