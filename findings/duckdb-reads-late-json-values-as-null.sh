#!/usr/bin/env bash
# Expected: DuckDB reads a file of JSON lines without declared types completely, or reports a value that its guess
#   does not fit, as it does in CSV files.
# Seen: a field whose first value comes after 39,999 rows of null gets the type NULL, and that value is null too,
#   without an error; sample_size = -1 reads it (DuckDB 2.0.1; November 2026).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check duckdb==2.0.1
venv/bin/python -W ignore - <<'PYTHON'
import duckdb

with open("rows.jsonl", "w") as file:
    file.write('{"id": 1, "rating": null}\n' * 39_999 + '{"id": 2, "rating": 2700}\n')
guessed = duckdb.sql("SELECT count(*), count(rating), max(rating) FROM 'rows.jsonl'").fetchall()[0]
complete = duckdb.sql("SELECT count(*), count(rating), max(rating) FROM read_json('rows.jsonl', sample_size = -1)").fetchall()[0]
print(f"DuckDB {duckdb.__version__}: rows, ratings, highest: {guessed}; with sample_size = -1: {complete}")
assert (guessed, complete) == ((40_000, 0, None), (40_000, 1, 2700)), "the behaviour has changed"
PYTHON
