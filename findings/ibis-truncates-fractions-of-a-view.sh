#!/usr/bin/env bash
# Expected: a column of a SQLite view has the same values in Ibis as in SQLite.
# Seen: Ibis takes the type of a computed column from its first row, so fractions after an integer lose their
#   decimals, without an error: 0.5 becomes 0 (ibis-framework 12.0.0; November 2026).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check "ibis-framework[sqlite]==12.0.0"
venv/bin/python -W ignore - <<'PYTHON'
import sqlite3
import ibis

with sqlite3.connect("scores.db") as db:
    db.execute("CREATE TABLE game (id INTEGER, points INTEGER, players INTEGER)")
    db.execute("INSERT INTO game VALUES (1, 2, 1), (2, 1, 2)")
    db.execute("CREATE VIEW score AS SELECT id, iif(players > 1, points / 2.0, points) AS share FROM game ORDER BY id")
    stored = [share for share, in db.execute("SELECT share FROM score")]
read = ibis.sqlite.connect("scores.db").table("score").to_pyarrow()["share"].to_pylist()
print(f"ibis {ibis.__version__}: SQLite has {stored}, Ibis {read}")
assert (stored, read) == ([2, 0.5], [2, 0]), "the behaviour has changed"
PYTHON
