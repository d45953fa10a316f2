"""The pool of workers: it asks them, waits so long and no longer, and has dead ones replaced."""

import asyncio
import json
import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from typing import Any, Final

from kg.server.nursery import Nursery, Worker
from kg.server.settings import MIB, Settings
from kg.server.worker import FRAME, PIECE
from loader import iris
from loader.errors import EngineError, GuiguError, QueryError

BUSY: Final = "GUIGU.SERVER.BUSY"
LOADING: Final = "GUIGU.SERVER.LOADING"
ENDED: Final = "GUIGU.SERVER.ENDED"
_PAUSE: Final = 0.2
"""Seconds before what ended too early is started again."""
_SHOWN: Final = 200
"""Characters of what the evaluator says."""
_LAST_WORD: Final = 1.0
"""Seconds in which the nursery tells how a worker ended."""


@dataclass(frozen=True, slots=True)
class Job:
    """A query as a worker takes it; see `kg.server.worker.answered`. `beside` is N-Triples that are asked too, for this query only."""

    query: str
    base: str
    default: tuple[str, ...] | None = None
    named: tuple[str, ...] | None = None
    solutions: str | None = "JSON"
    graph: str | None = "TURTLE"
    beside: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a query: its kind (`solutions`, `boolean`, `graph`) and its pieces."""

    kind: str
    pieces: Sequence[bytes]


class Workers:
    """A pool of processes over one dataset. A query runs within the limits of the settings, or fails with the reason."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.counts: Mapping[str, int] = {}
        self._nursery: Nursery | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._living: dict[int, Worker] = {}
        self._idle: asyncio.Queue[Worker] = asyncio.Queue()
        self._ready = asyncio.Event()
        self._waiting = self._held = 0

    @property
    def ready(self) -> bool:
        """Whether queries can be answered."""
        return self._ready.is_set()

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes that answer now."""
        return tuple(sorted(self._living))

    async def start(self, graphs: Sequence[tuple[str | None, bytes]]) -> None:
        """Start over graphs in N-Triples (None is the default graph), and wait until they answer.

        Raises:
            EngineError: they cannot be started.
        """
        self._keeper = asyncio.create_task(self._keep(graphs))
        ready = asyncio.create_task(self._ready.wait())
        await asyncio.wait((self._keeper, ready), return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()
        if self._keeper.done():
            self._keeper.result()

    async def stop(self) -> None:
        """End all processes; nothing is left of them."""
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)

    @asynccontextmanager
    async def answer(self, job: Job) -> AsyncIterator[Answer]:
        """Evaluate a query; within the context its answer counts as held.

        Raises:
            QueryError: it is no query (`GUIGU.QUERY.SYNTAX`), has no answer in an acceptable form (`.ACCEPT`), fails (`.FAILED`), or is
                stopped at a limit (`.TIME`, `.MEMORY`, `.SIZE`, `.DEPTH`).
            EngineError: too many wait (`GUIGU.SERVER.BUSY`), the data are being loaded (`GUIGU.SERVER.LOADING`), or the worker ended.
        """
        pieces: list[bytes] = []
        try:
            kind = await self._answered_by_some(job, pieces)
            yield Answer(kind, pieces)
        finally:
            self._held -= sum(map(len, pieces))

    async def _answered_by_some(self, job: Job, pieces: list[bytes]) -> str:
        """The kind of the answer. Workers may have been ended from outside before they had the query, so others are asked, all at most once."""
        for _ in range(self.settings.workers):
            try:
                return await self._answered(await self._free(), job, pieces)
            except EngineError as error:
                if error.code != ENDED or pieces:
                    raise
        return await self._answered(await self._free(), job, pieces)

    async def _free(self) -> Worker:
        if not self.ready:
            raise EngineError("the data are being loaded", todo="Ask again in a moment", code=LOADING)
        if self._waiting >= self.settings.waiting and self._idle.empty():
            raise _busy("too many queries wait")
        self._waiting += 1
        try:
            async with asyncio.timeout(self.settings.patience):
                while True:
                    worker = await self._idle.get()
                    if not worker.dead.done() and not worker.reader.at_eof():
                        return worker
        except TimeoutError as error:
            raise _busy("all workers are at work") from error
        finally:
            self._waiting -= 1

    async def _answered(self, worker: Worker, job: Job, pieces: list[bytes]) -> str:
        """The kind of the answer; its pieces are put into the list. The worker is free again, or killed."""
        try:
            async with asyncio.timeout(self.settings.seconds):
                end = await self._asked(worker, job, pieces)
        except TimeoutError as error:
            self._kill(worker)
            raise _stopped("TIME", f"took longer than {self.settings.seconds:g} s and was stopped") from error
        except (asyncio.IncompleteReadError, OSError, ValueError) as error:
            raise await self._reason(worker) from error
        except BaseException:  # what it may still say belongs to nobody
            self._kill(worker)
            raise
        if not end["last"]:
            self._idle.put_nowait(worker)
        if "fault" in end:
            raise self._fault(end["fault"], end["text"])
        return str(end["kind"])

    async def _asked(self, worker: Worker, job: Job, pieces: list[bytes]) -> dict[str, Any]:
        text = json.dumps(asdict(job)).encode()
        worker.writer.write(FRAME.pack(b"q", len(text)) + text)
        await worker.writer.drain()
        while True:
            kind, length = FRAME.unpack(await worker.reader.readexactly(FRAME.size))
            if length > PIECE + MIB:
                raise ValueError("a frame of no worker of ours")
            data = await worker.reader.readexactly(length)
            if kind == b"e":
                worker.answers += 1
                end: dict[str, Any] = json.loads(data)
                return end
            self._held += length
            pieces.append(data)
            if self._held > self.settings.held:
                raise _busy("too many answers wait to be fetched")

    def _kill(self, worker: Worker) -> None:
        if self._nursery is not None:
            self._nursery.kill(worker)
        worker.writer.close()

    async def _reason(self, worker: Worker) -> GuiguError:
        """Why a worker ended instead of answering."""
        self._kill(worker)
        done, _ = await asyncio.wait((worker.dead,), timeout=_LAST_WORD)
        ended = worker.dead.result() if done else 0
        if ended == signal.SIGSEGV:
            return QueryError("the query is nested too deeply", where="SPARQL", code="GUIGU.QUERY.DEPTH")
        if ended == signal.SIGABRT:
            return self._fault("memory", "")
        todo = "Ask again, or for less"
        return EngineError("the process that evaluated the query ended before it had answered", todo=todo, code=ENDED)

    def _fault(self, fault: str, text: str) -> GuiguError:
        if fault == "memory":
            return _stopped("MEMORY", f"takes more than {self.settings.memory / MIB:g} MiB of memory and was stopped")
        if fault == "size":
            return _stopped("SIZE", f"has an answer of more than {self.settings.result / MIB:g} MiB and was stopped")
        if fault == "syntax":
            return _malformed(text)
        if fault == "form":
            what = f"the answer of this query is {'a graph' if text == 'graph' else f'a {text}' if text == 'boolean' else 'a table'}"
            return QueryError(f"{what}, which has no form that Accept allows", where="Accept", code="GUIGU.QUERY.ACCEPT")
        return QueryError(f"the query failed: {_line(text)}", where="SPARQL", code=f"GUIGU.QUERY.{fault.upper()}")

    async def _keep(self, graphs: Sequence[tuple[str | None, bytes]]) -> None:
        s = self.settings
        told = {"prefixes": iris.PREFIXES, "memory": s.memory, "seconds": s.seconds, "result": s.result, "network": bool(s.services)}
        started = False
        while True:
            try:
                nursery = await Nursery.start(graphs, told)
            except EngineError:
                if not started:
                    raise
                await asyncio.sleep(_PAUSE)
                continue
            started, self._nursery, self.counts = True, nursery, nursery.counts
            try:
                async with asyncio.TaskGroup() as seats:
                    for _ in range(s.workers):
                        seats.create_task(self._seat(nursery))
            except* EngineError:
                pass  # the nursery has ended; another takes its place
            finally:
                self._ready.clear()
                await nursery.end()
            await asyncio.sleep(_PAUSE)

    async def _seat(self, nursery: Nursery) -> None:
        """Have one worker at any time, as long as the nursery lives."""
        while True:
            worker = await nursery.fork()
            self._living[worker.pid] = worker
            self._idle.put_nowait(worker)
            self._ready.set()
            try:
                await asyncio.wait((worker.dead,))
            finally:
                del self._living[worker.pid]
                worker.writer.close()
            if not worker.answers:
                await asyncio.sleep(_PAUSE)  # workers that die at once must not keep the machine busy


def _busy(what: str) -> EngineError:
    return EngineError(what, todo="Ask again in a moment", code=BUSY)


def _stopped(code: str, what: str) -> QueryError:
    return QueryError(f"the query {what}", todo="Ask for less, or with tighter patterns", code=f"GUIGU.QUERY.{code}")


def _malformed(text: str) -> QueryError:
    """A fault of the parser, `error at 1:9: expected one of ...`, with its place; the classes of characters in it say nothing to people."""
    place, _, expected = text.removeprefix("error at ").partition(": ")
    where = f"query:{place}" if all(p.isdigit() for p in place.split(":")) else "query"
    said = _line(expected.partition("[")[0]).strip(" ,").removesuffix(" expected one of").removesuffix("expected")
    what = f"the query is malformed: {said}" if said else "the query is malformed"
    return QueryError(what, where=where, todo="Write one SPARQL 1.1 query: SELECT, ASK, CONSTRUCT or DESCRIBE", code="GUIGU.QUERY.SYNTAX")


def _line(text: str) -> str:
    """Foreign text on one line of bearable length."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
