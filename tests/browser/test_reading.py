"""A page that is only read: complete without any script, and without a byte of the runtime."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from building import PROJECT
from playwright.sync_api import expect
from site_server import SEARCH, SiteServer
from visits import Visits

START = ["1", "0.05", "0.00025", "0.5", "0.25", "0.99999998", "1.00999998", "0.899"]


def test_all_values_are_shown_without_javascript(visit: Visits) -> None:
    live = visit(java_script_enabled=False)
    assert live.shown() == START
    assert live.state == "static"
    assert not live.button("reset").is_visible()


def test_reading_fetches_nothing_of_the_runtime_and_starts_no_python(visit: Visits, site: SiteServer) -> None:
    live = visit()
    live.page.evaluate("new Promise(requestIdleCallback)")
    site.await_request(SEARCH)
    below = [path.removeprefix("/some/sub/path/assets/live/") for path in site.requests if "/live/" in path]
    assert sorted(path.split("/")[1] for path in below) == ["index.js", "live.css", SEARCH]
    assert live.workers() == []
    assert live.shown() == START


def test_the_size_is_said_before_the_first_edit_and_is_what_arrives(visit: Visits, site: SiteServer) -> None:
    live = visit()
    said = re.search(r"up to (\d+) MB", live.status)
    assert said, live.status
    site.await_request(SEARCH)
    site.requests.clear()
    live.recompute(grad="0.25")
    fetched = [site.folder / path.removeprefix(site.prefix) for path in site.requests if "/live/" in path]
    size = sum(path.stat().st_size for path in fetched) / 1e6
    runtime = json.loads(live.example.get_attribute("data-runtime") or "")
    assert len(fetched) == len(set(fetched)) == len(runtime["needs"]["image"])
    assert size <= int(said[1]) < size + 1


def test_the_offered_wheel_installs_by_the_line_shown(visit: Visits, tmp_path: Path) -> None:
    pip, *command = visit("").page.locator("code", has_text="pip install").inner_text().split()
    assert pip == "pip"
    python("-m", "pip", *command, "--no-deps", "--quiet", "--target", str(tmp_path))
    printed = python("-c", "import optim_ref; print(optim_ref.__file__)", PYTHONPATH=str(tmp_path))
    assert printed.strip() == str(tmp_path / "optim_ref" / "__init__.py")


def python(*arguments: str, **environment: str) -> str:
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, env=os.environ | environment, check=True, capture_output=True, text=True
    ).stdout


def test_every_page_carries_the_version(visit: Visits) -> None:
    with (PROJECT / "pyproject.toml").open("rb") as file:
        version = tomllib.load(file)["project"]["version"]
    for path in ("", "adamw/", "no-such-page/"):
        live = visit(path)
        live.watch.expect("404")
        expect(live.page.get_by_role("contentinfo")).to_contain_text(f"optim_ref {version}")
