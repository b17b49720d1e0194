#!/bin/sh
# Makes the images in docs/pictures/before-and-after: each shows a page of two programs next to each other, with the games
# of data/, of invented tournaments, and of two engines. before-and-after.sh BEFORE AFTER, the paths of the programs. Requires
# pdftoppm, and what tests/run.sh requires.
set -eu
before=$(realpath "${1:?usage: before-and-after.sh BEFORE AFTER}")
after=$(realpath "${2:?usage: before-and-after.sh BEFORE AFTER}")
cd "$(dirname "$0")/tests"
CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v chromium-browser)}
export CHROMIUM
cmp -s package-lock.json node_modules/.lock || npm ci --ignore-scripts --no-audit --no-fund --silent
folder=$(mktemp -d)
trap 'kill $servers; rm -r "$folder"' EXIT
servers=
node tournaments.js > "$folder/tournaments.pgn"
for name in before after; do
    [ $name = before ] && program=$before || program=$after
    for kind in shown edited; do
        archive=$folder/$name-$kind.db
        "$program" -a "$archive" import --quiet ../../data engine-game.pgn "$folder/tournaments.pgn"
        "$program" -a "$archive" index --quiet
        "$program" -a "$archive" serve --quiet --bind 127.0.0.1:0 $([ $kind = shown ] || echo --edit) > "$folder/$name-$kind" &
        servers="$servers $!"
    done
done
"$after" -a "$folder/after-shown.db" export --id 16 --diagrams 24w,36b,-1 -o "$folder/diagrams.html"
for name in before-shown before-edited after-shown after-edited; do
    until [ -s "$folder/$name" ]; do sleep 0.1; done
done
node before-and-after.js ../../docs/pictures/before-and-after "$folder"
