#!/bin/sh
# Takes the screenshots in docs/pictures, of servers with the games of data/: screenshots.sh PLYBOOK, the path of the
# program. Has the same requirements as tests/run.sh.
set -eu
plybook=$(realpath "${1:?usage: screenshots.sh PLYBOOK}")
cd "$(dirname "$0")/tests"
CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v chromium-browser)}
export CHROMIUM
cmp -s package-lock.json node_modules/.lock || npm ci --ignore-scripts --no-audit --no-fund --silent
folder=$(mktemp -d)
trap 'kill $servers; rm -r "$folder"' EXIT
servers=
for name in shown edited; do
    "$plybook" -a "$folder/$name.db" import --quiet ../../data
    "$plybook" -a "$folder/$name.db" index --quiet
    "$plybook" -a "$folder/$name.db" serve --quiet --bind 127.0.0.1:0 $([ $name = shown ] || echo --edit) > "$folder/$name" &
    servers="$servers $!"
done
until [ -s "$folder/shown" ] && [ -s "$folder/edited" ]; do sleep 0.1; done
node screenshots.js ../../docs/pictures "$(head -n 1 "$folder/shown")" "$(head -n 1 "$folder/edited")"
