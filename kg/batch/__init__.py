"""A casebook judged: one row a cast, from CSV or Parquet to CSV, JSON Lines, Parquet or N-Quads."""

from kg.batch.judging import Fired, Judged, judge
from kg.batch.rows import Row

__all__ = ["Fired", "Judged", "Row", "judge"]
