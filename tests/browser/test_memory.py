"""A hundred recomputations leave one worker and no growing heap (L18)."""

from __future__ import annotations

from visits import Visits


def test_heap_stays_flat_over_a_hundred_runs(visit: Visits) -> None:
    live = visit("adamw/")
    live.recompute(grad="0.1")

    def run(times: int) -> None:
        for number in range(times):
            live.recompute(grad=f"0.{number + 1}")

    run(20)
    live.page.request_gc()
    before = live.page.evaluate("performance.memory.usedJSHeapSize")
    run(100)
    live.page.request_gc()
    after = live.page.evaluate("performance.memory.usedJSHeapSize")
    assert len(live.workers()) == 1
    assert after - before < 2_000_000
