"""The option `--batch` of `guigu cast`. Like `kg.cli`, it parses and calls."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click

FORMS: Final = ("csv", "jsonl", "parquet", "nq")
"""Forms of a judged casebook."""
BATCH_OPTIONS: Final[tuple[Callable[..., Any], ...]] = (
    click.option(
        "--batch",
        metavar="FILE",
        help="Judge a casebook (CSV or Parquet; '-' is stdin): one row a cast, columns named as these options, which serve as defaults.",
    ),
    click.option("--keep", multiple=True, metavar="COLUMN", help="A column of your own in the casebook, to be carried through (as 'id' and 'note...' are)."),
    click.option("--jobs", type=click.IntRange(1, 256), metavar="N", help="Processes that judge the casebook; one by default."),
    click.option("--scheduler", metavar="ADDRESS", help="Dask scheduler of a cluster of your own that judges it instead, e.g. tcp://host:8786."),
    click.option("--work", metavar="FOLDER", help="Where what is done of the casebook is kept, so that a run which was stopped goes on; a cluster needs one."),
)
_ALONE: Final = ("toss", "seed", "dates", "start", "proofs", "differing", "engine")
"""Parameters of one cast, which say nothing of a casebook."""
_RUN: Final = ("batch", "keep", "jobs", "scheduler", "work", "form", "output", "chapter_files")


def refuse_without_batch(ctx: click.Context) -> None:
    """Refuse what only a casebook reads, where there is none.

    Raises:
        InputError: something of the kind was given.
    """
    from loader.errors import InputError

    given = [f"--{n}" for n in ("keep", "jobs", "scheduler", "work") if ctx.params[n]] + ([f"--format {form}"] if (form := ctx.params["form"]) in FORMS else [])
    if given:
        raise InputError("there is no casebook", where=", ".join(given), todo="give one by --batch")


def judge_batch(ctx: click.Context) -> None:
    """Judge the casebook of `guigu cast --batch`; exit 1 if a row of it has a fault."""
    from kg.batch.casebook import Hands, run
    from loader.errors import InputError

    options = ctx.params
    alone = [n for n in _ALONE if ctx.get_parameter_source(n) is click.core.ParameterSource.COMMANDLINE]
    if alone:
        names = [next(o for p in ctx.command.params if p.name == n for o in p.opts) for n in alone]
        raise InputError("this is of one cast, not of a casebook", where=", ".join(names), todo="leave it out")
    summary = run(
        options["batch"],
        options["output"],
        _form(ctx),
        defaults={o: v for o, v in options.items() if o not in (*_RUN, *_ALONE) and v not in (None, ())},
        keep=options["keep"],
        chapters=options["chapter_files"],
        hands=Hands(options["jobs"] or 1, options["scheduler"], options["work"]),
        progress=_progress,
    )
    if summary.wrong:
        click.echo(f"{summary.wrong} of {summary.rows} rows cannot be judged:", err=True)
        for number, text in summary.first:
            click.echo(f"  line {number}: {text}", err=True)
        if summary.wrong > len(summary.first):
            click.echo("  ... the others are told in the result", err=True)
        sys.exit(1)


def _form(ctx: click.Context) -> str:
    """The form that was asked for, else by the ending of the output, else CSV."""
    from loader.errors import InputError

    form, ending = str(ctx.params["form"]), Path(ctx.params["output"]).suffix.lstrip(".")
    if ctx.get_parameter_source("form") is not click.core.ParameterSource.COMMANDLINE:
        form = ending if ctx.params["output"] != "-" else "csv"
    if form not in FORMS:
        raise InputError(f"a casebook is not written as {form or 'a file without an ending'}", where="--format", todo=f"there are: {', '.join(FORMS)}")
    return form


def _progress(done: int, pieces: int) -> None:
    tenth = max(1, pieces // 10)
    if pieces > 1 and (done % tenth == 0 or done == pieces):
        click.echo(f"judged: {done} of {pieces} pieces", err=True)
