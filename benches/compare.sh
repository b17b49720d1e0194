#!/bin/sh
# Whole processes on one collection: plybook's import beside other programs that read PGN, where they are
# installed. They take turns, RUNS times (default 5); of each the medians are printed: wall-clock and CPU
# seconds, peak memory, and bytes a game of what it made.
#
#   benches/compare.sh GAMES.pgn
#
# What the others do is less than an import, and is said beside them. PLYBOOK=path/to/plybook (default
# target/release/plybook). Needs GNU time.
set -eu

[ $# -eq 1 ] || { echo "usage: benches/compare.sh GAMES.pgn" >&2; exit 2; }
plybook=${PLYBOOK:-$(dirname "$0")/../target/release/plybook}
for tool in "$plybook" /usr/bin/time; do
    command -v "$tool" >/dev/null || { echo "compare.sh: $tool is missing" >&2; exit 2; }
done
pgn=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
games=$(grep -c '^\[Event ' "$pgn")

# The programs: a name, what it does, the command that is run in an empty folder, and the file that it makes.
programs() {
    cat <<END
plybook|all cores: all tags, moves, annotations checked and stored|$plybook import --quiet '$pgn' -a made|made
plybook-1|the same, one thread parses|$plybook import --threads 1 --quiet '$pgn' -a made|made
pgn-extract|checks the moves, stores nothing|pgn-extract -s -r '$pgn'|
pgnscid|tags, moves and annotations into a Scid base|pgnscid -f '$pgn' made|made.*
scoutfish|moves only|scoutfish make '$pgn' made|made
zstd-19|packs the text, nothing understood|zstd -q -19 '$pgn' -o made|made
END
}

programs >"$folder/programs"
for run in $(seq "${RUNS:-5}"); do
    while IFS='|' read -r name what command made; do
        tool=${command%% *}
        if ! command -v "$tool" >/dev/null; then
            [ "$run" -gt 1 ] || echo "$name: $tool is not installed, left out"
            continue
        fi
        mkdir "$folder/run"
        code=0
        (cd "$folder/run" && /usr/bin/time -q -f '%e %U %S %M' -o ../time sh -c "$command" \
            >/dev/null 2>../errors) || code=$?
        # 1 is plybook's word for games that could not be stored.
        if [ "$code" -le 1 ]; then
            bytes=0
            [ -z "$made" ] || bytes=$(cd "$folder/run" && cat $made | wc -c)
            echo "$(tail -n 1 "$folder/time") $bytes" >>"$folder/$name.runs"
        elif [ "$run" -eq 1 ]; then
            echo "$name: failed with code $code: $(head -n 1 "$folder/errors")"
        fi
        rm -rf "$folder/run"
    done <"$folder/programs"
done

# The median of a column.
median() {
    awk -v column="$2" '{ print column == 0 ? $2 + $3 : $column }' "$1" | sort -g |
        awk '{ row[NR] = $1 } END { print (row[int((NR + 1) / 2)] + row[int(NR / 2) + 1]) / 2 }'
}

printf '%d games, %d runs\n%-12s %8s %8s %9s %8s  %s\n' "$games" "${RUNS:-5}" program 'wall s' 'CPU s' 'peak MiB' 'B/game' ''
while IFS='|' read -r name what command made; do
    runs=$folder/$name.runs
    [ -f "$runs" ] || continue
    printf '%-12s %8.2f %8.2f %9.1f %8.1f  %s\n' "$name" "$(median "$runs" 1)" "$(median "$runs" 0)" \
        "$(median "$runs" 4 | awk '{ print $1 / 1024 }')" \
        "$(median "$runs" 5 | awk -v games="$games" '{ print $1 / games }')" "$what"
done <"$folder/programs"
