"""The build makes every asset by itself, lets no wrong byte in, and says which file it stopped at."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import socket
import threading
import time
import urllib.request
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from building import PROJECT, build, mkdocs, replace

from optim_ref_docs import assets
from optim_ref_docs.store import cache_folder
from optim_ref_docs.wheel import build_wheel

NOWHERE = "http://127.0.0.1:9"
OFFLINE = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), NOWHERE)
WASM = "pyodide.asm.wasm"
FENCE = "```live-example\n{}\n```\n"
SECONDS_TO_REBUILD = 120
# A server that is being set up may take a connection and never answer it.
SECONDS_TO_ANSWER = 10
# Another process may be writing to the cache, and these files are gone when they are copied.
UNFINISHED = shutil.ignore_patterns("tmp*")


@pytest.fixture
def mirror(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder, and the address of a server that offers its files."""
    folder = tmp_path / "mirror"
    folder.mkdir()
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield folder, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def pin(project: Path, name: str, *sources: str) -> str:
    """Let the file `name` of the runtime come from these addresses only; returns the hash it must have."""
    path = project / "widgets" / "runtime.json"
    runtime = json.loads(path.read_bytes())
    (file,) = (file for file in runtime["files"] if file["name"] == name)
    file["sources"] = [{"url": source} for source in sources]
    path.write_text(json.dumps(runtime), encoding="utf-8")
    return str(file["sha256"])


def test_an_altered_file_stops_the_build_and_both_hashes_are_named(
    project: Path, tmp_path: Path, mirror: tuple[Path, str]
) -> None:
    folder, address = mirror
    altered = b"not the file that was pinned"
    (folder / WASM).write_bytes(altered)
    expected = pin(project, WASM, f"{address}/{WASM}")
    succeeded, printed = build(project, tmp_path / "site", **empty_cache_but(WASM, tmp_path))
    assert not succeeded
    assert f"{WASM}: expected SHA-256 {expected}. Tried:" in printed
    assert f"{address}/{WASM}: sent SHA-256 {hashlib.sha256(altered).hexdigest()}" in printed
    assert not (tmp_path / "cache" / "sha256" / expected).exists()


def test_unreachable_sources_stop_the_build_and_all_of_them_are_named(
    project: Path, tmp_path: Path, mirror: tuple[Path, str]
) -> None:
    expected = pin(project, WASM, f"{NOWHERE}/{WASM}", f"{mirror[1]}/{WASM}")
    succeeded, printed = build(project, tmp_path / "site", **empty_cache_but(WASM, tmp_path))
    assert not succeeded
    assert f"{WASM}: expected SHA-256 {expected}. Tried:" in printed
    assert f"{NOWHERE}/{WASM}: ConnectionError: " in printed
    assert f"{mirror[1]}/{WASM}: HTTPError: 404" in printed


def test_the_next_source_is_asked_when_one_fails(
    project: Path, tmp_path: Path, mirror: tuple[Path, str]
) -> None:
    folder, address = mirror
    expected = pin(project, WASM, f"{NOWHERE}/{WASM}", f"{address}/{WASM}")
    (folder / WASM).write_bytes((cache_folder() / "sha256" / expected).read_bytes())
    # The build goes on to the next file, whose source is not there either.
    stopped_at = pin(project, "python_stdlib.zip", NOWHERE)
    environment = empty_cache_but(WASM, tmp_path)
    (tmp_path / "cache" / "sha256" / stopped_at).unlink()
    _, printed = build(project, tmp_path / "site", **environment)
    assert f"python_stdlib.zip: expected SHA-256 {stopped_at}" in printed
    assert (tmp_path / "cache" / "sha256" / expected).exists()


def empty_cache_but(absent: str, tmp_path: Path) -> dict[str, str]:
    """The environment with a cache of all files of the runtime but one, and of nothing made from them."""
    folder = tmp_path / "cache" / "sha256"
    folder.mkdir(parents=True)
    for file in json.loads((PROJECT / "widgets" / "runtime.json").read_bytes())["files"]:
        if file["name"] != absent:
            (folder / file["sha256"]).hardlink_to(cache_folder() / "sha256" / file["sha256"])
    return {"OPTIM_REF_CACHE": str(tmp_path / "cache")}


def test_a_missing_script_stops_the_build_and_is_named(project: Path, tmp_path: Path) -> None:
    (project / "widgets" / "step-table.js").unlink()
    succeeded, printed = build(project, tmp_path / "site")
    assert not succeeded
    assert "step-table.js" in printed


def test_a_fence_that_names_no_example_stops_the_build(project: Path, tmp_path: Path) -> None:
    (project / "docs" / "index.md").write_text(FENCE.format("no-such-example"), encoding="utf-8")
    succeeded, printed = build(project, tmp_path / "site")
    assert not succeeded
    assert "live-example fence 'no-such-example': no live example is called 'no-such-example'" in printed
    assert "index.md" in printed


# In Pyodide such an example works: else the memory image would be where the build stops.
BREAKS_HERE = 'import sys\n\nif sys.platform != "emscripten":\n    {}["nothing"]\n\n'


def test_an_example_that_breaks_in_any_way_stops_the_build_and_is_named(
    project: Path, tmp_path: Path
) -> None:
    example = project / "widgets" / "examples" / "clip_value.py"
    text = (PROJECT / "tests" / "eighth" / "clip_value.py").read_text("utf-8")
    example.write_text(BREAKS_HERE + text, encoding="utf-8")
    (project / "docs" / "changelog.md").write_text(FENCE.format("clip-value"), encoding="utf-8")
    succeeded, printed = build(project, tmp_path / "site")
    assert not succeeded
    (line,) = [line for line in printed.splitlines() if "Error reading page 'changelog.md'" in line]
    assert f"live-example fence 'clip-value': KeyError('nothing') ({example}, line 4)" in line


def test_a_missing_site_url_is_refused(project: Path, tmp_path: Path) -> None:
    succeeded, printed = build(project, tmp_path / "site", SITE_URL="")
    assert not succeeded
    assert "site_url is not set" in printed


def test_the_wheel_is_the_same_bytes_wherever_and_whenever_it_is_built(project: Path) -> None:
    for path in (project / "src").rglob("*.py"):
        path.touch()
    assert build_wheel(project) == build_wheel(PROJECT)


def test_a_build_with_a_full_cache_needs_no_network_and_makes_nothing_anew(
    project: Path, tmp_path: Path
) -> None:
    first = assets.prepare(project)
    cache = shutil.copytree(cache_folder(), tmp_path / "cache", copy_function=os.link, ignore=UNFINISHED)
    made = sorted(cache.rglob("*"))
    wasm = next((project / assets.FOLDER).glob(f"*/{WASM}"))
    right = wasm.read_bytes()
    wasm.write_bytes(b"altered by accident")
    succeeded, printed = build(project, tmp_path / "site", OPTIM_REF_CACHE=str(cache), **OFFLINE)
    assert succeeded, printed
    assert sorted(cache.rglob("*")) == made
    assert wasm.read_bytes() == right
    for file in first["runtime"]["files"]:
        data = (tmp_path / "site" / file["url"]).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (file["size"], file["sha256"])
        assert file["url"].startswith(f"assets/live/{file['sha256'][:16]}/")


def test_serve_takes_up_a_change_of_the_package(project: Path, tmp_path: Path) -> None:
    one_page(project)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    with (tmp_path / "log").open("w") as log:
        arguments = ("serve", "--no-strict", "--dev-addr", address)
        server = mkdocs(project, *arguments, output=log, SITE_URL=f"http://{address}/x/")
        try:
            before = wait_for_page(f"http://{address}/x/", "0.899</output>")
            line = "param -= lr * update_decayed"
            replace(project / "src" / "optim_ref" / "adamw.py", line, "param -= 2 * lr * update_decayed")
            after = wait_for_page(f"http://{address}/x/", "0.798</output>")
        finally:
            server.terminate()
            server.wait()
    assert runtime_of(after) != runtime_of(before)
    # Each page sent has a script that loads it anew after a change, and no policy that would forbid it.
    assert "livereload(" in after
    assert "Content-Security-Policy" not in after


def one_page(project: Path) -> None:
    """Leave one page with one live example: a build of all takes long, and serving one needs three."""
    for page in (project / "docs").glob("*.md"):
        page.unlink()
    (project / "docs" / "index.md").write_text(FENCE.format("adamw-one-step"), encoding="utf-8")
    settings = (project / "mkdocs.yml").read_text(encoding="utf-8")
    nav = re.compile(r"^nav:\n(  .*\n)+", re.MULTILINE)
    (project / "mkdocs.yml").write_text(nav.sub("nav: [index.md]\n", settings), encoding="utf-8")


def wait_for_page(url: str, part: str) -> str:
    """The page at `url`, once it holds `part`."""
    page = ""
    deadline = time.monotonic() + SECONDS_TO_REBUILD
    while part not in page and time.monotonic() < deadline:
        time.sleep(0.5)
        try:
            page = urllib.request.urlopen(url, timeout=SECONDS_TO_ANSWER).read().decode()
        except OSError:
            continue
    assert part in page
    return page


def runtime_of(page: str) -> str:
    found = re.search(r'data-runtime="([^"]+)"', page)
    assert found
    return found[1]
