#!/bin/sh
# Takes the screenshots of the README from a running server with the games of data/: screenshots.sh URL. Has the same
# requirements as tests/run.sh.
set -eu
url=${1:?usage: screenshots.sh URL}
cd "$(dirname "$0")/tests"
CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v chromium-browser)}
export CHROMIUM
npm ci --ignore-scripts --no-audit --no-fund --silent
exec node screenshots.js "$url" ../../docs/pictures
