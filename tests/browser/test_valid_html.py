"""Every page is valid HTML, but for the theme's own faults that `html-validate.config.mjs` lists."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from building import PROJECT
from site_server import SiteServer

from optim_ref_docs.node import executable

WIDGETS = PROJECT / "widgets"
VALIDATOR = WIDGETS / "node_modules/html-validate/bin/html-validate.mjs"
CONFIG = WIDGETS / "html-validate.config.mjs"


def test_every_page_is_valid(site: SiteServer, tmp_path: Path) -> None:
    pages = [str(path) for path in sorted(site.folder.rglob("*.html")) if "source" not in path.parts]
    assert len(pages) > 10
    report = tmp_path / "report.json"
    subprocess.run(
        [
            *(str(executable("node")), str(VALIDATOR)),
            "--config",
            str(CONFIG),
            "--formatter",
            f"json={report}",
            *pages,
        ],
        cwd=WIDGETS,
        check=False,
    )
    faults = [
        f"{file['filePath']}:{fault['line']}: {fault['ruleId']}: {fault['message']}"
        for file in json.loads(report.read_text("utf-8"))
        for fault in file["messages"]
    ]
    assert faults == []
