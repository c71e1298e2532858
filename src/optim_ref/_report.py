"""What `python -m optim_ref.train` shows: a progress line while it runs, a table afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from optim_ref.train import StepRecord

BAR_WIDTH = 24


def progress(records: Iterable[StepRecord], steps: int, stream: TextIO) -> Iterator[StepRecord]:
    """Hand the records on, redrawing one line for each; silent where the stream is no terminal."""
    if not stream.isatty():
        yield from records
        return
    try:
        for record in records:
            bar = "#" * (BAR_WIDTH * record.step // steps)
            stream.write(f"\r[{bar:.<{BAR_WIDTH}}] step {record.step}/{steps}, loss {record.loss:.3f} ")
            stream.flush()
            yield record
    finally:
        stream.write("\n")


def table(records: Sequence[StepRecord], rows: int = 10) -> str:
    """The first record, about `rows` at even distances, and the last, as aligned columns."""
    distance = max(1, len(records) // rows)
    shown = [r for r in records if r.step == 1 or r.step % distance == 0 or r.step == len(records)]
    lines = [f"{'step':>6}  {'loss':>8}  {'lr':>10}  {'grad_norm':>10}"]
    lines += [f"{r.step:>6}  {r.loss:>8.4f}  {r.lr:>10.3e}  {r.grad_norm:>10.4f}" for r in shown]
    return "\n".join(lines)
