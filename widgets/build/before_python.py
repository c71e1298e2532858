"""Runs as `sitecustomize`, before all else, in a Python whose memory is taken: what is not to get into it.

Pyodide sets up an event loop when it is imported, and with asyncio come sockets, TLS, subprocesses and
logging: a tenth of a memory, and no example waits for an event. `live.image.complete` makes up for it. NumPy
imports half a megabyte of native code for whoever may want to solve equations, and who does gets it then.
"""

import sys

from live.image import EVENT_LOOP
from live.later import Later

EQUATIONS = "numpy.linalg._umath_linalg"


def no_event_loop() -> None:
    """Get from JavaScript what Pyodide counts on to be held when its memory is taken."""
    from pyodide_js._api import scheduleCallback  # type: ignore[import-not-found]  # noqa: PLC0415

    vars(loop)["scheduleCallback"] = scheduleCallback


asyncio, loop = map(Later, EVENT_LOOP)
# A package, whose parts may be asked for first.
asyncio.__path__ = []
vars(loop)["_initialize_event_loop"] = no_event_loop
sys.modules.update({module.__name__: module for module in (asyncio, loop, Later(EQUATIONS))})
