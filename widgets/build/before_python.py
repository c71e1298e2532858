"""Runs as `sitecustomize`, before all else, in the Python whose memory is taken: what shall not get into it."""

import sys

from live.later import Later

# Pyodide sets up an event loop when it is imported, and with asyncio come sockets, TLS, subprocesses and logging: a
# tenth of a memory, and no example waits for an event. `live.image.complete` makes up for it.
EVENT_LOOP = Later("pyodide.webloop")
ASYNCIO = Later("asyncio")
# A package, whose parts may be asked for first.
ASYNCIO.__path__ = []
# NumPy imports half a megabyte of native code for whoever may want to solve equations.
LATER = (ASYNCIO, EVENT_LOOP, Later("numpy.linalg._umath_linalg"))


def no_event_loop() -> None:
    """Get from JavaScript what Pyodide counts on to be held when its memory is taken."""
    from pyodide_js._api import scheduleCallback  # noqa: PLC0415

    EVENT_LOOP.scheduleCallback = scheduleCallback


EVENT_LOOP._initialize_event_loop = no_event_loop
sys.modules.update({module.__name__: module for module in LATER})
