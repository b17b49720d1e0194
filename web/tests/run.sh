#!/bin/sh
# Tests the pages of a running server in Chromium: run.sh URL. Requires Node, npm and Chromium. Without a URL, it only
# installs the packages: not twice at the same time.
# Exit status: 0 if all tests pass, 1 if some fail, 3 if a requirement is missing, which is named.
set -eu
cd "$(dirname "$0")"
for name in node npm; do
    command -v $name > /dev/null || { echo "absent: $name" >&2; exit 3; }
done
if [ -z "${CHROMIUM:-}" ]; then
    CHROMIUM=$(command -v chromium || command -v chromium-browser) || { echo "absent: chromium" >&2; exit 3; }
fi
export CHROMIUM
if ! cmp -s package-lock.json node_modules/.lock; then
    npm ci --ignore-scripts --no-audit --no-fund --silent || { echo "absent: the packages of package-lock.json" >&2; exit 3; }
    cp package-lock.json node_modules/.lock
fi
[ -z "${1-}" ] || exec node run.js "$1"
