#!/bin/sh
# Makes the pictures of the README from a running server that serves data/: screenshots.sh URL. Needs what
# tests/run.sh needs.
set -eu
url=${1:?usage: screenshots.sh URL}
cd "$(dirname "$0")/tests"
CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v chromium-browser)}
export CHROMIUM
npm ci --ignore-scripts --no-audit --no-fund --silent
exec node screenshots.js "$url" ../../docs/pictures
