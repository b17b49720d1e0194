#!/usr/bin/env bash
# Expected: white space between the parts of a tag pair means nothing: PGN files may have `[ White "Tal" ]`, and a
#   name and its value on two lines.
# Seen: chessops loses this tag and all later ones, and makes two games of one, without an error: one without moves and
#   one without tags (chessops 0.15.1; November 2026).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund chessops@0.15.1 > /dev/null
cat > read.mjs <<'SCRIPT'
import { parsePgn } from "chessops/pgn";

const games = parsePgn('[ White "Tal" ]\n[Black "Botvinnik"]\n\n1. e4 e5 *\n');
const seen = games.map((game) => [game.headers.get("White"), game.headers.get("Black"), [...game.moves.mainline()].length]);
console.log("chessops 0.15.1: White, Black and plies of each game:", JSON.stringify(seen));
if (JSON.stringify(seen) !== '[["?","?",0],["?","?",2]]') throw new Error("the behaviour has changed");
SCRIPT
node read.mjs
