#!/usr/bin/env bash
# Expected: to rename a column or to change its type, sqlite-utils keeps the generated columns of a table, or refuses.
# Seen: `transform` drops them without a word, also those that are STORED. They are missing from `columns`, although the
#   rows have them (sqlite-utils 4.2.1; November 2026).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check sqlite-utils==4.2.1
venv/bin/python - <<'PYTHON'
import importlib.metadata
import sqlite_utils

db = sqlite_utils.Database(memory=True)
db.execute("CREATE TABLE game (id INTEGER PRIMARY KEY, packed INTEGER, result INTEGER AS (packed & 3), plies INTEGER AS (packed >> 2) STORED)")
db.execute("INSERT INTO game (packed) VALUES (162)")
game = db["game"]
print(f"sqlite-utils {importlib.metadata.version('sqlite-utils')}: row before: {list(game.rows)}")
print(f"columns: {[column.name for column in game.columns]}")
game.transform(rename={"packed": "header"})
print(f"row after renaming one column: {list(game.rows)}")
assert list(game.rows) == [{"id": 1, "header": 162}], "the behaviour has changed"
PYTHON
