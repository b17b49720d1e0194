#!/usr/bin/env bash
# Expected: two tag pairs on one line of a PGN file are two tags: the standard says that a reader must accept several
#   on the same line.
# Seen: python-chess reads one tag, and the second tag pair as a part of its value, without an error (chess 1.11.2;
#   November 2026).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check chess==1.11.2
venv/bin/python -W ignore - <<'PYTHON'
import io
import chess.pgn

game = chess.pgn.read_game(io.StringIO('[White "Tal"][Black "Botvinnik"]\n\n1. e4 *\n'))
white, black = game.headers["White"], game.headers["Black"]
print(f"python-chess {chess.__version__}: White is {white!r}, Black is {black!r}; errors: {game.errors}")
assert (white, black, game.errors) == ('Tal"][Black "Botvinnik', "?", []), "the behaviour has changed"
PYTHON
