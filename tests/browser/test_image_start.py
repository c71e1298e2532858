"""Python starts from the memory image, is the same as ever, and does without the image where it must."""

from __future__ import annotations

import hashlib
import json
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path

import numpy as np
import pytest
from exercise_page import ExercisePage
from live_page import LivePage
from site_server import SEARCH, Fault, Handler, SiteServer, altered, dropped, held, missing
from test_same_bits import RUN_ALL, adamw_step, random_input
from visits import Visits

IMAGE = "memory-image.wasm"
NATIVE = "_multiarray_umath.wasm"
ONLY_PLAIN = "python_stdlib.zip"
STEPS = 60
MILLISECONDS_FOR_THE_OTHERS = 3000
# What a reader's text raises while it is read stands in the status line.
SHOW = "import {0}\nraise ValueError({1})\n"
LEFT_OUT = "f'{fractions.Fraction(1, 3)} {abs(numpy.fft.fft([1, 2]))}'"
LOOP = "[type(asyncio.get_event_loop()).__name__, *(f.__code__.co_name for f in (asyncio.run, time.sleep))]"
HANDING_OVER = """size => {
  globalThis.happened = [];
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message, ...more) {
    if (message.name === "memory-image" || message.type === "start") happened.push(message.type);
    return postMessage.call(this, message, ...more);
  };
  const { subtle } = crypto;
  const { digest } = subtle;
  subtle.digest = async (kind, bytes) => {
    const isImage = bytes.byteLength === size;
    const hash = await digest.call(subtle, kind, bytes);
    if (isImage) happened.push("hash");
    return hash;
  };
}"""
WAY = "performance.getEntriesByName('python-started').at(-1).detail"


def test_a_start_takes_the_image_and_nothing_that_it_stands_for(visit: Visits, site: SiteServer) -> None:
    live = visit()
    live.recompute(grad="0.25")
    assert live.page.evaluate(WAY) == "image"
    fetched = {path.rpartition("/")[2] for path in site.requests if "assets/live/" in path}
    assert {IMAGE, NATIVE, "pyodide.asm.wasm", "pyodide-worker.js"} <= fetched
    assert not any(name.endswith((".zip", ".whl")) for name in fetched)


def test_both_ways_give_the_bits_of_cpython(visit: Visits, site: SiteServer) -> None:
    random = np.random.default_rng(7)
    inputs = [random_input(random) for _ in range(STEPS)]
    expected = [adamw_step(texts) for texts in inputs]
    fast = visit()
    assert fast.example.evaluate(RUN_ALL, inputs) == expected
    with site.fault(site.runtime(IMAGE), missing):
        plain = visit()
        plain.watch.expect("404")
        assert plain.example.evaluate(RUN_ALL, inputs) == expected
    assert [page.page.evaluate(WAY) for page in (fast, plain)] == ["image", "plain"]


@pytest.mark.parametrize("fault", [missing, altered, dropped])
@pytest.mark.parametrize("name", [IMAGE, NATIVE])
def test_without_a_file_of_the_image_python_starts_plainly_and_says_nothing(
    visit: Visits, site: SiteServer, name: str, fault: Fault
) -> None:
    live = visit()
    for noise in ("404", "ERR_CONTENT_LENGTH_MISMATCH"):
        live.watch.expect(noise)
    with site.fault(site.runtime(name), fault):
        starts_plainly(live)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (b'"table":[14336,', b'"table":[14337,'),
        (b'"sample":', b'"simple":'),
        (b'"handles":{', b'"handles":['),
        (b'"stored":[[', b'"stored":[{'),
    ],
    ids=["another place in the table", "another fresh memory", "no JSON", "no list"],
)
def test_an_image_that_does_not_fit_is_given_up_and_python_starts_plainly(
    visit: Visits, site: SiteServer, right: bytes, wrong: bytes
) -> None:
    with changed_image(site, right, wrong):
        live = visit()
        starts_plainly(live)
        site.requests.clear()
        live.page.reload()
        live.recompute(grad="0.125")
    assert live.page.evaluate(WAY) == "plain"
    assert not any(path.endswith(IMAGE) for path in site.requests), (
        "an image that does not fit was tried again"
    )


def starts_plainly(live: LivePage) -> None:
    said: list[str] = []

    def hear(sentence: str) -> None:
        said.append(sentence)

    live.page.expose_function("heard", hear)
    live.status_line.evaluate(
        "line => new MutationObserver(() => heard(line.textContent)).observe(line, { childList: true })"
    )
    assert live.recompute(grad="0.25")["m"] == repr((1 - 0.9) * 0.25)
    assert live.page.evaluate(WAY) == "plain"
    assert said
    assert all(each.startswith(("Starting Python", "Recomputed in this browser")) for each in said), said


@contextmanager
def changed_image(site: SiteServer, right: bytes, wrong: bytes) -> Iterator[None]:
    """Serve an image with other contents, and pages that were built with it."""
    path = site.runtime(IMAGE)
    data = (site.folder / path).read_bytes()
    assert data.count(right) == 1
    changed = data.replace(right, wrong)
    hashes = [hashlib.sha256(each).hexdigest().encode() for each in (data, changed)]

    def image(handler: Handler) -> None:
        handler.send(HTTPStatus.OK, "application/wasm", changed)

    def page(handler: Handler) -> None:
        text = (handler.file() / "index.html").read_bytes()
        assert hashes[0] in text
        handler.send(HTTPStatus.OK, "text/html; charset=utf-8", text.replace(*hashes))

    with site.fault(path, image), site.fault("adamw/", page):
        yield


def test_a_module_that_the_image_leaves_out_is_fetched_when_it_is_asked_for(
    visit: Visits, site: SiteServer
) -> None:
    page = ExercisePage(visit)
    assert "1/3 [3. 1.]" in page.run(SHOW.format("fractions, numpy.fft", LEFT_OUT))
    assert any(path.endswith(ONLY_PLAIN) for path in site.requests)
    site.await_request(SEARCH)
    site.requests.clear()
    assert "12" in page.run(SHOW.format("calendar", "calendar.calendar(2026).count(chr(77) + chr(111))"))
    assert site.requests == []


def test_what_the_image_does_without_is_there_as_soon_as_it_is_asked_for(
    visit: Visits, site: SiteServer
) -> None:
    show_loop = SHOW.format("asyncio, time", LOOP)
    show_part = SHOW.format("asyncio.tasks", "asyncio.tasks.Task.__name__")
    solve = SHOW.format("numpy", "numpy.linalg.solve([[2.0, 0.0], [0.0, 4.0]], [4.0, 4.0])")
    fast = ExercisePage(visit)
    said = [fast.run(text) for text in (show_loop, show_part, solve)]
    assert "['WebLoop', '_run', '_sleep']" in said[0]
    assert "Task" in said[1]
    assert "[2. 1.]" in said[2]
    with site.fault(site.runtime(IMAGE), missing):
        plain = ExercisePage(visit)
        plain.watch.expect("404")
        assert [plain.run(text) for text in (show_loop, show_part, solve)] == said
    assert [page.page.evaluate(WAY) for page in (fast, plain)] == ["image", "plain"]


@pytest.mark.parametrize(
    ("last", "happened"),
    [(IMAGE, ["part", "hash", "start"]), (NATIVE, ["hash", "part", "start"])],
    ids=["last of all", "before another file"],
)
def test_the_image_is_laid_in_while_it_is_verified_and_run_only_then(
    visit: Visits, site: SiteServer, last: str, happened: list[str]
) -> None:
    live = visit()
    runtime = json.loads(live.example.get_attribute("data-runtime") or "")
    (size,) = (file["size"] for file in runtime["files"] if file["name"] == "memory-image")
    live.page.evaluate(HANDING_OVER, size)
    arrive = threading.Event()
    with site.fault(site.runtime(last), held(until=arrive)):
        live.edit(grad="0.25")
        site.await_request(IMAGE)
        live.page.wait_for_timeout(MILLISECONDS_FOR_THE_OTHERS)
        arrive.set()
        live.settle()
    assert live.page.evaluate("happened") == happened


def test_python_finds_symbols_of_its_core_by_their_names(visit: Visits) -> None:
    assert "initialized: 1" in ExercisePage(visit).run(
        SHOW.format("ctypes", "f'initialized: {ctypes.pythonapi.Py_IsInitialized()}'")
    )


def test_every_native_module_of_numpy_loads_both_ways(visit: Visits, site: SiteServer) -> None:
    with zipfile.ZipFile(next(site.folder.glob("assets/live/*/numpy-*.whl"))) as wheel:
        names = [
            name.partition(".")[0].replace("/", ".") for name in wheel.namelist() if name.endswith(".so")
        ]
    assert {"numpy.fft._pocketfft_umath", "numpy.linalg.lapack_lite", "numpy.random.mtrand"} <= set(names)
    # The whole first: parts of `numpy.random` cannot be imported on their own.
    load = SHOW.format("importlib, numpy.random", f"len([importlib.import_module(n) for n in {names}])")
    fast = ExercisePage(visit)
    assert f"ValueError: {len(names)}" in fast.run(load)
    with site.fault(site.runtime(IMAGE), missing):
        plain = ExercisePage(visit)
        plain.watch.expect("404")
        assert f"ValueError: {len(names)}" in plain.run(load)
    assert [page.page.evaluate(WAY) for page in (fast, plain)] == ["image", "plain"]


def test_a_symbol_that_nobody_is_linked_with_is_unknown(visit: Visits) -> None:
    run = SHOW.format("ctypes", "ctypes.pythonapi.glClear")
    assert "glClear" in ExercisePage(visit).run(run)


def test_training_draws_from_numpys_random_numbers_which_the_image_leaves_out(visit: Visits) -> None:
    live = visit("training/").other("train")
    live.edit(steps="50")
    live.press("run")
    live.settle()
    assert (live.state, live.values()["step"]) == ("ready", "50"), live.status


def test_readers_do_not_share_their_random_numbers(visit: Visits) -> None:
    drawn = set()
    for _ in range(2):
        drawn.add(ExercisePage(visit).run(SHOW.format("random", "random.random()")))
    assert len(drawn) == 2


def test_a_second_visit_downloads_nothing(visit: Visits, site: SiteServer, tmp_path: Path) -> None:
    with site.answering({"Cache-Control": "public, max-age=31536000, immutable"}):
        visit(profile=tmp_path).recompute(grad="0.25")
        visit.end()
        site.requests.clear()
        again = visit(profile=tmp_path)
        again.recompute(grad="0.5")
    assert again.page.evaluate(WAY) == "image"
    assert [path for path in site.requests if "assets/live" in path] == []


def test_a_replaced_worker_downloads_nothing(visit: Visits, site: SiteServer) -> None:
    live = visit()
    live.recompute(grad="0.25")
    live.hang()
    site.await_request(SEARCH)
    site.requests.clear()
    live.example.evaluate("example => { example.dataset.seconds = 1 }")
    live.edit(grad="0.5")
    live.settle()
    assert live.state == "error"
    live.example.evaluate("example => { delete example.dataset.seconds }")
    assert live.recompute(grad="0.125")["m"] == repr((1 - 0.9) * 0.125)
    assert live.page.evaluate(WAY) == "image"
    assert site.requests == []


def test_the_page_names_what_each_way_to_start_needs(visit: Visits) -> None:
    runtime = json.loads(visit().example.get_attribute("data-runtime") or "")
    sizes = {file["name"]: file["size"] for file in runtime["files"]}
    assert set(runtime["needs"]) == {"image", "plain", "rest"}
    assert all(name in sizes for names in runtime["needs"].values() for name in names)
