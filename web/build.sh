#!/bin/sh
# Builds dist/ from src/: the page's script and styles, also compressed, and a manifest. Requires Node, npm and gzip;
# building plybook does not require them, since dist/ is checked in. The build is reproducible.
set -eu
cd "$(dirname "$0")"
npm ci --ignore-scripts --no-audit --no-fund --silent
rm -rf dist
mkdir dist
esbuild=node_modules/.bin/esbuild
$esbuild src/app.js --bundle --minify --format=esm --target=es2023 --charset=utf8 --legal-comments=none \
    --log-level=warning --outfile=dist/app.js
$esbuild src/edit.js --minify --format=esm --target=es2023 --log-level=warning --outfile=dist/edit.js
$esbuild src/theme.js --minify --format=iife --target=es2023 --log-level=warning --outfile=dist/theme.js
for style in chessground app explorer game games people edit; do
    $esbuild "src/$style.css" --bundle --minify --target=chrome123,firefox120,safari17.5 --charset=utf8 \
        --legal-comments=none --log-level=warning --outfile="dist/$style.css"
done
node pieces.js dist/chessground.css
for file in dist/*.js dist/*.css; do
    gzip -n -9 -k "$file"
done
node manifest.js
