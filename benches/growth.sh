#!/bin/sh
# How an import grows with the collection: made-up games in rising numbers, each imported into a new archive.
#
# Prints for each size the wall-clock and CPU time a game, the bytes a game of the archive, and the largest
# memory of the import; then whether time and bytes stay within a tenth of the smallest size's and memory
# below 128 MiB. The games are written to a file first, so that making them is not measured.
#
#   benches/growth.sh [GAMES...]          default: 100000 1000000 3000000
#
# PLYBOOK=path/to/plybook (default target/release/plybook) is measured; FOLDER (default: the system's for
# temporary files) needs room for the largest collection, 0.8 KB a game. Needs GNU time and jq.
set -eu

plybook=${PLYBOOK:-$(dirname "$0")/../target/release/plybook}
for tool in "$plybook" jq /usr/bin/time; do
    command -v "$tool" >/dev/null || { echo "growth.sh: $tool is missing" >&2; exit 2; }
done
folder=$(mktemp -d "${FOLDER:-${TMPDIR:-/tmp}}/growth.XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
[ $# -gt 0 ] || set -- 100000 1000000 3000000

printf '%10s %8s %10s %10s %8s %10s %9s\n' games MB 'us/game' 'CPU us/g' 'B/game' 'bits/ply' 'peak MiB'
for games; do
    "$plybook" generate --games "$games" --seed 1 -o "$folder/games.pgn"
    bytes=$(wc -c <"$folder/games.pgn")
    # The first reading brings the file into the page cache, as far as it fits.
    cat "$folder/games.pgn" >/dev/null
    /usr/bin/time -f '%e %U %S %M' -o "$folder/time" \
        "$plybook" import --quiet --format json "$folder/games.pgn" -a "$folder/games.db" >"$folder/report"
    archive=$(wc -c <"$folder/games.db")
    bits=$(jq .bits_per_ply "$folder/report")
    stored=$(jq .stored "$folder/report")
    awk -v games="$stored" -v bytes="$bytes" -v archive="$archive" -v bits="$bits" '{
        printf "%10d %8.0f %10.2f %10.2f %8.2f %10.4f %9.1f\n",
            games, bytes / 1e6, $1 / games * 1e6, ($2 + $3) / games * 1e6, archive / games, bits, $4 / 1024
    }' "$folder/time" | tee -a "$folder/rows"
    rm -f "$folder"/games.*
done

awk '
    NR == 1 { wall = $3; cpu = $4; bytes = $5 }
    { if ($3 / wall > w) w = $3 / wall; if ($4 / cpu > c) c = $4 / cpu; if ($5 / bytes > b) b = $5 / bytes; if ($7 > m) m = $7 }
    END {
        printf "against the first size at most: time %.2f, CPU %.2f, bytes %.2f; peak %.1f MiB\n", w, c, b, m
        flat = c <= 1.1 && b <= 1.1 && m <= 128
        print flat ? "flat to within 10 %, memory below 128 MiB" : "NOT flat to within 10 % and 128 MiB"
        exit !flat
    }' "$folder/rows"
