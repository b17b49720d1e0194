#!/usr/bin/env bash
# Expected: a file with one game and a comment after its result has one game.
# Seen: kokopu makes the comment a second game, without moves (kokopu 4.13.4; November 2026).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund kokopu@4.13.4 > /dev/null
cat > read.mjs <<'SCRIPT'
import { pgnRead } from "kokopu";

const plies = (pgn) => [...pgnRead(pgn).games()].map((game) => game.nodes().length);
const seen = [plies("1. e4 e5 1-0\n"), plies("1. e4 e5 1-0 {Black resigned}\n")];
console.log("kokopu 4.13.4: plies of each game:", seen[0], "and with a comment after the result:", seen[1]);
if (JSON.stringify(seen) !== "[[2],[2,0]]") throw new Error("the behaviour has changed");
SCRIPT
node read.mjs
