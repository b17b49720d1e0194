#!/bin/sh
# What it costs that an archive is in parts: a collection as one archive and as so many parts, both indexed, each asked the
# same as whole processes in turns.
#
# Prints for each question the median milliseconds of both and their ratio; ends with 1 if an answer differs.
#
#   benches/parts.sh GAMES [PARTS]        GAMES is what an import takes, such as otb.pgn.zst; PARTS is 4 unless said
#
# PLYBOOK=path/to/plybook (default target/release/plybook) is measured; RUNS (default 7) is how often each is asked.
set -eu

plybook=$(realpath "${PLYBOOK:-$(dirname "$0")/../target/release/plybook}")
games=$(realpath "$1") parts=${2:-4} runs=${RUNS:-7}
folder=$(mktemp -d "${FOLDER:-${TMPDIR:-/tmp}}/parts.XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder"

"$plybook" import -q --index "$games" -a one.db || [ $? = 1 ]
"$plybook" split -q one.db --parts "$parts" --into parts

median() { sort -n | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'; }

# Milliseconds of a question to one archive; its answer goes to a file.
asked() {
    archive=$1 answer=$2
    shift 2
    begun=$(date +%s%N)
    "$plybook" "$@" -a "$archive" >"$answer" 2>&1 || [ $? = 1 ]
    echo "$((($(date +%s%N) - begun) / 10000))" | awk '{ print $1 / 100 }'
}

failed=0
printf '%-72s %9s %9s %6s\n' question 'one, ms' 'parts, ms' ratio
compare() {
    rm -f times.*
    for _ in $(seq "$runs"); do
        asked one.db answer.one "$@" >>times.one
        asked parts answer.parts "$@" >>times.parts
    done
    cmp -s answer.one answer.parts || { echo "another answer: $*" >&2; failed=1; }
    one=$(median <times.one) several=$(median <times.parts)
    printf '%-72s %9.1f %9.1f %6.2f\n' "$*" "$one" "$several" "$(echo "$several $one" | awk '{ print $1 / $2 }')"
}

compare explore
compare explore '1. e4 c5 2. Nf3 d6'
compare explore '1. d4' --date 1990..2000 --elo 2400..
compare explore '1. e4' --player kasparov
compare find '1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6' --count
compare find '1. e4 e5' --limit 20
compare find 'sicilian najdorf' --format ids
compare find --material 'KRPPP KRPP' --count
compare games --player kasparov --elo 2600.. --date 1990..1999
compare games --sort white --limit 20
compare games --sort date --format ids
compare report --player kasparov
compare stats --openings --format csv
exit $failed
