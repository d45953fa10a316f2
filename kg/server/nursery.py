"""The nursery as the server sees it: a process that holds the data and forks workers; see `kg.server.worker` for what is said."""

import asyncio
import json
import os
import socket
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Self

from loader.errors import EngineError

GONE: Final = -1
"""What ended a worker of which the nursery can no longer tell."""
_START: Final = 120.0
"""Seconds that a nursery may take to load the data."""
_END: Final = 5.0
"""Seconds that it may take to end."""


@dataclass(slots=True, eq=False)
class Worker:
    """A process that answers one query at a time.

    Attributes:
        dead: resolved when it has ended: with the signal that ended it, 0 for none, or `GONE`.
        answers: queries that it has answered.
    """

    pid: int
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    dead: asyncio.Future[int]
    answers: int = 0


class Nursery:
    """One nursery, from its start to its end."""

    def __init__(self, process: asyncio.subprocess.Process, control: socket.socket) -> None:
        self.counts: Mapping[str, int] = {}
        self._process, self._control = process, control
        self._born: deque[asyncio.Future[int]] = deque()
        self._dead: dict[int, asyncio.Future[int]] = {}
        self._ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._listener: asyncio.Task[None] | None = None

    @classmethod
    async def start(cls, graphs: Sequence[tuple[str | None, bytes]], told: Mapping[str, Any]) -> Self:
        """Start one over graphs in N-Triples (None is the default graph) and wait until it has loaded them.

        Raises:
            EngineError: it does not start, or ends.
        """
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        # The same modules as here, wherever they lie; the current folder only if it is on the path by name.
        path = os.pathsep.join(folder or os.getcwd() for folder in sys.path)
        null = asyncio.subprocess.DEVNULL
        try:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", "kg.server.worker"),
                stdin=theirs.fileno(),
                stdout=null,
                stderr=null,
                start_new_session=True,  # Ctrl-C is for the server, which then ends the nursery
                env=os.environ | {"PYTHONPATH": path},
            )
        except OSError as error:
            ours.close()
            raise EngineError(f"the process of the store does not start: {error.strerror}") from error
        finally:
            theirs.close()
        nursery = cls(process, ours)
        try:
            await nursery._load(graphs, told)
        except BaseException:
            await nursery.end()
            raise
        return nursery

    async def _load(self, graphs: Sequence[tuple[str | None, bytes]], told: Mapping[str, Any]) -> None:
        loop = asyncio.get_running_loop()
        self._listener = asyncio.create_task(self._listen())
        head = dict(told) | {"graphs": [(name, len(data)) for name, data in graphs]}
        try:
            async with asyncio.timeout(_START):
                await loop.sock_sendall(self._control, json.dumps(head).encode() + b"\n")
                for _, data in graphs:
                    await loop.sock_sendall(self._control, data)
                await self._ready
        except (TimeoutError, OSError) as error:
            raise EngineError("the process of the store does not load the data") from error

    async def fork(self) -> Worker:
        """A new worker.

        Raises:
            EngineError: the nursery has ended.
        """
        ours, theirs = socket.socketpair()
        with theirs:
            born: asyncio.Future[int] = asyncio.get_running_loop().create_future()
            self._born.append(born)
            try:
                # A few bytes into an empty buffer: this does not block.
                socket.send_fds(self._control, [b"F\n"], [theirs.fileno()])
            except OSError as error:
                ours.close()
                raise EngineError("the process of the store has ended") from error
        try:
            pid = await born
            reader, writer = await asyncio.open_connection(sock=ours)
        except BaseException:
            ours.close()
            raise
        return Worker(pid, reader, writer, self._dead[pid])

    def kill(self, worker: Worker) -> None:
        """Kill a worker, whatever it does."""
        with suppress(OSError):
            self._control.send(b"K %d\n" % worker.pid)

    async def end(self) -> None:
        """End it and all its workers, and wait until it has ended."""
        if self._listener is not None:
            self._listener.cancel()
            await asyncio.gather(self._listener, return_exceptions=True)
        self._control.close()
        try:
            async with asyncio.timeout(_END):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
            await self._process.wait()

    async def _listen(self) -> None:
        loop = asyncio.get_running_loop()
        text = b""
        try:
            while data := await loop.sock_recv(self._control, 2**16):
                *lines, text = (text + data).split(b"\n")
                for line in lines:
                    self._hear(json.loads(line))
        except OSError:
            pass  # as if it had closed
        finally:
            self._forget()

    def _hear(self, said: dict[str, Any]) -> None:
        if "ready" in said:
            self.counts = said["ready"]
            self._ready.set_result(None)
        elif "born" in said:
            self._dead[said["born"]] = asyncio.get_running_loop().create_future()
            if not (born := self._born.popleft()).done():
                born.set_result(said["born"])
        elif (dead := self._dead.get(said["dead"])) is not None and not dead.done():
            dead.set_result(said["signal"])

    def _forget(self) -> None:
        """It has ended: so has all that was expected of it."""
        gone = EngineError("the process of the store has ended")
        if not self._ready.done():
            self._ready.set_exception(gone)
            self._ready.exception()  # nobody may be there to take it
        for born in self._born:
            if not born.done():
                born.set_exception(gone)
        for dead in self._dead.values():
            if not dead.done():
                dead.set_result(GONE)
