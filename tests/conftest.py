from __future__ import annotations

from pathlib import Path

import pytest
from building import copy_project


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of what the site is built from, to be changed at will."""
    return copy_project(tmp_path / "project")
