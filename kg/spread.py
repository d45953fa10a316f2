"""Much work in pieces: over the processes of this machine, or over the workers of a Dask cluster, each piece to a file of its own.

A piece is done when its file is there. Files appear whole and by name, so a worker that is killed leaves nothing half written, a piece
that is done twice is there once, and what was done before a run was stopped is not done again.
"""

import multiprocessing
from collections.abc import Callable, Container, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

from kg.files import write_bytes
from loader.errors import ClusterFault, InputError

_ASIDE: Final = 4
"""Pieces that are submitted for each worker: enough that none is idle, few enough that their inputs take little memory."""
_PATIENCE: Final = 10
"""Seconds in which a scheduler must answer and have a worker."""
_Item = TypeVar("_Item")
_P = ParamSpec("_P")
_T = TypeVar("_T")


class _Here(Executor):
    """Does what is submitted at once, in this process."""

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> "Future[_T]":
        future: Future[_T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # whatever it is, it belongs to the one who asks for the result
            future.set_exception(error)
        return future


@contextmanager
def workers(jobs: int = 1, scheduler: str | None = None) -> Iterator[tuple[Executor, int]]:
    """Those who do the work, and how many pieces may be submitted at one time.

    Args:
        jobs: processes of this machine; one means this process.
        scheduler: the address of the scheduler of a Dask cluster, `tcp://host:8786`, instead. Its workers need this version of guigu. What is
            sent there is not checked by anyone, so the cluster must be your own.

    Raises:
        InputError: no scheduler answers there, or Dask is not installed.
    """
    if scheduler is not None:
        with _cluster(scheduler) as found:
            yield found
    elif jobs == 1:
        yield _Here(), 1
    else:
        # A forked process would share the locks of this one's threads.
        with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
            try:
                yield pool, jobs * _ASIDE
            finally:
                pool.shutdown(cancel_futures=True)


@contextmanager
def _cluster(scheduler: str) -> Iterator[tuple[Executor, int]]:
    try:
        from distributed import Client
    except ImportError as error:
        raise InputError("Dask is not installed", where="--scheduler", todo="install guigu[bulk]") from error
    try:
        client = Client(scheduler, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError(f"no Dask scheduler answers: {error}", where="--scheduler", todo="start one: dask scheduler") from error
    with client:
        try:
            client.wait_for_workers(1, timeout=_PATIENCE)
        except TimeoutError as error:
            raise InputError("the cluster has no worker", where="--scheduler", todo=f"start one: dask worker {scheduler}") from error
        yield client.get_executor(), sum(client.nthreads().values()) * _ASIDE


def spread(
    work: Callable[[_Item], bytes],
    pieces: Mapping[str, _Item],
    folder: Path,
    crew: tuple[Executor, int],
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> None:
    """Do every piece whose file is not there yet.

    Args:
        work: a function of a module, which gives what is to be kept of a piece.
        pieces: file name to what `work` is given.
        folder: where the files go, for this work alone; every worker must see it under this name.
        crew: the workers.
        progress: told the pieces that are done and all of them, after each.

    Raises:
        ClusterFault: workers were lost again and again, or do not see the folder; what is done stays.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name, workers() as crew:
    ...     folder = Path(name)
    ...     spread(str.encode, {"a": "one", "b": "two"}, folder, crew)
    ...     spread(str.encode, {"a": "not done again", "c": "three"}, folder, crew)
    ...     [(folder / n).read_text() for n in ("a", "b", "c")]
    ['one', 'two', 'three']
    """
    executor, room = crew
    _cleared(folder, pieces)
    left = iter([name for name in pieces if not (folder / name).exists()])
    done = sum((folder / name).exists() for name in pieces)
    pending: set[Future[None]] = set()
    progress(done, len(pieces))
    try:
        while True:
            while len(pending) < room and (name := next(left, None)) is not None:
                pending.add(executor.submit(_keep, work, pieces[name], folder / name))
            if not pending:
                _cleared(folder, pieces)
                if lost := next((name for name in pieces if not (folder / name).exists()), None):
                    raise ClusterFault(f"{lost} was done and is not there", where=str(folder), todo="give a folder that every worker sees under this name")
                return
            ready, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in ready:
                _finished(future)
                done += 1
                progress(done, len(pieces))
    finally:
        for future in pending:
            future.cancel()


def _cleared(folder: Path, pieces: Container[str]) -> None:
    """Take away what a process that was killed had begun to write."""
    for path in folder.glob(".*"):
        if path.name[1:].rpartition(".")[0] in pieces:
            path.unlink(missing_ok=True)


def _keep(work: Callable[[Any], bytes], item: Any, path: Path) -> None:
    write_bytes(work(item), path)


def _finished(future: "Future[None]") -> None:
    try:
        future.result()
    except (BrokenExecutor, CancelledError) as error:
        raise ClusterFault("a worker was lost", todo="run the same again: what is done is kept") from error
    except Exception as error:
        # Dask has a fault of its own for a piece under which one worker after the other died.
        if type(error).__name__ == "KilledWorker":
            raise ClusterFault(
                "workers were lost again and again at one piece", todo="see the memory of the workers, then run the same again: what is done is kept"
            ) from error
        raise
