"""`provenance.json` says what every file of the site's own is, byte for byte, and the same is made twice."""

from __future__ import annotations

import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from building import PROJECT
from site_server import SiteServer

from optim_ref_docs import assets, provenance
from optim_ref_docs.settings import Settings
from optim_ref_docs.store import AssetError, cache_folder

LISTING = re.compile(r'<figure class="eq-source" data-path="([^"]+)" data-sha256="([^"]+)"')


class Code(HTMLParser):
    """The text of the one listing of a file's page: what a reader would copy."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.inside, self.parts = False, [""]
        self.feed(page[page.index("eq-source--file") :])

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.inside |= tag == "code"

    def handle_endtag(self, tag: str) -> None:
        self.inside &= tag != "code"

    def handle_data(self, data: str) -> None:
        self.parts.append(data if self.inside else "")


@pytest.fixture(scope="module")
def record(site: SiteServer) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((site.folder / provenance.NAME).read_bytes())
    return content


def measured(data: bytes) -> dict[str, Any]:
    return {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}


def test_every_asset_of_the_site_is_named_with_its_bytes(site: SiteServer, record: dict[str, Any]) -> None:
    files = [path for path in (site.folder / "assets" / "live").rglob("*") if path.is_file()]
    assert {entry["url"] for entry in record["assets"].values()} == {
        path.relative_to(site.folder).as_posix() for path in files
    }
    for name, entry in record["assets"].items():
        data = (site.folder / entry["url"]).read_bytes()
        assert entry.items() >= measured(data).items(), name


def test_pinned_files_are_those_of_runtime_json_and_name_no_host(record: dict[str, Any]) -> None:
    pinned = json.loads((PROJECT / "widgets" / "runtime.json").read_bytes())["files"]
    assert {name: entry["sha256"] for name, entry in record["pinned"].items()} == {
        file["name"]: file["sha256"] for file in pinned
    }
    for entry in record["pinned"].values():
        data = (cache_folder() / "sha256" / entry["sha256"]).read_bytes()
        assert entry.items() >= measured(data).items()
        assert entry["sources"]
    assert "://" not in json.dumps(record | {"repository": {}})


def test_everything_made_is_traced_to_files_that_are_named_too(record: dict[str, Any]) -> None:
    for name, entry in record["assets"].items():
        made_from = dict(entry["made_from"])
        assert made_from, name
        assert (PROJECT / "src" / entry["made_by"]).is_file(), name
        made_from.pop("npm", None)
        for kind, inputs in made_from.items():
            assert set(inputs) <= record[kind].keys(), (name, kind)
            assert name not in inputs or kind == "pinned"


def test_files_of_the_repository_have_the_hashes_of_their_listings(
    site: SiteServer, record: dict[str, Any]
) -> None:
    for name, entry in record["files"].items():
        data = (PROJECT / name).read_bytes()
        assert entry.items() >= measured(data).items(), name
        if "url" in entry:
            page = (site.folder / entry["url"] / "index.html").read_text("utf-8")
            assert "".join(Code(page).parts) == data.decode().rstrip("\n"), name
    package = {path.relative_to(PROJECT).as_posix() for path in (PROJECT / "src/optim_ref").rglob("*.py")}
    assert package <= {name for name, entry in record["files"].items() if "url" in entry}


def test_listings_of_the_pages_carry_the_recorded_hashes(site: SiteServer, record: dict[str, Any]) -> None:
    carried = {
        (path, sha256)
        for page in site.folder.rglob("index.html")
        for path, sha256 in LISTING.findall(page.read_text("utf-8"))
    }
    assert carried
    assert carried <= {(path, entry["sha256"]) for path, entry in record["files"].items()}


def test_an_asset_of_unknown_origin_stops_the_build(project: Path) -> None:
    assets.prepare(project)
    stray = project / assets.FOLDER / "0123456789abcdef" / "stray.js"
    stray.parent.mkdir()
    stray.write_text("", encoding="utf-8")
    with pytest.raises(AssetError, match=r"does not say what stray\.js is made from"):
        provenance.prepare(Settings.read(project))


def test_all_assets_made_twice_from_nothing_are_the_same_bytes(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pinned = assets.runtime_files(project / "widgets").values()
    made = []
    for cache in (tmp_path / "one", tmp_path / "two"):
        (cache / "sha256").mkdir(parents=True)
        for path in pinned:
            (cache / "sha256" / path.name).hardlink_to(path)
        monkeypatch.setenv("OPTIM_REF_CACHE", str(cache))
        made.append(assets.prepare(project))
        assert list((cache / "derived").iterdir())
    assert made[0] == made[1]
    assert "image" in made[0]["runtime"]["needs"]
