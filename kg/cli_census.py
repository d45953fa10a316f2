"""The command `guigu census`. Like `kg.cli`, it parses and calls."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from kg.options import with_options
from loader.clause import READINGS
from loader.errors import InputError

if TYPE_CHECKING:
    from kg.census.space import Space

_SPACES: Final = ("days", "moments", "asked", "hours", "asked-hours")
_EXAMPLES: Final = """
\b
Examples:
  guigu census census/ --jobs 2
  guigu census census/ --with conventions --with traditions --jobs 2
  guigu census - --topic childbirth --hexagram 剝 --month 辰 --day 戊辰
  guigu census census.ttl --topic childbirth --hexagram 剝 --month 辰 --day 戊辰
  guigu census census/ --scheduler tcp://192.168.1.10:8786
"""
_SLICE_OPTIONS: Final = (
    click.option(
        "--space",
        "spaces",
        multiple=True,
        type=click.Choice(_SPACES),
        help="What to count; all by default. days: every pair of hexagrams on every day of every month. moments: casts drawn at random, with all four "
        "pillars. asked: drawn at random, with narrower questions. hours: every hour chart of the sixty years. asked-hours: charts drawn at random, "
        "with birth years, mountains, crops.",
    ),
    click.option("--topic", "topic", multiple=True, metavar="TOPIC", help="What is asked; all topics by default."),
    click.option("--hexagram", "hexagram", multiple=True, metavar="NAME", help="Only casts of this original hexagram (of days)."),
    click.option("--month", "month", multiple=True, metavar="BRANCH", help="Only this month (of days)."),
    click.option("--day", "day", multiple=True, metavar="PILLAR", help="Only this day (of days)."),
    click.option("--casts", type=click.IntRange(1, 2**24), metavar="N", help="Casts drawn at random for each topic, instead of the usual number."),
    click.option("--year", type=click.IntRange(1601, 2099), default=2026, show_default=True, help="The year of --with traditions."),
    click.option("--reading", type=click.Choice(READINGS), default=READINGS[0], show_default=True, help="The reading of the text."),
    click.option("--convention", multiple=True, metavar="NAME=VALUE", help="A convention other than the default, for the whole census."),
    click.option(
        "--with",
        "beside",
        multiple=True,
        type=click.Choice(["conventions", "traditions"]),
        help="Count too what each option of each convention changes; or where the two traditions agree and part, over every cast in every hour of a year.",
    ),
)
_WORK_OPTIONS: Final = (
    click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes of this machine."),
    click.option("--scheduler", metavar="ADDRESS", help="Scheduler of a Dask cluster of your own, tcp://host:8786; OUTPUT must be seen by its workers."),
)


@click.command(epilog=_EXAMPLES)
@click.argument("output")
@with_options(*_SLICE_OPTIONS, *_WORK_OPTIONS)
@click.option("--format", "form", type=click.Choice(["text", "ttl"]), default="text", show_default=True, help="What goes to stdout where OUTPUT is '-'.")
def census(output: str, jobs: int, scheduler: str | None, form: str, beside: tuple[str, ...], **options: Any) -> None:
    """Count every cast there is: how often each clause fires, which two never or always do together, and on which cast.

    OUTPUT is a folder for Parquet files, RDF and a page of findings; a file of RDF (.ttl); or '-' for a table of clauses. A census that was
    stopped goes on where it was when the same command is given again.
    """
    from kg.census import census as counting
    from kg.census import rdf, relation, row, table
    from kg.files import write, write_bytes
    from kg.spread import workers

    spaces = _spaces(options)
    asked = _asked(options["topic"], spaces)
    is_file = output == "-" or output.endswith(".ttl")
    if is_file and beside:
        raise InputError("conventions and traditions need a folder", where="--with", todo="name one as OUTPUT")
    with _folder(None if is_file else output) as folder, workers(jobs, scheduler) as crew:
        found = counting.take(spaces, folder / "pieces", crew, asked, options["reading"], _progress("casts"))
        counts = list(row.clause_rows(found))
        if output == "-" and form == "text":
            write(table.text(counts) + "\n", output)
            return
        rows: dict[str, list[Any]] = {
            "clauses": counts,
            "pairs": list(row.pair_rows(found, list(relation.relations(found)))),
            "aspects": list(row.aspect_rows(found)),
        }
        if "conventions" in beside:
            from kg.census import effect

            trials = effect.trials(options["casts"] or effect.CASTS)
            effects = list(effect.effects(trials, folder / "pieces-conventions", crew, _progress("conventions")))
            rows |= {"conventions": list(row.effect_rows(effects)), "changes": list(row.change_rows(effects))}
        if "traditions" in beside:
            from kg.census import accord

            found_accord = accord.accord(accord.TOPIC, options["year"], folder / "pieces-traditions", crew, _progress("traditions"))
            rows["traditions"] = list(row.accord_rows(accord.TOPIC, options["year"], found_accord))
        as_rdf = rdf.written([one for some in rows.values() for one in some], rdf.Origin.here(options["reading"], options["convention"]))
        if is_file:
            write(as_rdf.decode(), output)
            return
        for name, some in rows.items():
            table.save(folder, name, some)
        write_bytes(as_rdf, folder / "census.ttl")
        _publish(folder)
        counting.end(folder)
    click.echo(f"census written to {output}", err=True)


def _publish(folder: Path) -> None:
    """Write the page of the findings with its plots."""
    from kg.census.findings import Findings, page
    from kg.census.plot import plots
    from kg.files import write_bytes

    found = Findings.read(folder)
    pictures = folder / "findings"
    pictures.mkdir(exist_ok=True)
    for name, data in plots(found).items():
        write_bytes(data, pictures / f"{name}.svg")
    write_bytes(page(found, "findings").encode(), folder / "findings.md")


def _progress(of: str) -> Callable[[int, int], None]:
    def tell(done: int, every: int) -> None:
        if done == every or done * 20 // every != (done - 1) * 20 // every:
            click.echo(f"{of}: {done} of {every} pieces", err=True)

    return tell


@contextmanager
def _folder(output: str | None) -> Iterator[Path]:
    if output is None:
        with tempfile.TemporaryDirectory() as name:
            yield Path(name)
    else:
        # Workers of a cluster may stand in another folder.
        yield Path(output).resolve()


def _asked(named: tuple[str, ...], spaces: "list[Space]") -> tuple[str, ...]:
    """The topics, each of a tradition whose casts are counted."""
    from kg.asking import check_topics, topics

    every = tuple(dict.fromkeys(t for space in spaces for t in topics(space.tradition)))
    found: list[str] = []
    for name in named:
        tradition = next((space.tradition for space in spaces if name in topics(space.tradition)), spaces[0].tradition)
        found += check_topics([name], tradition)
    return tuple(t for t in found if t in every)


def _spaces(options: dict[str, Any]) -> "list[Space]":
    from kg.census.space import Asked, AskedHours, Days, Hours, Moments
    from kg.typed import conventions
    from loader.tables import choose

    written = conventions(options["convention"], None if options["reading"] == READINGS[0] else options["reading"])
    if choose(written)["ju"] != "chaibu":
        raise InputError("the hours are laid by 拆補", where="--convention", todo="leave out ju")
    chosen = tuple(sorted(written.items()))
    sliced = {name: options[name] for name in ("hexagram", "month", "day") if options[name]}
    wanted = options["spaces"] or (("days",) if sliced else _SPACES)
    if sliced and wanted != ("days",):
        raise InputError("only days can be sliced", where=f"--{next(iter(sliced))}", todo="give --space days alone")
    count = {"count": options["casts"]} if options["casts"] else {}
    made: dict[str, Space] = {
        "days": Days.of(**sliced, chosen=chosen),
        "moments": Moments(**count, chosen=chosen),
        "asked": Asked(**count, chosen=chosen),
        "hours": Hours(chosen),
        "asked-hours": AskedHours(**count, chosen=chosen),
    }
    return [made[key] for key in _SPACES if key in wanted]
