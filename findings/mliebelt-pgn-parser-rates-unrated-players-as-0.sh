#!/usr/bin/env bash
# Expected: a rating of "-", as the PGN standard writes it for a player without one, is read as "-" or as nothing.
# Seen: @mliebelt/pgn-parser reads the number 0, as from "0", and keeps "?" as text with a message (1.4.19; November 2026).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund @mliebelt/pgn-parser@1.4.19 > /dev/null
cat > read.cjs <<'SCRIPT'
const { parse } = require("@mliebelt/pgn-parser");

const rating = (value) => parse(`[WhiteElo "${value}"]\n\n1. e4 *\n`, { startRule: "game" }).tags.WhiteElo;
const seen = ["2700", "-", "0", "?"].map(rating);
console.log("@mliebelt/pgn-parser 1.4.19: ratings 2700, -, 0 and ? are read as", JSON.stringify(seen));
if (JSON.stringify(seen) !== '[2700,0,0,"?"]') throw new Error("the behaviour has changed");
SCRIPT
node read.cjs
