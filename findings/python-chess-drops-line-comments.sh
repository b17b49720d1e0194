#!/usr/bin/env bash
# Expected: a PGN comment from a semicolon to the end of the line is read like one in braces: the standard has both
#   forms.
# Seen: python-chess drops it, without an error (chess 1.11.2; November 2026).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install -q --disable-pip-version-check chess==1.11.2
venv/bin/python -W ignore - <<'PYTHON'
import io
import chess.pgn

comments = []
for moves in ["1. e4 {best by test} e5 *", "1. e4 ; best by test\ne5 *"]:
    game = chess.pgn.read_game(io.StringIO(moves))
    comments.append(game.next().comment)
    assert (len(list(game.mainline_moves())), game.errors) == (2, []), "the behaviour has changed"
print(f"python-chess {chess.__version__}: in braces {comments[0]!r}, after a semicolon {comments[1]!r}")
assert comments == ["best by test", ""], "the behaviour has changed"
PYTHON
