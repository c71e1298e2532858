"""Instant navigation, addresses and the places a site may stand at."""

from __future__ import annotations

import threading

import pytest
from live_page import LivePage
from playwright.sync_api import expect
from site_server import SiteServer, held
from visits import Visits


def test_away_and_back_three_times_keeps_one_worker_and_fetches_the_runtime_once(
    visit: Visits, site: SiteServer
) -> None:
    live = visit()
    live.page.evaluate("window.sameDocument = true")
    live.recompute(grad="0.25")
    (worker,) = live.workers()
    for grad in ("0.5", "0.125", "2"):
        go(live, "Home", "optim_ref")
        go(live, "AdamW", "AdamW")
        assert live.state == "static"
        assert live.recompute(grad=grad)["m"] == repr((1 - 0.9) * float(grad))
        assert live.workers() == [worker]
    assert live.page.evaluate("window.sameDocument"), "this was no instant navigation"
    fetched = [path for path in site.requests if "/assets/live/" in path]
    assert len(fetched) == len(set(fetched))


def go(live: LivePage, link: str, heading: str) -> None:
    live.page.get_by_role("navigation", name="Navigation").get_by_role("link", name=link, exact=True).click()
    expect(live.page.locator("article h1").first).to_contain_text(heading)


def test_back_and_forward_bring_the_edits_back(visit: Visits) -> None:
    live = visit()
    edited = live.recompute(grad="0.25", beta2="0.99")
    live.page.wait_for_url("**/adamw/?adamw-one-step.grad=0.25&adamw-one-step.beta2=0.99")
    go(live, "Home", "optim_ref")
    assert "adamw-one-step" not in live.page.url
    live.page.go_back()
    live.settle()
    assert live.values() == edited


def test_an_edit_just_before_leaving_is_not_written_into_the_next_address(
    visit: Visits, site: SiteServer
) -> None:
    live = visit()
    arrive = threading.Event()
    with site.fault("", held(until=arrive)):
        live.edit(grad="0.25")
        live.page.get_by_role("navigation", name="Navigation").get_by_role("link", name="Home").click()
        live.page.wait_for_timeout(500)
        assert live.page.url == site.url
        arrive.set()


def test_a_link_restores_what_the_sender_saw(live: LivePage, visit: Visits) -> None:
    sent = live.recompute(param="-1e-3", grad=" .5", ndim="1", dtype="float32", lr="3e-4")
    live.press("share")
    expect(live.status_line).to_have_text("A link to these values was copied.")
    receiver = visit(live.page.evaluate("navigator.clipboard.readText()"))
    receiver.settle()
    assert receiver.values() == sent
    assert receiver.texts() == live.texts()
    assert receiver.field("lr").is_visible()


def test_a_link_too_long_to_work_everywhere_is_refused(live: LivePage) -> None:
    live.recompute(grad="0." + "1" * 2000)
    live.press("share")
    assert "more than the 2000 that work everywhere" in live.status


def test_a_link_with_nonsense_changes_nothing_but_its_field(visit: Visits) -> None:
    live = visit(
        "adamw/?adamw-one-step.ndim=7&adamw-one-step.nothing=1&adamw-one-step.grad=%3Cb%3E&other.m=2"
    )
    assert live.texts() | {"ndim": "2", "grad": "<b>", "m": "0"} == live.texts()
    live.settle()
    assert live.message("grad").startswith("grad = '<b>' is not a number")
    assert live.shown()[-1] == "0.899"


def test_no_service_worker_is_needed_or_registered(live: LivePage) -> None:
    assert live.page.evaluate("navigator.serviceWorker.getRegistrations()") == []


def test_a_page_deep_below_the_sub_path_finds_the_runtime(visit: Visits) -> None:
    live = visit("a/b/deep/")
    assert live.recompute(grad="0.25")["m"] == repr((1 - 0.9) * 0.25)


@pytest.mark.parametrize("path", ["no-such-page", "a/b/c/no-such-page/"])
def test_the_page_for_a_missing_address_works_under_the_sub_path(
    visit: Visits, site: SiteServer, path: str
) -> None:
    live = visit(path)
    live.watch.expect("404")
    expect(live.page.get_by_role("heading", level=1)).to_have_text("There is no such page")
    missing = [each for each in site.requests if not (site.folder / each.removeprefix(site.prefix)).exists()]
    assert missing == [site.prefix + path]
    live.page.get_by_role("link", name="first page").click()
    expect(live.page.locator("article h1")).to_contain_text("optim_ref")
    assert live.page.url == site.url
