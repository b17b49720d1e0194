#!/usr/bin/env bash
# Expected: a move may have two comments in braces in a row, as programs write that add a clock to a game with
#   comments.
# Seen: chess.js refuses the game at the second one (chess.js 1.4.0; November 2026).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund chess.js@1.4.0 > /dev/null
cat > read.mjs <<'SCRIPT'
import { Chess } from "chess.js";

const moves = (pgn) => { const game = new Chess(); game.loadPgn(pgn); return game.history().join(" "); };
console.log("chess.js 1.4.0: one comment:", moves("1. e4 {[%clk 1:00:00] good} e5 *"));
try {
    moves("1. e4 {[%clk 1:00:00]} {good} e5 *");
} catch (error) {
    console.log("two comments:", error.message);
    process.exit(/but "\{" found/.test(error.message) ? 0 : 1);
}
throw new Error("the behaviour has changed");
SCRIPT
node read.mjs
