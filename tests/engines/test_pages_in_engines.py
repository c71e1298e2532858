"""What a page needs of an engine besides Python: maths, plots, workers, instant navigation, an editor."""

from __future__ import annotations

from tests.engines.live_example import LiveExample
from tests.engines.reader import ALL, CONTROL, Reader

from live.example import load

# Boxes of all maths on the page, and how far each fraction's numerator lies above its denominator.
MATHS = """() => {
  const maths = [...document.querySelectorAll("article math")].filter((each) => each.checkVisibility());
  const box = (element) => element.getBoundingClientRect();
  return {
    sizes: maths.map((each) => Math.min(box(each).width, box(each).height)),
    falls: maths.flatMap((each) => [...each.querySelectorAll("mfrac")])
      .map(({ children: [above, below] }) => box(below).top - box(above).bottom),
  };
}"""
LINE = "document.querySelector('.js-plotly-plot .js-line')"
NOTE_PYTHON = """() => {
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message.type === "run") globalThis.python = this;
    return postMessage.call(this, message, ...rest);
  };
}"""
KEEP_BUSY = "(texts) => python.postMessage({ id: -1, type: 'run', example: 'train', texts })"

CHECKS = "() => [...document.querySelectorAll('[data-case]')].map((each) => each.dataset.status)"


def test_maths_is_laid_out_by_the_engine(reader: Reader) -> None:
    reader.visit("adamw/")
    maths = reader.engine.run(MATHS)
    assert min(maths["sizes"]) > 0
    assert min(maths["falls"]) > 0


def test_a_plot_is_drawn_and_follows_the_palette(reader: Reader) -> None:
    reader.visit("schedule/")
    LiveExample(reader, "lr-curve").recompute(warmup_steps="20")
    reader.until(f"() => {LINE}?.getBoundingClientRect().height > 100")
    before = reader.engine.run(f"() => {LINE}.style.stroke")
    reader.click(ALL, "form[data-md-component=palette] label")
    reader.until(f"(before) => {LINE}.style.stroke !== before", before)


def test_instant_navigation_away_and_back_keeps_python_running(reader: Reader) -> None:
    reader.visit("adamw/")
    live = LiveExample(reader, "adamw-one-step")
    reader.engine.run(NOTE_PYTHON)
    edited = live.recompute(grad="0.25")
    reader.engine.run("() => { globalThis.first = python }")
    reader.until("() => location.search === '?adamw-one-step.grad=0.25'")
    reader.follow("")
    reader.engine.run("() => history.back()")
    live.until("(example) => example?.dataset.state === 'ready'")
    assert live.values() == edited
    reader.follow("schedule/")
    reader.follow("adamw/")
    assert live.state == "static"
    assert live.recompute(grad="0.25") == edited
    assert reader.engine.run("() => python === first")


def test_a_worker_that_hangs_is_replaced(reader: Reader) -> None:
    reader.visit("adamw/")
    live = LiveExample(reader, "adamw-one-step")
    reader.engine.run(NOTE_PYTHON)
    before = live.recompute(grad="0.25")
    # What the page asks for its proof would wait behind the busy work, and for longer than the edit below.
    reader.await_proof()
    reader.engine.run(KEEP_BUSY, load("train").start() | {"steps": "2000"})
    live.run("(example) => { example.dataset.seconds = 1 }")
    live.press("reset")
    live.settle()
    assert live.status.startswith("Python gave no answer within 1 seconds and was stopped")
    assert (live.state, live.values()) == ("error", before)
    live.run("(example) => { delete example.dataset.seconds }")
    live.press("retry")
    live.settle()
    assert live.state == "ready"
    assert live.values() != before


def test_an_exercise_is_solved_in_the_editor(reader: Reader) -> None:
    reader.open("exercises/warmup-cosine/")
    reader.click(ALL, ".live-exercise__label")
    reader.until("() => document.activeElement.matches('.cm-content')")
    reader.press(CONTROL, "a")
    reader.type("from optim_ref import warmup_cosine")
    reader.click(ALL, "live-exercise button[name=run]")
    reader.until("() => document.querySelector('live-exercise').dataset.state === 'ready'")
    assert set(reader.engine.run(CHECKS)) == {"pass"}
