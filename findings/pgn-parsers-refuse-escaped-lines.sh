#!/usr/bin/env bash
# Expected: a line that begins with % is left out, as section 6 of the PGN standard says.
# Seen: three parsers of npm refuse it, and with it every game of the text (@mliebelt/pgn-parser 1.4.19,
# @jackstenglein/pgn-parser 2.0.13, pgn-parser 2.2.1; November 2026).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund \
    @mliebelt/pgn-parser@1.4.19 @jackstenglein/pgn-parser@2.0.13 pgn-parser@2.2.1 > /dev/null
cat > read.cjs <<'SCRIPT'
const game = (name, line) => `[White "${name}"]\n\n${line}1. e4 e5 *\n\n`;
const read = (parser, pgn) => {
  try {
    return require(parser).parse(pgn, { startRule: "games" }).length;
  } catch (error) {
    return error.name;
  }
};
for (const parser of ["@mliebelt/pgn-parser", "@jackstenglein/pgn-parser", "pgn-parser"]) {
  const seen = ["", "% a note of another program\n"].map((line) => read(parser, game("A", "") + game("B", line)));
  console.log(`${parser}: games read: ${seen[0]}, and with a line that begins with %: ${seen[1]}`);
  if (seen[0] !== 2 || seen[1] !== "SyntaxError") throw new Error("the behaviour has changed");
}
SCRIPT
node read.cjs
