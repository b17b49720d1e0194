#!/bin/sh
# Whole processes on one collection: plybook's import, and its export of all games again, as PGN, Parquet and Arrow (these
# two where it was built with `--features columns`), beside other programs that read PGN, where they are installed. They
# take turns, RUNS times (default 5); of each the medians are printed: wall-clock and CPU seconds, peak memory, and bytes
# a game of what it made; and the wall-clock time of each export divided by that of the import. Where Scid is installed, positions of the games are then looked up by both:
# milliseconds for one of them, on average, and the games found. Scid compares neither castling rights nor en passant,
# and keeps games up to a move that is not legal.
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
plybook=$(realpath "$(command -v "$plybook")")
pgn=$(realpath "$1")
# Debian has Scid there.
PATH=$PATH:/usr/games
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
games=$(grep -c '^\[Event ' "$pgn")

# The programs: a name, what it does, the command that is run in an empty folder, and the file that it makes.
programs() {
    cat <<END
plybook|all cores: all tags, moves, annotations checked and stored|$plybook import --quiet '$pgn' -a made|made
plybook-1|the same, one thread parses|$plybook import --threads 1 --quiet '$pgn' -a made|made
export|all games of such an archive written as PGN|$plybook export -a '$folder/games.db' -o made|made
parquet|the same as a table, the default columns|$plybook export --format parquet -a '$folder/games.db' -o made|made
arrow|the same as Arrow IPC|$plybook export --format arrow -a '$folder/games.db' -o made|made
pgn-extract|checks the moves, stores nothing|pgn-extract -s -r '$pgn'|
pgnscid|tags, moves and annotations into a Scid base|pgnscid -f '$pgn' made|made.*
scid|the same, by its present importer|tkscid '$folder/import.tcl' '$pgn'|made.*
scoutfish|moves only|scoutfish make '$pgn' made|made
zstd-19|packs the text, nothing understood|zstd -q -19 '$pgn' -o made|made
END
}

cat >"$folder/import.tcl" <<'END'
sc_base create SCID4 made
sc_base import [sc_base current] [lindex $argv 0]
exit 0
END
programs >"$folder/programs"
"$plybook" import --quiet "$pgn" -a "$folder/games.db" >/dev/null 2>&1 || true
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
for name in export parquet arrow; do
    [ -f "$folder/$name.runs" ] || continue
    echo "$(median "$folder/$name.runs" 1) $(median "$folder/plybook.runs" 1)" |
        awk -v name="$name" '{ printf "%s takes %.2f times the wall-clock time of the import\n", name, $1 / $2 }'
done

command -v tkscid >/dev/null || exit 0
cd "$folder"
"$plybook" index -a games.db >/dev/null 2>&1
tkscid import.tcl "$pgn"
# From the first 12 plies, from the first 30, and from anywhere in a usual game.
for number in $(seq 200); do
    case $((number % 3)) in 0) plies=12 ;; 1) plies=30 ;; *) plies=70 ;; esac
    "$plybook" show $((number * 7919 % games + 1)) --ply $((number % plies)) --format fen -a games.db 2>/dev/null || true
done >positions
cat >ask.tcl <<'END'
set base [sc_base open made]
set file [open positions]
set positions [split [string trim [read $file]] "\n"]
set games 0
set find 0
set explore 0
foreach fen $positions {
    sc_game new
    sc_game startBoard $fen
    set found [lindex [time {sc_search board RESET Exact false 0}] 0]
    incr find $found
    incr games [sc_filter count $base dbfilter]
    # The statistics are those of the games that the search has left.
    incr explore [expr {$found + [lindex [time {sc_tree stats $base dbfilter}] 0]}]
}
puts [expr {$find / 1000.0 / [llength $positions]}]
puts [expr {$explore / 1000.0 / [llength $positions]}]
puts $games
exit 0
END

# The milliseconds that a command takes for each position.
for_each_position() {
    begin=$(date +%s%N)
    "$@" >answers 2>&1 || true
    echo "$begin $(date +%s%N) $asked" | awk '{ printf "%.3f", ($2 - $1) / 1e6 / $3 }'
}
explore_each() {
    while read -r position; do "$plybook" explore "$position" --format json -a games.db; done <positions
}
find_all() {
    "$plybook" find - --count -a games.db <positions
}
asked=$(wc -l <positions)
found=$(for_each_position find_all)
hits=$(awk '{ games += $1 } END { print games }' answers)
printf '\n%d positions\n%-12s %10s %10s %12s\n' "$asked" program 'find ms' 'explore ms' 'games found'
printf '%-12s %10.3f %10.3f %12d  find in one run, explore in a run for each position\n' plybook "$found" \
    "$(for_each_position explore_each)" "$hits"
tkscid ask.tcl | { read -r find; read -r explore; read -r hits
    printf '%-12s %10.3f %10.3f %12d  in one run, without opening the base\n' scid "$find" "$explore" "$hits"; }
