#!/usr/bin/env bash
# The same question, asked in five ways, has one answer: the position after ply 20 of every Najdorf, and how many games
# come to it. It is asked of made-up games in which there are some, and of PLYBOOK_CORPUS/otb.pgn.zst where that is set.
set -euo pipefail
cd "$(dirname "$0")/.."
plybook=$(realpath "${1:?a plybook with the feature columns}")
extension=$(realpath "${2:?the extension of SQLite}")
package=${3:?a Python with the package and pandas}
duckdb=${4:?a Python with DuckDB}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

command -v sqlite3 > /dev/null || { echo "the sqlite3 shell is absent" >&2; exit 1; }

# Each prints lines of a count and a FEN; $1 is the condition of SQL, $2 the same as a filter of plybook.
by_shell() { sqlite3 -readonly -separator ' ' "$archive" ".load $extension" "$(question "$1")"; }
by_plybook() { "$plybook" sql "$(question "$1")" -a "$archive" --format csv | tail -n +2 | tr ',' ' '; }
by_package() {
    "$package" - "$archive" "$2" <<'PYTHON'
import sys
from collections import Counter
import plybook
name, value = sys.argv[2].split("=")
games = plybook.open(sys.argv[1]).games(**{name: value})
for fen, count in Counter(game.fen(20) for game in games if game.plies >= 20).items():
    print(count, fen)
PYTHON
}
by_pandas() {
    "$package" - "$archive" "$2" <<'PYTHON'
import sys
import plybook
name, value = sys.argv[2].split("=")
positions = plybook.open(sys.argv[1]).positions(fen=True, **{name: value}).to_pandas()
for fen, count in positions[positions["ply"] == 20].groupby("fen").size().items():
    print(count, fen)
PYTHON
}
by_duckdb() {
    "$plybook" export -a "$archive" "--${2%%=*}" "${2#*=}" --format parquet --positions --force -o "$folder/positions.parquet"
    "$duckdb" - "$folder/positions.parquet" <<'PYTHON'
import sys
import duckdb
question = "SELECT count(*), fen FROM read_parquet(?) WHERE ply = 20 GROUP BY fen"
for count, fen in duckdb.execute(question, [sys.argv[1]]).fetchall():
    print(count, fen)
PYTHON
}
question() {
    echo "SELECT count(*) AS games, fen(moves, 20, fen, variant) AS position FROM games
          WHERE $1 AND position IS NOT NULL GROUP BY position"
}

ask() {
    for way in shell plybook package pandas duckdb; do
        local begun=$EPOCHREALTIME
        "by_$way" "$1" "$2" | LC_ALL=C sort > "$folder/$way"
        local took=$((${EPOCHREALTIME/./} - ${begun/./}))
        echo "  $way: $((took / 1000)) ms"
        cmp "$folder/shell" "$folder/$way" || { echo "$2: another answer by $way than by the shell" >&2; exit 1; }
    done
    awk -v what="$2" '{ games += $1 } $1 > most { most = $1; $1 = ""; fen = $0 }
        END { printf "%s: %d games in %d positions after ply 20; %d of them in%s\n", what, games, NR, most, fen
              exit games < 20 }' "$folder/shell"
}

archives=("$folder/made.db")
"$plybook" generate --games 5000 --seed 7 -o "$folder/made.pgn"
"$plybook" import -q data "$folder/made.pgn" -a "$folder/made.db"
if [ -n "${PLYBOOK_CORPUS-}" ]; then
    # Exit code 1: some of its games are rejected.
    "$plybook" import -q "$PLYBOOK_CORPUS/otb.pgn.zst" -a "$folder/otb.db" || [ $? = 1 ]
    archives+=("$folder/otb.db")
fi
for archive in "${archives[@]}"; do
    echo "${archive##*/}: the same answer in five ways"
    ask "eco BETWEEN 'B90' AND 'B99'" eco=B90..B99
    ask "eco_name(moves, fen, variant) LIKE '%Najdorf%'" opening=najdorf
done
