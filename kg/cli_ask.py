"""The commands that ask the graph: `ask`, `sparql`, `compare`, `load`. Like `kg.cli`, it parses and calls."""

import os
from typing import TYPE_CHECKING, Any, Final

import click

from kg.options import with_options
from loader.errors import InputError

if TYPE_CHECKING:
    from kg.question import Question
    from kg.store import Store

_FORMS: Final = ("table", "json", "csv", "tsv", "ttl", "md")
_HEADINGS: Final = {"cast": "Questions of casts (give them with --data)", "census": "Questions of a census (give it with --data)"}
_WHERE_OPTIONS: Final = (
    click.option(
        "--data", "data", multiple=True, metavar="FILE", help="RDF to ask too, such as casts written by 'guigu cast --format ttl'; '-' is Turtle on stdin."
    ),
    click.option("--endpoint", metavar="URL", help="Ask a SPARQL 1.1 endpoint instead of the store of this process."),
    click.option("--graph", metavar="IRI", help="Graph at the endpoint; by default that of 'guigu load', 'default' is the endpoint's own default graph."),
    click.option("--timeout", type=click.FloatRange(0.1, 3600), default=30, show_default=True, metavar="SECONDS", help="Longest wait for the endpoint."),
)
_OUTPUT_OPTION: Final = click.option("--output", "-o", default="-", metavar="FILE", help="Where to write; '-' is stdout.")
_FORM_OPTION: Final = click.option("--format", "form", type=click.Choice(_FORMS), default="table", show_default=True, help="Form of the answer.")


def _store(options: dict[str, Any]) -> "Store":
    """The store that the options name; they are taken out of the options."""
    from kg.store import doctrine_store

    data, endpoint, graph, timeout = (options.pop(k) for k in ("data", "endpoint", "graph", "timeout"))
    if endpoint is None:
        if graph is not None:
            raise InputError("a graph is named, but no endpoint", where="--graph", todo="give --endpoint too")
        return doctrine_store(data)
    if data:
        raise InputError("an endpoint is asked as it is", where="--data", todo="load the file there with 'guigu load FILE --endpoint URL'")
    from kg.endpoint import EndpointStore
    from loader.iris import DOCTRINE_GRAPH

    return EndpointStore(endpoint, graph=None if graph == "default" else graph or DOCTRINE_GRAPH, timeout=timeout)


class _Ask(click.Group):
    """A command for each question, with its parameters as options."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of the questions."""
        from kg.question import questions

        return list(questions())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        """The command of a question.

        Raises:
            UnknownName: there is no such question; near matches are named.
        """
        from kg.question import question

        q = question(cmd_name)
        types = {p.name: f"{p.type}: {', '.join(p.allowed)}" if p.allowed else p.type for p in q.parameters}
        own: list[click.Parameter] = [
            click.Option([f"--{p.name}"], multiple=True, metavar=p.type.upper(), help=f"{p.gloss} [{types[p.name]}; default: {p.default}]")
            for p in q.parameters
        ]
        columns = "\n".join(f"  {name}: {gloss}" for name, gloss in q.columns.items())
        command = click.Command(
            q.name,
            params=own,
            callback=lambda **given: _ask(q, given),
            help=f"{' · '.join(q.title.values())}\n\n{q.answers}",
            epilog=f"\b\nColumns:\n{columns}\n\n\b\nExample ({q.example.passage}):\n  guigu ask {' '.join((q.name, *_written(q)))}",
        )
        for option in (_FORM_OPTION, _OUTPUT_OPTION, click.option("--show", is_flag=True, help="Print the SPARQL instead of asking."), *_WHERE_OPTIONS):
            command = option(command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The questions by theme."""
        from kg.question import THEMES, questions

        for theme in THEMES:
            rows = [(q.name, f"{q.title['en']} · {q.title['ko']} · {q.title['zh-hant']}") for q in questions().values() if q.theme == theme]
            with formatter.section(_HEADINGS.get(theme, f"Questions of {theme}")):
                formatter.write_dl(rows)


def _written(q: "Question") -> list[str]:
    return [f"--{name} {value}" for name, values in q.example.parameters.items() for value in values]


def _ask(q: "Question", options: dict[str, Any]) -> None:
    from kg.files import write
    from kg.rows import write as written

    form, output, show = options.pop("form"), options.pop("output"), options.pop("show")
    where = {k: options.pop(k) for k in ("data", "endpoint", "graph", "timeout")}
    given = {name: values for name, values in options.items() if values}
    if show:
        write(q.bound(given), output)
        return
    bound = q.bound(given)  # a wrong parameter is told before the store is opened
    write(written(_store(where).query(bound), form), output)


@click.group(
    cls=_Ask, invoke_without_command=True, epilog="\b\nExamples:\n  guigu ask aspect --aspect midwife\n  guigu ask aspect --aspect 穩婆 --format csv\n"
)
@click.pass_context
def ask(ctx: click.Context) -> None:
    """Ask a QUESTION of the library; without one, list them by theme.

    A parameter takes an id, an IRI, or a label in any language, and may be given several times. 'guigu ask QUESTION --help' says more.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@click.command(epilog="\b\nExamples:\n  guigu sparql my-query.rq --format csv\n  echo 'SELECT * { ?s a g:Work }' | guigu sparql -\n")
@click.argument("file")
@with_options(_FORM_OPTION, _OUTPUT_OPTION, *_WHERE_OPTIONS)
def sparql(file: str, form: str, output: str, **options: Any) -> None:
    """Run any SPARQL 1.1 query from FILE ('-' is stdin); our prefixes need no declaration."""
    from kg.files import read, write
    from kg.rows import write as written

    query = read(file, where="FILE")
    write(written(_store(options).query(query), form), output)


_COMPARE_EXAMPLES: Final = """
\b
Examples:
  guigu compare --aspect midwife
  guigu compare --symbol 白虎 --picture tiger.svg
  guigu compare --moment 2026-11-30T10:20+08:00 --lines 7,8,9,6,7,8 --topic childbirth
  guigu compare --chain 伯祖 妻
  guigu compare --graphml ties.graphml
"""


@click.command(epilog=_COMPARE_EXAMPLES)
@click.option("--aspect", multiple=True, metavar="ASPECT", help="What each work says on an aspect: midwife, 穩婆, 산파 ...")
@click.option(
    "--symbol", multiple=True, metavar="SYMBOL", help="What each work concludes from a symbol: 白虎, 空亡 ...; a shared name stands for all of that name."
)
@click.option("--moment", metavar="DATE-TIME", help="Judge one moment by both: six lines (--lines or --hexagram) and the hour chart.")
@click.option("--lines", metavar="6-9 ×6", help="Six numbers, bottom to top, for --moment.")
@click.option("--hexagram", metavar="NAME", help="Hexagram, for --moment, instead of --lines.")
@click.option("--moving", metavar="N,N", help="Moving lines of --hexagram.")
@click.option("--zone", metavar="ZONE", help="IANA time zone of --moment, where it has no offset.")
@click.option("--topic", metavar="TOPIC", default="childbirth", show_default=True, help="What is asked of the moment; both works must treat it.")
@click.option("--chain", nargs=2, metavar="A B", help="The shortest chain of clauses from one symbol, aspect, role or relative to another.")
@click.option("--communities", is_flag=True, help="Communities of clauses whose conditions mention the same.")
@click.option("--graphml", metavar="FILE", help="Write the graph, or the part around --aspect and --symbol, as GraphML.")
@click.option("--picture", metavar="FILE", help="Draw the part around --aspect and --symbol as SVG.")
@click.option("--format", "form", type=click.Choice(["table", "json", "md"]), default="table", show_default=True, help="Form of the answer.")
@with_options(_OUTPUT_OPTION, *_WHERE_OPTIONS)
def compare(form: str, output: str, **options: Any) -> None:
    """Compare 易隱 (六爻) and 奇門遁甲秘笈大全 (奇門), with quotes on both sides."""
    from kg import comparison, picture, sheet
    from kg.compare import around, communities, graphml, ties
    from kg.files import write

    where = {k: options.pop(k) for k in ("data", "endpoint", "graph", "timeout")}
    asked = [k for k in ("aspect", "symbol", "moment", "chain", "communities") if options[k]]
    files = {k: options[k] for k in ("graphml", "picture") if options[k]}
    if len(asked) > 1 or not (asked or files):
        raise InputError("one thing is compared at a time", todo="give one of --aspect, --symbol, --moment, --chain, --communities")
    if options["moment"]:
        moment = comparison.Moment(options["moment"], *(options[k] for k in ("zone", "lines", "hexagram", "moving", "topic")))
        write(comparison.write_sheet(comparison.judged(moment), form), output)
        return
    nodes = [*comparison.resolved("aspect", options["aspect"]), *comparison.resolved("symbol", options["symbol"])]
    store = _store(where)
    if files:
        graph = around(ties(store), nodes) if nodes else ties(store)
        for kind, path in files.items():
            write(graphml(graph) if kind == "graphml" else picture.svg(graph), path)
    if options["chain"]:
        write(comparison.write_chain(comparison.chain(store, options["chain"]), store, form), output)
    elif options["communities"]:
        write(comparison.write_communities(communities(ties(store)), form), output)
    elif nodes and not (files and "-" in files.values()):
        write(comparison.write_sheet(sheet.by_aspect(store, nodes) if options["aspect"] else sheet.by_symbol(store, nodes), form), output)


@click.command(
    epilog="\b\nExamples:\n  guigu load --endpoint http://localhost:7878\n  guigu load cast.ttl --endpoint http://localhost:7878/query --update http://localhost:7878/update\n"
)
@click.argument("files", nargs=-1)
@click.option("--endpoint", required=True, metavar="URL", help="SPARQL query endpoint, where it is asked what is there already.")
@click.option("--update", metavar="URL", help="SPARQL update endpoint; by default the query endpoint, with '/query' read as '/update'.")
@click.option("--graph", metavar="IRI", help="Graph to put it into, replacing what is there; by default that which 'guigu ask' reads.")
@click.option("--user", metavar="NAME", help="User of the endpoint; the password is read from the environment variable GUIGU_PASSWORD.")
@click.option("--timeout", type=click.FloatRange(0.1, 3600), default=60, show_default=True, metavar="SECONDS", help="Longest wait for one batch.")
def load(files: tuple[str, ...], endpoint: str, update: str | None, graph: str | None, user: str | None, timeout: float) -> None:
    """Load the doctrine, and RDF FILES beside it, to a SPARQL endpoint: whole or not at all, and resumable."""
    from kg.endpoint import EndpointStore
    from kg.load import load as loaded
    from kg.store import doctrine, file_quads, quads
    from loader.iris import DOCTRINE_GRAPH

    target = graph or DOCTRINE_GRAPH
    service = update or (f"{endpoint.removesuffix('/query')}/update" if endpoint.endswith("/query") else endpoint)
    store = EndpointStore(endpoint, timeout=timeout, user=user, password=os.environ.get("GUIGU_PASSWORD"), update_url=service)
    triples = [q.triple for q in quads(doctrine(), "doctrine")] + [q.triple for name in files for q in file_quads(name)]
    found = loaded(store, triples, target, lambda done, every: click.echo(f"{done} of {every} triples", err=True))
    resumed = f", {found.already} batches of an earlier run were there" if found.already else ""
    click.echo(f"{found.triples} triples in <{target}> ({found.sent} batches sent{resumed})", err=True)
