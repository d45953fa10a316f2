"""Where casts are judged for those who ask over HTTP: few at a time, some who wait, and a clean refusal for the rest."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import Final, TypeVar

from loader.errors import EngineError

_Result = TypeVar("_Result")
_AT_ONCE: Final = 2
_WAITING: Final = 16


class Bench:
    """Threads that work for requests.

    Attributes:
        waiting: how many may wait for one of them.
    """

    def __init__(self, at_once: int = _AT_ONCE, waiting: int = _WAITING) -> None:
        self.waiting = waiting
        self._most = at_once + waiting
        self._here = 0
        self._lock = Lock()
        self._threads = ThreadPoolExecutor(at_once, "guigu-bench")

    async def run(self, work: Callable[[], _Result]) -> _Result:
        """What the work gives, done in a thread; it raises what the work raises.

        Raises:
            EngineError: too many wait already (`GUIGU.SERVER.BUSY`, 503 with Retry-After).
        """
        with self._lock:
            if self._here >= self._most:
                raise EngineError("too many casts wait to be judged", todo="Ask again in a moment", code="GUIGU.SERVER.BUSY")
            self._here += 1

        def done() -> _Result:
            try:
                return work()
            finally:
                with self._lock:
                    self._here -= 1

        # A client that leaves does not stop the work: shielded, it is counted until it ends.
        return await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._threads, done))
