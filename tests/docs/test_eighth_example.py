"""Another live example takes one file and one fence, as `contributing.md` says."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from building import PROJECT, build

EIGHTH = PROJECT / "tests/eighth/clip_value.py"


def test_one_file_and_one_fence_make_another_example(project: Path, tmp_path: Path) -> None:
    shutil.copyfile(EIGHTH, project / "widgets/examples/clip_value.py")
    page = project / "docs/changelog.md"
    page.write_text(page.read_text("utf-8") + "\n```live-example\nclip-value\n```\n", encoding="utf-8")
    succeeded, printed = build(project, tmp_path / "site")
    assert succeeded, printed
    html = (tmp_path / "site/changelog/index.html").read_text("utf-8")
    output = re.search(r'<output name="clipped"[^>]*data-value="([^"]*)">([^<]*)</output>', html)
    assert output is not None
    assert output.groups() == ("[1.0, -0.5]", "1, -0.5")
    assert "<svg" in html
