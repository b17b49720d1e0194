#!/usr/bin/env bash
# Expected: a quotation mark in a tag value is written as \" in PGN, and a reader returns the complete value.
# Seen: cm-pgn ends the value at that mark, without an error, and writes a tag pair that is not valid PGN (cm-pgn
#   5.0.0; November 2026).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund cm-pgn@5.0.0 > /dev/null
cat > read.mjs <<'SCRIPT'
import { Pgn } from "cm-pgn";

const game = new Pgn('[Event "The \\"Immortal\\" game"]\n\n1. e4 e5 *\n');
const written = game.render().split("\n")[0];
console.log("cm-pgn 5.0.0: the value is", JSON.stringify(game.header.tags.Event), "and is written as", written);
if (written !== '[Event "The \\"]') throw new Error("the behaviour has changed");
SCRIPT
node read.mjs
