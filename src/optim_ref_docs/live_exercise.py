"""The fence `live-exercise`: an exercise in a page, complete but for what the reader writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from optim_ref_docs import assets
from optim_ref_docs.exercise_records import Records
from optim_ref_docs.live_example import TEMPLATES, ExampleError, download_size, hold_blocks
from optim_ref_docs.tables import with_code

if TYPE_CHECKING:
    from live.exercise import Exercise

SECONDS = 10
"""How long one check may take before Python is stopped."""

TEMPLATES.filters["with_code"] = with_code


def fence(source: str, _language: str, _class: str, _options: dict[str, Any], md: Any, **_more: Any) -> str:
    """Format a `live-exercise` fence, whose text is the exercise's name."""
    # Imported at each use: `mkdocs serve` drops the project's modules when they may have changed.
    from live.exercise import load  # noqa: PLC0415

    hold_blocks(md, "live-exercise")
    try:
        return render(load(source.strip()))
    except Exception as error:
        # SuperFences would show the text of the fence in its place, and say nothing.
        raise ExampleError(f"live-exercise fence {source.strip()!r}: {error}") from error


def progress_fence(
    _source: str, _language: str, _class: str, _options: dict[str, Any], md: Any, **_more: Any
) -> str:
    """Format an `exercise-progress` fence: all exercises, to which a script adds how far the reader got."""
    from live.exercise import NAMES, load  # noqa: PLC0415

    hold_blocks(md, "exercise-progress")
    exercises, script = [load(name) for name in NAMES], assets.current()["exercises"]
    template = TEMPLATES.get_template("exercise-progress.html.jinja")
    return Markup(template.render(exercises=exercises, script=script))


def render(exercise: Exercise) -> Markup:
    """The exercise's HTML."""
    from live.exercise import worked_examples  # noqa: PLC0415

    records = Records()
    formulas = records.formulas(exercise.equations)
    live = assets.current()
    html = TEMPLATES.get_template("live-exercise.html.jinja").render(
        exercise=exercise,
        formulas=formulas,
        symbols=list(records.symbols(formulas)),
        examples=worked_examples(exercise),
        checks=len(exercise.all_cases()),
        listings=[records.listing(function) for function in exercise.solution],
        runtime=live["runtime"],
        editor=live["editor"],
        script=live["exercises"],
        download=download_size(live["download"]),
        seconds=SECONDS,
    )
    return Markup(html)
