"""Ctrl-C: the program stops within a second, also where a fit does not let it."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# Seconds that the work has to end by itself. What is finished is written within a quarter of one.
PATIENCE = 0.8


@contextmanager
def interruptible(sentence: str) -> Iterator[None]:
    """Answer Ctrl-C with a KeyboardInterrupt; where nothing comes of it, say a sentence and end the process.

    A fit in this process may be inside a library that does not return for minutes. Python cannot raise anything there.
    """
    if os.name != "posix" or threading.current_thread() is not threading.main_thread():
        yield
        return
    ended = threading.Event()

    def end() -> None:
        if not ended.wait(PATIENCE):
            sys.stderr.write(f"foldproof: {sentence}\n")
            sys.stderr.flush()
            os._exit(130)

    reader, writer = os.pipe()
    os.set_blocking(writer, False)

    def watch() -> None:
        # A byte arrives when the signal does, before any Python code of the main thread runs.
        with os.fdopen(reader, "rb", buffering=0) as signals:
            while byte := signals.read(1):
                if byte[0] == signal.SIGINT:
                    end()
                    return

    before: Any = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    threading.Thread(target=watch, name="foldproof interrupt", daemon=True).start()
    try:
        yield
    finally:
        ended.set()
        signal.set_wakeup_fd(before)
        os.close(writer)
