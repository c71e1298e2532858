"""Fixtures: a small project, and the same one built."""

from pathlib import Path

import pytest
from tiny_project import Tiny


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    return Tiny.make(tmp_path)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Tiny:
    project = Tiny.make(tmp_path_factory.mktemp("built"))
    done = project.build()
    assert done.returncode == 0, done.stderr
    return project
