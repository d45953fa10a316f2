"""Casts by the million: the compiled clauses as a circuit of bits, with one bit for each cast."""

from kg.bulk.fires import Fires
from kg.bulk.hour_question import HourQuestion
from kg.bulk.hours import HourCharts, HourGrid
from kg.bulk.judge import evaluate, hour_charts, six_lines
from kg.bulk.question import Question, settled
from kg.bulk.space import Casts, Grid, hexagrams_of, lines_of

__all__ = [
    "Casts",
    "Fires",
    "Grid",
    "HourCharts",
    "HourGrid",
    "HourQuestion",
    "Question",
    "evaluate",
    "hexagrams_of",
    "hour_charts",
    "lines_of",
    "settled",
    "six_lines",
]
