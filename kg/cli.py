"""The command `guigu`: it parses arguments and calls.

Results go to stdout, notes to stderr. Exit 0: done; 1: the thing checked failed; 2: wrong usage or input.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from kg.cli_ask import ask, compare, load, sparql
from kg.cli_batch import BATCH_OPTIONS, judge_batch, refuse_without_batch
from kg.cli_batch import FORMS as BATCH_FORMS
from kg.cli_census import census
from kg.cli_release import diff, export, verify
from kg.options import with_options
from kg.server.command import serve
from loader.clause import READINGS
from loader.errors import GuiguError

if TYPE_CHECKING:  # the modules that reason are imported only when a command needs them: --help stays quick
    from kg.judgement import Judgement
    from loader.calendar import Moment
    from loader.saying import Said

_EXAMPLE: Final = """
\b
Example:
  guigu cast --hexagram 雷山小過 --moving 3 --month 辰 --day 戊辰 --topic childbirth
"""
_CAST_EXAMPLES: Final = """
\b
Examples:
  guigu cast --hexagram 雷山小過 --moving 3 --month 辰 --day 戊辰 --topic childbirth
  guigu cast --lines 7,8,9,6,7,8 --at 2026-11-30T10:20+08:00 --topic heirs --dates
  guigu cast --toss --at 2026-11-30T10:20 --zone Asia/Seoul --topic smallpox --format json
  guigu cast --hexagram 蒙 --to 晉 --month 子 --day 乙亥 --topic all --convention star-pillars=day
  guigu cast --hexagram 履 --moving 5 --month 午 --day 甲子 --topic childbirth --variants still
  guigu cast --batch casebook.csv --topic childbirth --output judged.csv
"""
_QIMEN_EXAMPLES: Final = """
\b
Examples:
  guigu qimen --at 2024-04-25T09:30+08:00 --topic childbirth --birth-year 1994
  guigu qimen --year 甲辰 --month 戊辰 --day 己未 --hour 己巳 --term 穀雨 --ju 陽8 --topic farming
  guigu qimen --at 2026-11-30T10:20 --zone Asia/Seoul --topic marriage --man-born 1990 --woman-born 1993 --ask first-marriage
  guigu qimen --at 2024-12-21T18:30+08:00 --topic burial --mountain 子山 --convention ju=zhirun --why
"""
_WHY_EXAMPLES: Final = """
\b
Examples:
  guigu why yy-taichan-037 --hexagram 觀 --month 辰 --day 戊辰
  guigu why qm-taichan-017 --at 2024-04-25T09:30+08:00
"""
_TIME_OPTIONS: Final = (
    click.option("--at", metavar="DATE-TIME", help="Civil date-time with UTC offset, e.g. 2026-11-30T10:20+08:00."),
    click.option("--zone", metavar="ZONE", help="IANA time zone of --at, e.g. Asia/Seoul."),
    click.option("--longitude", type=float, metavar="DEGREES", help="Longitude east of Greenwich, for --convention solar-time=mean."),
    click.option("--year", metavar="PILLAR", help="Year pillar, e.g. 庚寅 (or its branch)."),
    click.option("--month", metavar="PILLAR", help="Month pillar, or its branch, e.g. 辰."),
    click.option("--day", metavar="PILLAR", help="Day pillar, e.g. 戊辰."),
    click.option("--hour", metavar="PILLAR", help="Hour pillar (or its branch)."),
    click.option("--topic", "topic", multiple=True, metavar="TOPIC", help="What is asked: see 'guigu topics'; may be repeated; 'all'."),
    click.option("--ask", "ask", multiple=True, metavar="QUESTION", help="A narrower question: birth-near, birth-far, conception-date ..."),
)
_JUDGING_OPTIONS: Final = (
    click.option(
        "--reading", type=click.Choice(READINGS), help="Emended where the emendation is safe (graded, the default), as received, or emended throughout."
    ),
    click.option("--convention", multiple=True, metavar="NAME=VALUE", help="A convention other than the default; see 'guigu topics --conventions'."),
    click.option("--chapter", "chapter_files", multiple=True, metavar="FILE", help="A chapter file of your own; it replaces one of its name."),
    click.option("--engine", default="reasonable", show_default=True, metavar="ENGINE", help="Reasoner: reasonable or owlrl."),
)
_VARIANTS: Final = {
    "still": "with each moving line still in turn",
    "readings": "under each other reading of the text",
}
_BIRTH_OPTION: Final = click.option(
    "--birth-year", metavar="YEAR", help="Birth year of the person asked about (in an hour chart the mother, for childbirth): 1994 or 甲戌."
)
_HEXAGRAM_OPTIONS: Final = (
    click.option("--lines", metavar="6-9 ×6", help="Six numbers, bottom to top: 6 old yin, 7 young yang, 8 young yin, 9 old yang."),
    click.option("--hexagram", metavar="NAME", help="Original hexagram: number, name (short or full) or Unicode sign."),
    click.option("--moving", metavar="N,N", help="Moving lines of --hexagram, from the bottom."),
    click.option("--to", metavar="NAME", help="Changed hexagram, instead of --moving."),
    click.option("--toss", is_flag=True, default=None, help="Toss three coins six times."),
    click.option("--seed", type=click.IntRange(0, 2**63), help="Make the toss repeatable."),
    click.option("--relative", metavar="RELATIVE", help="The relative asked about: father, 父, 부 ...; see 'guigu kinship'."),
    click.option("--role", metavar="ROLE", help="The role of a line (分宮) asked about: examiner, 試官 ...; see 'guigu topics'."),
    click.option("--age", type=int, metavar="YEARS", help="Age of the person, one at birth, for questions of a stage of life."),
    click.option("--in-year", type=int, metavar="YEAR", help="The year asked about, with --birth-year, instead of --age."),
)
_HOUR_OPTIONS: Final = (
    click.option("--term", metavar="TERM", help="Solar term in force, with pillars: 穀雨, 곡우 ..."),
    click.option("--ju", metavar="JU", help="The 局, with pillars: 陽8, 陰遁九局, yang8; by 拆補 where left out."),
    click.option("--sex", type=click.Choice(["man", "woman"]), help="Of the person, for the year of age (行年)."),
    click.option("--man-born", metavar="YEAR", help="Birth year of the man, for a marriage."),
    click.option("--woman-born", metavar="YEAR", help="Birth year of the woman, for a marriage."),
    click.option("--mountain", metavar="MOUNTAIN", help="The sitting mountain (坐山) of a grave, one of the twenty-four: 子山, 壬山 ..."),
    click.option("--crop", metavar="STEM", help="The stem of the crop asked about (主干): 乙, 丁 ..."),
)
_SHARED_OPTIONS: Final = (*_TIME_OPTIONS, _BIRTH_OPTION, *_JUDGING_OPTIONS)


def _answer_options(*batch_forms: str) -> tuple[Callable[..., Any], ...]:
    forms = click.Choice(["text", "json", "ttl", "jsonld", "svg", *batch_forms])
    of_batch = f"; of a casebook {', '.join(batch_forms)}, by default by the ending of --output, or csv" if batch_forms else ""
    return (
        click.option("--format", "form", type=forms, default="text", show_default=True, help=f"Form; svg is the chart alone{of_batch}."),
        click.option("--dates", is_flag=True, help="Name the next civil days of each timing rule, from the day of --at or today."),
        click.option("--from", "start", metavar="DATE", help="Name the next civil days from this date on."),
        click.option("--why", "proofs", is_flag=True, help="Show under each verdict why it fires."),
        click.option("--output", "-o", default="-", metavar="FILE", help="Where to write; '-' is stdout."),
    )


def _variants(*kinds: str) -> Callable[..., Any]:
    help_text = f"Judge the same cast {', or '.join(_VARIANTS[k] for k in kinds)} too, and tell what that changes; may be repeated."
    return click.option("--variants", "differing", multiple=True, type=click.Choice(kinds), help=help_text)


class _Group(click.Group):
    """Turns a fault into one sentence on stderr and exit 2."""

    def invoke(self, ctx: click.Context) -> Any:  # click's own signature
        try:
            return super().invoke(ctx)
        except GuiguError as error:
            click.echo(f"guigu: {error} [{error.code}]", err=True)
            ctx.exit(2)
        except BrokenPipeError:
            ctx.exit(0)


@click.group(cls=_Group, epilog=_EXAMPLE, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(package_name="guigu", prog_name="guigu")
def main() -> None:
    """Judge casts by classical Chinese doctrine, every verdict with the clause that it quotes."""


def _noted(moment: "Moment | None") -> tuple["Said", ...]:
    notes = moment.uncertain if moment else ()
    for note in notes:
        click.echo(f"note: {note}", err=True)
    return notes


def _judge(options: dict[str, Any], tradition: str) -> tuple["Judgement", tuple["Said", ...]]:
    """Judge what was given, as a hexagram or as an hour chart."""
    from kg.judgement import judge
    from kg.typed import read
    from loader.chapter import add

    for file in options["chapter_files"]:
        add(file)
    asked, moment = read(options, tradition)
    return judge(asked, options["engine"]), _noted(moment)


def _write(text: str, output: str) -> None:
    from kg.files import write

    write(text, output)


def _answer(tradition: str, options: dict[str, Any], form: str, dates: bool, start: str | None, proofs: bool, differing: tuple[str, ...], output: str) -> None:
    from kg.typed import beginning
    from kg.variants import data, text, variants

    j, notes = _judge(options, tradition)
    begin = beginning(j.chart.given.at, dates=dates, start=start)
    found = variants(j, differing)
    if form == "text":
        from kg.render import judgement

        _write(judgement(j, begin, proofs=proofs) + text(found), output)
    elif form == "json":
        from kg.answer import answer

        told = answer(j, begin, notes) | ({"variants": data(found)} if differing else {})
        _write(json.dumps(told, ensure_ascii=False, indent=2) + "\n", output)
    elif form == "svg":
        from kg.drawing import drawing

        _write(drawing(j), output)
    else:
        from kg.graph import cast_graph, serialize

        _write(serialize(cast_graph(j, found), form), output)


@main.command(epilog=_CAST_EXAMPLES)
@with_options(*_HEXAGRAM_OPTIONS, *_SHARED_OPTIONS, *_answer_options(*BATCH_FORMS), _variants("still", "readings"), *BATCH_OPTIONS)
@click.pass_context
def cast(
    ctx: click.Context, /, form: str, dates: bool, start: str | None, proofs: bool, differing: tuple[str, ...], output: str, batch: str | None, **options: Any
) -> None:
    """Cast a hexagram (六爻) and judge it; or judge a casebook, with --batch."""
    if batch is not None:
        judge_batch(ctx)
        return
    refuse_without_batch(ctx)
    _answer("liuyao", options, form, dates, start, proofs, differing, output)


@main.command(epilog=_QIMEN_EXAMPLES)
@with_options(*_SHARED_OPTIONS, *_HOUR_OPTIONS, *_answer_options(), _variants("readings"))
def qimen(form: str, dates: bool, start: str | None, proofs: bool, differing: tuple[str, ...], output: str, **options: Any) -> None:
    """Lay the hour chart (奇門) of a moment and judge it."""
    _answer("qimen", options, form, dates, start, proofs, differing, output)


def _refuse_foreign(options: dict[str, Any], clause: str, tradition: str) -> None:
    """Refuse options that the tradition of a clause does not read."""
    from kg.typed import OWN
    from loader.errors import InputError

    foreign = [f"--{k.replace('_', '-')}" for other, keys in OWN.items() if other != tradition for k in keys if options[k] is not None]
    if foreign:
        what, command = {"liuyao": ("hexagrams", "cast"), "qimen": ("hour charts", "qimen")}[tradition]
        raise InputError(f"{clause} judges {what}, which do not read this", where=", ".join(foreign), todo=f"give the options of 'guigu {command}'")


@main.command(epilog=_WHY_EXAMPLES)
@click.argument("clause")
@with_options(*_HEXAGRAM_OPTIONS, *_SHARED_OPTIONS, *_HOUR_OPTIONS)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Form of the answer.")
@click.option("--output", "-o", default="-", metavar="FILE", help="Where to write; '-' is stdout.")
def why(clause: str, form: str, output: str, **options: Any) -> None:
    """Explain why a CLAUSE fires on a cast, or what it lacks.

    A clause on hexagrams (yy-) takes the options of 'guigu cast', one on hour charts (qm-) those of 'guigu qimen'.
    """
    from kg.answer import proof as as_data
    from kg.answer import reckoning
    from kg.explanation import explanation
    from kg.render import asked, reckoned, tree
    from loader import iris
    from loader.chapter import add, clauses
    from loader.errors import UnknownName

    for file in options.pop("chapter_files"):
        add(file)
    options["chapter_files"] = ()
    found = clauses().get(clause)
    if found is None:
        raise UnknownName(clause, "clause", clauses(), where="CLAUSE", todo="Ids look like yy-taichan-013 and qm-taichan-017")
    _refuse_foreign(options, clause, found.tradition)
    # The topic of the clause is asked too, else it could not hold.
    options["topic"] = (*options["topic"], found.topic)
    j, _ = _judge(options, found.tradition)
    told = explanation(j, clause)
    wanted, proofs = told.clause, told.proofs
    if told.holds:
        verb = "fires" if wanted.fires else f"holds (a {wanted.kind} never fires)"
    else:
        verb = ("does not fire" if wanted.fires else "does not hold") + "; the nearest miss" if proofs else "has no condition"
    sums = [r for r in j.reckonings if wanted.computes and iris.key(r.quantity) == wanted.computes.quantity]
    if form == "json":
        data = {
            "clause": clause,
            "fires": clause in j.fires,
            "quote": wanted.quote,
            "condition": wanted.when_text,
            "because": [as_data(p) for p in proofs],
            "reckonings": [reckoning(r) for r in sums],
        }
        _write(json.dumps(data, ensure_ascii=False, indent=2) + "\n", output)
        return
    lines = [f"「{wanted.quote}」 {wanted.en}", f"{clause} {verb}: {wanted.when_text}".rstrip(": ")]
    for p in proofs:
        lines.extend(tree(p, "  "))
    for r in sums:
        lines.extend(reckoned(r))
    lines.extend(line for line in asked(j) if line)
    _write("\n".join(lines) + "\n", output)


@main.command(epilog="\b\nExample:\n  guigu topics --conventions\n")
@click.option("--conventions", is_flag=True, help="List the conventions and their options instead.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Form of the answer.")
def topics(conventions: bool, form: str) -> None:
    """List what can be asked, with the passages that answer."""
    from kg.topics import convention_list, topic_list

    data, text = convention_list() if conventions else topic_list()
    click.echo(json.dumps(data, ensure_ascii=False, indent=2) if form == "json" else text)


@main.command(epilog="\b\nExamples:\n  guigu kinship --world 木\n  guigu kinship --doubts\n")
@click.option("--world", metavar="ELEMENT", help="Element of the world line (世): 木, 화, fire ...; all five by default.")
@click.option("--doubts", is_flag=True, help="Only the relatives of whom a received cell departs from the rule of the text.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Form of the answer.")
def kinship(world: str | None, doubts: bool, form: str) -> None:
    """Print the kinship tables: the element of each relative by the rule, and as the tables have it."""
    from kg.asking import check_element
    from kg.kinship import table, text

    rows = table(check_element(world), doubts=doubts)
    click.echo(json.dumps(rows, ensure_ascii=False, indent=2, default=str) if form == "json" else text(rows), nl=form == "json")


@main.command(epilog="\b\nExamples:\n  guigu check\n  guigu check my-chapter.yaml\n")
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--casts", type=click.IntRange(0, 10_000), default=3, show_default=True, help="Sample casts on which the engines must agree.")
@click.option("--doubts", is_flag=True, help="Write out every doubt, not only how many there are.")
def check(files: tuple[Path, ...], casts: int, doubts: bool) -> None:
    """Check the chapters (or only FILES): anchors, coverage, names, OWL RL, shapes, agreement of the engines."""
    from kg.check import check_all, check_files

    report = check_files(files) if files else check_all(casts, progress=lambda text: click.echo(text, err=True), doubts=doubts)
    click.echo(report.text)
    sys.exit(0 if report.passed else 1)


for command in (ask, compare, sparql, load, census, export, verify, diff, serve):
    main.add_command(command)
