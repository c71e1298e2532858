"""The fence `live-exercise`: an exercise in a page, complete but for what the reader writes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from optim_ref_docs import assets, project
from optim_ref_docs.exercise_records import Records
from optim_ref_docs.live_example import TEMPLATES, download_size, hold_blocks, stopping_the_build
from optim_ref_docs.tables import with_code

if TYPE_CHECKING:
    from live.exercise import Exercise

TEMPLATES.filters["with_code"] = with_code


def fence(source: str, _language: str, _class: str, _options: dict[str, Any], md: Any, **_more: Any) -> str:
    """Format a `live-exercise` fence, whose text is the exercise's name."""
    # Imported at each use: `mkdocs serve` drops the project's modules when they may have changed.
    from live.exercise import load  # noqa: PLC0415

    hold_blocks(md, "live-exercise")
    with stopping_the_build(f"live-exercise fence {source.strip()!r}"):
        return render(load(source.strip()))


def progress_fence(
    _source: str, _language: str, _class: str, _options: dict[str, Any], md: Any, **_more: Any
) -> str:
    """Format an `exercise-progress` fence: all exercises, to which a script adds how far the reader got."""
    from live.exercise import NAMES, load  # noqa: PLC0415

    hold_blocks(md, "exercise-progress")
    with stopping_the_build("exercise-progress fence"):
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
        **_limits(),
    )
    return Markup(html)


def _limits() -> dict[str, Any]:
    """What a check may take before it is stopped, as the page's scripts have it."""
    limits = json.loads((project.root() / "widgets" / "limits.json").read_text(encoding="utf-8"))
    return {"seconds": limits["secondsToAnswer"], "memory": f"{limits['bytesOfMemory'] / 2**30:g} GB"}
