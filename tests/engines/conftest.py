"""A window of each engine that this machine has, looking at the built site."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from site_server import SiteServer
from tests.engines.engine import Engine
from tests.engines.firefox import firefox
from tests.engines.programs import missing
from tests.engines.reader import Reader, overheard
from tests.engines.webkitgtk import webkitgtk

ENGINES = {"firefox": firefox, "webkitgtk": webkitgtk}


@pytest.fixture(scope="session", params=ENGINES)
def engine(request: pytest.FixtureRequest, site: SiteServer) -> Iterator[Engine]:
    for program in missing(request.param):
        pytest.skip(f"no {program.names[0]} for {request.param}: make test-engines installs it")
    with overheard(site), ENGINES[request.param]() as engine:
        yield engine


@pytest.fixture
def reader(engine: Engine, site: SiteServer) -> Iterator[Reader]:
    """A reader of the site; whatever a page complains of meanwhile fails the test."""
    site.requests.clear()
    reader = Reader(engine, site)
    yield reader
    assert reader.complaints() == []
